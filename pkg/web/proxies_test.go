package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"headless/pkg/must"
)

func TestProxies(t *testing.T) {
	trusted, err := ParseProxies("10.0.0.0/8, 192.0.2.7 ,2001:db8::/32")
	must.Do(t, err)
	for _, c := range []struct {
		name, peer string
		proxies    Proxies
		header     map[string]string
		want       string
	}{
		{"nobody is trusted", "203.0.113.9:5", Proxies{},
			map[string]string{"X-Forwarded-For": "1.1.1.1"}, "203.0.113.9:5"},
		{"a stranger's header", "203.0.113.9:5", Proxies{Trusted: trusted},
			map[string]string{"X-Forwarded-For": "1.1.1.1"}, "203.0.113.9:5"},
		{"one proxy", "10.1.2.3:5", Proxies{Trusted: trusted},
			map[string]string{"X-Forwarded-For": "198.51.100.4"}, "198.51.100.4:0"},
		{"a forged hop on the left", "10.1.2.3:5", Proxies{Trusted: trusted},
			map[string]string{"X-Forwarded-For": "1.1.1.1, 198.51.100.4, 192.0.2.7"}, "198.51.100.4:0"},
		{"no header", "10.1.2.3:5", Proxies{Trusted: trusted}, nil, "10.1.2.3:0"},
		{"rubbish", "10.1.2.3:5", Proxies{Trusted: trusted},
			map[string]string{"X-Forwarded-For": "1.1.1.1, rubbish"}, "10.1.2.3:0"},
		{"an IPv6 proxy", "[2001:db8::1]:5", Proxies{Trusted: trusted},
			map[string]string{"X-Forwarded-For": "2606:4700::1"}, "[2606:4700::1]:0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got string
			h := c.proxies.Handler(http.HandlerFunc(func(_ http.ResponseWriter,
				r *http.Request) {
				got = r.RemoteAddr
			}))
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = c.peer
			for name, value := range c.header {
				r.Header.Set(name, value)
			}
			h.ServeHTTP(httptest.NewRecorder(), r)
			if got != c.want {
				t.Errorf("address %s, want %s", got, c.want)
			}
		})
	}
}

func TestParseProxiesNamesWhatIsWrong(t *testing.T) {
	if _, err := ParseProxies("10.0.0.0/8,rubbish"); err == nil {
		t.Error("rubbish was taken for a network")
	}
}

// TestOnlyThroughTheCDN: direct requests are refused, and no other header about an address
// counts.
func TestOnlyThroughTheCDN(t *testing.T) {
	trusted, err := ParseProxies("130.176.0.0/16")
	must.Do(t, err)
	behind := Proxies{Trusted: trusted, Secrets: []string{"new", "old"}, Host: "cms.example.com"}
	for _, c := range []struct {
		name   string
		header map[string]string
		status int
		want   string // address and host
	}{
		{"a visitor", map[string]string{"X-Origin-Verify": "new", "X-Viewer-Address": "198.51.100.4",
			"X-Forwarded-For": "1.1.1.1"}, 200, "198.51.100.4:0 cms.example.com"},
		{"IPv6", map[string]string{"X-Origin-Verify": "new", "X-Viewer-Address": "2606:4700::1"},
			200, "[2606:4700::1]:0 cms.example.com"},
		{"while the secret is changed", map[string]string{"X-Origin-Verify": "old",
			"X-Viewer-Address": "198.51.100.4"}, 200, "198.51.100.4:0 cms.example.com"},
		{"no visitor is named", map[string]string{"X-Origin-Verify": "new"}, 200,
			"130.176.1.1:5 cms.example.com"},
		{"a wrong secret", map[string]string{"X-Origin-Verify": "newold",
			"X-Viewer-Address": "198.51.100.4"}, 403, ""},
		{"no secret", map[string]string{"X-Viewer-Address": "198.51.100.4"}, 403, ""},
		{"an empty secret", map[string]string{"X-Origin-Verify": ""}, 403, ""},
	} {
		var got string
		h := behind.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = r.RemoteAddr + " " + r.Host + r.Header.Get("X-Origin-Verify")
		}))
		r := httptest.NewRequest("GET", "https://abc.execute-api.eu-west-1.amazonaws.com/admin", nil)
		r.RemoteAddr = "130.176.1.1:5"
		for name, value := range c.header {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != c.status || got != c.want {
			t.Errorf("%s: %d %q, want %d %q", c.name, w.Code, got, c.status, c.want)
		}
		if body := w.Body.String(); c.status == 403 && !strings.Contains(body, `"code":"FORBIDDEN"`) {
			t.Errorf("%s: %s", c.name, body)
		}
	}
}
