package llm

import (
	"context"
	"time"
)

// defaultWindow is assumed when nobody says how large the context window is; dmrWindow for Docker
// Model Runner, whose own figure is the model's and not what is allocated.
const (
	defaultWindow = 8192
	dmrWindow     = 4096
)

// windowTime is how long a question about the window may take.
const windowTime = 2 * time.Second

// window is what is known about the context window.
type window struct {
	size  int
	asked bool
	// sure means that the size is that of a model in memory. Ollama, LM Studio and llama.cpp's
	// router load a model when it is first used: they are asked once more after the first answer.
	sure  bool
	again bool // that was done
}

// Window returns the size of the context window, see Model.
func (c *Client) Window(ctx context.Context) int {
	if c.opts.ContextWindow > 0 {
		return c.opts.ContextWindow
	}
	t := c.target()
	if t.kind == Scripted {
		return defaultWindow
	}
	if !t.window.asked {
		ctx, cancel := context.WithTimeout(ctx, windowTime)
		defer cancel()
		if found, err := c.resolve(ctx); err == nil {
			t = c.askWindow(ctx, found)
		}
	}
	return pick(t.window.size, t.assumed())
}

// assumed is the window of a server that doesn't say.
func (t target) assumed() int {
	if t.kind == DockerModelRunner {
		return dmrWindow
	}
	return defaultWindow
}

func (c *Client) askWindow(ctx context.Context, t target) target {
	s, err := c.inspect(ctx, t)
	return c.update(func(t *target) {
		t.window.asked = true
		if err != nil {
			return
		}
		if t.kind == "" {
			t.kind = s.Kind
		}
		t.window.size = s.Context
		t.window.sure = s.Context > 0 && s.sure()
		if s.Context == 0 && s.MaxContext > 0 && s.MaxContext < t.assumed() {
			t.window.size = s.MaxContext
		}
	})
}

// sure reports whether the context is that of a model in memory: where nothing is said about
// loading, the model was loaded when the server started.
func (s *Server) sure() bool { return s.Loaded == nil || len(s.Loaded) > 0 }

// answered notes that the model answered: now it is loaded, and its window can be read.
func (c *Client) answered() {
	c.update(func(t *target) {
		if t.window.asked && !t.window.sure && !t.window.again {
			t.window.asked, t.window.again = false, true
		}
	})
}
