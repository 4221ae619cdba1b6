package prompt

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Key is a key that was pressed, or a text that was typed or pasted.
type Key struct {
	// Name is the key's name: "enter", "ctrl+r", "up", "alt+b". It is "" for text.
	Name string
	Text string
	// Pasted says that the text came as one block.
	Pasted bool
}

// maxPaste bounds a pasted text, in bytes.
const maxPaste = 16 << 20

// Keys makes keys of the bytes that a terminal sends. The zero value is ready.
type Keys struct {
	rest  []byte // the beginning of a key
	paste []byte
	left  int  // bytes of the paste that were left out
	in    bool // a paste
}

const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
)

// Feed takes bytes as they were read and returns the keys that they end. An escape at the end of a
// read is the key itself: sequences arrive as a whole.
func (k *Keys) Feed(b []byte) []Key {
	b = append(k.rest, b...)
	k.rest = nil
	var out []Key
	for len(b) > 0 {
		if k.in {
			b = k.pasting(b, &out)
			continue
		}
		key, n := next(b)
		if n == 0 {
			k.rest = append([]byte(nil), b...)
			break
		}
		b = b[n:]
		switch {
		case key.Name == "paste":
			k.in = true
		case key.Name == "" && key.Text != "" && len(out) > 0 && out[len(out)-1].Name == "" && !out[len(out)-1].Pasted:
			out[len(out)-1].Text += key.Text
		case key != Key{}:
			out = append(out, key)
		}
	}
	return out
}

// pasting takes bytes of a paste and returns what follows its end. What is beyond maxPaste is left
// out, which the text says.
func (k *Keys) pasting(b []byte, out *[]Key) []byte {
	const most = len(pasteEnds) - 1 // as much of the end mark may have come before
	from := max(0, len(k.paste)-most)
	k.paste = append(k.paste, b...)
	i := bytes.Index(k.paste[from:], []byte(pasteEnds))
	if i < 0 {
		if n := len(k.paste) - maxPaste - most; n > 0 {
			k.left += n
			k.paste = append(k.paste[:maxPaste], k.paste[len(k.paste)-most:]...)
		}
		return nil
	}
	i += from
	rest := append([]byte(nil), k.paste[i+len(pasteEnds):]...)
	kept := min(i, maxPaste)
	text := strings.ToValidUTF8(string(k.paste[:kept]), "\ufffd")
	if n := k.left + i - kept; n > 0 {
		text += fmt.Sprintf("\n[... %d more bytes of the paste left out]", n)
	}
	*out = append(*out, Key{Text: text, Pasted: true})
	k.in, k.paste, k.left = false, nil, 0
	return rest
}

// next reads one key; n is 0 when more bytes are needed.
func next(b []byte) (key Key, n int) {
	switch c := b[0]; {
	case c == 0x1b:
		return escape(b)
	case c == '\r', c == '\n':
		if c == '\r' && len(b) > 1 && b[1] == '\n' {
			return Key{Name: "enter"}, 2
		}
		return Key{Name: "enter"}, 1
	case c == '\t':
		return Key{Name: "tab"}, 1
	case c == 0x7f, c == 8:
		return Key{Name: "backspace"}, 1
	case c < 0x20:
		if c >= 1 && c <= 26 {
			return Key{Name: "ctrl+" + string(rune('a'+c-1))}, 1
		}
		return Key{}, 1
	}
	if !utf8.FullRune(b) {
		return Key{}, 0
	}
	r, size := utf8.DecodeRune(b)
	return Key{Text: string(r)}, size
}

// escape reads a sequence that begins with escape.
func escape(b []byte) (Key, int) {
	if len(b) == 1 {
		return Key{Name: "esc"}, 1
	}
	switch b[1] {
	case '[':
		return csi(b)
	case 'O':
		if len(b) < 3 {
			return Key{}, 0
		}
		return Key{Name: final(b[2], "")}, 3
	case 0x1b:
		return Key{Name: "esc"}, 1
	}
	key, n := next(b[1:])
	if n == 0 {
		return Key{}, 0
	}
	if key.Name == "" {
		key.Name, key.Text = key.Text, ""
	}
	return Key{Name: "alt+" + key.Name}, n + 1
}

// csi reads ESC [ parameters final.
func csi(b []byte) (Key, int) {
	for i := 2; i < len(b); i++ {
		c := b[i]
		if c >= 0x40 && c <= 0x7e {
			return named(string(b[2:i]), c), i + 1
		}
		if c < 0x20 || c > 0x3f || i > 32 {
			return Key{}, i // no sequence after all
		}
	}
	return Key{}, 0
}

// named is the key of a sequence.
func named(params string, end byte) Key {
	number, modifier, _ := strings.Cut(params, ";")
	if end == '~' {
		if number == "200" {
			return Key{Name: "paste"}
		}
		name := map[string]string{"1": "home", "7": "home", "4": "end", "8": "end", "3": "delete", "5": "pgup", "6": "pgdown"}[number]
		return Key{Name: with(modifier, name)}
	}
	return Key{Name: final(end, modifier)}
}

func final(end byte, modifier string) string {
	name := map[byte]string{'A': "up", 'B': "down", 'C': "right", 'D': "left", 'H': "home", 'F': "end", 'Z': "shift+tab", 'M': "enter"}[end]
	return with(modifier, name)
}

// with puts the modifier of a sequence before a key's name.
func with(modifier, name string) string {
	if name == "" {
		return "unknown"
	}
	switch modifier {
	case "3":
		return "alt+" + name
	case "5":
		return "ctrl+" + name
	}
	return name
}
