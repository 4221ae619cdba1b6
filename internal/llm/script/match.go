package script

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// request is what counts of a client's request.
type request struct {
	Model    string    `json:"model"`
	Messages []message `json:"messages"`
}

type message struct {
	Role       string `json:"role"`
	Content    text   `json:"content"`
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// text is a content: a text, or parts that are joined by line ends.
type text string

// UnmarshalJSON reads both.
func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*t = text(s)
		return nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text
	}
	*t = text(strings.Join(texts, "\n"))
	return nil
}

// situation is what steps are matched with.
type situation struct {
	role     string // of the last message
	last     string // its text
	from     string // the tool whose result it is
	question string
	system   string
}

func situationOf(r *request) situation {
	var s situation
	names := map[string]string{}
	for _, m := range r.Messages {
		s.role, s.last, s.from = m.Role, string(m.Content), ""
		switch m.Role {
		case "system", "developer":
			s.system = s.last
		case "user":
			s.question = s.last
		case "tool":
			s.from = names[m.ToolCallID]
		}
		for _, c := range m.ToolCalls {
			names[c.ID] = c.Function.Name
		}
	}
	return s
}

// String names the situation for a message: the user text "what is here?".
func (s situation) String() string {
	short := s.last
	if utf8.RuneCountInString(short) > 200 {
		short = string([]rune(short)[:200]) + "…"
	}
	switch s.role {
	case "user":
		return fmt.Sprintf("the user text %q", short)
	case "tool":
		return fmt.Sprintf("the result of %s %q", s.from, short)
	case "":
		return "a request without messages"
	}
	return fmt.Sprintf("the %s text %q", s.role, short)
}

// groups are the texts that the expressions of a step caught.
type groups map[string]string

// match returns the groups of a step that fits.
func (st *Step) match(s situation) (groups, bool) {
	found := groups{}
	ok := (st.User == nil || s.role == "user" && found.catch(st.User, s.last)) &&
		(st.Tool == nil || s.role == "tool" && found.catch(st.Tool, s.last)) &&
		(st.From == nil || s.role == "tool" && found.catch(st.From, s.from)) &&
		(st.Question == nil || found.catch(st.Question, s.question)) &&
		(st.System == nil || found.catch(st.System, s.system))
	return found, ok
}

// catch matches and keeps the groups: the named ones, and the numbered ones of the first
// expression that has any.
func (g groups) catch(re *regexp.Regexp, s string) bool {
	m := re.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	_, numbered := g["1"]
	for i, name := range re.SubexpNames() {
		if i == 0 {
			continue
		}
		if name != "" {
			g[name] = m[i]
		}
		if !numbered {
			g[fmt.Sprint(i)] = m[i]
		}
	}
	return true
}

// fill puts the groups in: $1 and ${1}, ${name}; $$ is a dollar sign. What names no group stays as
// it is, so that a shell's $HOME needs no care.
func (g groups) fill(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '$')
		if i < 0 || i+1 == len(s) {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		text, used := g.reference(s[i+1:])
		b.WriteString(text)
		s = s[i+1+used:]
	}
}

// reference reads what follows a dollar sign.
func (g groups) reference(s string) (text string, used int) {
	if s[0] == '$' {
		return "$", 1
	}
	name, used := s[:1], 1
	if end := strings.IndexByte(s, '}'); s[0] == '{' && end > 0 {
		name, used = s[1:end], end+1
	}
	if text, ok := g[name]; ok {
		return text, used
	}
	return "$", 0
}
