package web

import (
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

// WithTimeout returns options with another time limit for the whole fetch.
func (o Options) WithTimeout(d time.Duration) Options {
	o.timeout = d
	return o
}

// WithProxy returns options with a proxy.
func (o Options) WithProxy(u *url.URL) Options {
	o.proxy = func(*http.Request) (*url.URL, error) { return u, nil }
	return o
}

// Forbidden reports whether nothing may be fetched from an address.
func Forbidden(ip string) bool { return forbidden(netip.MustParseAddr(ip)) }
