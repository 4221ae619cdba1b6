package agents

import (
	"os"
	"path/filepath"
	"strconv"
)

// finish weighs what the keys say against each other and against the environment.
func (w *walker) finish(d *draft, keys found) {
	w.overrides(d)
	w.finishDepth(d)
	w.finishYolo(d, keys)
	if keys != nil {
		w.finishServer(d, keys)
	}
	w.finishInstructions(d, keys)
	w.finishWindow(d, keys)
	d.ExtraBody = jsonMap(d.extraBody)
	w.checkExtraBody(d, keys)
	d.StructuredOutput = d.output.finish(w)
	d.LSPServers = d.lsp.servers
	d.ACPTitle, d.ACPDescription = d.acp.title, d.acp.description
	if d.SessionsDir == "" {
		if state := w.env.base("XDG_STATE_HOME", ".local", "state"); state != "" {
			d.SessionsDir = filepath.Join(state, "mm", "sessions")
		}
	}
	w.checkSkillsDir(d, keys)
}

// overrides puts in what the environment has for single keys. An empty variable counts as unset.
func (w *walker) overrides(d *draft) {
	for _, f := range agentFile().fields {
		value := w.env.get(f.override)
		if f.override == "" || value == "" {
			continue
		}
		w.in(f.override, func() {
			if text, ok := w.checked(nil, value, f.spec); ok {
				*f.text(d) = text
			}
		})
	}
}

// finishDepth reads MM_ASK_DEPTH: "A malformed MM_ASK_DEPTH is an error" (an agent that doesn't
// know that it is asked would decide by itself what runs).
func (w *walker) finishDepth(d *draft) {
	value, set := w.env.lookup("MM_ASK_DEPTH")
	if !set {
		return
	}
	depth, err := strconv.ParseUint(value, 10, 31)
	if err != nil {
		w.problem(nil, "MM_ASK_DEPTH must be a whole number from 0 on, but this is %s — mm sets it for the agents it asks; unset it", quote(value))
		return
	}
	d.Depth = int(depth)
}

func (w *walker) finishYolo(d *draft, keys found) {
	d.Yolo = true
	if at := keys.where("permissions"); at != nil && d.permissions != "" {
		d.Yolo = d.permissions == "auto"
		w.in("permissions", func() {
			w.warn(keys["permissions"].key, `"permissions" is deprecated: write yolo: %t instead of permissions: %s`, d.Yolo, d.permissions)
		})
	}
	if d.yolo != nil {
		// An old file keeps its protection: with both, the one that asks counts.
		d.Yolo = *d.yolo && d.permissions != "ask"
	}
	if value, set := w.env.lookup("AGENT_YOLO"); set {
		switch trueOrFalse(value) {
		case "":
			w.problem(nil, "AGENT_YOLO must be true, 1, on, yes, false, 0, off or no, but this is %s", quote(value))
		default:
			yolo := trueOrFalse(value) == "true"
			d.agentYolo, d.Yolo = &yolo, yolo
		}
	}
	if d.Depth > 0 {
		d.Yolo = false
	}
}

func (w *walker) finishInstructions(d *draft, keys found) {
	if d.instructionsFile == "" {
		return
	}
	w.in("instructionsFile", func() {
		if text, ok := w.textFile(keys.where("instructionsFile"), d.instructionsFile); ok {
			d.Instructions = text
		}
	})
}

// finishWindow keeps the answer smaller than the window: "never the whole window".
func (w *walker) finishWindow(d *draft, keys found) {
	d.maxTokensSet = keys.has("maxTokens")
	if !keys.has("contextWindow") || d.ContextWindow == 0 {
		return
	}
	if d.maxTokensSet && d.MaxTokens >= d.ContextWindow {
		w.in("maxTokens", func() {
			w.problem(keys.where("maxTokens"), "%s must be under contextWindow (%d), but this is %d: question and answer share the window",
				w.name(), d.ContextWindow, d.MaxTokens)
		})
	}
	d.MaxTokens = d.AnswerTokens(d.ContextWindow)
}

// checkExtraBody keeps extraBody from what mm itself must decide for a turn to work.
func (w *walker) checkExtraBody(d *draft, keys found) {
	at := keys.where("extraBody")
	for _, own := range []string{"messages", "stream", "tools"} {
		if _, has := d.ExtraBody[own]; has {
			w.in("extraBody", func() { w.problem(keyNode(at, own), "%s can't set %s: mm writes that itself", w.name(), quote(own)) })
		}
	}
}

func (w *walker) checkSkillsDir(d *draft, keys found) {
	if d.SkillsDir == "" {
		return
	}
	if info, err := os.Stat(d.SkillsDir); err != nil || !info.IsDir() {
		w.in("skillsDir", func() {
			w.warn(keys.where("skillsDir"), "%s names %s, which isn't a folder: there are no skills", w.name(), strconv.Quote(d.SkillsDir))
		})
	}
}
