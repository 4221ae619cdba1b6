package llm

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// seeds are the bodies of the recorded streams.
func seeds(f *testing.F) {
	for _, s := range streams(f) {
		f.Add(s.body)
	}
	f.Add([]byte("\xef\xbb\xbfdata: {}\r\r\ndata:x\n\r\n"))
	f.Add([]byte("\n\n \t{\"error\":1}"))
}

// readBody reads a body as a stream of an answer.
func readBody(body io.Reader) (*received, *lifter, []Event, error) {
	var events []Event
	out := &output{on: func(e Event) error {
		events = append(events, e)
		return nil
	}}
	out.lift = newLifter(out, offered(), true, func([]byte) bool { return false })
	r := &received{}
	err := r.read(newEvents(body), out)
	_ = r.end(out)
	return r, out.lift, events, err
}

// FuzzStream: no body breaks the reader, how it is cut makes no difference, and what comes of it is
// fit for the history.
func FuzzStream(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		whole, lift, events, err := readBody(bytes.NewReader(body))
		cut, lift2, _, err2 := readBody(iotest.OneByteReader(bytes.NewReader(body)))
		got, again := whole.reply(lift, conversation()), cut.reply(lift2, conversation())
		if (err == nil) != (err2 == nil) || !sameReply(got, again) {
			t.Fatalf("whole %+v %v\ncut   %+v %v", got, err, again, err2)
		}
		if !utf8.ValidString(got.Message.Content) || !utf8.ValidString(got.Message.Thought) {
			t.Fatalf("not UTF-8: %+v", got)
		}
		for _, e := range events {
			if !utf8.ValidString(e.Text) || !utf8.ValidString(e.Thought) {
				t.Fatalf("not UTF-8: %+v", e)
			}
		}
		ids := map[string]bool{"c00000001": true, "c00000002": true}
		for _, c := range got.Message.Calls {
			var args map[string]any
			if ids[c.ID] || !goodID(c.ID) || json.Unmarshal([]byte(c.Arguments), &args) != nil || args == nil || c.Name == "" {
				t.Fatalf("call %+v", c)
			}
			ids[c.ID] = true
		}
		if !json.Valid(got.Message.encode()) {
			t.Fatalf("not JSON: %s", got.Message.encode())
		}
	})
}

func sameReply(a, b Reply) bool {
	return a.Message.same(&b.Message) && a.Finish == b.Finish && a.Usage == b.Usage && a.Model == b.Model
}

