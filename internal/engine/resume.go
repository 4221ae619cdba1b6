package engine

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/mini-me/mm/internal/session"
)

// Store is where sessions are kept; nil where they aren't (no sessionsDir and no home folder).
func (e *Engine) Store() *session.Store { return e.store() }

func (e *Engine) newStore() *session.Store {
	if e.file.SessionsDir == "" {
		return nil
	}
	return session.NewStore(e.file.SessionsDir)
}

// errNoSessions means that there is no folder for sessions.
var errNoSessions = errors.New("sessions aren't kept here: set sessionsDir in the agent file")

// NewestSession is the id of the newest session that a person began in a folder.
func (e *Engine) NewestSession(cwd string) (string, error) {
	if e.Store() == nil {
		return "", errNoSessions
	}
	i, err := e.Store().Newest(cwd)
	return i.ID, err
}

// ResumeSession goes on with a saved session: the same messages to the model, the same plan. Where
// o.Cwd is "" it works in the session's own folder. The session stays locked until it is closed.
// Errors: session.ErrUnknown, *session.InUseError, *session.BadFileError.
func (e *Engine) ResumeSession(id string, o SessionOptions) (*Session, error) {
	if e.Store() == nil {
		return nil, errNoSessions
	}
	k := &keeper{mask: masker(e.file.Secrets())}
	w, f, err := e.Store().Open(id, session.Options{Warn: func(err error) {
		if k.s != nil {
			k.s.warn("[warning: %v]", err)
		}
	}})
	if err != nil {
		return nil, err
	}
	k.w = w
	s, err := e.resume(f, k, o)
	if err != nil {
		w.Close()
		return nil, err
	}
	return s, nil
}

// StartSession begins a session, or goes on with the saved one that resume names, "" for none.
func (e *Engine) StartSession(resume string, o SessionOptions) (*Session, error) {
	if resume == "" {
		return e.NewSession(o)
	}
	return e.ResumeSession(resume, o)
}

func (e *Engine) resume(f *session.File, k *keeper, o SessionOptions) (*Session, error) {
	if o.Cwd == "" {
		o.Cwd = f.Cwd
	}
	if st, err := os.Stat(o.Cwd); err != nil || !st.IsDir() {
		return nil, fmt.Errorf("the folder of session %s isn't there any more: %s — use --cwd DIR", f.ID, o.Cwd)
	}
	o.Parent = f.Parent
	s, err := e.session(f.ID, o, k)
	if err != nil {
		return nil, err
	}
	if f.Switched && f.Model != "" && f.Provider == s.Model().Provider() && f.Model != s.Model().Name() {
		if err := s.SetModel(f.Model); err != nil {
			s.Close()
			return nil, err
		}
	}
	s.conv.Restore(stateOf(f))
	s.restorePlan(f.Plan)
	k.w.Update(func(i *session.Info, _ *session.Usage) { i.Cwd, i.Agent = o.Cwd, e.file.Path })
	return s, nil
}

// Info is what the session's file says of it; only ID and Cwd are set where sessions aren't kept.
func (s *Session) Info() session.Info {
	if s.keeper == nil {
		return session.Info{ID: s.ID, Cwd: s.o.Cwd}
	}
	return s.keeper.w.Info()
}

// Cwd is the folder that the session works in.
func (s *Session) Cwd() string { return s.o.Cwd }

// The ids under which a turn emits messages and calls, by their number in the conversation.
func messageID(n int) string { return "m" + strconv.Itoa(n) }
func callID(n int) string    { return "call-" + strconv.Itoa(n) }
