package pipeline

import "testing"

func TestOriginAllowed(t *testing.T) {
	list := []string{"https://www.example.com", "https://*.example.org", "http://*.example.net:8080"}
	for origin, want := range map[string]bool{
		"https://www.example.com": true, "HTTPS://WWW.Example.com": true,
		"http://www.example.com": false, "https://www.example.com:8443": false,
		"https://a.example.org": true, "https://a.b-c.example.org": true,
		"https://xn--bcher-kva.example.org": true, "https://example.org": false,
		"https://.example.org":   false,
		"https://a..example.org": false, "https://aexample.org": false,
		"https://a.example.org.evil.com": false, "https://a.example.org:444": false,
		"https://evil.com#.example.org": false, "https://evil.com?.example.org": false,
		"https://evil.com/.example.org": false, `https://evil.com\.example.org`: false,
		"https://evil.com%2f.example.org": false, "https://evil.com:1.example.org": false,
		"https://u@a.example.org": false, "https://a b.example.org": false,
		"http://a.example.net:8080": true, "http://a.example.net": false, "null": false, "": false,
	} {
		if got := originAllowed(list, origin); got != want {
			t.Errorf("%q: %v", origin, got)
		}
	}
	if !originAllowed(nil, "https://anything.example") || !originAllowed([]string{"*"}, "null") {
		t.Error("an empty list or * refuses")
	}
}
