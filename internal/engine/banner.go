package engine

import (
	"strings"

	"github.com/mini-me/mm/tools"
)

// Banner says in a few lines what is at work: version, model, yolo, then agents (supplement 10).
func (e *Engine) Banner() []string {
	yolo := "yolo: off (tools ask)"
	if e.file.Yolo {
		yolo = "yolo: on"
	}
	lines := []string{"mm " + e.o.Version + " · " + e.modelLabel() + " · " + yolo}
	if agents := e.Agents(); len(agents) > 0 {
		names := make([]string, len(agents))
		for i, a := range agents {
			names[i] = a.Name + " — " + a.Role
		}
		lines = append(lines, "agents: "+strings.Join(names, " · ")+"   (/ask-"+agents[0].Name+" PROMPT)")
	}
	if dir := e.file.SkillsDir; dir != "" {
		if list := tools.Skills(dir); len(list) > 0 {
			names := make([]string, len(list))
			for i, k := range list {
				names[i] = k.Name
			}
			lines = append(lines, "skills: "+strings.Join(names, " · "))
		}
	}
	if line := e.lspLine(); line != "" {
		lines = append(lines, line)
	}
	if line := e.mcpLine(); line != "" {
		lines = append(lines, line)
	}
	return lines
}

// modelLabel is "model @ provider", as far as they are known before the server was asked.
func (e *Engine) modelLabel() string {
	model, provider := e.model.Name(), e.model.Provider()
	if model == "" {
		model = "(first model of the server)"
	}
	if provider == "" {
		provider = "(server to be found)"
	}
	return model + " @ " + provider
}
