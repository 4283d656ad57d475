package webhook

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestFetchException reads from one port of this machine and from nowhere else on it.
func TestFetchException(t *testing.T) {
	answer := func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("content")) }
	allowed, other := receiver(t, answer), receiver(t, answer)
	redirect := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusFound)
	})
	var exceptions []netip.AddrPort
	for _, server := range []string{allowed.URL, redirect.URL} {
		u, err := url.Parse(server)
		must.Do(t, err)
		exceptions = append(exceptions, netip.MustParseAddrPort(u.Host))
	}
	own := Policy{Exceptions: exceptions, OwnHosts: []string{strings.TrimPrefix(allowed.URL, "http://")}}
	for _, row := range []struct {
		name   string
		policy Policy
		url    string
		ok     bool
	}{
		{"no exception", Policy{}, allowed.URL, false},
		{"exception", Policy{Exceptions: exceptions}, allowed.URL + "/a", true},
		{"another port", Policy{Exceptions: exceptions}, other.URL, false},
		{"by name", Policy{Exceptions: exceptions}, strings.Replace(allowed.URL, "127.0.0.1", "localhost", 1), false},
		{"redirect", Policy{Exceptions: exceptions}, redirect.URL, false},
		{"own address", own, allowed.URL, false},
	} {
		content, err := NewClient(row.policy, Options{}).Fetch(t.Context(), row.url, 100)
		if row.ok != (err == nil) || row.ok && string(content) != "content" {
			t.Errorf("%s: %q, %v", row.name, content, err)
		}
	}
}
