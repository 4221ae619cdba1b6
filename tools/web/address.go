package web

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode"
)

// maxURL is how many bytes a URL may have.
const maxURL = 8 << 10

// parseURL reads the url argument: https:// is added where there is no scheme, a scheme without its
// colon is repaired (tools.fr.md, url).
func parseURL(s string) (*url.URL, *fault) {
	s = strings.TrimSpace(s)
	switch {
	case s == "":
		return nil, usage("url is empty — give the address of a page")
	case len(s) > maxURL:
		return nil, usage("url has %d characters — give a shorter one", len(s))
	}
	u, err := url.Parse(withScheme(s))
	if err != nil || strings.ContainsFunc(s, unicode.IsControl) {
		return nil, usage("url %q can't be read — give the address of a page, such as https://example.com/page", s)
	}
	u.Scheme = strings.ToLower(u.Scheme)
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, usage("url begins with %s: — only http and https can be fetched", u.Scheme)
	case u.Hostname() == "" || strings.ContainsAny(u.Host, " \"<>"):
		return nil, usage("url %q has no host — give the address of a page, such as https://example.com/page", s)
	}
	return u, nil
}

func withScheme(s string) string {
	for _, scheme := range [...]string{"https", "http"} {
		if len(s) < len(scheme) || !strings.EqualFold(s[:len(scheme)], scheme) {
			continue
		}
		rest := s[len(scheme):]
		if after, ok := strings.CutPrefix(rest, "//"); ok {
			return scheme + "://" + after
		}
		if after, ok := strings.CutPrefix(rest, ":"); ok {
			return scheme + "://" + strings.TrimLeft(after, "/")
		}
	}
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		return "https://" + rest
	}
	before, after, ok := strings.Cut(s, ":")
	if ok && isScheme(before) && !beginsWithPort(after) {
		return s
	}
	return "https://" + s
}

// isScheme reports whether s is the scheme of a URL; a name with a dot is a host.
func isScheme(s string) bool {
	for i, c := range []byte(s) {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c != '+' && c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

// beginsWithPort reports whether s goes on as an address does behind a host and a colon.
func beginsWithPort(s string) bool {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n > 0 && (n == len(s) || strings.IndexByte("/?#", s[n]) >= 0)
}

// forbidden reports whether nothing may be fetched from an address: link-local ones and those where
// clouds keep secrets of the machine (supplement 14). Loopback and private addresses are allowed.
func forbidden(ip netip.Addr) bool {
	ip = embedded(ip.Unmap().WithZone(""))
	if ip.IsLinkLocalUnicast() || ip.IsLinkLocalMulticast() || ip.IsInterfaceLocalMulticast() {
		return true
	}
	for _, metadata := range [...]netip.Addr{
		netip.AddrFrom4([4]byte{100, 100, 100, 200}),                           // Alibaba Cloud
		netip.AddrFrom4([4]byte{168, 63, 129, 16}),                             // Azure
		netip.AddrFrom4([4]byte{192, 0, 0, 192}),                               // Oracle Cloud
		netip.AddrFrom16([16]byte{0xfd, 0x00, 0x0e, 0xc2, 14: 0x02, 15: 0x54}), // AWS
		netip.AddrFrom16([16]byte{0xfd, 0x20, 0x00, 0xce, 14: 0x02, 15: 0x54}), // Google Cloud
	} {
		if ip == metadata {
			return true
		}
	}
	return false
}

// embedded returns the IPv4 address that an IPv6 address stands for, if it does: those of NAT64
// (64:ff9b::/96), of 6to4 (2002::/16) and the old ::a.b.c.d.
func embedded(ip netip.Addr) netip.Addr {
	if !ip.Is6() {
		return ip
	}
	b := ip.As16()
	switch {
	case b[0] == 0x00 && b[1] == 0x64 && b[2] == 0xff && b[3] == 0x9b && allZero(b[4:12]):
		return netip.AddrFrom4([4]byte(b[12:]))
	case b[0] == 0x20 && b[1] == 0x02:
		return netip.AddrFrom4([4]byte(b[2:6]))
	case allZero(b[:12]) && !ip.IsLoopback() && !ip.IsUnspecified():
		return netip.AddrFrom4([4]byte(b[12:]))
	}
	return ip
}

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
