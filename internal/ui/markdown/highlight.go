package markdown

import "strings"

// language is what highlight knows of a language: enough to tell words, texts and remarks apart.
type language struct {
	keywords string
	line     string    // begins a comment up to the line's end
	block    [2]string // begins and ends a comment
	quotes   string
	fold     bool // keywords in either case
}

// languages are looked up when code is laid out, so that nothing is built at the start.
func languageOf(name string) (language, bool) {
	c := language{line: "//", block: [2]string{"/*", "*/"}, quotes: "\"'`"}
	hash := language{line: "#", quotes: "\"'"}
	switch name {
	case "go", "golang":
		c.keywords = " break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false "
	case "c", "h", "cpp", "c++", "cc", "hpp", "cs", "csharp", "java", "kotlin", "kt", "scala", "swift", "dart", "php":
		c.keywords = " abstract async auto await bool break byte case catch char class const continue default delete do double else enum extends extern false final finally float for foreach fun func function goto if implements import in include inline int interface internal let long namespace new null object operator override package private protected public return short signed sizeof static struct super switch template this throw throws true try typedef typename union unsigned using val var virtual void volatile when while yield "
	case "js", "javascript", "ts", "typescript", "jsx", "tsx":
		c.keywords = " any as async await boolean break case catch class const continue debugger default delete do else enum export extends false finally for from function if implements import in instanceof interface let new null number of private protected public readonly return static string super switch this throw true try type typeof undefined var void while yield "
	case "rust", "rs", "zig":
		c.quotes = "\""
		c.keywords = " as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while defer try var "
	case "json", "jsonc", "json5":
		c.quotes = "\""
		c.keywords = " true false null "
	case "python", "py":
		hash.keywords = " False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda match case nonlocal not or pass raise return try while with yield self "
		return hash, true
	case "sh", "bash", "zsh", "shell", "console", "fish", "make", "makefile", "dockerfile", "docker":
		hash.keywords = " case do done elif else esac exit export fi for function if in local read return set shift source then until while cd echo FROM RUN COPY ENV WORKDIR CMD ENTRYPOINT "
		return hash, true
	case "yaml", "yml", "toml", "ini", "conf":
		hash.keywords = " true false null yes no on off "
		return hash, true
	case "ruby", "rb", "perl", "pl", "r", "elixir", "ex":
		hash.keywords = " alias and begin break case class def do else elsif end ensure false for foreach function if in module my next nil not or our print redo require rescue retry return self sub super then true undef unless until use when while yield "
		return hash, true
	case "sql":
		return language{line: "--", block: [2]string{"/*", "*/"}, quotes: "'", fold: true,
			keywords: " add all alter and as asc between by case create delete desc distinct drop else end exists from full group having in index inner insert into is join key left like limit not null on or order outer primary references right select set table then union unique update values view when where with "}, true
	case "lua", "haskell", "hs", "ada", "elm":
		return language{line: "--", quotes: "\"'", keywords: " and break case class data deriving do else elseif end false for function if import in instance let local module nil not of or repeat return then true type until where while "}, true
	case "css", "scss", "less":
		c.quotes = "\"'"
	case "html", "xml", "svg":
		return language{block: [2]string{"<!--", "-->"}, quotes: "\""}, true
	default:
		return language{}, false
	}
	return c, true
}

// highlight splits lines of code into spans.
func highlight(rows []string, name string) [][]Span {
	out := make([][]Span, len(rows))
	if name == "diff" || name == "patch" {
		for i, r := range rows {
			out[i] = []Span{{r, diffStyle(r)}}
		}
		return out
	}
	lang, ok := languageOf(name)
	remark := false // a block comment is open
	for i, r := range rows {
		if !ok {
			out[i] = []Span{{r, 0}}
			continue
		}
		out[i] = lang.row(r, &remark)
	}
	return out
}

func diffStyle(line string) Style {
	switch {
	case strings.HasPrefix(line, "+"):
		return String
	case strings.HasPrefix(line, "-"):
		return Number
	case strings.HasPrefix(line, "@@"):
		return Keyword
	}
	return 0
}

func (l language) row(s string, remark *bool) []Span {
	var out Line
	for i := 0; i < len(s); {
		n, st := l.token(s, i, remark)
		out = add(out, s[i:i+n], st)
		i += n
	}
	return out
}

// token returns the length and style of what stands at i.
func (l language) token(s string, i int, remark *bool) (int, Style) {
	rest := s[i:]
	switch {
	case *remark:
		end := strings.Index(rest, l.block[1])
		if end < 0 {
			return len(rest), Comment
		}
		*remark = false
		return end + len(l.block[1]), Comment
	case l.block[0] != "" && strings.HasPrefix(rest, l.block[0]):
		*remark = true
		return len(l.block[0]), Comment
	case l.line != "" && strings.HasPrefix(rest, l.line) && (l.line != "#" || i == 0 || s[i-1] == ' ' || s[i-1] == '\t'):
		return len(rest), Comment
	case strings.IndexByte(l.quotes, rest[0]) >= 0:
		return quoted(rest), String
	}
	n := word(rest)
	switch {
	case n == 0:
		return 1, 0
	case rest[0] >= '0' && rest[0] <= '9':
		return n, Number
	case l.isKeyword(rest[:n]):
		return n, Keyword
	}
	return n, 0
}

func (l language) isKeyword(w string) bool {
	if l.fold {
		w = strings.ToLower(w)
	}
	return strings.Contains(l.keywords, " "+w+" ")
}

// quoted is the length of a text in quotes, up to the line's end when it isn't closed.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return len(s)
}

// word is the length of a name or number.
func word(s string) int {
	n := 0
	for n < len(s) && (s[n] == '_' || s[n] >= 0x80 || s[n] >= '0' && s[n] <= '9' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
		n++
	}
	return n
}
