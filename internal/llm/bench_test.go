package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

const chunks = 20000

// longBody is an answer of 20,000 chunks as llama.cpp writes them.
func longBody() []byte {
	var b bytes.Buffer
	for i := range chunks {
		fmt.Fprintf(&b, "data: {\"choices\":[{\"finish_reason\":null,\"index\":0,\"delta\":{\"content\":\" word%d\"}}],\"created\":1764518400,\"id\":\"chatcmpl-8RsX2nq0vYb6TtKcW4mEJ1uZpLhDf9aG\",\"model\":\"qwen3-4b-instruct-q4_k_m.gguf\",\"system_fingerprint\":\"b9879-52afe95d8\",\"object\":\"chat.completion.chunk\"}\n\n", i%100)
	}
	b.WriteString("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	return b.Bytes()
}

func longServer(b *testing.B) string {
	body := longBody()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(body)
	}))
	b.Cleanup(h.Close)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	return h.URL + "/v1"
}

// BenchmarkStream reads 20,000 chunks: by the client, by net/http and bufio alone (the floor), with
// encoding/json on top, and by openai-go's own stream.
func BenchmarkStream(b *testing.B) {
	request := Request{Messages: []Message{{Role: RoleUser, Content: "hello"}}, Tools: offered()}
	b.Run("client", func(b *testing.B) {
		c := newClient(b, Options{BaseURL: longServer(b), Model: "m"})
		for b.Loop() {
			n := 0
			reply, err := c.Stream(context.Background(), request, func(e Event) error {
				n += len(e.Text)
				return nil
			})
			if err != nil || n != len(reply.Message.Content) {
				b.Fatal(n, err)
			}
		}
	})
	for _, decode := range []bool{false, true} {
		b.Run(map[bool]string{false: "floor", true: "floor+json"}[decode], func(b *testing.B) {
			base := longServer(b)
			for b.Loop() {
				if n := floor(b, base, decode); n < chunks {
					b.Fatal(n)
				}
			}
		})
	}
	b.Run("openai-go", func(b *testing.B) {
		api := openai.NewClient(option.WithBaseURL(longServer(b)), option.WithAPIKey("x"))
		for b.Loop() {
			n := 0
			s := api.Chat.Completions.NewStreaming(context.Background(), openai.ChatCompletionNewParams{
				Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("hello")}})
			for s.Next() {
				n++
			}
			if s.Err() != nil || n < chunks {
				b.Fatal(n, s.Err())
			}
		}
	})
}

// floor reads the stream line by line.
func floor(b *testing.B, base string, decode bool) int {
	res, err := http.Post(base+"/chat/completions", "application/json", bytes.NewReader([]byte("{}")))
	if err != nil {
		b.Fatal(err)
	}
	defer res.Body.Close()
	n := 0
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok {
			continue
		}
		n++
		if !decode || data[0] != '{' {
			continue
		}
		var c struct {
			Choices []struct {
				Delta        struct{ Content string }
				FinishReason string `json:"finish_reason"`
			}
		}
		if err := json.Unmarshal(data, &c); err != nil {
			b.Fatal(err)
		}
	}
	return n
}

// history is a conversation of n messages of some 200 bytes.
func history(n int) []Message {
	all := []Message{{Role: RoleSystem, Content: "Be brief."}}
	for i := 1; len(all) < n; i++ {
		id := fmt.Sprintf("c%08d", i)
		all = append(all, Message{Role: RoleUser, Content: fmt.Sprintf("Question %d: %s", i, bytes.Repeat([]byte("why "), 40))},
			Message{Role: RoleAssistant, Thought: "Let me look.", ThoughtField: "reasoning_content", Calls: []Call{{ID: id, Name: "run", Arguments: `{"command":"ls -l"}`}}},
			Message{Role: RoleTool, CallID: id, Content: string(bytes.Repeat([]byte("-rw-r--r-- a\n"), 15))},
			Message{Role: RoleAssistant, Content: string(bytes.Repeat([]byte("because "), 20))})
	}
	return all[:n]
}

// BenchmarkBody builds the request of one more step of a conversation: "step" keeps the encodings
// of old messages, "first" makes them all.
func BenchmarkBody(b *testing.B) {
	c := newClient(b, Options{Provider: LlamaCPP, Model: "m"})
	for _, mode := range []string{"native", "text"} {
		c.opts.ToolCalls = mode
		for _, n := range []int{10, 100, 1000, 10000} {
			for _, first := range []bool{false, true} {
				name := fmt.Sprintf("%s/%s/%d", mode, map[bool]string{false: "step", true: "first"}[first], n)
				b.Run(name, func(b *testing.B) {
					messages := history(n)
					request := Request{Messages: messages, Tools: offered()}
					b.ReportAllocs()
					for b.Loop() {
						if first {
							for i := range messages {
								messages[i].enc = nil
							}
						}
						messages[n-1].enc = nil
						body, err := c.body(c.target(), &request, limits{})
						if err != nil {
							b.Fatal(err)
						}
						b.SetBytes(int64(len(body)))
					}
				})
			}
		}
	}
}

// BenchmarkDecode reads one chunk.
func BenchmarkDecode(b *testing.B) {
	line, _, _ := bytes.Cut(longBody(), []byte("\n"))
	data := bytes.TrimPrefix(line, []byte("data: "))
	var d decoder
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := d.decode(data, false); !ok {
			b.Fatal("not JSON")
		}
	}
}