// FuzzCursor: the walker takes what encoding/json takes, and reads strings and numbers alike.
func FuzzCursor(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5e+3,"\u00e9\ud83d\ude80\n"],"b":null}`, `"\ud83d"`, `[`, `01`, `1.`, `{"a":1,}`, "\"\x01\"", `tru`, `-`, `""x`, "[\xff]", `"\ud83d\u0041"`} {
		f.Add([]byte(s))
	}
	seeds(f)
	f.Fuzz(func(t *testing.T, doc []byte) {
		c := cursor{b: doc}
		c.skip()
		if valid := json.Valid(doc); c.end() != valid {
			t.Fatalf("%q: got %v, encoding/json says %v", doc, !valid, valid)
		}
		var want string
		if json.Unmarshal(doc, &want) != nil || !bytes.HasPrefix(bytes.TrimSpace(doc), []byte{'"'}) || surrogateBytes(doc) {
			return
		}
		c = cursor{b: doc}
		var j joiner
		got := j.end(j.add(nil, c.appendTo(nil)))
		if string(got) != want {
			t.Fatalf("%q: got %q, want %q", doc, got, want)
		}
		// In pieces, as deltas bring it.
		raw := (&cursor{b: doc}).appendTo(nil)
		got = nil
		for i := range raw {
			got = j.add(got, raw[i:i+1])
		}
		if got = j.end(got); string(got) != want {
			t.Fatalf("%q in pieces: got %q, want %q", doc, got, want)
		}
	})
}

// surrogateBytes reports raw bytes of half a pair, which encoding/json takes for three faults and a
// joiner for one.
func surrogateBytes(doc []byte) bool {
	for i := range doc {
		if doc[i] == 0xED {
			return true
		}
	}
	return false
}

// FuzzLift: how a text is cut makes no difference, and nothing that isn't lifted gets lost.
func FuzzLift(f *testing.F) {
	for _, s := range streams(f) {
		if s.Want.Text != "" {
			f.Add(s.Want.Text, uint8(3))
		}
	}
	f.Add("```json\n{\"name\": \"pwd\", \"arguments\": {}}\n```", uint8(1))
	f.Add("a</think>\n<tool_call><function=pwd><parameter=a>1</parameter></function></tool_call>  b", uint8(2))
	f.Add("> <tool_call>{\"name\":\"pwd\"}\n- [TOOL_CALLS]pwd[ARGS]{}[TOOL_REQUEST]{}", uint8(5))
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		whole, told, _ := liftPieces([]string{text})
		var pieces []string
		for rest := text; rest != ""; {
			n := min(1+int(size), len(rest))
			pieces = append(pieces, rest[:n])
			rest = rest[n:]
		}
		cut, toldCut, _ := liftPieces(pieces)
		if cut.String() != whole.String() {
			t.Fatalf("whole %s\ncut   %s", whole, cut)
		}
		assumed, _, _ := liftAssuming(true, []string{text})
		if again, _, _ := liftAssuming(true, pieces); again.String() != assumed.String() {
			t.Fatalf("assuming: whole %s\ncut   %s", assumed, again)
		}
		if toldCut.text != told.text || toldCut.thought != told.thought {
			t.Fatalf("told whole %s\ntold cut   %s", told, toldCut)
		}
		if len(whole.calls) == 0 && !strings.Contains(text, "</think>") && !strings.Contains(text, "<think>") && whole.text != text {
			t.Fatalf("%q became %q", text, whole.text)
		}
	})
}

// FuzzRepair: what comes out is always an object, and one that came in stays as it is.
func FuzzRepair(f *testing.F) {
	for _, s := range []string{`{"a":[1,2,],}`, `{"a":{"b":[1`, `"{\"a\":1}"`, `{"a":"x`, `[1]`, `{"a":1]`, "{\"a\":\"\\", `{"a":,}`, `{,}`, `"\"{}\""`} {
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, args string, cut bool) {
		got, bad := repairArguments(args, cut)
		var object map[string]any
		if err := json.Unmarshal([]byte(got), &object); err != nil || object == nil {
			t.Fatalf("%q became %q: %v", args, got, err)
		}
		if bad != "" && (got != "{}" || !utf8.ValidString(bad) && utf8.ValidString(args)) {
			t.Fatalf("%q became %q, which is bad: %q", args, got, bad)
		}
		if isObject(args) && (got != args || bad != "") {
			t.Fatalf("%q became %q, %q", args, got, bad)
		}
	})
}

// FuzzEncode: what is sent is the message, character for character.
func FuzzEncode(f *testing.F) {
	f.Add("a\"\\\n\r\t\x00\x1f\u2028<é🚀\xff\xed\xa0\x80", "b")
	f.Fuzz(func(t *testing.T, content, args string) {
		m := Message{Role: RoleAssistant, Content: content, Calls: []Call{{ID: "c00000001", Name: "x", Arguments: args}}}
		var back struct {
			Content   string
			ToolCalls []struct{ Function struct{ Arguments string } } `json:"tool_calls"`
		}
		if err := json.Unmarshal(m.encode(), &back); err != nil {
			t.Fatalf("%s: %v", m.encode(), err)
		}
		if back.Content != valid(content) || back.ToolCalls[0].Function.Arguments != valid(args) {
			t.Fatalf("%s holds %q and %q", m.encode(), content, args)
		}
	})
}

// valid replaces each byte that belongs to no character by U+FFFD.
func valid(s string) string { return string([]rune(s)) }
