// Package editor is mm as an ACP agent (mm -acp): of an editor, or of the mm that asks it. It
// translates between the protocol and engine.Session and decides nothing itself.
//
// Each session of the connection has its own conversation and gate. A turn's events become
// session/update notifications in the goroutine that emits them, so that they leave before the
// turn's response, and so that a client which doesn't read slows the turn.
package editor

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/engine"
)

// Options are the streams of the connection.
type Options struct {
	In  io.Reader
	Out io.Writer
	// CloseIn makes a read of In return, at the end; may be nil.
	CloseIn func() error
	// Ending is called when the end begins: the client has closed its end, or ctx is done. May be nil.
	Ending func()
	Log    func(format string, args ...any)
}

// server is the agent side of one connection.
type server struct {
	e    *engine.Engine
	o    Options
	conn *acp.Conn

	mu       sync.Mutex
	ready    bool                   // guarded by mu: initialize has come
	client   acp.ClientCapabilities // guarded by mu
	sessions map[string]*open       // guarded by mu
}

// Run serves the connection until the client closes it or ctx ends; all turns have ended then.
func Run(ctx context.Context, e *engine.Engine, o Options) error {
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	if o.CloseIn == nil {
		o.CloseIn = func() error { return nil }
	}
	s := &server{e: e, o: o, sessions: map[string]*open{}}
	if o.Ending == nil {
		o.Ending = func() {}
	}
	in := &endReader{r: o.In, ended: o.Ending}
	conn := acp.NewConn(in, o.Out, o.CloseIn, s, acp.Options{Side: acp.Agent, CancelRequests: true, Log: func(text string) { o.Log("%s", text) }})
	select {
	case <-conn.Done():
	case <-ctx.Done():
	}
	o.Ending()
	s.closeAll()
	err := conn.Close()
	conn.Wait()
	return err
}

// endReader tells that there is nothing more to read: the connection only ends when the requests
// under way have been answered, which those below must be ended for.
type endReader struct {
	r     io.Reader
	ended func()
}

// Read reads.
func (e *endReader) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	if err != nil {
		e.ended()
	}
	return n, err
}

// closeAll cancels all turns and waits for them.
func (s *server) closeAll() {
	s.mu.Lock()
	list := make([]*open, 0, len(s.sessions))
	for _, ses := range s.sessions {
		list = append(list, ses)
	}
	s.mu.Unlock()
	for _, ses := range list {
		ses.cancel()
	}
	for _, ses := range list {
		ses.close()
	}
}

// Notification takes session/cancel; others mean nothing to an agent.
func (s *server) Notification(method string, params json.RawMessage) {
	if method != acp.MethodCancel {
		return
	}
	var p acp.SessionRequest
	if acp.DecodeParams(params, &p) != nil {
		return
	}
	if ses := s.session(p.SessionID); ses != nil {
		ses.cancel()
	}
}

// Bind keeps the connection before anything is read from it (acp.Binder).
func (s *server) Bind(c *acp.Conn) { s.conn = c }

// Accept sees requests in their order (acp.Accepter): a prompt is noted here, so that a
// session/cancel right behind it finds it.
func (s *server) Accept(ctx context.Context, method string, params json.RawMessage) (context.Context, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if method == acp.MethodInitialize {
		return ctx, s.begin(params)
	}
	if !s.ready {
		return ctx, acp.InvalidRequest("initialize comes first")
	}
	if method != acp.MethodPrompt {
		return ctx, nil
	}
	if ses := s.sessions[acp.SessionOf(params)]; ses != nil {
		return ses.begin(ctx), nil
	}
	return ctx, nil
}

// begin notes that the connection is open, and whether an mm asks. It is done in the order of
// requests: a session must know.
func (s *server) begin(params json.RawMessage) error {
	var p acp.InitializeRequest
	if err := acp.DecodeParams(params, &p); err != nil {
		return err
	}
	var asker acp.AskerMeta
	if p.Meta.Get(acp.MetaKey, &asker) && !s.ready {
		s.e.BeAsked(asker.Depth)
	}
	s.ready, s.client = true, p.ClientCapabilities
	return nil
}

