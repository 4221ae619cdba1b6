package agents

import (
	"errors"
	"io"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// parse gives the documents of a YAML text, or its first syntax error.
func parse(src source) ([]*yaml.Node, *Problem) {
	documents, err := decode(src.text)
	if err == nil {
		return documents, nil
	}
	line, column := src.content(src.rightLines())
	return nil, &Problem{Line: line, Column: column, Text: "this isn't YAML, here or just around: " + plainFault(err)}
}

func decode(text string) ([]*yaml.Node, error) {
	var all []*yaml.Node
	for dec := yaml.NewDecoder(strings.NewReader(text)); ; {
		var document yaml.Node
		err := dec.Decode(&document)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, document.Content...)
	}
}

// maxSearch bounds the bytes that are parsed again to find a fault.
const maxSearch = 4 << 20

// rightLines counts the lines of the longest beginning of a wrong text that is right by itself. So
// the next line is the one where someone has to look, or, for a quote or bracket without an end,
// where it begins. The library's own line is often that of the map around the fault, or one off.
func (s source) rightLines() int {
	work := 0
	for lines := len(s.lines) - 1; lines > 0; lines-- {
		end := s.starts[lines]
		if work += end; work > maxSearch {
			break
		}
		if _, err := decode(s.text[:end]); err == nil {
			return lines
		}
	}
	return 0
}

// plainFault says what the YAML library found, with what people usually did where that is known.
// The library's texts hold nothing of the file but names of anchors and tags.
func plainFault(err error) string {
	text := regexp.MustCompile(`^yaml: (line \d+: )?`).ReplaceAllString(err.Error(), "")
	for _, known := range []struct{ part, hint string }{
		{"did not find expected key", "a key was expected — keys of one map begin in the same column"},
		{"did not find expected '-'", "an item was expected — the items of one list begin with - in the same column"},
		{"mapping values are not allowed", "a second \": \" in one line — put a text with a colon in quotes"},
		{"block sequence entries are not allowed", "a list can't begin here — put it into lines of its own"},
		{"could not find expected ':'", "a key without its colon"},
		{"cannot start any token", "a character that no value can begin with — indent with blanks, not tabs, and put texts that begin with @, ` or % in quotes"},
		{"tab character", "a tab — indent with blanks"},
		{"unexpected end of stream", "a quote or bracket without its end"},
		{"unexpected document indicator", "a quote without its end"},
		{"expected ',' or", "a bracket without its end, or two items without a comma between them"},
		{"unknown escape character", `a \ that means nothing in double quotes — use single quotes, or \\`},
		{"control characters", "a control character"},
	} {
		if strings.Contains(text, known.part) {
			return known.hint
		}
	}
	return text
}
