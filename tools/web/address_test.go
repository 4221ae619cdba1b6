package web_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/mini-me/mm/tools/web"
)

func TestForbiddenAddresses(t *testing.T) {
	for ip, want := range map[string]bool{
		"127.0.0.1": false, "::1": false, "10.0.0.1": false, "192.168.1.1": false, "172.16.0.1": false, "fd00::1": false,
		"0.0.0.0": false, "8.8.8.8": false, "2001:4860:4860::8888": false,
		"169.254.169.254": true, "169.254.0.1": true, "fe80::1": true, "fe80::1%eth0": true, "::ffff:169.254.169.254": true,
		"64:ff9b::a9fe:a9fe": true, "64:ff9b::808:808": false, "2002:a9fe:a9fe::1": true, "::169.254.169.254": true,
		"fd00:ec2::254": true, "fd20:ce::254": true, "100.100.100.200": true, "168.63.129.16": true, "192.0.0.192": true,
		"224.0.0.1": true, "ff02::1": true,
	} {
		if got := web.Forbidden(ip); got != want {
			t.Errorf("%s: %v, want %v", ip, got, want)
		}
	}
}

const refused = "the address 169.254.169.254 is refused: it is link-local or a cloud's metadata service"

func TestMetadataIsRefused(t *testing.T) {
	url := site{"/go": redirect(302, "http://169.254.169.254/latest/meta-data/")}.start(t)
	for _, given := range []string{"http://169.254.169.254/", "http://169.254.169.254:8080/x", "http://[::ffff:a9fe:a9fe]/", "http://0xa9fea9fe/", url + "/go"} {
		got := fetch(t, web.New(web.Options{}), map[string]any{"url": given})
		if given == "http://0xa9fea9fe/" && !strings.Contains(got.Text, refused) {
			continue // systems that take this for a name
		}
		if got.Text != "[fetch_content: error 2 (input) — "+refused+"]" {
			t.Errorf("%s: %q", given, got.Text)
		}
	}
	s := site{"/robots.txt": redirect(302, "http://169.254.169.254/robots.txt"), "/": page("<p>x")}
	if got := fetch(t, web.New(web.Options{}), map[string]any{"url": s.start(t)}); !strings.Contains(got.Text, refused) {
		t.Errorf("robots.txt: %q", got.Text)
	}
}

// names is a name server that answers with another address each time; without any, that there is
// no such name.
type names struct {
	conn  net.PacketConn
	asked atomic.Int64
	list  []netip.Addr
}

func newNames(t *testing.T, list ...string) *names {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &names{conn: conn}
	for _, ip := range list {
		n.list = append(n.list, netip.MustParseAddr(ip))
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		n.serve()
	}()
	t.Cleanup(func() {
		conn.Close()
		<-done
	})
	return n
}

func (n *names) serve() {
	buf := make([]byte, 1500)
	for {
		size, from, err := n.conn.ReadFrom(buf)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(buf[:size]) != nil || len(m.Questions) != 1 {
			continue
		}
		q := m.Questions[0]
		m.Response, m.Additionals = true, nil
		if len(n.list) == 0 {
			m.RCode = dnsmessage.RCodeNameError
		} else if q.Type == dnsmessage.TypeA {
			i := min(int(n.asked.Add(1)), len(n.list)) - 1
			m.Answers = []dnsmessage.Resource{{
				Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
				Body:   &dnsmessage.AResource{A: n.list[i].As4()},
			}}
		}
		if out, err := m.Pack(); err == nil {
			_, _ = n.conn.WriteTo(out, from)
		}
	}
}

func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", n.conn.LocalAddr().String())
	}}
}

// A name that stands for another address the second time leads nowhere either: what counts is the
// address that is connected to.
func TestNameThatChanges(t *testing.T) {
	gone := make(chan struct{}, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		gone <- struct{}{}
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		page("<p>secret")(w, r)
	}))
	t.Cleanup(server.Close)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	names := newNames(t, "127.0.0.1", "169.254.169.254")
	got := fetch(t, web.New(web.Options{Resolver: names.resolver()}), map[string]any{"url": "http://changing.example:" + port + "/"})
	if !strings.Contains(got.Text, refused) || len(gone) != 1 {
		t.Errorf("%d requests, %q", len(gone), got.Text)
	}
	names = newNames(t, "127.0.0.1")
	got = fetch(t, web.New(web.Options{Resolver: names.resolver()}), map[string]any{"url": "http://steady.example:" + port + "/"})
	if got.Text != "secret\n" {
		t.Errorf("%q", got.Text)
	}
	names = newNames(t, "169.254.169.254")
	got = fetch(t, web.New(web.Options{Resolver: names.resolver()}), map[string]any{"url": "http://bad.example:" + port + "/"})
	if !strings.Contains(got.Text, refused) {
		t.Errorf("%q", got.Text)
	}
}

// Behind a proxy the connection isn't ours, so hosts are judged before.
func TestProxy(t *testing.T) {
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		page("<p>through the proxy")(w, r)
	}))
	t.Cleanup(proxy.Close)
	u, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	names := newNames(t, "93.184.216.34")
	tool := web.New(web.Options{Resolver: names.resolver()}.WithProxy(u))
	if got := fetch(t, tool, map[string]any{"url": "http://page.example/x"}); got.Text != "through the proxy\n" || len(asked) != 2 {
		t.Errorf("%q, asked for %q", got.Text, asked)
	}
	for _, host := range []string{"169.254.169.254", "metadata.google.internal"} {
		if got := fetch(t, tool, map[string]any{"url": "http://" + host + "/"}); !strings.Contains(got.Text, "is refused") || len(asked) != 2 {
			t.Errorf("%q, asked for %q", got.Text, asked)
		}
	}
	bad := newNames(t, "169.254.169.254")
	tool = web.New(web.Options{Resolver: bad.resolver()}.WithProxy(u))
	if got := fetch(t, tool, map[string]any{"url": "http://page.example/x"}); !strings.Contains(got.Text, refused) || len(asked) != 2 {
		t.Errorf("%q, asked for %q", got.Text, asked)
	}
}
