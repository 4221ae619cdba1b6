package main

import (
	"fmt"
	"html"
	"image/color"
	"strings"

	"github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// The size of a cell and the frame, in SVG units.
const (
	cellWidth  = 8.4
	cellHeight = 18
	margin     = 14
	bar        = 26
)

// theme is what a terminal makes of the colours.
type theme struct {
	background, foreground string
	palette                [8]string
}

func themeOf(light bool) theme {
	if light {
		return theme{"#fbfbf8", "#30323d", [8]string{"#30323d", "#c0304c", "#2f7d32", "#8a6500", "#2257c4", "#8b3fb0", "#0f7583", "#6b6e7b"}}
	}
	return theme{"#1e1e2e", "#cdd6f4", [8]string{"#45475a", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#f5c2e7", "#94e2d5", "#bac2de"}}
}

// draw is the screen as an SVG, without the empty lines at its end.
func draw(screen *vt.Emulator, label string, light bool) string {
	t := themeOf(light)
	last := 0
	for y := range screen.Height() {
		for x := range screen.Width() {
			if c := screen.CellAt(x, y); c != nil && strings.TrimSpace(c.Content) != "" {
				last = y
			}
		}
	}
	width, height := float64(screen.Width())*cellWidth+2*margin, (last+1)*cellHeight+2*margin+bar
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" height="%d" role="img" aria-label="%s">`+"\n", width, height, width, height, html.EscapeString(label))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", t.background)
	for i, fill := range []string{"#f38ba8", "#f9e2af", "#a6e3a1"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="16" r="5.5" fill="%s"/>`+"\n", 20+18*i, fill)
	}
	b.WriteString(`<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" xml:space="preserve">` + "\n")
	for y := 0; y <= last; y++ {
		t.line(&b, screen, y)
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// line writes the cells of a line, those of one style together.
func (t theme) line(b *strings.Builder, screen *vt.Emulator, y int) {
	baseline := bar + margin + y*cellHeight + 13
	for x := 0; x < screen.Width(); {
		start, style, text := x, look{}, ""
		for x < screen.Width() {
			c := screen.CellAt(x, y)
			content, s, w := " ", t.styleOf(nil), 1
			if c != nil && c.Content != "" {
				content, s, w = c.Content, t.styleOf(c), max(c.Width, 1)
			}
			if text != "" && (s != style || w > 1) {
				break
			}
			style, text = s, text+content
			x += w
			if w > 1 {
				break // a wide character gets its own place: fonts differ about its width
			}
		}
		if style.behind != "" {
			fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", margin+float64(start)*cellWidth, baseline-13, float64(x-start)*cellWidth, cellHeight, style.behind)
		}
		if text = strings.TrimRight(text, " "); text != "" {
			fmt.Fprintf(b, `<text x="%.1f" y="%d" %s>%s</text>`+"\n", margin+float64(start)*cellWidth, baseline, style.text, html.EscapeString(text))
		}
	}
}

// look is how cells are drawn: attributes of the text, and the colour behind it.
type look struct{ text, behind string }

func (t theme) styleOf(c *uv.Cell) look {
	if c == nil {
		return look{text: fmt.Sprintf(`fill="%s"`, t.foreground)}
	}
	fill, behind, more := t.colour(c.Style.Fg, t.foreground), t.colour(c.Style.Bg, ""), ""
	if c.Style.Attrs&uv.AttrReverse != 0 {
		fill, behind = t.background, fill
	}
	if c.Style.Attrs&uv.AttrBold != 0 {
		more += ` font-weight="bold"`
	}
	if c.Style.Attrs&uv.AttrFaint != 0 {
		more += ` opacity="0.6"`
	}
	return look{fmt.Sprintf(`fill="%s"%s`, fill, more), behind}
}

// colour is one of the palette's, or the colour itself.
func (t theme) colour(c color.Color, none string) string {
	switch c := c.(type) {
	case nil:
		return none
	case ansi.BasicColor:
		return t.palette[c%8]
	case ansi.IndexedColor:
		if c < 16 {
			return t.palette[c%8]
		}
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
