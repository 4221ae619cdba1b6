//go:build linux

package faults

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// prompt plays one turn: the prompt lists tricks, with "; " between them. A turn that no trick has
// ended ends with end_turn.
func (a *agent) prompt(id json.RawMessage, session, text string) {
	t := &trick{agent: a, id: id, session: session}
	for one := range strings.SplitSeq(text, "; ") {
		word, rest, _ := strings.Cut(one, " ")
		if !t.act(word, rest) {
			return
		}
	}
	t.stop("end_turn")
}

// trick is a turn of the misbehaving agent.
type trick struct {
	*agent
	id      json.RawMessage
	session string
}

func (t *trick) stop(reason string) { t.result(t.id, fmt.Sprintf(`{"stopReason":%q}`, reason)) }

// act does one trick and reports whether the turn goes on.
func (t *trick) act(word, rest string) bool {
	switch word {
	case "say":
		t.text(t.session, rest)
	case "stop": // ends the turn with any stop reason
		t.stop(rest)
		return false
	case "error": // answers the prompt with an error
		t.line(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":%q}}`, t.id, rest)
		return false
	case "login": // answers the prompt with the wish for a login
		t.line(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"Authentication required"}}`, t.id)
		return false
	case "null": // answers the prompt with nothing in it
		t.result(t.id, "null")
		return false
	case "silent", "exit", "midframe", "panic", "close", "stderr", "hang", "deaf", "late", "pretend":
		return t.end(word, rest)
	case "long", "longer", "flood", "kinds", "orphan", "duplicates", "ids", "open", "subagents":
		t.send(word, rest)
	case "permission", "options", "after", "dies", "bare", "hurry", "form":
		return t.ask(word, rest)
	case "fs": // asks for a file that was never offered; the error is said
		var e struct{ Code int }
		_ = json.Unmarshal(<-t.call("fs/read_text_file", fmt.Sprintf(`{"sessionId":%q,"path":%q}`, t.session, rest)), &e)
		t.text(t.session, fmt.Sprint(e.Code))
	case "mark":
		started(rest, os.Getpid())
	default:
		t.text(t.session, "no such trick: "+word)
	}
	return true
}

// end is about how the agent, or its turn, comes to an end.
func (t *trick) end(word, rest string) bool {
	switch word {
	case "silent": // no answer, and no end
		started("silent", os.Getpid())
		forever()
	case "hang": // follows a cancel, nothing else
		started("hang", os.Getpid())
		<-t.cancelled(t.session)
		t.stop("cancelled")
		return false
	case "pretend": // follows a cancel, and calls that an end like any other
		started("pretend", os.Getpid())
		<-t.cancelled(t.session)
		t.stop("end_turn")
		return false
	case "late": // goes on talking after its turn
		t.stop("end_turn")
		t.text(t.session, "one more thing")
		t.update(t.session, `{"sessionUpdate":"tool_call","toolCallId":"late","title":"late","kind":"execute"}`)
		return false
	case "exit":
		code, _ := strconv.Atoi(rest)
		fmt.Fprintln(os.Stderr, "last words")
		os.Exit(code)
	case "midframe": // ends within a message
		t.raw(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"` + t.session + `","upd`)
		os.Exit(0)
	case "panic":
		panic("the agent's own")
	case "close": // closes stdout but lives
		started("closed", os.Getpid())
		t.mu.Lock()
		_ = t.out.Close()
		forever()
	case "deaf": // reads nothing any more
		close(t.deaf)
	case "stderr":
		n, _ := strconv.Atoi(rest)
		line := strings.Repeat("e", 1023) + "\n"
		for range n >> 10 {
			fmt.Fprint(os.Stderr, line)
		}
	}
	return true
}

