package webhooks

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"headless/pkg/app"
	"headless/pkg/hooks/webhook"
)

func TestOwnAddress(t *testing.T) {
	for _, test := range []struct {
		site, port, url string
		allowed         bool
	}{
		{"http://localhost:3000", "3000", "http://127.0.0.1:3000/x", false},
		{"http://localhost:3000", "3000", "http://localhost:3001/x", true},
		{"http://127.0.0.1:45000", "0", "http://127.0.0.1:45000/", false},
		{"http://127.0.0.1:45000", "0", "http://127.0.0.1:45001/", true},
		{"https://cms.example.com", "3000", "https://cms.example.com:8443/", false},
		{"https://cms.example.com", "3000", "https://hooks.example.com/", true},
		{"https://cms.example.com", "3000", "http://localhost:3000/", false},
		{"https://cms.example.com", "3000", "https://ABC.execute-api.eu-west-1.amazonaws.com./hook", false},
		{"https://cms.example.com", "3000", "https://xyz.execute-api.eu-west-1.amazonaws.com/hook", true},
	} {
		policy := webhook.Policy{AllowInsecure: true,
			OwnHosts: OwnHosts(app.Config{SiteURL: test.site, Port: test.port,
				OwnHosts: []string{"abc.execute-api.eu-west-1.amazonaws.com"}})}
		if err := webhook.ValidateURL(test.url, policy); (err == nil) != test.allowed {
			t.Errorf("%s for %s: %v", test.url, test.site, err)
		}
	}
}

// TestFetcherStaysOutside: webhooks may call this machine in local use, but files are never read
// from it.
func TestFetcherStaysOutside(t *testing.T) {
	secret := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte("secret"))
	}))
	defer secret.Close()
	cfg := app.Config{SiteURL: "http://localhost:3000", Port: "3000", WebhookAllowInsecure: true}
	if content, err := NewFetcher(cfg).Fetch(t.Context(), secret.URL, 100); err == nil {
		t.Errorf("read %q", content)
	}
	cfg.UploadFromURLAllow = []netip.AddrPort{netip.MustParseAddrPort(strings.TrimPrefix(secret.URL, "http://"))}
	if content, err := NewFetcher(cfg).Fetch(t.Context(), secret.URL, 100); err != nil || string(content) != "secret" {
		t.Errorf("an exception: %q, %v", content, err)
	}
}
