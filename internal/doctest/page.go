package doctest

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// block is a fenced block of a page.
type block struct {
	line    int // of its opening fence
	lang    string
	text    string
	orders  map[string]string // what the comment before it says
	heading string
}

var (
	fence = regexp.MustCompile("^( *)(```+)([a-zA-Z]*)")
	order = regexp.MustCompile(`^<!-- test: (file|skip|stdin|with|in) (.*?) -->$`)
)

// blocks reads the blocks of a page.
func blocks(path string) ([]block, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list []block
	orders, heading := map[string]string{}, ""
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if m := order.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			orders[m[1]] = m[2]
			continue
		}
		m := fence.FindStringSubmatch(line)
		if m == nil {
			if strings.HasPrefix(line, "#") {
				heading = strings.TrimLeft(line, "# ")
			}
			if strings.TrimSpace(line) != "" {
				orders = map[string]string{}
			}
			continue
		}
		b := block{line: i + 1, lang: m[3], orders: orders, heading: heading}
		orders = map[string]string{}
		var body []string
		for i++; i < len(lines) && strings.TrimSpace(lines[i]) != m[2]; i++ {
			body = append(body, strings.TrimPrefix(lines[i], m[1]))
		}
		if i == len(lines) {
			return nil, fmt.Errorf("%s:%d: this block has no end", path, b.line)
		}
		b.text = strings.Join(body, "\n") + "\n"
		list = append(list, b)
	}
	return list, nil
}

var named = regexp.MustCompile(`^# ([\w./-]+\.yaml)(?:\s|$)`)

// file is the name that the block is to be written under, "" for none.
func (b block) file() string {
	if name := b.orders["file"]; name != "" {
		return name
	}
	if m := named.FindStringSubmatch(b.text); m != nil && b.lang == "yaml" {
		return m[1]
	}
	return ""
}

// step is a command of a console block and what it prints.
type step struct{ command, want string }

// steps splits a console block.
func (b block) steps() []step {
	var list []step
	for _, line := range strings.SplitAfter(b.text, "\n") {
		switch command, ok := strings.CutPrefix(line, "$ "); {
		case ok:
			list = append(list, step{command: strings.TrimSuffix(command, "\n")})
		case len(list) > 0:
			list[len(list)-1].want += line
		}
	}
	return list
}

// matches reports whether an output is what a page shows; a line of "..." stands for any lines, and
// "…" inside a line for any text.
func matches(want, got string) bool {
	var b strings.Builder
	b.WriteString(`\A`)
	for _, line := range strings.SplitAfter(want, "\n") {
		switch strings.TrimSpace(line) {
		case "":
			b.WriteString(regexp.QuoteMeta(line))
		case "...":
			b.WriteString(`(?:.*\n)*?`)
		default:
			parts := strings.Split(strings.TrimSuffix(line, "\n"), "…")
			for i := range parts {
				parts[i] = regexp.QuoteMeta(parts[i])
			}
			b.WriteString(strings.Join(parts, `.*`) + `[ ]*\n`)
		}
	}
	return regexp.MustCompile(b.String() + `\n?\z`).MatchString(got)
}
