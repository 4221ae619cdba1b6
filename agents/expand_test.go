package agents

import (
	"strings"
	"testing"
)

func TestExpansion(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain", "plain"},
		{"${NAME}", "value"},
		{"a${NAME}b${NAME}", "avaluebvalue"},
		{"${UNSET:-other}", "other"},
		{"${UNSET:-}x", "x"},
		{"${EMPTY:-other}", "other"}, // as in a shell
		{"${EMPTY}x", "x"},
		{"${NAME:-other}", "value"},
		{"${UNSET:-a:-b}", "a:-b"},
		{"$NAME $$ $", "$NAME $$ $"},
		{"$${NAME}", "${NAME}"},
		{"${_x1}", "under"},
		{"${INNER}", "${NAME}"}, // what is put in isn't looked at again
		{"{NAME}", "{NAME}"},
	} {
		w := newWorld(t, "mm.yaml", "mcpServers: {m: {command: x, args: ['"+c.text+"']}}").
			set("NAME", "value", "EMPTY", "", "_x1", "under", "INNER", "${NAME}")
		if got := w.load().MCPServers["m"].Args[0]; got != c.want {
			t.Errorf("%s becomes %q, want %q", c.text, got, c.want)
		}
	}
}

func TestExpansionFaultsSayWhere(t *testing.T) {
	newWorld(t, "mm.yaml", `mcpServers:
  m:
    command: "tool-${ONE}-${TWO}"
    args:
      - --größe=${THREE}
      - |
        first
        then ${FOUR}
      - ${a b} ${} ${1X}
      - ${OPEN
    env: {A: '${FIVE}'}
`).wantProblems(
		`mm.yaml:3:20: "command" needs the environment variable ONE, which isn't set — set it, or give a default: ${ONE:-…}`,
		`mm.yaml:3:27: "command" needs the environment variable TWO, which isn't set — set it, or give a default: ${TWO:-…}`,
		`mm.yaml:5:17: item 1 of "args" needs the environment variable THREE, which isn't set — set it, or give a default: ${THREE:-…}`,
		`mm.yaml:8:14: item 2 of "args" needs the environment variable FOUR, which isn't set — set it, or give a default: ${FOUR:-…}`,
		`mm.yaml:9:9: "${a b}" in item 3 of "args" is neither ${NAME} nor ${NAME:-default} — a literal ${ is written $${`,
		`mm.yaml:9:16: "${}" in item 3 of "args" is neither ${NAME} nor ${NAME:-default} — a literal ${ is written $${`,
		`mm.yaml:9:20: "${1X}" in item 3 of "args" is neither ${NAME} nor ${NAME:-default} — a literal ${ is written $${`,
		`mm.yaml:10:9: ${ has no } after it in item 4 of "args" — a literal one is written $${`,
		`mm.yaml:11:15: "A" needs the environment variable FIVE, which isn't set — set it, or give a default: ${FIVE:-…}`,
	)
}

// TestExpandedKeys holds the places of ${NAME} against the list of supplement 1.
func TestExpandedKeys(t *testing.T) {
	want := map[string]bool{
		"baseURL": true, "apiKey": true, "headers": true, "mcpServers.*.headers": true, "mmConfigs.*.path": true,
	}
	for _, of := range []string{"mmConfigs", "mcpServers", "lsp.servers"} {
		for _, key := range []string{"command", "args", "env"} {
			want[of+".*."+key] = true
		}
	}
	eachKey(agentFile().rules, "", func(path string, s *spec) {
		if s.expand != want[path] {
			t.Errorf("%s: expanded %t, want %t", path, s.expand, want[path])
		}
		delete(want, path)
	})
	for path := range want {
		t.Errorf("%s isn't a key", path)
	}
}

func TestNoExpansionElsewhere(t *testing.T) {
	f := newWorld(t, "mm.yaml", "{model: '${A}', instructions: '${A}', audit: '${A}', hooks: {preAsk: [{command: 'x ${A}'}]}}").load()
	if f.Model != "${A}" || f.Instructions != "${A}" || !strings.HasSuffix(f.Audit, "${A}") || f.Hooks[PreAsk][0].Command != "x ${A}" {
		t.Errorf("%q %q %q %q", f.Model, f.Instructions, f.Audit, f.Hooks[PreAsk][0].Command)
	}
}
