package agents

// scripted is the provider without a server.
const scripted = "scripted"

// Provider is a model server known by name.
type Provider struct {
	Name    string
	BaseURL string
	// Local servers run on this machine and can be looked for.
	Local bool
	// KeyVariable is the environment variable that people keep its key in, "" for none.
	KeyVariable string
}

// Providers lists the servers that are known by name; local ones in the order in which to prefer
// them.
func Providers() []Provider {
	return []Provider{
		{Name: "ollama", BaseURL: "http://127.0.0.1:11434/v1", Local: true},
		{Name: "llamacpp", BaseURL: "http://127.0.0.1:8080/v1", Local: true},
		{Name: "lmstudio", BaseURL: "http://127.0.0.1:1234/v1", Local: true},
		{Name: "dockermodelrunner", BaseURL: "http://127.0.0.1:12434/engines/v1", Local: true},
		{Name: "vllm", BaseURL: "http://127.0.0.1:8000/v1", Local: true},
		{Name: "openai", BaseURL: "https://api.openai.com/v1", KeyVariable: "OPENAI_API_KEY"},
		{Name: "openrouter", BaseURL: "https://openrouter.ai/api/v1", KeyVariable: "OPENROUTER_API_KEY"},
	}
}

func providerNames() []string {
	var names []string
	for _, p := range Providers() {
		names = append(names, p.Name)
	}
	return names
}

// knownProvider finds a provider by name, the zero Provider for an unknown one.
func knownProvider(name string) Provider {
	for _, p := range Providers() {
		if p.Name == name {
			return p
		}
	}
	return Provider{}
}
