package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mini-me/mm/internal/session"
	"github.com/mini-me/mm/internal/ui"
)

// shownSessions is how many sessions /sessions and the picker of /resume show.
const shownSessions = 20

// Sessions lists the sessions that a person began, the newest first: those of the folder cwd, or
// all where cwd is "". Damaged files are in damaged, each named.
func (e *Engine) Sessions(cwd string) (list []session.Info, damaged []error, err error) {
	if e.Store() == nil {
		return nil, nil, errNoSessions
	}
	list, damaged, err = e.Store().List()
	list = slices.DeleteFunc(list, func(i session.Info) bool {
		return i.Parent != "" || i.Count == 0 || cwd != "" && i.Cwd != cwd
	})
	return list, damaged, err
}

func sessionsCommand(_ context.Context, s *Session, args string) Done {
	cwd := s.o.Cwd
	switch args {
	case "":
	case "all":
		cwd = ""
	default:
		return Done{Failed: true, Text: "use /sessions or /sessions all"}
	}
	list, damaged, err := s.engine.Sessions(cwd)
	if err != nil {
		return Done{Failed: true, Text: err.Error()}
	}
	var b strings.Builder
	for i, x := range list {
		if i == shownSessions {
			fmt.Fprintf(&b, "… and %d more: mm sessions lists them all\n", len(list)-i)
			break
		}
		here := ""
		if x.ID == s.ID {
			here = " (this one)"
		}
		fmt.Fprintf(&b, "%s  %s%s\n", x.ID, Describe(x, time.Now()), here)
	}
	for _, d := range damaged {
		fmt.Fprintf(&b, "[warning: %v]\n", d)
	}
	switch {
	case len(list) == 0:
		b.WriteString("no sessions in this folder yet; /sessions all shows those of other folders")
	case s.o.CanSwitch:
		b.WriteString("go on with one: /resume ID")
	default:
		b.WriteString("go on with one: in the editor's own list, or in a terminal with mm --resume ID")
	}
	return Done{Text: strings.TrimSuffix(b.String(), "\n")}
}

// Describe is a session in a line: when it was changed, how long it is, and what it is about.
func Describe(i session.Info, now time.Time) string {
	title := i.Title
	if title == "" {
		title = "(no question yet)"
	}
	return fmt.Sprintf("%s · %d messages · %s", since(now.Sub(i.Updated)), i.Count, title)
}

// since words how long ago something was.
func since(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}

// resumeCommand goes on with another session, which the front end finds in Done.Session.
func resumeCommand(ctx context.Context, s *Session, args string) Done {
	id := args
	var err error
	if id == "" {
		if id, err = s.pick(ctx); err != nil {
			return Done{Failed: true, Text: err.Error()}
		}
	} else if s.engine.Store() != nil {
		if id, err = s.engine.Store().Find(args); err != nil {
			return Done{Failed: true, Text: err.Error()}
		}
	}
	if id == s.ID {
		return Done{Text: "this is session " + id + " already"}
	}
	next, err := s.engine.ResumeSession(id, s.options())
	if err != nil {
		return Done{Failed: true, Text: err.Error()}
	}
	return Done{Session: next}
}

// errNotPicked means that a person chose none.
var errNotPicked = errors.New("no session was chosen")

// pick lets the person choose one of the newest sessions of this folder.
func (s *Session) pick(ctx context.Context) (string, error) {
	list, _, err := s.engine.Sessions(s.o.Cwd)
	if err != nil {
		return "", err
	}
	list = slices.DeleteFunc(list, func(i session.Info) bool { return i.ID == s.ID })
	switch {
	case len(list) == 0:
		return "", errors.New("there is no other session of this folder; /sessions all shows those of others")
	case s.o.Questioner == nil:
		return "", errors.New("say which: /resume ID — /sessions lists them")
	}
	list = list[:min(len(list), shownSessions)]
	q := ui.Question{Text: "Which session?", Type: ui.Choice, Strict: true}
	ids := map[string]string{}
	for _, i := range list {
		option := Describe(i, time.Now()) + "  " + i.ID
		q.Options = append(q.Options, option)
		ids[option] = i.ID
	}
	if len(list) == 1 {
		return list[0].ID, nil
	}
	reply := s.o.Questioner.AskUser(ctx, ui.Form{Questions: []ui.Question{q}})
	if reply.State != ui.Replied || len(reply.Answers) == 0 || len(reply.Answers[0]) == 0 || ids[reply.Answers[0][0]] == "" {
		return "", errNotPicked
	}
	return ids[reply.Answers[0][0]], nil
}

// options are those of this session for another one that takes its place. It works in its own folder.
func (s *Session) options() SessionOptions {
	o := s.given
	o.Cwd = ""
	return o
}

func newCommand(_ context.Context, s *Session, _ string) Done {
	text := "new conversation"
	if s.keeper != nil {
		id, err := s.keeper.w.Archive()
		if err != nil {
			return Done{Failed: true, Text: err.Error()}
		}
		switch {
		case id == "":
		case s.o.CanSwitch:
			text += "; the one so far is kept: /resume " + id
		default:
			text += "; the one so far is kept: session " + id
		}
	}
	s.conv.Reset()
	s.clearPlan()
	return Done{Text: text}
}
