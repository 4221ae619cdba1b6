package markdown

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// example is one object of testdata/cases.json; testdata/README.md says what the fields mean.
type example struct {
	Name    string `json:"name"`
	HTML    string `json:"html"`
	Options struct {
		Tables        string `json:"tables"`
		Strikethrough bool   `json:"strikethrough"`
		TaskList      bool   `json:"taskList"`
		BaseURL       string `json:"baseUrl"`
	} `json:"options"`
	URL       string   `json:"url"`
	Compare   string   `json:"compare"`
	Markdown  string   `json:"markdown"`
	Has       []string `json:"must_contain"`
	Lacks     []string `json:"must_not_contain"`
	Rendered  []string `json:"rendered_must_contain"`
	RenderedO []string `json:"rendered_must_contain_one_of"`
	Text      string   `json:"text"`
	Rule      string   `json:"rule"`
}

func (e example) convert(t *testing.T) string {
	o := Options{BaseURL: e.URL, Strikethrough: e.Options.Strikethrough, TaskList: e.Options.TaskList}
	if e.Options.BaseURL != "" {
		o.BaseURL = e.Options.BaseURL
	}
	if e.Options.Tables == "flatten" {
		o.Tables = Flatten
	}
	got, err := Convert(strings.NewReader(e.HTML), o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestCorpus(t *testing.T) {
	data, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var examples []example
	if err := json.Unmarshal(data, &examples); err != nil {
		t.Fatal(err)
	}
	good := 0
	for _, e := range examples {
		if t.Run(e.Name, e.check) {
			good++
		}
	}
	t.Logf("%d of %d cases as expected", good, len(examples))
	if len(examples) != 217 {
		t.Errorf("read %d cases, want 217", len(examples))
	}
}

func (e example) check(t *testing.T) {
	got := e.convert(t)
	ok := true
	switch e.Compare {
	case "exact":
		ok = got == e.Markdown
	case "render":
		ok = render(t, got) == render(t, e.Markdown)
	case "render_loose":
		ok = withoutParagraphs(render(t, got)) == withoutParagraphs(render(t, e.Markdown))
	case "roundtrip":
		ok = render(t, got) == "<p>"+escape(e.Text)+"</p>"
	case "empty":
		ok = got == ""
	}
	if !ok {
		t.Errorf("%s\nhtml %s\n got %q\nwant %q%s", e.Rule, e.HTML, got, e.Markdown, e.Text)
	}
	for _, s := range e.Has {
		if !strings.Contains(got, s) {
			t.Errorf("%s\nhtml %s\n got %q\nlacks %q", e.Rule, e.HTML, got, s)
		}
	}
	for _, s := range e.Lacks {
		if strings.Contains(got, s) {
			t.Errorf("%s\nhtml %s\n got %q\nhas %q", e.Rule, e.HTML, got, s)
		}
	}
	rendered := render(t, got)
	any := len(e.RenderedO) == 0
	for _, s := range e.RenderedO {
		any = any || strings.Contains(rendered, s)
	}
	for _, s := range e.Rendered {
		any = any && strings.Contains(rendered, s)
	}
	if !any {
		t.Errorf("%s\nhtml %s\n got %q\nrendered %q", e.Rule, e.HTML, got, rendered)
	}
}

var (
	betweenTags = regexp.MustCompile(`>\s*\n\s*<`)
	preBlock    = regexp.MustCompile(`(?s)<pre>.*?</pre>`)
	blanks      = regexp.MustCompile(`\s+`)
)

func newRenderer() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList),
		goldmark.WithRendererOptions(html.WithUnsafe()))
}

// render renders Markdown and brings the HTML into the form in which it is compared.
func render(t *testing.T, md string) string {
	var b bytes.Buffer
	if err := newRenderer().Convert([]byte(md), &b); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	s := b.String()
	for s != "" {
		loc := preBlock.FindStringIndex(s)
		if loc == nil {
			loc = []int{len(s), len(s)}
		}
		out.WriteString(blanks.ReplaceAllString(betweenTags.ReplaceAllString(s[:loc[0]], "><"), " "))
		out.WriteString(s[loc[0]:loc[1]])
		s = s[loc[1]:]
	}
	return strings.TrimSpace(out.String())
}

func withoutParagraphs(s string) string {
	return blanks.ReplaceAllString(strings.NewReplacer("<p>", "", "</p>", "").Replace(s), " ")
}

func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(s)
}
