package editor

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"time"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/session"
	"github.com/mini-me/mm/tools/mcp"
)

// listSessions lists the saved sessions that a person began, of one folder or of all.
func (s *server) listSessions(params json.RawMessage) (any, error) {
	var p acp.ListSessionsRequest
	if err := acp.DecodeParams(params, &p); err != nil {
		return nil, err
	}
	if p.Cursor != "" {
		return nil, acp.InvalidParams("unknown cursor %q: the list comes as a whole", p.Cursor)
	}
	if p.Cwd != "" {
		p.Cwd = filepath.Clean(p.Cwd)
	}
	list, damaged, err := s.e.Sessions(p.Cwd)
	if err != nil {
		s.o.Log("listing sessions: %v", err)
	}
	for _, d := range damaged {
		s.o.Log("%v", d)
	}
	var resp acp.ListSessionsResponse
	for _, i := range list {
		resp.Sessions = append(resp.Sessions, acp.SessionInfo{
			SessionID: i.ID, Cwd: i.Cwd, Title: i.Title, UpdatedAt: i.Updated.UTC().Format(time.RFC3339),
		})
	}
	return resp, nil
}

// loadSession goes on with a saved session and tells the client all of it before the response;
// resumeSession does so without.
func (s *server) loadSession(params json.RawMessage) (any, error) {
	ses, err := s.reopen(params)
	if err != nil {
		return nil, err
	}
	ses.s.Replay(func(r engine.Replayed) bool {
		if r.Event == nil {
			ses.out.asked(r.User, r.Images)
		} else {
			ses.out.Emit(r.Event)
		}
		return true
	})
	return acp.Reply{Result: acp.LoadSessionResponse{Modes: ses.modes(), ConfigOptions: ses.options()}, Then: ses.greet}, nil
}

func (s *server) resumeSession(params json.RawMessage) (any, error) {
	ses, err := s.reopen(params)
	if err != nil {
		return nil, err
	}
	return acp.Reply{Result: acp.LoadSessionResponse{Modes: ses.modes(), ConfigOptions: ses.options()}, Then: ses.greet}, nil
}

// reopen opens a saved session in this connection, in the place of the one that is open under its id.
func (s *server) reopen(params json.RawMessage) (*open, error) {
	var p acp.LoadSessionRequest
	if err := acp.DecodeParams(params, &p); err != nil {
		return nil, err
	}
	if err := checkFolders(p.Cwd, p.AdditionalDirectories); err != nil {
		return nil, err
	}
	begun := s.drop(p.SessionID)
	s.mu.Lock()
	client := s.client
	s.mu.Unlock()
	ses, err := newSession(s, client, func(o engine.SessionOptions) (*engine.Session, error) {
		o.Cwd, o.Dirs, o.MCP = filepath.Clean(p.Cwd), p.AdditionalDirectories, servers(p.MCPServers)
		ses, err := s.e.ResumeSession(p.SessionID, o)
		if begun && errors.Is(err, session.ErrUnknown) { // nothing was said in it yet
			o.ID = p.SessionID
			return s.e.NewSession(o)
		}
		return ses, err
	})
	if err != nil {
		return nil, sessionError(p.SessionID, err)
	}
	ses.left = overSSE(p.MCPServers)
	s.mu.Lock()
	s.sessions[ses.id()] = ses
	s.mu.Unlock()
	return ses, nil
}

// sessionError is the error response for a session that can't be opened.
func sessionError(id string, err error) error {
	var used *session.InUseError
	switch {
	case errors.Is(err, session.ErrUnknown):
		return acp.UnknownSession(id)
	case errors.As(err, &used):
		return acp.InvalidRequest("%v", err)
	}
	return acp.Internal("%v", err)
}

// drop closes the session of that id, if it is open here, and reports whether it was.
func (s *server) drop(id string) bool {
	s.mu.Lock()
	ses := s.sessions[id]
	delete(s.sessions, id)
	s.mu.Unlock()
	if ses == nil {
		return false
	}
	ses.cancel()
	ses.close()
	return true
}

// deleteSession removes a session with those of the agents asked in it, which no client sees. An
// unknown id succeeds (ACP v1).
func (s *server) deleteSession(params json.RawMessage) (any, error) {
	var p acp.SessionRequest
	if err := acp.DecodeParams(params, &p); err != nil {
		return nil, err
	}
	s.drop(p.SessionID)
	if store := s.e.Store(); store != nil {
		if _, err := store.DeleteAll(p.SessionID); err != nil && !errors.Is(err, session.ErrUnknown) {
			return nil, sessionError(p.SessionID, err)
		}
	}
	return acp.Empty{}, nil
}

// retitle tells the client the session's title once it has one.
func (ses *open) retitle() {
	title := ses.s.Info().Title
	if title == "" || title == ses.title || ses.server.e.Asked() {
		return
	}
	ses.title = title
	ses.out.update(acp.SessionInfoUpdate{Title: acp.To(title)})
}

// overSSE names the servers that are left out: SSE isn't offered.
func overSSE(in acp.MCPServers) (names []string) {
	for _, s := range in {
		if s.Type == acp.MCPSSE {
			names = append(names, s.Name)
		}
	}
	return names
}

// servers are a session's own MCP servers, without those over SSE.
func servers(in acp.MCPServers) []mcp.Server {
	var out []mcp.Server
	for _, s := range in {
		m := mcp.Server{Name: s.Name, Command: s.Command, Args: s.Args, URL: s.URL, Env: map[string]string{}, Headers: map[string]string{}}
		for _, e := range s.Env {
			m.Env[e.Name] = e.Value
		}
		for _, h := range s.Headers {
			m.Headers[h.Name] = h.Value
		}
		if s.Type != acp.MCPSSE {
			out = append(out, m)
		}
	}
	return out
}
