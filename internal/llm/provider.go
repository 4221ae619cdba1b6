package llm

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// The known providers.
const (
	Ollama            = "ollama"
	LlamaCPP          = "llamacpp"
	LMStudio          = "lmstudio"
	DockerModelRunner = "dockermodelrunner"
	VLLM              = "vllm"
	OpenAI            = "openai"
	OpenRouter        = "openrouter"
	Scripted          = "scripted"
)

// Providers are the names that have a base URL of their own, in the order in which mm lists them.
func Providers() []string {
	return []string{Ollama, LlamaCPP, LMStudio, DockerModelRunner, VLLM, OpenAI, OpenRouter, Scripted}
}

// DefaultURL is the base URL of a known provider, "" for any other label.
func DefaultURL(provider string) string {
	switch provider {
	case Ollama:
		return "http://127.0.0.1:11434/v1"
	case LlamaCPP:
		return "http://127.0.0.1:8080/v1"
	case LMStudio:
		return "http://127.0.0.1:1234/v1"
	case DockerModelRunner:
		return "http://127.0.0.1:12434/engines/v1"
	case VLLM:
		return "http://127.0.0.1:8000/v1"
	case OpenAI:
		return "https://api.openai.com/v1"
	case OpenRouter:
		return "https://openrouter.ai/api/v1"
	case Scripted:
		return "http://scripted.invalid/v1"
	}
	return ""
}

// checkURL returns the base URL without a slash at its end. The URL may hold a secret: no message
// repeats it whole.
func checkURL(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		base, _, _ = strings.Cut(base, "?")
		if i := strings.LastIndexByte(base, '@'); i >= 0 {
			base = "…" + base[i:]
		}
		return "", fmt.Errorf("baseURL %q: want http://HOST:PORT/v1 or https://HOST/v1", base)
	}
	return strings.TrimRight(base, "/"), nil
}

// known reports whether the provider is one of Providers.
func known(provider string) bool { return slices.Contains(Providers(), provider) }
