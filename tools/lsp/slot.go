package lsp

import (
	"context"
	"errors"
)

// slot is the place of one server in one project.
type slot struct {
	o      *Options
	limits limits
	server Server
	root   string
	turn   chan struct{} // whoever has put something in may use what follows
	conn   *conn
	closed bool
}

// errClosed is for calls while everything ends.
var errClosed = errors.New("mm is ending")

// acquire waits for the slot's turn. The caller gives it back with release.
func (s *slot) acquire(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *slot) release() { <-s.turn }

// use calls f with a connection, started if there is none that lives. When a server turns out to
// have died before f could know it, f is called once more with a new one.
func (s *slot) use(ctx context.Context, f func(*conn) error) error {
	if err := s.acquire(ctx); err != nil {
		return err
	}
	defer s.release()
	for {
		old, err := s.connected(ctx)
		if err != nil {
			return err
		}
		err = f(s.conn)
		var gone *goneError
		if !old || !errors.As(err, &gone) {
			return err
		}
	}
}

// connected makes sure that there is a living connection; old says whether it was there before.
func (s *slot) connected(ctx context.Context) (old bool, err error) {
	switch {
	case s.closed:
		return false, errClosed
	case s.conn != nil && !s.conn.dead():
		return true, nil
	case s.conn != nil:
		s.conn.kill()
		s.conn = nil
	}
	s.conn, err = s.start(ctx)
	return false, err
}

// close ends the server and starts none any more. Whoever has the turn gives it back soon: its
// context has ended.
func (s *slot) close() {
	s.turn <- struct{}{}
	defer s.release()
	s.closed = true
	if s.conn != nil {
		s.conn.stop()
		s.conn = nil
	}
}
