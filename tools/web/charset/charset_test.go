package charset

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// page is one object of testdata/index.json; testdata/README.md says what the fields mean. The text
// is compared here before it is Markdown, the tool's tests do it after.
type page struct {
	File     string   `json:"file"`
	Header   string   `json:"content_type_header"`
	Encoding string   `json:"expected_encoding"`
	Contains []string `json:"expected_text_contains"`
	Lacks    []string `json:"must_not_contain"`
	Why      string   `json:"why"`
}

func TestCorpus(t *testing.T) {
	data, err := os.ReadFile("testdata/index.json")
	if err != nil {
		t.Fatal(err)
	}
	var pages []page
	if err := json.Unmarshal(data, &pages); err != nil {
		t.Fatal(err)
	}
	good := 0
	for _, p := range pages {
		if t.Run(p.File, p.check) {
			good++
		}
	}
	t.Logf("%d of %d pages as expected", good, len(pages))
	if len(pages) != 60 {
		t.Errorf("read %d pages, want 60", len(pages))
	}
}

func (p page) check(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", p.File))
	if err != nil {
		t.Fatal(err)
	}
	name := Detect(data, p.Header)
	if name != p.Encoding {
		t.Fatalf("encoding %q, want %q (%s)", name, p.Encoding, p.Why)
	}
	text, err := Decode(data, name)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range p.Contains {
		if want = strings.TrimPrefix(want, "# "); !strings.Contains(string(text), want) {
			t.Errorf("the text lacks %q (%s)", want, p.Why)
		}
	}
	for _, no := range p.Lacks {
		if strings.Contains(string(text), no) {
			t.Errorf("the text has %q (%s)", no, p.Why)
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct{ name, page, header, want string }{
		{"utf-16 in a meta means UTF-8", `<meta charset=utf-16><p>é`, "text/html", "utf-8"},
		{"XML declaration doesn't count", "<?xml version='1.0' encoding='koi8-r'?><p>\xe9", "", "windows-1252"},
		{"a meta across the border doesn't count", strings.Repeat(" ", prescan-10) + "<meta charset=koi8-r>\xe9", "", "windows-1252"},
		{"a meta in a script is none", "<script>'<meta charset=koi8-r>'</script>\xe9", "", "windows-1252"},
		{"header in capitals", "x", `text/html; CHARSET="KOI8-R"`, "koi8-r"},
		{"two charsets in content", `<meta http-equiv=content-type content="charset charset = 'koi8-r'">`, "", "koi8-r"},
		{"no page", "", "", "utf-8"},
	} {
		if got := Detect([]byte(c.page), c.header); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestForbiddenEncodingIsAnError(t *testing.T) {
	page := []byte("x")
	if _, err := Decode(page, Detect(page, "text/html; charset=iso-2022-kr")); err == nil {
		t.Error("decoded an encoding that the standard forbids to decode")
	}
}
