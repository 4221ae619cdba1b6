package markdown

import "bytes"

// maxWord is the longest class or id that is looked at.
const maxWord = 48

// isAd reports whether a class or id has a word that names an advertisement, a menu or the like
// (tools.fr.md, Retiré; supplement 15). Words are what stands between blanks, compared whole and
// without regard to ASCII case. A word counts when it is
//
//   - listed (see listed),
//   - listed and joined by "-" or "_" with what usually follows it: menu-list, cookie_banner,
//     social-share (see companion),
//   - one of nav, navbar, navigation, menu after what usually stands before them: site-nav,
//     main-menu (see leading).
//
// Parts of words never count: "shadow" and "download" have "ad" in them.
func isAd(value []byte) bool {
	for i := 0; i < len(value); {
		if isBlank(value[i]) {
			i++
			continue
		}
		start := i
		for i < len(value) && !isBlank(value[i]) {
			i++
		}
		if i-start <= maxWord && isAdWord(value[start:i]) {
			return true
		}
	}
	return false
}

func isAdWord(raw []byte) bool {
	var buf [maxWord]byte
	w := buf[:len(raw)]
	for i, c := range raw {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c == '_' {
			c = '-'
		}
		w[i] = c
	}
	if listed(w) {
		return true
	}
	before, after, joined := bytes.Cut(w, []byte("-"))
	if !joined {
		return false
	}
	if listed(before) && companion(after) || leading(before) && isMenu(after) {
		return true
	}
	i := bytes.LastIndexByte(w, '-')
	before, after = w[:i], w[i+1:]
	return listed(before) && companion(after)
}

// listed are the words of the reference, with their other usual spellings.
func listed(w []byte) bool {
	switch string(w) {
	case "ad", "ads", "advert", "sponsor", "promo", "cookie", "consent", "gdpr", "newsletter", "subscribe", "popup", "modal",
		"share", "social", "breadcrumb", "nav", "navbar", "navigation", "menu", "sidebar", "skiplink",
		"sr-only", "visually-hidden", "screen-reader-text":
		return true
	case "adverts", "advertisement", "advertisements", "advertising", "adsbygoogle", "sponsors", "sponsored", "promos", "cookies",
		"newsletters", "popups", "pop-up", "modals", "sharing", "breadcrumbs", "skip-link", "skip-nav", "skip-to-content",
		"visuallyhidden":
		return true
	}
	return false
}

// companion are the words that follow a listed one without making it something else.
func companion(w []byte) bool {
	switch string(w) {
	case "banner", "bar", "block", "box", "button", "buttons", "container", "content", "form", "icons", "inner", "item", "items",
		"label", "links", "list", "message", "modal", "notice", "outer", "overlay", "panel", "popup", "section", "signup", "slot",
		"unit", "widget", "wrap", "wrapper", "toggle":
		return true
	}
	return listed(w)
}

// leading are the words that stand before a menu's.
func leading(w []byte) bool {
	switch string(w) {
	case "site", "main", "primary", "secondary", "top", "bottom", "header", "footer", "global", "mobile":
		return true
	}
	return false
}

func isMenu(w []byte) bool {
	switch string(w) {
	case "nav", "navbar", "navigation", "menu":
		return true
	}
	return false
}

func isBlank(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'
}
