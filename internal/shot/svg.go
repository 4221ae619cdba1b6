package main

import (
	"fmt"
	"html"
	"image/color"
	"strings"

	"github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
)

// The size of a cell and the frame, in SVG units.
const (
	cellWidth  = 8.4
	cellHeight = 18
	margin     = 14
	bar        = 26
)

const (
	background = "#1e1e2e"
	foreground = "#cdd6f4"
)

// draw is the screen as an SVG, without the empty lines at its end.
func draw(screen *vt.Emulator) string {
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
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" height="%d" role="img" aria-label="mm demo in a terminal">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", background)
	for i, fill := range []string{"#f38ba8", "#f9e2af", "#a6e3a1"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="16" r="5.5" fill="%s"/>`+"\n", 20+18*i, fill)
	}
	b.WriteString(`<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" xml:space="preserve">` + "\n")
	for y := 0; y <= last; y++ {
		line(&b, screen, y)
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// line writes the cells of a line, those of one style together.
func line(b *strings.Builder, screen *vt.Emulator, y int) {
	baseline := bar + margin + y*cellHeight + 13
	for x := 0; x < screen.Width(); {
		start, style, text := x, "", ""
		for x < screen.Width() {
			c := screen.CellAt(x, y)
			content, s, w := " ", foregroundOf(nil), 1
			if c != nil && c.Content != "" {
				content, s, w = c.Content, foregroundOf(c), max(c.Width, 1)
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
		if text = strings.TrimRight(text, " "); text != "" {
			fmt.Fprintf(b, `<text x="%.1f" y="%d" %s>%s</text>`+"\n", margin+float64(start)*cellWidth, baseline, style, html.EscapeString(text))
		}
	}
}

// foregroundOf is the style of a cell as SVG attributes.
func foregroundOf(c *uv.Cell) string {
	fill, more := foreground, ""
	if c != nil {
		if c.Style.Fg != nil {
			fill = hex(c.Style.Fg)
		}
		if c.Style.Attrs&uv.AttrBold != 0 {
			more += ` font-weight="bold"`
		}
		if c.Style.Attrs&uv.AttrFaint != 0 {
			more += ` opacity="0.6"`
		}
	}
	return fmt.Sprintf(`fill="%s"%s`, fill, more)
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
