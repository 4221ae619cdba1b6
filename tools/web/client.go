package web

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

// client makes the requests of one call. Its connections live as long as the call.
type client struct {
	t         *tool
	transport *http.Transport // never follows redirects
	alive     func()
}

func (t *tool) newClient(alive func()) *client {
	dialer := &net.Dialer{
		Resolver: t.o.Resolver,
		// Control sees each address that is connected to, whatever name or redirect led there and
		// whatever the name stood for a moment ago.
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error { return checkAddress(address) },
	}
	transport := &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // see body.go
		MaxResponseHeaderBytes: 256 << 10,
		IdleConnTimeout:        30 * time.Second,
	}
	transport.Proxy = func(r *http.Request) (*url.URL, error) {
		proxy, err := t.o.proxy(r)
		if err != nil || proxy == nil {
			return nil, err
		}
		return proxy, t.checkBehindProxy(r.Context(), r.URL.Hostname())
	}
	return &client{t: t, alive: alive, transport: transport}
}

func (c *client) close() { c.transport.CloseIdleConnections() }

// checkAddress refuses a connection to a forbidden address.
func checkAddress(address string) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return faultf(input, "the address %s can't be read", address)
	}
	if forbidden(to.Addr()) {
		return refusal("address", to.Addr().String())
	}
	return nil
}

func refusal(kind, what string) *fault {
	f := faultf(input, "the %s %s is refused: it is link-local or a cloud's metadata service", kind, what)
	f.noHost = true
	return f
}

// checkBehindProxy refuses a host that stands for a forbidden address, as far as this machine can
// tell: the proxy makes the connection. A name that only the proxy knows passes.
func (t *tool) checkBehindProxy(ctx context.Context, host string) error {
	if ip, err := netip.ParseAddr(host); err == nil {
		return checkAddress(netip.AddrPortFrom(ip, 80).String())
	}
	if host == "metadata.google.internal" {
		return refusal("host", host)
	}
	resolver := t.o.Resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	ips, err := resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil
	}
	for _, ip := range ips {
		if err := checkAddress(netip.AddrPortFrom(ip, 80).String()); err != nil {
			return err
		}
	}
	return nil
}

// get requests a URL and doesn't follow redirects.
func (c *client) get(ctx context.Context, u *url.URL, accept string) (*http.Response, *fault) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, faultf(input, "%s can't be requested: %v", u.Redacted(), err)
	}
	req.Header.Set("User-Agent", "mm/"+c.t.o.Version)
	req.Header.Set("Accept", accept)
	req.Header.Set("Accept-Encoding", "gzip, br")
	if u.User != nil {
		password, _ := u.User.Password()
		req.SetBasicAuth(u.User.Username(), password)
	}
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		return nil, c.t.unreachable(ctx, u, err)
	}
	c.alive()
	return resp, nil
}

// target returns where a redirect leads, nil when the answer is none.
func target(resp *http.Response, from *url.URL) (*url.URL, *fault) {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	location := resp.Header.Get("Location")
	if location == "" {
		return nil, nil
	}
	to, err := from.Parse(location)
	if err != nil || len(location) > maxURL {
		return nil, faultf(input, "%s redirects to an address that can't be read", from.Redacted())
	}
	if to.Scheme != "http" && to.Scheme != "https" || to.Host == "" {
		return nil, faultf(input, "%s redirects to %s: only http and https can be fetched", from.Redacted(), to.Redacted())
	}
	return to, nil
}