// Request serves one request, in a goroutine of its own.
func (s *server) Request(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case acp.MethodInitialize:
		return s.initialize(), nil
	case acp.MethodAuthenticate:
		return s.authenticate(params)
	case acp.MethodNewSession:
		return s.newSession(params)
	case acp.MethodPrompt:
		return s.prompt(ctx, params)
	case acp.MethodCloseSession:
		return s.closeSession(params)
	case acp.MethodLoadSession:
		return s.loadSession(params)
	case acp.MethodResumeSession:
		return s.resumeSession(params)
	case acp.MethodListSessions:
		return s.listSessions(params)
	case acp.MethodDeleteSession:
		return s.deleteSession(params)
	case acp.MethodSetMode:
		return s.setMode(params)
	case acp.MethodSetConfigOption:
		return s.setOption(ctx, params)
	}
	return nil, acp.MethodNotFound(method)
}

// checkFolders refuses folders that a session can't work in. Further ones needn't be there.
func checkFolders(cwd string, more []string) error {
	if !filepath.IsAbs(cwd) {
		return acp.InvalidParams("cwd must be an absolute path")
	}
	if st, err := os.Stat(cwd); err != nil || !st.IsDir() {
		return acp.InvalidParams("cwd: there is no folder %s", cwd)
	}
	for i, dir := range more {
		if !filepath.IsAbs(dir) {
			return acp.InvalidParams("additionalDirectories[%d] must be an absolute path", i)
		}
	}
	return nil
}

func (s *server) newSession(params json.RawMessage) (any, error) {
	var p acp.NewSessionRequest
	if err := acp.DecodeParams(params, &p); err != nil {
		return nil, err
	}
	if err := checkFolders(p.Cwd, p.AdditionalDirectories); err != nil {
		return nil, err
	}
	s.mu.Lock()
	client := s.client
	s.mu.Unlock()
	var meta acp.SessionMeta
	p.Meta.Get(acp.MetaKey, &meta)
	ses, err := newSession(s, client, func(o engine.SessionOptions) (*engine.Session, error) {
		o.Cwd, o.Dirs, o.Parent, o.MCP = filepath.Clean(p.Cwd), p.AdditionalDirectories, meta.Parent, servers(p.MCPServers)
		return s.e.NewSession(o)
	})
	if err != nil {
		return nil, acp.Internal("%v", err)
	}
	ses.left = overSSE(p.MCPServers)
	s.mu.Lock()
	s.sessions[ses.id()] = ses
	s.mu.Unlock()
	return acp.Reply{Result: acp.NewSessionResponse{SessionID: ses.id(), Modes: ses.modes(), ConfigOptions: ses.options()}, Then: ses.greet}, nil
}

func (s *server) closeSession(params json.RawMessage) (any, error) {
	var p acp.SessionRequest
	if err := acp.DecodeParams(params, &p); err != nil {
		return nil, err
	}
	if !s.drop(p.SessionID) {
		return nil, acp.UnknownSession(p.SessionID)
	}
	return acp.Empty{}, nil
}

func (s *server) prompt(ctx context.Context, params json.RawMessage) (any, error) {
	r := runOf(ctx)
	if r != nil {
		defer r.end()
		r.wait()
	}
	var p acp.PromptRequest
	if err := acp.DecodeParams(params, &p); err != nil {
		return nil, err
	}
	ses := s.session(p.SessionID)
	if ses == nil || r == nil {
		return nil, acp.UnknownSession(p.SessionID)
	}
	text, err := readPrompt(p.Prompt)
	if err != nil {
		return nil, err
	}
	return ses.prompt(ctx, text)
}

func (s *server) session(id string) *open {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[id]
}
