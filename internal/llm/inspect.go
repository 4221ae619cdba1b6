package llm

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/openai/openai-go/v3/option"
)

// get asks for a document below the base URL; a path that begins with a slash counts from the
// server's root, without the /v1.
func (c *Client) get(ctx context.Context, t target, path string, send any, into any) error {
	if strings.HasPrefix(path, "/") {
		t.base, path = t.root(), path[1:]
	}
	api := c.api(t)
	var doc []byte
	var err error
	if send == nil {
		err = api.Get(ctx, path, nil, &doc, option.WithHeader("Accept", "application/json"))
	} else {
		err = api.Post(ctx, path, send, &doc, option.WithHeader("Accept", "application/json"))
	}
	if err != nil {
		return networkError(err)
	}
	if raw, ok := into.(*json.RawMessage); ok {
		*raw = doc
		return nil
	}
	if err := json.Unmarshal(doc, into); err != nil {
		return &Error{Kind: KindServer, Message: "the answer to " + path + " isn't what was expected: " + err.Error()}
	}
	return nil
}

// root is the server's address without /v1.
func (t target) root() string { return strings.TrimSuffix(strings.TrimSuffix(t.base, "/"), "/v1") }

// inspect asks the server for its models, and how large the context of one of them is: t.model's if
// there is one, else that of the first loaded or listed chat model.
func (c *Client) inspect(ctx context.Context, t target) (Server, error) {
	s := Server{Kind: t.kind}
	var doc json.RawMessage
	err := c.get(ctx, t, "models", nil, &doc)
	var list []listed
	if err == nil {
		if list, err = readList(doc); err != nil {
			err = &Error{Kind: KindServer, Message: "the list of models isn't what was expected: " + err.Error()}
		}
	}
	if err != nil {
		if t.kind != LMStudio {
			return s, err
		}
		list = nil
	}
	s.describe(list, t.model)
	switch s.Kind {
	case LlamaCPP:
		c.inspectLlamaCPP(ctx, t, &s)
	case Ollama:
		c.inspectOllama(ctx, t, &s)
	case LMStudio:
		if ownErr := c.inspectLMStudio(ctx, t, &s); ownErr != nil && err != nil {
			return s, err
		}
	}
	return s, nil
}

// inspectLlamaCPP reads the size of a slot, which is what one request may use. A router, which has
// no model of its own, answers without it.
func (c *Client) inspectLlamaCPP(ctx context.Context, t target, s *Server) {
	var props struct {
		Settings struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
		Caps struct {
			Tools     *bool `json:"supports_tools"`
			ToolCalls *bool `json:"supports_tool_calls"`
		} `json:"chat_template_caps"`
		Modalities struct {
			Vision *bool `json:"vision"`
		} `json:"modalities"`
	}
	if s.Loaded != nil || c.get(ctx, t, "/props", nil, &props) != nil {
		return
	}
	s.Context, s.Images = pick(props.Settings.Context, s.Context), props.Modalities.Vision
	if s.Tools = props.Caps.Tools; s.Tools == nil {
		s.Tools = props.Caps.ToolCalls
	}
}

// inspectOllama asks what is loaded, and with how much context, then what the model could take.
func (c *Client) inspectOllama(ctx context.Context, t target, s *Server) {
	var ps struct {
		Models []struct {
			Name    string `json:"name"`
			Context int    `json:"context_length"`
		} `json:"models"`
	}
	if len(s.Models) == 0 {
		return
	}
	model := t.model
	if c.get(ctx, t, "/api/ps", nil, &ps) == nil {
		s.Loaded = []string{}
		for _, m := range ps.Models {
			s.Loaded = append(s.Loaded, m.Name)
			if model == "" || m.Name == model || m.Name == model+":latest" {
				model, s.Context = m.Name, m.Context
			}
		}
	}
	if model == "" {
		model = s.Models[0]
	}
	var show struct {
		Parameters   string         `json:"parameters"`
		Info         map[string]any `json:"model_info"`
		Capabilities []string       `json:"capabilities"`
	}
	if c.get(ctx, t, "/api/show", map[string]string{"model": model}, &show) != nil {
		return
	}
	for key, value := range show.Info {
		if n, ok := value.(float64); ok && strings.HasSuffix(key, ".context_length") {
			s.MaxContext = int(n)
		}
	}
	if m := regexp.MustCompile(`(?m)^num_ctx\s+(\d+)`).FindStringSubmatch(show.Parameters); m != nil && s.Context == 0 {
		s.Context, _ = strconv.Atoi(m[1])
	}
	if show.Capabilities != nil {
		tools, vision := slices.Contains(show.Capabilities, "tools"), slices.Contains(show.Capabilities, "vision")
		s.Tools, s.Images = &tools, &vision
	}
}

// inspectLMStudio reads LM Studio's own lists, the older one or the newer one.
func (c *Client) inspectLMStudio(ctx context.Context, t target, s *Server) error {
	var err error
	for _, path := range []string{"/api/v0/models", "/api/v1/models"} {
		var doc json.RawMessage
		if err = c.get(ctx, t, path, nil, &doc); err != nil {
			continue
		}
		var list []listed
		if list, err = readList(doc); err == nil {
			s.describe(list, t.model)
			return nil
		}
	}
	return err
}
