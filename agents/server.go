package agents

import (
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// finishServer settles which server is meant, and with which key.
func (w *walker) finishServer(d *draft, keys found) {
	at := keys.where("provider")
	w.in("headers", func() { w.checkHeaders(keys.where("headers"), d.Headers) })
	if d.Script != "" || d.Provider == scripted {
		w.finishScript(d, keys)
	}
	if d.BaseURL != "" {
		w.finishBaseURL(d, keys)
	}
	known := knownProvider(d.Provider)
	switch {
	case d.Provider == scripted:
		d.BaseURL = ""
	case d.BaseURL != "", d.Provider == "" && !keys.has("baseURL") && !keys.has("provider"):
	case known.BaseURL != "":
		d.BaseURL = known.BaseURL
	case d.Provider != "" && !keys.has("baseURL"):
		w.unknownProvider(d.Provider, at)
	}
	w.finishKey(d, keys)
}

func (w *walker) unknownProvider(provider string, at *yaml.Node) {
	key := "provider"
	if w.env.get("MM_PROVIDER") != "" {
		at, key = nil, "MM_PROVIDER"
	}
	names := append(providerNames(), scripted)
	hint := didYouMean(provider, names)
	if hint == "" {
		hint = " — known are " + strings.Join(names, ", ") + "."
	}
	w.in(key, func() {
		w.problem(at, "%s is %s, which isn't known by name%s Any other label needs a baseURL beside it", w.name(), quote(provider), hint)
	})
}

// finishKey settles the key and finds what no HTTP header can carry. The keys that people keep in
// the environment for OpenAI and OpenRouter go only to these themselves.
func (w *walker) finishKey(d *draft, keys found) {
	key, at := "apiKey", keys.where("apiKey")
	if w.env.get("MM_API_KEY") != "" {
		key, at = "MM_API_KEY", nil
	}
	known := knownProvider(d.Provider)
	if d.APIKey == "" && known.KeyVariable != "" && d.BaseURL == known.BaseURL {
		d.APIKey = w.env.get(known.KeyVariable)
		key, at = known.KeyVariable, nil
	}
	w.secret(d.APIKey)
	if strings.ContainsFunc(d.APIKey, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		w.in(key, func() { w.problem(at, "%s has a line end or another control character in it", w.name()) })
	}
}

// finishBaseURL checks the address and, without a label, names the server after it.
func (w *walker) finishBaseURL(d *draft, keys found) {
	at := keys.where("baseURL")
	name := "baseURL"
	if w.env.get("MM_BASE_URL") != "" {
		at, name = nil, "MM_BASE_URL"
	}
	before := len(w.problems)
	w.in(name, func() { w.checkURL(at, d.BaseURL) })
	if len(w.problems) > before {
		return
	}
	d.BaseURL = strings.TrimRight(d.BaseURL, "/")
	if d.Provider != "" {
		return
	}
	i := slices.IndexFunc(Providers(), func(p Provider) bool { return p.BaseURL == d.BaseURL })
	if i >= 0 {
		d.Provider = Providers()[i].Name
	} else if u, err := url.Parse(d.BaseURL); err == nil {
		d.Provider = u.Host
	}
}

// finishScript sees to it that the scripted provider has its script, and only that one.
func (w *walker) finishScript(d *draft, keys found) {
	at := keys.where("script")
	switch {
	case d.Provider != scripted && w.env.get("MM_PROVIDER") == "":
		w.warn(keys["script"].key, `"script" is only for provider: scripted, so it isn't used`)
	case d.Provider != scripted:
	case d.Script == "" && !keys.has("script"):
		w.in("provider", func() { w.problem(keys.where("provider"), `provider "scripted" needs "script", a file to play`) })
	case d.Script != "":
		if _, err := os.Stat(d.Script); err != nil {
			w.in("script", func() { w.problem(at, "%s names %s: %s", w.name(), strconv.Quote(d.Script), reason(err)) })
		}
	}
}
