package robots

import (
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// decision is one object of testdata/cases.json; testdata/README.md says what the fields mean.
type decision struct {
	Name   string `json:"name"`
	Text   string `json:"robots_txt"`
	Base64 []byte `json:"robots_txt_base64"`
	Parts  []struct {
		Text   string `json:"text"`
		Repeat int    `json:"repeat"`
	} `json:"robots_txt_parts"`
	Agent   string `json:"agent"`
	URL     string `json:"url"`
	Allowed bool   `json:"allowed"`
	Note    string `json:"note"`
}

func (d decision) text() []byte {
	if d.Base64 != nil {
		return d.Base64
	}
	var b strings.Builder
	b.WriteString(d.Text)
	for _, p := range d.Parts {
		b.WriteString(strings.Repeat(p.Text, p.Repeat))
	}
	return []byte(b.String())
}

func TestCorpus(t *testing.T) {
	data, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []decision
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	good := 0
	for _, c := range cases {
		u, err := url.Parse(c.URL)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		if got := Parse(c.text()).Allowed(c.Agent, u); got != c.Allowed {
			t.Errorf("%s: %s allowed = %v, want %v (%s)", c.Name, c.URL, got, c.Allowed, c.Note)
			continue
		}
		good++
	}
	t.Logf("%d of %d decisions as expected", good, len(cases))
	if len(cases) != 220 {
		t.Errorf("read %d cases, want 220", len(cases))
	}
}

func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		text, path string
		want       bool
	}{
		{"User-agent: mm/1.0\nDisallow: /a", "/a", false},
		{"User-agent: mm 1.0\nDisallow: /a", "/a", false},
		{"User-agent: mm2\nDisallow: /a", "/a", true},
		{"User-agent: *\nDisallow: /robots.txt", "/robots.txt", true},
		{"User-agent: *\nDisallow: /a$b", "/a$b", false},
		{"User-agent: *\nDisallow: /a%24", "/a$", false},
		{"User-agent: *\nDisallow: /a b", "/a%20b", false},
		{"User-agent: *\nDisallow: /*a*a$", "/ba", true},
		{"User-agent: *\nDisallow: /*a*a$", "/aba", false},
		{"User-agent: *\nDisallow: a", "/a", true},
	} {
		u, err := url.Parse("http://example.com" + c.path)
		if err != nil {
			t.Fatal(err)
		}
		if got := Parse([]byte(c.text)).Allowed("mm", u); got != c.want {
			t.Errorf("%q: %s allowed = %v, want %v", c.text, c.path, got, c.want)
		}
	}
}

// A rule that the limit cuts in two would forbid more than it says.
func TestLineCutAtTheLimitDoesNotCount(t *testing.T) {
	head := "User-agent: mm\n#"
	rule := "\nDisallow: /private-only"
	text := head + strings.Repeat("x", MaxSize-len(head)-len("\nDisallow: /p")) + rule
	u, _ := url.Parse("http://example.com/public")
	if !Parse([]byte(text)).Allowed("mm", u) {
		t.Error("a cut rule counts")
	}
}

func TestWildcardsTakeLinearTime(t *testing.T) {
	start := time.Now()
	f := Parse([]byte("User-agent: *\nDisallow: /" + strings.Repeat("*a", MaxSize/2-20)))
	u, _ := url.Parse("http://example.com/" + strings.Repeat("a", 8<<10) + "b")
	f.Allowed("mm", u)
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("took %v", d)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("User-agent: mm\nDisallow: /*a$\nAllow: /%7e", "/~a?b")
	f.Add("\ufeffuser-agent:*\rdisallow:/\r\nallow:*", "//")
	f.Fuzz(func(t *testing.T, text, path string) {
		file := Parse([]byte(text))
		u := &url.URL{Scheme: "http", Host: "example.com", Path: "/" + path}
		allowed := file.Allowed("mm", u)
		if file.Allowed("MM", u) != allowed {
			t.Error("the case of the agent's name counts")
		}
		if !utf8.ValidString(path) {
			return
		}
		again, err := url.Parse(u.String())
		if err != nil {
			t.Fatal(err)
		}
		if file.Allowed("mm", again) != allowed {
			t.Errorf("%q and %q are judged differently", u, again)
		}
	})
}
