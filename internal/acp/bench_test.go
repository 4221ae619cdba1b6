package acp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"testing"

	"github.com/mini-me/mm/internal/acp"
)

var chunkParams = json.RawMessage(`{"sessionId":"01JD9X0000000000000000000A","update":{"sessionUpdate":"agent_message_chunk","messageId":"m-17","content":{"type":"text","text":" a piece of text,\nas models send it"}}}`)

// BenchmarkRelayUpdate reads an update of a child and makes the one that is passed on.
func BenchmarkRelayUpdate(b *testing.B) {
	b.SetBytes(int64(len(chunkParams)))
	b.ReportAllocs()
	for b.Loop() {
		u, err := acp.ParseUpdate(chunkParams)
		if err != nil {
			b.Fatal(err)
		}
		c, err := u.Chunk()
		if err != nil || c.Content.Text == "" {
			b.Fatal(err)
		}
		if _, err := json.Marshal(acp.SessionNotification{SessionID: "mine", Update: u}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDecodeChunk reads an update as far as its text.
func BenchmarkDecodeChunk(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		u, err := acp.ParseUpdate(chunkParams)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := u.Chunk(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDecodeToolCall reads an update that has structure.
func BenchmarkDecodeToolCall(b *testing.B) {
	params, err := json.Marshal(acp.SessionNotification{SessionID: "s", Update: callUpdate})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		u, err := acp.ParseUpdate(params)
		if err != nil {
			b.Fatal(err)
		}
		var c acp.ToolCallUpdate
		if err := u.Decode(&c); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSend20000Chunks writes 20,000 pieces of an answer to a reader that only counts lines.
func BenchmarkSend20000Chunks(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		send(b, func(out *os.File) { io.Copy(io.Discard, out) })
	}
}

// BenchmarkStream20000Chunks does the same with a client of ours, which decodes them.
func BenchmarkStream20000Chunks(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		send(b, func(out *os.File) {
			n := 0
			c := acp.NewConn(out, io.Discard, out.Close, handler{notify: func(_ string, p json.RawMessage) {
				u, err := acp.ParseUpdate(p)
				if err != nil {
					b.Error(err)
				}
				chunk, err := u.Chunk()
				if err != nil {
					b.Error(err)
				}
				n += len(chunk.Content.Text)
			}}, acp.Options{Side: acp.Client})
			<-c.Done()
			c.Wait()
			if n != 20000*len(chunkText) {
				b.Errorf("%d bytes", n)
			}
		})
	}
}

// BenchmarkFloor20000Chunks is the least that a program must do: write a line, read a line.
func BenchmarkFloor20000Chunks(b *testing.B) {
	frame := []byte(`{"jsonrpc":"2.0","method":"session/update","params":` + string(chunkParams) + "}\n")
	b.ReportAllocs()
	for b.Loop() {
		r, w, err := os.Pipe()
		if err != nil {
			b.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			s := bufio.NewScanner(r)
			for s.Scan() {
				var m struct {
					Params struct {
						Update struct {
							Content struct{ Text string }
						}
					}
				}
				_ = json.Unmarshal(s.Bytes(), &m)
			}
		}()
		for range 20000 {
			w.Write(frame)
		}
		w.Close()
		<-done
		r.Close()
	}
}

const chunkText = " a piece of text,\nas models send it"

func send(b *testing.B, read func(out *os.File)) {
	r, in, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	out, w, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	done := make(chan struct{})
	go func() { read(out); close(done) }()
	c := acp.NewConn(r, w, closeBoth(r, w), nil, acp.Options{})
	u := acp.TextChunk(acp.UpdateAgentMessage, "m-17", chunkText)
	for range 20000 {
		if err := c.Update(context.Background(), "s", u); err != nil {
			b.Fatal(err)
		}
	}
	if err := c.Flush(context.Background()); err != nil {
		b.Fatal(err)
	}
	in.Close()
	c.Close()
	c.Wait()
	<-done
	out.Close()
}

// BenchmarkCall is one request and its answer.
func BenchmarkCall(b *testing.B) {
	_, client := pair(b, handler{request: func(context.Context, string, json.RawMessage) (any, error) { return acp.Empty{}, nil }}, nil)
	b.ReportAllocs()
	for b.Loop() {
		if err := client.Call(context.Background(), "m", acp.SessionRequest{SessionID: "s"}, nil); err != nil {
			b.Fatal(err)
		}
	}
}
