package markdown

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mini-me/mm/tools/web/charset"
)

// sharedPages returns the folder of pages that others wrote, which this repository doesn't hold: in
// $MM_SHARED, or in a folder shared/ beside the repository.
func sharedPages(tb testing.TB) string {
	const in = "corpus/pages"
	if dir := os.Getenv("MM_SHARED"); dir != "" {
		if _, err := os.Stat(filepath.Join(dir, in)); err == nil {
			return filepath.Join(dir, in)
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	pages := filepath.Join(filepath.Dir(dir), "shared", in)
	if _, err := os.Stat(pages); err != nil {
		tb.Skipf("the pages of corpus/pages aren't here: set MM_SHARED to the folder that has %s", in)
	}
	return pages
}

// realPage is NAME.json of corpus/pages; its README.md says what the fields mean.
type realPage struct {
	File    string `json:"file"`
	URL     string `json:"url"`
	Header  string `json:"content_type_header"`
	Options struct {
		Tables        string `json:"tables"`
		Strikethrough bool   `json:"strikethrough"`
		TaskList      bool   `json:"taskList"`
	} `json:"options"`
	Lines  []string `json:"must_contain_lines"`
	Has    []string `json:"must_contain"`
	Lacks  []string `json:"must_not_contain"`
	Fences []struct {
		Lang     string `json:"lang"`
		Contains string `json:"contains"`
	} `json:"code_fences"`
	Rows  [][]*string `json:"table_rows"`
	Links []struct {
		Text string `json:"text"`
		URL  string `json:"url"`
	} `json:"links"`
	Images []struct {
		Alt string `json:"alt"`
		Src string `json:"src"`
	} `json:"images"`
}

// readPages returns the pages with their bytes in UTF-8.
func readPages(tb testing.TB) (pages []realPage, texts [][]byte) {
	dir := sharedPages(tb)
	names, err := filepath.Glob(filepath.Join(dir, "*.html"))
	if err != nil || len(names) == 0 {
		tb.Fatalf("no pages in %s: %v", dir, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(strings.TrimSuffix(name, ".html") + ".json")
		if err != nil {
			tb.Fatal(err)
		}
		var p realPage
		if err := json.Unmarshal(data, &p); err != nil {
			tb.Fatal(err)
		}
		body, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		text, err := charset.Decode(body, charset.Detect(body, p.Header))
		if err != nil {
			tb.Fatal(err)
		}
		pages, texts = append(pages, p), append(texts, text)
	}
	return pages, texts
}

func (p realPage) options() Options {
	o := Options{BaseURL: p.URL, Strikethrough: p.Options.Strikethrough, TaskList: p.Options.TaskList}
	if p.Options.Tables == "flatten" {
		o.Tables = Flatten
	}
	return o
}

func TestPages(t *testing.T) {
	pages, texts := readPages(t)
	asserted, failed := 0, 0
	for i, p := range pages {
		t.Run(p.File, func(t *testing.T) {
			md, err := Convert(strings.NewReader(string(texts[i])), p.options())
			if err != nil {
				t.Fatal(err)
			}
			if dir := os.Getenv("MM_KEEP_PAGES"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, p.File+".md"), []byte(md), 0o644); err != nil {
					t.Error(err)
				}
			}
			all, faults := p.check(md)
			asserted, failed = asserted+all, failed+len(faults)
			for _, f := range faults {
				t.Error(f)
			}
		})
	}
	t.Logf("%d of %d assertions on %d pages hold", asserted-failed, asserted, len(pages))
}

// check returns how many assertions a page has, and those that don't hold.
func (p realPage) check(md string) (all int, faults []string) {
	want := func(ok bool, what, s string) {
		if all++; !ok {
			faults = append(faults, what+" "+s)
		}
	}
	lines := map[string]bool{}
	var rows [][]string
	for line := range strings.Lines(md) {
		line = strings.TrimSpace(line)
		lines[line] = true
		if cells, ok := splitRow(line); ok {
			rows = append(rows, cells)
		}
	}
	for _, s := range p.Lines {
		want(lines[s], "no line", s)
	}
	for _, s := range p.Has {
		want(strings.Contains(md, s), "lacks", s)
	}
	for _, s := range p.Lacks {
		want(!strings.Contains(md, s), "has", s)
	}
	for _, f := range p.Fences {
		want(hasFence(md, f.Lang, f.Contains), "no code block", f.Lang+" "+f.Contains)
	}
	for _, r := range p.Rows {
		want(hasRow(rows, r), "no row", rowText(r))
	}
	for _, l := range p.Links {
		want(strings.Contains(md, "["+l.Text+"]("+l.URL+")"), "no link", l.Text+" "+l.URL)
	}
	for _, i := range p.Images {
		want(strings.Contains(md, "!["+i.Alt+"]("+i.Src+")"), "no image", i.Alt+" "+i.Src)
	}
	return all, faults
}

func splitRow(line string) ([]string, bool) {
	line, ok := strings.CutPrefix(line, "|")
	if !ok {
		return nil, false
	}
	var cells []string
	for _, c := range strings.Split(strings.TrimSuffix(line, "|"), " |") {
		cells = append(cells, strings.TrimSpace(c))
	}
	return cells, true
}

func hasRow(rows [][]string, want []*string) bool {
next:
	for _, r := range rows {
		if len(r) != len(want) {
			continue
		}
		for i, w := range want {
			if w != nil && r[i] != *w {
				continue next
			}
		}
		return true
	}
	return false
}

func rowText(r []*string) string {
	var s []string
	for _, c := range r {
		if c == nil {
			s = append(s, "…")
		} else {
			s = append(s, *c)
		}
	}
	return strings.Join(s, " | ")
}

// hasFence reports whether a code block of exactly that language has the text.
func hasFence(md, lang, text string) bool {
	fence, body := "", ""
	for line := range strings.Lines(md) {
		t := strings.TrimSpace(line)
		switch {
		case fence == "" && strings.HasPrefix(t, "```"):
			info := strings.TrimLeft(t, "`")
			fence, body = t[:len(t)-len(info)], ""
			if info != lang {
				body = "\x00"
			}
		case fence != "" && t == fence:
			if !strings.HasPrefix(body, "\x00") && strings.Contains(body, text) {
				return true
			}
			fence = ""
		case fence != "":
			body += line
		}
	}
	return false
}