// send is about odd messages.
func (t *trick) send(word, rest string) {
	n, _ := strconv.Atoi(rest)
	s := t.session
	switch word {
	case "long": // one line of so many bytes
		t.update(s, `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"`+strings.Repeat("x", n)+`"}}`)
	case "flood": // so many small updates
		t.flood(n)
	case "kinds": // kinds that nobody knows, and updates that are none
		for _, u := range []string{`{"sessionUpdate":"hologram","x":1}`, `{"sessionUpdate":7}`, `{}`, `null`, `[]`,
			`{"sessionUpdate":"agent_message_chunk"}`, `{"sessionUpdate":"agent_message_chunk","content":{"type":"smell"}}`,
			`{"sessionUpdate":"plan","entries":"none"}`, `{"sessionUpdate":"usage_update","used":-1,"size":"big"}`} {
			t.update(s, u)
		}
		t.line(`{"jsonrpc":"2.0","method":"session/update"}`)
		t.line(`{"jsonrpc":"2.0","method":"_some/thing","params":{}}`)
		t.line(`{"jsonrpc":"2.0","id":4711,"result":{}}`)
		t.line(`[{"jsonrpc":"2.0","method":"session/update"}]`)
	case "orphan": // a tool_call_update without its tool_call
		t.update(s, `{"sessionUpdate":"tool_call_update","toolCallId":"never-announced","status":"completed","title":"orphan"}`)
	case "duplicates": // the same id announced twice, and ended twice
		for range 2 {
			t.update(s, `{"sessionUpdate":"tool_call","toolCallId":"same","title":"twice","kind":"execute"}`)
		}
		for range 2 {
			t.update(s, `{"sessionUpdate":"tool_call_update","toolCallId":"same","status":"completed"}`)
		}
	case "ids": // sessions that nobody has opened, calls without an id
		t.text("nobody's", "not for anybody")
		t.update(s, `{"sessionUpdate":"tool_call","title":"no id"}`)
		t.update(s, `{"sessionUpdate":"tool_call","toolCallId":"","title":"empty id"}`)
	case "open": // so many calls that never end
		for i := range n {
			t.update(s, fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":"open-%d","title":"call %d","kind":"execute","status":"in_progress"}`, i, i))
		}
	case "subagents": // so many agents of its own
		for i := range n {
			t.update(s, fmt.Sprintf(`{"sessionUpdate":"subagent_update","sessionId":"sub-%d","title":"sub%d","state":{"state":"running"}}`, i, i))
		}
	}
}

// flood sends numbered lines, and no more than that: the reader can check that none is missing.
func (t *trick) flood(n int) {
	for i := range n {
		t.text(t.session, fmt.Sprintf("update %d of a child that has much to say\n", i))
	}
}

const fourOptions = `[{"optionId":"1","name":"yes","kind":"allow_once"},{"optionId":"2","name":"always","kind":"allow_always"},` +
	`{"optionId":"3","name":"no","kind":"reject_once"},{"optionId":"4","name":"never","kind":"reject_always"}]`

// mischief is a call, as in a permission request.
const mischief = `"toolCallId":"p","title":"make mischief","kind":"execute","name":"sh","rawInput":{"command":"rm"}`

func (t *trick) request(options string) chan json.RawMessage { return t.requestFor(mischief, options) }

func (t *trick) requestFor(call, options string) chan json.RawMessage {
	return t.call("session/request_permission", fmt.Sprintf(`{"sessionId":%q,"toolCall":{%s},"options":%s}`, t.session, call, options))
}

// ask is about permission requests.
func (t *trick) ask(word, rest string) bool {
	switch word {
	case "permission": // a proper request; its answer is said
		t.text(t.session, outcome(<-t.request(fourOptions)))
	case "options": // odd options, as JSON
		t.text(t.session, outcome(<-t.request(rest)))
	case "form": // a question that belongs to no call; what became of it is said
		var r struct{ Action string }
		_ = json.Unmarshal(<-t.call("elicitation/create", fmt.Sprintf(`{"mode":"form","sessionId":%q,"message":%q,"requestedSchema":{"type":"object","properties":{"q":{"type":"string","enum":["a","b"]}},"required":["q"]}}`, t.session, rest)), &r)
		t.text(t.session, r.Action)
	case "bare": // a request that has nothing but the id of a call announced before
		t.update(t.session, `{"sessionUpdate":"tool_call",`+mischief+`}`)
		t.text(t.session, outcome(<-t.requestFor(`"toolCallId":"p"`, fourOptions)))
	case "hurry": // says that the call runs while the request waits
		answer := t.request(fourOptions)
		for _, status := range []string{"in_progress", "completed"} {
			t.update(t.session, fmt.Sprintf(`{"sessionUpdate":"tool_call_update","toolCallId":"p","status":%q}`, status))
		}
		t.text(t.session, outcome(<-answer))
	case "after": // a request after the turn; its answer is noted in a file
		t.stop("end_turn")
		got := outcome(<-t.request(fourOptions))
		_ = os.WriteFile(os.Getenv("D")+"/.after", []byte(got), 0o600)
		_ = os.Rename(os.Getenv("D")+"/.after", os.Getenv("D")+"/after")
		return false
	case "dies": // dies while its request waits, once the test says so
		t.request(fourOptions)
		started("asked", os.Getpid())
		forever()
	}
	return true
}

// outcome is what was answered: the option's id, or "cancelled".
func outcome(result json.RawMessage) string {
	var r struct {
		Outcome struct {
			Outcome  string `json:"outcome"`
			OptionID string `json:"optionId"`
		} `json:"outcome"`
	}
	if err := json.Unmarshal(result, &r); err != nil {
		return "error " + err.Error()
	}
	if r.Outcome.Outcome == "selected" {
		return r.Outcome.OptionID
	}
	return r.Outcome.Outcome
}
