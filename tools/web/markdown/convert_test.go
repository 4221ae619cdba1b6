package markdown

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// Examples of the rules that the corpus leaves to others.
func TestConvert(t *testing.T) {
	for _, c := range []struct {
		name, page, want string
		o                Options
	}{
		{name: "text before and in an unknown container", page: "zero<x-a>one<p>two</p></x-a>three", want: "zero\n\none\n\ntwo\n\nthree\n"},
		{name: "strong around blocks", page: "<b>one<p>two</p>three</b>", want: "**one**\n\n**two**\n\n**three**\n"},
		{name: "mark before a letter", page: "<p><b>Note:</b>text</p>", want: "**Note**:text\n"},
		{name: "mark behind a letter", page: "<p>これは<b>「重要」</b>です</p>", want: "これは「**重要**」です\n"},
		{name: "marks side by side", page: "<p><b>a</b><b>b</b> <b>c</b></p>", want: "**ab** **c**\n"},
		{name: "bang before a link", page: "<p>Wow!<a href=http://x/>y</a></p>", want: "Wow\\![y](http://x/)\n"},
		{name: "code side by side", page: "<p><code>a</code><kbd>b</kbd></p>", want: "`ab`\n"},
		{name: "link in code", page: "<code>f(<a href=http://x/>T</a>)</code>", want: "`f(`[`T`](http://x/)`)`\n"},
		{name: "link around blocks", page: "<a href=http://x/><img src=http://x/i alt=i><h3>T</h3><p>text</p></a>", want: "[![i](http://x/i)](http://x/)\n\n### T\n\ntext\n"},
		{name: "link around a heading", page: "<a href=http://x/><h3>T</h3></a><p>text</p>", want: "### T\n\nhttp://x/\n\ntext\n"},
		{name: "break in a heading", page: "<h1>a<br>b</h1>", want: "# a b\n"},
		{name: "block in a heading", page: "<h1><div>a</div><div>b</div></h1>", want: "# a b\n"},
		{name: "breaks at the ends", page: "<p><br>a<br></p>", want: "a\n"},
		{name: "two breaks", page: "<p>a<br><br>b</p>", want: "a\\\n\\\nb\n"},
		{name: "number split by tags", page: "<p><span>1</span><span>.</span> x</p>", want: "1\\. x\n"},
		{name: "number at the end", page: "<p>see</p><p>1.</p>", want: "see\n\n1\\.\n"},
		{name: "number and text", page: "<p>1.5 x</p>", want: "1.5 x\n"},
		{name: "script link", page: "<p><a href=' java\nscript:x'>y</a></p>", want: "y\n"},
		{name: "empty script link", page: "<p>a<a href='javascript:x'></a>b</p>", want: "ab\n"},
		{name: "unbalanced parenthesis", page: "<a href='http://x/a)b'>y</a>", want: "[y](http://x/a%29b)\n"},
		{name: "hr in an item", page: "<ul><li><hr>a</li></ul>", want: "- a\n"},
		{name: "list that begins with 3 in an item", page: "<ul><li>a<ol start=3><li>b</ol></ul>", want: "- a\n\n  3. b\n"},
		{name: "list in a list without an item", page: "<ul><li>a</li><ul><li>b</li></ul></ul>", want: "- a\n  - b\n"},
		{name: "items in a div", page: "<ul><div><li>a</li><li>b</li></div></ul>", want: "- a\n- b\n"},
		{name: "negative start", page: "<ol start=-3><li>a</ol>", want: "1. a\n"},
		{name: "large start", page: "<ol start=999999999><li>a<li>b</ol>", want: "999999999. a\n999999999. b\n"},
		{name: "lines as divs in a pre", page: "<pre><div>a</div><div>b</div></pre>", want: "```\na\nb\n```\n"},
		{name: "button in a pre", page: "<pre><button>Copy</button>a</pre>", want: "```\na\n```\n"},
		{name: "blocks in a cell", page: "<table><tr><td><p>a</p><p>b</p><ul><li>c<li>d</ul></table>", want: "| a<br>b<br>c<br>d |\n| --- |\n"},
		{name: "code block in a cell", page: "<table><tr><td><pre>a|b\nc</pre></table>", want: "| `a\\|b`<br>`c` |\n| --- |\n"},
		{name: "later row is longer", page: "<table><tr><td>a<tr><td>b<td>c</table>", want: "| a |  |\n| --- | --- |\n| b | c |\n"},
		{name: "nested table, flat", page: "<table><tr><td>a<table><tr><td>b<td>c<tr><td>d</table></table>", o: Options{Tables: Flatten}, want: "| a<br>b c d |\n| --- |\n"},
		{name: "raw table", page: "<table class=x><caption>C</caption><tr><td colspan=2 style='color:red'><div>a's &lt;</div><div><a href=/y>b</a></div><x-y>c</x-y>", o: Options{BaseURL: "http://x/"},
			want: "<table>\n<caption>C</caption>\n<tr><td colspan=\"2\">a's &lt;<br><a href=\"http://x/y\">b</a><br>c</td></tr>\n</table>\n"},
		{name: "raw table with code", page: "<table><tr><td colspan=2><pre><code class=language-go>a\n\nb</code></pre>", want: "<table>\n<tr><td colspan=\"2\"><pre><code class=\"language-go\">a&#10;\nb</code></pre></td></tr>\n</table>\n"},
		{name: "blank table", page: "<p>a</p><table><tr><td> <tr><td></table>", want: "a\n"},
		{name: "drawing with a style", page: "<p>a<svg><style>b{c:d}</style><script/><title>d</title><foreignObject><p>e</p></foreignObject></svg>f</p>", want: "af\n"},
		{name: "open drawing", page: "<div>a<svg><path></div><p>b</p>", want: "a\n\nb\n"},
		{name: "hidden in a drawing's CDATA", page: "a<svg><![CDATA[ </svg> ]]>b</svg>c", want: "ac\n"},
		{name: "text joined to a tag", page: "a <<script></script>b>c &l<!-- -->t; d", want: "a \\<b>c &lt; d\n"},
		{name: "formula", page: "<math><mi>x</mi><mspace/><mo>=</mo><mn>1</mn></math> y", want: "x=1 y\n"},
		{name: "hidden by style", page: "<p style='display : NONE !important; display:block'>a</p><p style='display:none;display:block'>b</p><p style='visibility:hidden'>c</p><p style='dis/**/play:none'>d</p>", want: "b\n"},
		{name: "hidden with an h1", page: "<div hidden><h1>a</h1></div><p>b", want: "b\n"},
		{name: "heading that is removed keeps nothing", page: "<div class=menu><nav><h1>a</h1></nav>c</div><p>b", want: "b\n"},
		{name: "companions", page: "<p class=cookie-banner>a<p class=site_nav>b<p class='x Main-Menu'>c<p class=menus>d<p class=ad-hoc>e<p class=consented>f", want: "d\n\ne\n\nf\n"},
		{name: "body is never removed", page: "<body class=modal hidden aria-hidden=true>a", want: "a\n"},
		{name: "role list", page: "<div role='presentation banner'>a</div><div role='Banner x'>b</div>", want: "a\n"},
		{name: "zero width and direction", page: "<p>a\u200bb\u202ec\u2066d&#x200b;e&shy;f\u200dg\U000e0041h\ufeff</p>", want: "abcdefgh\n"},
		{name: "joiners that are needed", page: "<p>می\u200cخواهم 👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3</p>", want: "می\u200cخواهم 👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3\n"},
		{name: "invisible at the beginning", page: "<p>\u200b# a</p><p>1\u200b. b</p>", want: "\\# a\n\n1\\. b\n"},
		{name: "invisible in URLs", page: "<a href='http://x/\u202ea'>y\u200b</a><img src='http://x/i' alt='a\u202eb'>", want: "[y](http://x/a)![ab](http://x/i)\n"},
		{name: "no-break spaces only", page: "<p>a</p><p>&nbsp;&nbsp;</p><p>b</p>", want: "a\n\nb\n"},
		{name: "control characters", page: "<p>a&#27;[31mb&#7;</p><pre>c&#27;d</pre>", want: "a\\[31mb\n\n```\ncd\n```\n"},
		{name: "line ends in code", page: "<pre>a&#13;b&#12;c</pre>", want: "```\na\nb c\n```\n"},
		{name: "not UTF-8", page: "<p>a\xffb</p>", want: "a\uFFFDb\n"},
		{name: "first attribute counts", page: "<a href=http://x/1 href=http://x/2>y</a>", want: "[y](http://x/1)\n"},
		{name: "quotes in a value", page: `<img src=http://x/"'y alt='"a"'>`, want: "![\"a\"](http://x/%22'y)\n"},
		{name: "reference in a URL", page: `<a href="http://x/?a=1&copy=2&amp;b=3">y</a>`, want: "[y](http://x/?a=1&copy=2&b=3)\n"},
		{name: "footer of an article in main", page: "<main><footer>a</footer></main><footer>b</footer>", want: "a\n"},
		{name: "task in a paragraph of an item", page: "<ul><li><p><input type=checkbox checked>a</p></li><li>b <input type=checkbox></li></ul>", o: Options{TaskList: true}, want: "- [x] a\n- b\n"},
		{name: "nothing", page: "<title>t</title><nav>x</nav>\u200b", want: ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Convert(strings.NewReader(c.page), c.o)
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("page %s\n got %q\nwant %q", c.page, got, c.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	if _, err := Convert(strings.NewReader("x"), Options{BaseURL: "/a"}); err == nil {
		t.Error("a relative base URL is taken")
	}
	if _, err := Convert(io.LimitReader(endless{}, MaxInput+1), Options{}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v, want ErrTooLarge", err)
	}
	broken := errors.New("broken")
	if _, err := Convert(io.MultiReader(strings.NewReader("x"), failing{broken}), Options{}); !errors.Is(err, broken) {
		t.Errorf("got %v, want the reader's error", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
