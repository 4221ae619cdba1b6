package ui

import (
	"context"
	"strconv"
	"strings"
)

// QuestionType is how a question is answered (tools.fr.md, ask_user).
type QuestionType string

// The types.
const (
	Choice  QuestionType = "choice"  // one option, or a text of one's own where the front end allows it
	Multi   QuestionType = "multi"   // any number of options, at least one
	Free    QuestionType = "text"    // a text
	Confirm QuestionType = "confirm" // yes or no
)

// Question is one question of a form.
type Question struct {
	Text    string
	Type    QuestionType
	Options []string // for Choice and Multi
	Default string   // "" for none; "yes" or "no" for Confirm
	// Strict lets a Choice be answered with one of its options only.
	Strict bool
}

// Form is questions that are asked together.
type Form struct {
	Agent     string // path of the asking agent, "" for this one
	Call      string // ID of the ask_user call
	Questions []Question
}

// ReplyState is how a form ended.
type ReplyState int

// The ways.
const (
	Nobody ReplyState = iota // nobody can be asked
	Replied
	Declined
	Withdrawn // cancelled before the user answered
)

// FormReply is what a person said to a form: for each question its answers, one except for Multi.
type FormReply struct {
	State   ReplyState
	Answers [][]string
}

// Questioner shows a form to a person.
type Questioner interface {
	// AskUser returns when the form is answered, or ctx is done; then it is taken off the screen.
	AskUser(ctx context.Context, f Form) FormReply
}

// The words for yes and no, in English and French (tools.fr.md).
const (
	Yes = "yes"
	No  = "no"
)

// ParseConfirm reads a yes or a no, without regard to case.
func ParseConfirm(s string) (answer string, ok bool) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "y", "yes", "o", "oui", "true", "1":
		return Yes, true
	case "n", "no", "non", "false", "0":
		return No, true
	}
	return "", false
}

// ParseLine reads a typed line as the answer to a question. An empty line takes the default; ok is
// false when the line doesn't answer.
func (q Question) ParseLine(line string) (answer []string, ok bool) {
	line = strings.TrimSpace(line)
	if line == "" {
		return []string{q.Default}, q.Default != ""
	}
	switch q.Type {
	case Confirm:
		a, ok := ParseConfirm(line)
		return []string{a}, ok
	case Multi:
		return q.parseMulti(line)
	case Choice:
		return q.parseChoice(line)
	}
	return []string{line}, true
}

// parseChoice takes a number, the text of an option, the beginning of just one option, or any other
// text as an answer of one's own. A number that no option has asks again.
func (q Question) parseChoice(line string) ([]string, bool) {
	if n, err := strconv.Atoi(line); err == nil {
		if n < 1 || n > len(q.Options) {
			return nil, false
		}
		return []string{q.Options[n-1]}, true
	}
	var begins []string
	for _, o := range q.Options {
		if strings.EqualFold(o, line) {
			return []string{o}, true
		}
		if len(o) >= len(line) && strings.EqualFold(o[:len(line)], line) {
			begins = append(begins, o)
		}
	}
	if len(begins) == 1 {
		return begins, true
	}
	return []string{line}, !q.Strict
}

// parseMulti takes numbers between commas, blanks or semicolons, all of them valid.
func (q Question) parseMulti(line string) ([]string, bool) {
	chosen := make([]bool, len(q.Options))
	for _, f := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(", ;\t", r) }) {
		n, err := strconv.Atoi(f)
		if err != nil || n < 1 || n > len(q.Options) {
			return nil, false
		}
		chosen[n-1] = true
	}
	var answer []string
	for i, yes := range chosen {
		if yes {
			answer = append(answer, q.Options[i])
		}
	}
	return answer, len(answer) > 0
}

// Help says how to answer in a line.
func (q Question) Help() string {
	help := ""
	switch q.Type {
	case Choice:
		help = "a number, or your own answer"
		if q.Strict {
			help = "a number, or the beginning of an option"
		}
	case Multi:
		help = "numbers, separated by commas"
	case Confirm:
		help = "y or n"
	default:
		help = "type your answer"
	}
	if q.Default != "" {
		help += " · Enter for " + q.Default
	}
	return help + " · /skip to decline"
}
