package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/llm"
)

// checkTime bounds the check of one model server, which may have to load its model.
const checkTime = 60 * time.Second

// smallWindow is the context window, in tokens, below which an agent forgets what it reads: the
// instructions and tools take about 1,000, one tool result up to 4,000.
const smallWindow = 8192

// model asks a model server, once for each server and model.
func (c *checker) model(ctx context.Context, f *agents.File, path []string) {
	key := f.Provider + " " + f.BaseURL + " " + f.Model + " " + f.Script
	if c.seen[key] {
		c.good("%sthe same model as above", label(path))
		return
	}
	c.seen[key] = true
	if f.Provider == "scripted" {
		c.good("%smodel: the script %s", label(path), filepath.Base(f.Script))
		return
	}
	m, err := engine.NewModel(f, version)
	if err != nil {
		c.bad("%smodel: %v", label(path), err)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	r, err := llm.Probe(ctx, m, c.waiting(label(path)))
	if err != nil {
		c.bad("%smodel: %s", label(path), probeError(err, f))
		return
	}
	if r.FirstToken == 0 && r.Tools == llm.ToolsUnused {
		c.bad("%smodel %s @ %s (%s): it answers without a word: is its chat template right?", label(path), r.Model, r.Provider, r.BaseURL)
		return
	}
	c.good("%smodel %s @ %s (%s): %s", label(path), r.Model, r.Provider, r.BaseURL, describe(r))
	if r.Tools == llm.ToolsUnused {
		c.note("%s%s did not call a tool when it was told to: it may be too small for mm", label(path), r.Model)
	}
	if r.Window < smallWindow {
		c.note("%sa window of %d tokens is small for an agent: give the server more (docs/how-to/local-models.md), or set contextWindow", label(path), r.Window)
	}
}

// errRefused ends a probe of a server that isn't there: waiting wouldn't help a check.
var errRefused = errors.New("connection refused")

// waiting shows what is waited for.
func (c *checker) waiting(label string) func(llm.Event) error {
	said := ""
	return func(e llm.Event) error {
		if strings.Contains(e.Waiting, errRefused.Error()) {
			return errRefused
		}
		if e.Waiting != "" && e.Waiting != said {
			said = e.Waiting
			c.note("%s%s", label, e.Waiting)
		}
		return nil
	}
}

func probeError(err error, f *agents.File) string {
	switch {
	case errors.Is(err, errRefused):
		return fmt.Sprintf("nothing answers at %s: start the server (%s), or correct baseURL", f.BaseURL, startHint(f.Provider))
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("%s did not answer within %v", f.BaseURL, checkTime)
	}
	if e, ok := errors.AsType[*llm.Error](err); ok && e.Hint == "" {
		switch e.Kind {
		case llm.KindNetwork:
			return err.Error() + " — correct baseURL (" + f.BaseURL + ")"
		case llm.KindServer:
			if strings.Contains(e.Message, "isn't what was expected") {
				return err.Error() + " — is " + f.BaseURL + " an OpenAI-compatible endpoint? It usually ends in /v1"
			}
			return err.Error() + " — the server's own log may say why"
		case llm.KindNotFound:
			return err.Error() + " — is " + f.BaseURL + " an OpenAI-compatible endpoint? It usually ends in /v1"
		}
	}
	return err.Error()
}

// startHint says how a known server is started.
func startHint(provider string) string {
	switch provider {
	case "ollama":
		return "ollama serve"
	case "llamacpp":
		return "llama-server -m MODEL.gguf --jinja"
	case "lmstudio":
		return "lms server start"
	case "dockermodelrunner":
		return "docker desktop enable model-runner --tcp 12434"
	case "vllm":
		return "vllm serve MODEL"
	}
	return provider
}

func describe(r llm.Report) string {
	parts := []string{fmt.Sprintf("window %d tokens", r.Window)}
	if r.Streams {
		parts = append(parts, "streams")
	} else {
		parts = append(parts, "answers in one piece")
	}
	switch r.Tools {
	case llm.ToolsNative:
		parts = append(parts, "calls tools")
	case llm.ToolsText:
		parts = append(parts, "calls tools as text, which mm reads")
	case llm.ToolsRefused:
		parts = append(parts, "takes no tools, so they are declared in the prompt")
	}
	return strings.Join(append(parts, fmt.Sprintf("first token after %.1f s", r.FirstToken.Seconds())), ", ")
}
