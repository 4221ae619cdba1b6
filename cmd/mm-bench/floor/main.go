// Command floor does only the unavoidable part of what mm-bench measures: what mm costs beyond it is
// mm's own.
//
//	floor hello                 starts and ends
//	floor read URL [QUESTION]   reads a streamed answer with net/http
//	floor acp                   answers initialize, session/new and session/prompt with fixed frames
//	floor relay URL             the same, and writes each chunk of the stream at URL as an update
//	floor relay URL N TEXT      sends N messages of that text before each question
//	floor ask URL               starts "floor relay" and asks it, as an ACP client
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("say what to do")
	}
	switch args[0] {
	case "hello":
		_, err := fmt.Println("hello")
		return err
	case "read":
		question := "hi"
		if len(args) > 2 {
			question = args[2]
		}
		n, err := read(args[1], "", question, func(string) error { return nil })
		fmt.Println(n)
		return err
	case "acp":
		return serve("", "")
	case "relay":
		history, err := before(args[2:])
		if err != nil {
			return err
		}
		return serve(args[1], history)
	case "ask":
		return ask(args[1])
	}
	return fmt.Errorf("unknown %q", args[0])
}

// before is a history as it stands in a request: a number of messages of one text.
func before(args []string) (string, error) {
	if len(args) < 2 {
		return "", nil
	}
	n, err := strconv.Atoi(args[0])
	return strings.Repeat(fmt.Sprintf(`{"role":"user","content":%q},`, args[1]), n), err
}

// read reads the stream of an answer and hands on each piece of text. It returns their length.
func read(url, history, question string, on func(string) error) (int, error) {
	body := `{"model":"bench","stream":true,"messages":[` + history + fmt.Sprintf(`{"role":"user","content":%q}]}`, question)
	resp, err := http.Post(url+"/chat/completions", "application/json", bytes.NewReader([]byte(body)))
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	n := 0
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok || bytes.Equal(data, []byte("[DONE]")) {
			continue
		}
		var chunk struct {
			Choices []struct {
				Delta struct {
					Content string `json:"content"`
				} `json:"delta"`
			} `json:"choices"`
		}
		if err := json.Unmarshal(data, &chunk); err != nil {
			return n, err
		}
		for _, c := range chunk.Choices {
			n += len(c.Delta.Content)
			if err := on(c.Delta.Content); err != nil {
				return n, err
			}
		}
	}
	return n, lines.Err()
}

// serve answers frames until stdin ends.
func serve(url, history string) error {
	out := bufio.NewWriter(os.Stdout)
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return nil
		}
		var f struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if err := json.Unmarshal(line, &f); err != nil || f.ID == nil {
			continue
		}
		result := `{}`
		switch f.Method {
		case "initialize":
			result = `{"protocolVersion":1,"authMethods":[]}`
		case "session/new":
			result = `{"sessionId":"s"}`
		case "session/prompt":
			result = `{"stopReason":"end_turn"}`
			if url != "" {
				if err := relay(url, history, out); err != nil {
					return err
				}
			}
		}
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", f.ID, result)
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

func relay(url, history string, out *bufio.Writer) error {
	_, err := read(url, history, "hi", func(text string) error {
		b, err := json.Marshal(text)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":%s}}}}`+"\n", b)
		return out.Flush()
	})
	return err
}

// ask starts an agent, asks it once, and reads until it has answered.
func ask(url string) error {
	c := exec.Command(os.Args[0], "relay", url)
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	out := bufio.NewReader(stdout)
	for id, method := range []string{"initialize", "session/new", "session/prompt"} {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":%q}`+"\n", id, method)
		for {
			line, err := out.ReadBytes('\n')
			if err != nil {
				return err
			}
			var f struct{ ID *int }
			if err := json.Unmarshal(line, &f); err != nil {
				return err
			}
			if f.ID != nil {
				break
			}
		}
	}
	_ = in.Close()
	return c.Wait()
}
