package llm

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Server is what a server says about its models. Numbers are tokens, 0 where nothing was told.
type Server struct {
	// Kind is the known provider that the answers look like, "" when they could be anyone's.
	Kind   string
	Models []string // in the server's order
	Loaded []string // nil when not told
	// Context is what a request may use now, MaxContext what the model could take: of the model
	// that was asked about, else of the first loaded or listed chat model.
	Context    int
	MaxContext int
	// Tools reports whether the model takes tools; nil when not told.
	Tools *bool
	// Images reports whether the model takes images; nil when not told.
	Images *bool
}

// listed is an entry of a list of models: what all kinds of servers put there.
type listed struct {
	ID      string `json:"id"`
	Key     string `json:"key"` // LM Studio's newer list
	OwnedBy string `json:"owned_by"`
	Type    string `json:"type"`

	Meta *struct {
		Context    int `json:"n_ctx"`
		MaxContext int `json:"n_ctx_train"`
	} `json:"meta"`
	Status *struct {
		Value string   `json:"value"`
		Args  []string `json:"args"`
	} `json:"status"`
	MaxModelLen int `json:"max_model_len"`
	DMR         *struct {
		Context int `json:"context_window"`
	} `json:"dmr"`
	ContextLength int `json:"context_length"`
	TopProvider   *struct {
		Context int `json:"context_length"`
	} `json:"top_provider"`
	SupportedParameters []string        `json:"supported_parameters"`
	Architecture        json.RawMessage `json:"architecture"` // OpenRouter's is an object, LM Studio's a name

	// LM Studio's own lists.
	State           string          `json:"state"`
	MaxContext      int             `json:"max_context_length"`
	LoadedContext   int             `json:"loaded_context_length"`
	Capabilities    json.RawMessage `json:"capabilities"`
	LoadedInstances []struct {
		Config struct {
			Context int `json:"context_length"`
		} `json:"config"`
	} `json:"loaded_instances"`
}

// readList reads {"data": […]} or {"models": […]}; data may be null, and Ollama's list under
// "models" beside "data" doesn't count.
func readList(doc []byte) ([]listed, error) {
	var list struct {
		Data   json.RawMessage `json:"data"`
		Models []listed        `json:"models"`
	}
	if err := json.Unmarshal(doc, &list); err != nil {
		return nil, err
	}
	if list.Data == nil && list.Models == nil {
		return nil, errors.New("there is no list in it")
	}
	if list.Data == nil {
		return list.Models, nil
	}
	var data []listed
	if err := json.Unmarshal(list.Data, &data); err != nil {
		return nil, err
	}
	return data, nil
}

func (m *listed) name() string {
	if m.ID == "" {
		return m.Key
	}
	return m.ID
}

// chats reports whether a model can be asked: an embedding model can't.
func (m *listed) chats() bool {
	return !strings.HasPrefix(m.Type, "embed") && !strings.Contains(m.name(), "text-embedding")
}

// kind is what the entry looks like.
func (m *listed) kind() string {
	switch {
	case m.OwnedBy == "llamacpp" || m.Meta != nil || m.Status != nil:
		return LlamaCPP
	case m.DMR != nil:
		return DockerModelRunner
	case m.MaxModelLen > 0 || m.OwnedBy == "vllm":
		return VLLM
	case m.TopProvider != nil:
		return OpenRouter
	case m.OwnedBy == "organization_owner" || m.State != "" || m.Key != "":
		return LMStudio
	case m.OwnedBy == "library":
		return Ollama
	}
	return ""
}

// loaded reports whether the model is loaded, as far as told.
func (m *listed) loaded() (yes, told bool) {
	switch {
	case m.Status != nil:
		return m.Status.Value == "loaded", true
	case m.State != "":
		return m.State == "loaded", true
	case m.Key != "":
		return len(m.LoadedInstances) > 0, true
	case m.MaxModelLen > 0:
		return true, true
	}
	return false, false
}

// context is what a request may use now.
func (m *listed) context() int {
	switch {
	case m.Meta != nil && m.Meta.Context > 0:
		return m.Meta.Context
	case m.Status != nil:
		return contextArgument(m.Status.Args)
	case m.MaxModelLen > 0:
		return m.MaxModelLen
	case m.TopProvider != nil:
		return m.TopProvider.Context
	case len(m.LoadedInstances) > 0:
		return m.LoadedInstances[0].Config.Context
	}
	return m.LoadedContext
}

// maxContext is what the model could take.
func (m *listed) maxContext() int {
	switch {
	case m.Meta != nil:
		return m.Meta.MaxContext
	case m.DMR != nil:
		return m.DMR.Context
	}
	return pick(m.ContextLength, m.MaxContext)
}

// tools reports whether the model takes tools, nil when not told.
func (m *listed) tools() *bool {
	if m.SupportedParameters != nil {
		yes := slices.Contains(m.SupportedParameters, "tools")
		return &yes
	}
	var words []string
	if json.Unmarshal(m.Capabilities, &words) == nil && m.State != "" {
		yes := slices.Contains(words, "tool_use")
		return &yes
	}
	var flags struct {
		Tools *bool `json:"trained_for_tool_use"`
	}
	if json.Unmarshal(m.Capabilities, &flags) == nil {
		return flags.Tools
	}
	return nil
}

// images reports whether the model takes images, nil when not told. LM Studio's older list tells it
// by the type, the newer one by a capability.
func (m *listed) images() *bool {
	var architecture struct {
		Input []string `json:"input_modalities"`
	}
	if json.Unmarshal(m.Architecture, &architecture) == nil && architecture.Input != nil {
		yes := slices.Contains(architecture.Input, "image")
		return &yes
	}
	if m.State != "" && (m.Type == "vlm" || m.Type == "llm") {
		yes := m.Type == "vlm"
		return &yes
	}
	var flags struct {
		Vision *bool `json:"vision"`
	}
	if json.Unmarshal(m.Capabilities, &flags) == nil {
		return flags.Vision
	}
	return nil
}

// contextArgument finds -c N in the arguments of a llama-server.
func contextArgument(args []string) int {
	for i, a := range args {
		name, value, joined := strings.Cut(a, "=")
		if name != "-c" && name != "--ctx-size" {
			continue
		}
		if !joined && i+1 < len(args) {
			value = args[i+1]
		}
		if n, err := strconv.Atoi(value); err == nil {
			return max(0, n)
		}
	}
	return 0
}

// choose returns the entry of a model, else the first loaded, else the first chat model.
func choose(list []listed, model string) *listed {
	var first *listed
	for i := range list {
		m := &list[i]
		if model != "" && (m.name() == model || m.name() == model+":latest") {
			return m
		}
		if yes, _ := m.loaded(); m.chats() && (first == nil || yes && !isLoaded(first)) {
			first = m
		}
	}
	if model != "" {
		return nil
	}
	return first
}

func isLoaded(m *listed) bool {
	yes, _ := m.loaded()
	return yes
}

// describe fills in what a list tells.
func (s *Server) describe(list []listed, model string) {
	s.Models, s.Loaded = []string{}, nil
	for i := range list {
		m := &list[i]
		s.Models = append(s.Models, m.name())
		if s.Kind == "" {
			s.Kind = m.kind()
		}
		if yes, told := m.loaded(); told {
			if s.Loaded == nil {
				s.Loaded = []string{}
			}
			if yes {
				s.Loaded = append(s.Loaded, m.name())
			}
		}
	}
	if m := choose(list, model); m != nil {
		s.Context, s.MaxContext, s.Tools, s.Images = m.context(), m.maxContext(), m.tools(), m.images()
	}
}
