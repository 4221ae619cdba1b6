package main

import (
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/llm"
)

// agentText is the file of the first agent.
func agentText(c choices) string {
	var b strings.Builder
	b.WriteString(fileHead("A coding agent. Start it with mm, check it with mm check."))
	b.WriteString(serverText(c))
	b.WriteString(`
# What the model is told before your first question.
instructions: |
  You are a careful coding agent. Look before you change anything, take small steps, and say
  what you did. Never invent what a tool returned.

# Which tools it has.
bashTool: true             # run commands
editTools: true            # read, write and edit files
# fetchContentTool: true   # read web pages
# planTool: true           # keep a plan
# skillsDir: skills        # a folder of Markdown files that it can read when they suit

# May a tool change something without asking you? AGENT_YOLO=false asks for one run.
`)
	if c.yolo {
		b.WriteString("yolo: true\n")
	} else {
		b.WriteString("yolo: false\n")
	}
	b.WriteString(`
# How many tokens fit into the model's window. Without this line the server is asked.
# contextWindow: 16384
`)
	if c.reviewer {
		b.WriteString(`
# Whom it may ask. It chooses by the description; you ask with /ask-reviewer PROMPT.
mmConfigs:
  reviewer:
    path: reviewer.yaml
    description: reviews code and changes; tell it which files, and what they are for
`)
	} else {
		b.WriteString(`
# Other agents that it may ask, each with a file of its own.
# mmConfigs:
#   reviewer:
#     path: reviewer.yaml
#     description: reviews code and changes; tell it which files, and what they are for
`)
	}
	return b.String()
}

// reviewerText is the file of the second agent.
func reviewerText(c choices) string {
	return fileHead("The reviewer that mm.yaml can ask. Its own yolo never counts: the file that you start decides.") +
		serverText(c) + `temperature: 0.2

acp:
  title: reviewer
instructions: |
  You review code. Read what you judge; use git diff, cat and grep. Name file and line of each
  finding, the worst first, and say what to do about it. Change nothing.
`
}

func fileHead(what string) string {
	return "# yaml-language-server: $schema=" + agents.SchemaURL + "\n# " + what +
		"\n# All keys: https://github.com/mini-me/mm/blob/main/docs/reference/agent-file.md\n\n"
}

// serverText is the part that says which model answers.
func serverText(c choices) string {
	var b strings.Builder
	if c.provider != "" {
		b.WriteString("provider: " + scalar(c.provider) + "\n")
	}
	if c.baseURL != "" && c.baseURL != llm.DefaultURL(c.provider) {
		b.WriteString("baseURL: " + scalar(c.baseURL) + "\n")
	}
	switch {
	case c.model != "":
		b.WriteString("model: " + scalar(c.model) + "\n")
	default:
		b.WriteString("# model: the first one that the server lists\n")
	}
	if llm.DefaultURL(c.provider) == "" {
		b.WriteString("# apiKey: ${MY_KEY}   # if it needs one\n")
	}
	return b.String()
}

// scalar writes a text as a YAML value.
func scalar(s string) string {
	out, err := yaml.Marshal(s)
	if err != nil {
		return "''" // a text can always be written
	}
	return strings.TrimSpace(string(out))
}
