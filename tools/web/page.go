package web

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/mini-me/mm/tools/web/charset"
)

// maxRedirects is how many redirects are followed.
const maxRedirects = 10

// acceptHTML is what the tool understands.
const acceptHTML = "text/html, application/xhtml+xml, */*;q=0.1"

// page is a page in UTF-8.
type page struct {
	url  *url.URL // after redirects
	text []byte
}

// fetch gets a page. robots.txt is asked before it and before each target of a redirect.
func (c *client) fetch(ctx context.Context, u *url.URL) (page, *fault) {
	for hops := 0; ; hops++ {
		if f := c.allowed(ctx, u); f != nil {
			return page{}, f
		}
		resp, f := c.get(ctx, u, acceptHTML)
		if f != nil {
			return page{}, f
		}
		to, f := target(resp, u)
		switch {
		case f != nil:
		case to != nil && hops == maxRedirects:
			f = faultf(input, "more than %d redirects, the last one from %s to %s", maxRedirects, u.Redacted(), to.Redacted())
		case to != nil:
			resp.Body.Close()
			u = to
			continue
		default:
			var p page
			if p, f = c.page(ctx, resp, u); f == nil {
				resp.Body.Close()
				return p, nil
			}
		}
		resp.Body.Close()
		return page{}, f
	}
}

// page reads the page of an answer.
func (c *client) page(ctx context.Context, resp *http.Response, u *url.URL) (page, *fault) {
	if resp.StatusCode >= 300 || resp.StatusCode < 200 {
		return page{}, faultf(input, "%s answered with %s", u.Redacted(), status(resp))
	}
	contentType := resp.Header.Get("Content-Type")
	media, _, _ := strings.Cut(contentType, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	switch media {
	case "", "text/html", "application/xhtml+xml":
	default:
		return page{}, noPage(u, media)
	}
	body, network, err := c.read(resp, maxPage)
	switch {
	case errors.Is(err, errTooLarge):
		return page{}, faultf(conversion, "%s is larger than 5 MiB", u.Redacted())
	case err != nil && (network || ctx.Err() != nil):
		return page{}, c.t.unreachable(ctx, u, err)
	case err != nil:
		return page{}, faultf(conversion, "%s can't be decoded: %s", u.Redacted(), err)
	}
	return decode(u, body, contentType, media == "")
}

func noPage(u *url.URL, what string) *fault {
	return faultf(conversion, "%s is no HTML page but %s", u.Redacted(), what)
}

// decode turns a body into a page, if it is one. Without a type, its bytes must look like one.
func decode(u *url.URL, body []byte, contentType string, guess bool) (page, *fault) {
	encoding := charset.Detect(body, contentType)
	if what := noText(body, encoding); what != "" {
		return page{}, noPage(u, what)
	}
	text, err := charset.Decode(body, encoding)
	if err != nil {
		return page{}, faultf(conversion, "%s can't be decoded: %s", u.Redacted(), err)
	}
	if guess && !looksLikeHTML(text) {
		return page{}, noPage(u, "of no type, and doesn't look like one")
	}
	return page{u, text}, nil
}

// noText says what bytes are that are plainly no text, whatever the server calls them (supplement
// 16); "" for text.
func noText(body []byte, encoding string) string {
	kind, _, _ := strings.Cut(http.DetectContentType(body), ";")
	switch {
	case strings.HasPrefix(kind, "text/"), kind == "application/octet-stream":
	case charset.IsUTF16(encoding):
	default:
		return kind
	}
	if !charset.IsUTF16(encoding) && bytes.IndexByte(body, 0) >= 0 {
		return "binary data"
	}
	return ""
}

// looksLikeHTML guesses whether text is HTML. An empty page is taken for one: it is said to have no
// text then, which is true of it.
func looksLikeHTML(text []byte) bool {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || strings.HasPrefix(http.DetectContentType(text), "text/html") {
		return true
	}
	if text[0] != '<' {
		return false
	}
	head := bytes.ToLower(text[:min(len(text), 4<<10)])
	for _, tag := range [...]string{"<html", "<!doctype html", "<head", "<body", "<meta", "<main", "<article", "<section", "<nav", "<ul", "<ol", "<h2"} {
		if bytes.Contains(head, []byte(tag)) {
			return true
		}
	}
	return false
}
