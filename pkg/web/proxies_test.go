package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestProxies(t *testing.T) {
	trusted, err := ParseProxies("10.0.0.0/8, 192.0.2.7 ,2001:db8::/32")
	if err != nil {
		t.Fatal(err)
	}
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
		{"CloudFront", "130.176.1.1:5", Proxies{Secret: "s"},
			map[string]string{"X-Origin-Verify": "s",
				"CloudFront-Viewer-Address": "198.51.100.4:46532"}, "198.51.100.4:0"},
		{"CloudFront, IPv6", "130.176.1.1:5", Proxies{Secret: "s"},
			map[string]string{"X-Origin-Verify": "s",
				"CloudFront-Viewer-Address": "2606:4700::1:46532"}, "[2606:4700::1]:0"},
		{"a wrong secret", "130.176.1.1:5", Proxies{Secret: "s"},
			map[string]string{"X-Origin-Verify": "t",
				"CloudFront-Viewer-Address": "198.51.100.4:46532"}, "130.176.1.1:5"},
		{"no secret is set", "130.176.1.1:5", Proxies{Trusted: trusted},
			map[string]string{"X-Origin-Verify": "", "CloudFront-Viewer-Address": "198.51.100.4:1"},
			"130.176.1.1:5"},
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
