package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// JSON writes a session as one indented JSON object: the fields of its file.
func (f *File) JSON() ([]byte, error) {
	messages := f.Messages
	if messages == nil {
		messages = []Message{}
	}
	faults := f.Errors
	if faults == nil {
		faults = []Fault{}
	}
	b, err := marshal(struct {
		Info
		Messages []Message `json:"messages"`
		tail
	}{f.Info, messages, tail{f.Task, f.Plan, f.Usage, faults}})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, b, "", "  "); err != nil {
		return nil, err
	}
	return append(out.Bytes(), '\n'), nil
}

// Markdown writes a session for people to read.
func (f *File) Markdown() string {
	var b strings.Builder
	title := f.Title
	if title == "" {
		title = "Session " + f.ID
	}
	fmt.Fprintf(&b, "# %s\n\n", oneLine(title))
	f.facts(&b)
	results := map[string]string{}
	for _, m := range f.Messages {
		if m.Role == "tool" {
			results[m.CallID] = m.Content
		}
	}
	for _, m := range f.Messages {
		switch m.Role {
		case "user":
			fmt.Fprintf(&b, "\n## Question\n\n%s\n", strings.TrimSpace(m.Content))
			for _, i := range m.Images {
				fmt.Fprintf(&b, "\n[image: %s]\n", oneLine(i.MimeType))
			}
		case "assistant":
			m.markdown(&b, results)
		}
	}
	if f.Plan != nil && len(f.Plan.Steps) > 0 {
		b.WriteString("\n## Plan\n\n")
		if f.Plan.Title != "" {
			fmt.Fprintf(&b, "%s\n\n", f.Plan.Title)
		}
		for _, s := range f.Plan.Steps {
			mark := map[string]string{"completed": "x"}[s.Status]
			if mark == "" {
				mark = " "
			}
			at := ""
			if s.Status == "in_progress" {
				at = " (at work)"
			}
			fmt.Fprintf(&b, "- [%s] %s%s\n", mark, oneLine(s.Text), at)
		}
	}
	if len(f.Errors) > 0 {
		b.WriteString("\n## Errors\n\n")
		for _, e := range f.Errors {
			fmt.Fprintf(&b, "- %s, %s: %s\n", e.Time.Format(time.RFC3339), e.Where, oneLine(e.Message))
		}
	}
	return b.String()
}

// facts lists what stands at the beginning of the file.
func (f *File) facts(b *strings.Builder) {
	for _, x := range [][2]string{
		{"session", f.ID}, {"asked by session", f.Parent}, {"agent file", f.Agent}, {"model", strings.Trim(f.Model+" @ "+f.Provider, " @")},
		{"folder", f.Cwd}, {"begun", f.Created.Format(time.RFC3339)}, {"last change", f.Updated.Format(time.RFC3339)},
	} {
		if x[1] != "" {
			fmt.Fprintf(b, "- %s: %s\n", x[0], oneLine(x[1]))
		}
	}
	if f.Usage.Input+f.Usage.Output > 0 {
		fmt.Fprintf(b, "- tokens: %d + %d\n", f.Usage.Input, f.Usage.Output)
	}
}

// markdown writes an assistant's message, its calls with their results.
func (m *Message) markdown(b *strings.Builder, results map[string]string) {
	if text := strings.TrimSpace(m.Content); text != "" {
		fmt.Fprintf(b, "\n## Answer\n\n%s\n", text)
	}
	for _, c := range m.Calls {
		title := c.Title
		if title == "" {
			title = c.Arguments
		}
		state := ""
		if c.Failed {
			state = " (failed)"
		}
		fmt.Fprintf(b, "\n### %s%s\n\n%s\n", c.Name, state, fenced(title))
		if r, ok := results[c.ID]; ok {
			fmt.Fprintf(b, "\n%s\n", fenced(r))
		}
	}
}

// fenced puts text into a code block, with a fence that is longer than any in the text.
func fenced(text string) string {
	longest, n := 0, 0
	for _, r := range text {
		if n++; r != '`' {
			n = 0
		}
		longest = max(longest, n)
	}
	fence := strings.Repeat("`", max(3, longest+1))
	return fence + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
