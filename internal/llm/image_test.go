package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func seen() Message {
	return Message{Role: RoleUser, Content: "what is it?", Images: []Image{{"image/png", "aGk="}, {"image/jpeg", "aG8="}}}
}

// TestImagesAreParts: an image stands behind the text, natively and where tools are text.
func TestImagesAreParts(t *testing.T) {
	parts := `[{"type":"text","text":"what is it?%s"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}},` +
		`{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,aG8="}}]`
	m := seen()
	if got, want := string(m.encode()), `{"role":"user","content":`+fmt.Sprintf(parts, "")+`}`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	text := string(appendAsText(nil, []Message{{Role: RoleSystem, Content: "s"}, seen(), {Role: RoleTool, Content: "r"}, {Role: RoleAssistant, Content: "a"}}, offered()))
	want := `,{"role":"user","content":` + fmt.Sprintf(parts, `\n\n<tool_response>\nr\n</tool_response>`) + `},{"role":"assistant","content":"a"}`
	if !strings.HasSuffix(text, want) {
		t.Errorf("%s\nwant …%s", text, want)
	}
	m.Images = m.Images[:1]
	if strings.Contains(string(m.encode()), "jpeg") {
		t.Error("the bytes of a message that was changed are the old ones")
	}
	if got := m.WithoutImages(); got.Content != "what is it?\n[image: image/png, 3 bytes]" || got.Images != nil {
		t.Errorf("%+v", got)
	}
}

// TestImagesThatAModelDoesNotTake: by what the server says of the model, and by how it refuses.
func TestImagesThatAModelDoesNotTake(t *testing.T) {
	for name, c := range map[string]struct {
		provider, path, says string
		refusal              string // of the chat; "" when it mustn't be asked
		status               int
	}{
		"llama.cpp says so":    {LlamaCPP, "/props", `{"modalities":{"vision":false}}`, "", 0},
		"Ollama says so":       {Ollama, "/api/show", `{"capabilities":["completion","tools"]}`, "", 0},
		"LM Studio says so":    {LMStudio, "/api/v0/models", `{"data":[{"id":"m","state":"loaded","type":"llm"}]}`, "", 0},
		"OpenRouter says so":   {OpenRouter, "/v1/models", `{"data":[{"id":"m","top_provider":{},"architecture":{"input_modalities":["text"]}}]}`, "", 0},
		"llama.cpp refuses":    {LlamaCPP, "", "", `{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj","type":"server_error"}}`, 500},
		"vLLM refuses":         {VLLM, "", "", `{"error":{"message":"At most 0 image(s) may be provided in one prompt.","type":"BadRequestError","code":400}}`, 400},
		"LM Studio refuses":    {LMStudio, "", "", `{"error":"Model does not support images. Please use a model that does."}`, 400},
		"a text API refuses":   {"mine", "", "", "{\"error\":{\"message\":\"unknown variant `image_url`, expected `text`\"}}", 422},
		"a gateway has no one": {OpenRouter, "", "", `{"error":{"message":"No endpoints found that support image input","code":404}}`, 404},
	} {
		t.Run(name, func(t *testing.T) {
			h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case strings.HasSuffix(r.URL.Path, "/chat/completions"):
					if c.refusal == "" {
						t.Error("the image was sent")
					}
					w.WriteHeader(max(c.status, 200))
					_, _ = w.Write([]byte(c.refusal))
				case r.URL.Path == c.path:
					_, _ = w.Write([]byte(c.says))
				case strings.HasSuffix(r.URL.Path, "/models"):
					_, _ = w.Write([]byte(`{"data":[{"id":"m"}]}`))
				default:
					http.NotFound(w, r)
				}
			}))
			t.Cleanup(h.Close)
			client := newClient(t, Options{Provider: c.provider, BaseURL: h.URL + "/v1", Model: "m", Sleep: (&clock{}).sleep})
			_, told, err := ask(client, seen())
			var e *Error
			if !errors.As(err, &e) || e.Kind != KindNoImages || len(told) > 0 || !strings.Contains(err.Error(), "m takes no images — choose a model that does") {
				t.Errorf("%v, told %q", err, told)
			}
			if c.refusal == "" {
				return
			}
			if _, _, err := ask(client); !errors.As(err, &e) || e.Kind == KindNoImages {
				t.Errorf("without an image: %v", err)
			}
		})
	}
}

// TestImagesOfEyes: a model that takes them is sent them.
func TestImagesOfEyes(t *testing.T) {
	yes := true
	for _, m := range []listed{
		{Architecture: []byte(`{"input_modalities":["text","image"]}`)},
		{State: "loaded", Type: "vlm"},
		{Architecture: []byte(`"qwen3"`), Capabilities: []byte(`{"vision":true}`)},
	} {
		if got := m.images(); got == nil || *got != yes {
			t.Errorf("%+v: %v", m, got)
		}
	}
	c := newClient(t, Options{Provider: Scripted, ScriptBytes: []byte("- reply: a cat\n")})
	reply, err := c.Stream(context.Background(), Request{Messages: []Message{seen()}}, func(Event) error { return nil })
	if err != nil || reply.Message.Content != "a cat" {
		t.Errorf("%q %v", reply.Message.Content, err)
	}
}
