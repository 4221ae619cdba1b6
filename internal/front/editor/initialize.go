package editor

import (
	"encoding/json"

	"github.com/mini-me/mm/internal/acp"
)

// authMethod is the one way to log in: none is needed, but registries want an entry.
const authMethod = "agent-file"

// initialize answers what Accept has taken in.
func (s *server) initialize() acp.InitializeResponse {
	f := s.e.File()
	return acp.InitializeResponse{
		// "Agent answers the same version if it can, else its own latest": mm has one.
		ProtocolVersion: acp.Version,
		AgentInfo:       &acp.Implementation{Name: "mm", Title: f.ACPTitle, Version: s.e.Version()},
		AgentCapabilities: acp.AgentCapabilities{
			PromptCapabilities:  acp.PromptCapabilities{Image: true, EmbeddedContext: true},
			MCPCapabilities:     acp.MCPCapabilities{HTTP: true},
			LoadSession:         s.e.Store() != nil,
			SessionCapabilities: s.sessionCapabilities(),
		},
		AuthMethods: []acp.AuthMethod{{ID: authMethod, Name: "Agent file", Description: "mm takes server and key from its agent file; nothing to log in to"}},
	}
}

// sessionCapabilities are those of an agent that keeps its sessions, where it does.
func (s *server) sessionCapabilities() acp.SessionCapabilities {
	yes := &acp.Capability{}
	c := acp.SessionCapabilities{Close: yes, AdditionalDirectories: yes}
	if s.e.Store() != nil {
		c.List, c.Delete, c.Resume = yes, yes, yes
	}
	return c
}

func (s *server) authenticate(params json.RawMessage) (any, error) {
	var p acp.AuthenticateRequest
	if err := acp.DecodeParams(params, &p); err != nil {
		return nil, err
	}
	if p.MethodID != authMethod {
		return nil, acp.InvalidParams("unknown methodId %q: use %q", p.MethodID, authMethod)
	}
	return acp.Empty{}, nil
}
