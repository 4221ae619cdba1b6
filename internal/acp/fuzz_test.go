package acp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var seeds = []string{
	``, ` `, `{}`, `[]`, `null`, `"a"`, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}`,
	`{"jsonrpc":"2.0","id":null,"method":"m"}`, `{"id":"a\"b\\","method":"m\u0000","params":[1,{"x":"}"}]}`, `{"id":-1.5e3,"result":null}`,
	`{"error":{"code":1,"message":"m"},"id":18446744073709551616}`, "{\"a\":\"\xff\"}", "\x1b[0m{\"jsonrpc\":\"2.0\",\"method\":\"n\"}",
	`{"id":1,"id":2,"method":"a","method":"b"}`, `{"id" : 1 , "method" : "m" , "params" : { } }`, "{\"a\":1}\r\n\n{\"b\":2}", `{"i\u0064":1,"method":"m"}`,
	`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}}}}`,
}

// What the scanner says of a message is what encoding/json says; broken ones do no harm.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		line := bytes.TrimSpace(toUTF8(b))
		if len(line) == 0 {
			return
		}
		parseHead(line, len(line))
		salvage(line)
		msg := parse(line)
		if msg.kind == invalid && msg.fault == nil {
			t.Fatal("invalid without a fault")
		}
		_, _ = ParseUpdate(line)
		var want map[string]json.RawMessage
		if json.Unmarshal(line, &want) != nil || want == nil {
			if msg.kind != invalid {
				t.Fatalf("%q is taken for a message", line)
			}
			return
		}
		got := map[string]json.RawMessage{}
		if !eachField(line, func(key, val []byte) bool { got[string(key)] = val; return true }) {
			t.Fatalf("%q: the end wasn't found", line)
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %d members, want %d", line, len(got), len(want))
		}
		for key, val := range want {
			if !bytes.Equal(val, got[key]) {
				t.Fatalf("%q: %q is %q, want %q", line, key, got[key], val)
			}
		}
		if msg.kind == request && !bytes.Equal(msg.id, want["id"]) {
			t.Fatalf("%q: id %q", line, msg.id)
		}
	})
}

// However a stream is cut, the lines are those of a plain split, and none is over the limit.
func FuzzLines(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), uint8(3))
	}
	f.Add([]byte(strings.Repeat("x", 70000)+"\ny"), uint8(1))
	f.Fuzz(func(t *testing.T, b []byte, size uint8) {
		limit := int(size)*300 + 1
		r := newLineReader(io.MultiReader(bytes.NewReader(b[:len(b)/3]), bytes.NewReader(b[len(b)/3:])), limit)
		for _, want := range bytes.Split(b, []byte("\n")) {
			text := bytes.TrimSpace(want)
			if len(text) == 0 {
				continue // the reader may see a blank head of one that is too long
			}
			line, long, err := r.next()
			if len(want) > limit && len(bytes.TrimSpace(want[:min(len(want), longHead)])) == 0 {
				return
			}
			if err != nil || long != (len(want) > limit) || !long && !bytes.Equal(line, text) || long && len(line) > longHead {
				t.Fatalf("line %q, %t, %v; want %q", line, long, err, text)
			}
		}
		if line, _, err := r.next(); !errors.Is(err, io.EOF) {
			t.Fatalf("at the end: %q, %v", line, err)
		}
	})
}

// Whatever an agent is sent, it writes only messages, and serves the next request.
func FuzzConn(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, b []byte, agent bool) {
		side := Client
		if agent {
			side = Agent
		}
		r, in, err := os.Pipe()
		if err != nil {
			t.Skip(err)
		}
		out, w, err := os.Pipe()
		if err != nil {
			t.Skip(err)
		}
		c := NewConn(r, w, func() error { return errors.Join(r.Close(), w.Close()) }, nil, Options{Side: side, MaxLine: 2000})
		go func() {
			in.Write(b)
			in.WriteString("\n" + `{"jsonrpc":"2.0","id":"the last","method":"m"}` + "\n")
		}()
		out.SetReadDeadline(time.Now().Add(10 * time.Second))
		lines := newLineReader(out, 1<<20)
		for {
			line, _, err := lines.next()
			if err != nil {
				t.Fatalf("%q: %v", b, err)
			}
			msg := parse(line)
			if msg.kind != response || !utf8.Valid(line) || msg.id == nil || len(msg.err) == 0 {
				t.Fatalf("%q: wrote %q", b, line)
			}
			if string(msg.id) == `"the last"` {
				break
			}
		}
		c.Close()
		c.Wait()
		out.Close()
		in.Close()
	})
}

// Text goes out as JSON that reads back the same, in pieces too.
func FuzzString(f *testing.F) {
	f.Add("a", "b")
	f.Add("\"\\\n\t\r\x00\x7f", "é\u2028\xff\xe2\x82")
	f.Fuzz(func(t *testing.T, a, b string) {
		q := appendString(nil, a)
		var got string
		if err := json.Unmarshal(q, &got); err != nil || bytes.ContainsAny(q, "\n\r") {
			t.Fatalf("%q: %q, %v", a, q, err)
		}
		want, err := json.Marshal(a)
		var mended string
		if err != nil || json.Unmarshal(want, &mended) != nil || got != mended || unquote(q) != mended {
			t.Fatalf("%q reads back as %q", a, got)
		}
		joined := appendEscaped(appendEscaped(nil, a), b)
		if one := appendEscaped(nil, a+b); utf8.ValidString(a) && utf8.ValidString(b) && !bytes.Equal(joined, one) {
			t.Fatalf("%q + %q: %q", a, b, joined)
		}
	})
}

// SetField changes one member and nothing else.
func FuzzSetField(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), "id")
	}
	f.Fuzz(func(t *testing.T, b []byte, name string) {
		var before map[string]json.RawMessage
		if !utf8.Valid(b) || !utf8.ValidString(name) || json.Unmarshal(b, &before) != nil || before == nil {
			_, _ = SetField(b, name, "v")
			return
		}
		out, err := SetField(b, name, "v")
		var after map[string]json.RawMessage
		if err != nil || json.Unmarshal(out, &after) != nil {
			t.Fatalf("%q: %q, %v", b, out, err)
		}
		before[name] = json.RawMessage(`"v"`)
		if len(before) != len(after) {
			t.Fatalf("%q: %q", b, out)
		}
		for k, v := range before {
			if !bytes.Equal(v, after[k]) {
				t.Fatalf("%q: %q of %q", b, out, k)
			}
		}
	})
}

// A prompt that is read the short way is what the long way makes of it, and none that the rules refuse is
// read at all.
func FuzzPlainPrompt(f *testing.F) {
	for _, s := range []string{
		`{"sessionId":"s","prompt":[{"type":"text","text":"hi"}]}`, `{"prompt":[{"text":"a\nb \ud83d\ude00 \ud800","type":"text"}],"sessionId":"s"}`,
		`{"sessionId":"s","prompt":[]}`, `{"sessionId":"s","prompt":[{"type":"text","text":"hi"},{"type":"text","text":"ho"}]}`,
		`{"sessionId":"s","prompt":[{"type":"text","text":"hi","annotations":{}}]}`, `{"sessionId":"s","prompt":[{"type":"text","text":5}]}`,
		`{"sessionId":null,"prompt":[{"type":"text","text":"hi"}]}`, `{"sessionId":"s","sessionId":"t","prompt":[{"type":"text","text":"hi"}]}`,
		`{"sessionId":"s","prompt":[{"type":"text","text":"hi"}],"_meta":{"a":1}}`, `{"sessionId":"","prompt":[{"type":"text","text":""}]}`,
		`{"sessionId":"s","prompt":[[]]}`, `{"sessionId":"s","prompt":["text"]}`, ` { "sessionId" : "s" , "prompt" : [ { "type" : "text" , "text" : "hi" } ] } `,
		"{\"sessionId\":\"s\",\"prompt\":[{\"type\":\"text\",\"text\":\"\xff\"}]}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if !json.Valid(b) {
			return // no message is made of it
		}
		short, ok := plainPrompt(b)
		if !ok {
			return
		}
		type plain PromptRequest
		var long plain
		if err := decodeObject(b, &long); err != nil {
			t.Fatalf("%s: read, where the rules say %v", b, err)
		}
		want, _ := json.Marshal(PromptRequest(long))
		if got, _ := json.Marshal(short); !bytes.Equal(got, want) {
			t.Fatalf("%s: read as %s, want %s", b, got, want)
		}
		wrote, ok := short.appendPlain(nil)
		var back PromptRequest
		if !ok || json.Unmarshal(wrote, &back) != nil {
			t.Fatalf("%s: written as %s", b, wrote)
		}
		if got, _ := json.Marshal(back); !bytes.Equal(got, want) {
			t.Fatalf("%s: written as %s, want %s", b, wrote, want)
		}
	})
}
