package web

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/andybalholm/brotli"
)

// maxPage is how many bytes a page may have once it is decompressed.
const maxPage = 5 << 20

// maxLayers is how many times a body may be compressed.
const maxLayers = 2

// meter reads a body as it comes from the network: it tells the watchdog, counts, and keeps apart
// what the network did wrong from what is wrong with the bytes.
type meter struct {
	r     io.Reader
	alive func()
	left  int64
	err   error // of the network
}

func (m *meter) Read(p []byte) (int, error) {
	if m.left <= 0 {
		return 0, errTooLarge
	}
	n, err := m.r.Read(p[:min(int64(len(p)), m.left)])
	if n > 0 {
		m.left -= int64(n)
		m.alive()
	}
	if err != nil && err != io.EOF {
		m.err = err
	}
	return n, err
}

var errTooLarge = errors.New("too large")

// badEncoding is a Content-Encoding that can't be undone.
type badEncoding struct{ name string }

func (b badEncoding) Error() string { return "it is compressed as " + b.name }

// read returns the decompressed body, of at most limit bytes; more is errTooLarge, with the bytes up
// to there. network says that reading failed before the body was whole.
func (c *client) read(resp *http.Response, limit int64) (body []byte, network bool, err error) {
	m := &meter{r: resp.Body, alive: c.alive, left: limit + 1<<20}
	r, err := decompress(m, resp.Header)
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(r, limit+1))
	}
	if err == nil && int64(len(body)) > limit {
		body, err = body[:limit], errTooLarge
	}
	return body, m.err != nil, err
}

// decompress undoes the Content-Encoding of a body, which is counted after that: a small body may
// hold a very large page.
func decompress(r io.Reader, header http.Header) (io.Reader, error) {
	var layers []string
	for _, name := range strings.Split(strings.Join(header.Values("Content-Encoding"), ","), ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" && name != "identity" {
			layers = append(layers, name)
		}
	}
	if len(layers) > maxLayers {
		return nil, badEncoding{strings.Join(layers, ", ")}
	}
	for i := len(layers) - 1; i >= 0; i-- {
		switch layers[i] {
		case "gzip", "x-gzip":
			z, err := gzip.NewReader(r)
			if err != nil {
				return nil, err
			}
			r = z
		case "br":
			r = brotli.NewReader(r)
		default:
			return nil, badEncoding{layers[i]}
		}
	}
	return r, nil
}
