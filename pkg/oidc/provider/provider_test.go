package provider

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"headless/pkg/must"
	settings "headless/pkg/oidc"
)

// TestReadSecret: the client secret is read once, when the provider is first used, and a parameter
// that cannot be read is not taken for a public client.
func TestReadSecret(t *testing.T) {
	var issuer string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"issuer":"` + issuer + `","authorization_endpoint":"` + issuer +
			`/auth","token_endpoint":"` + issuer + `/token","jwks_uri":"` + issuer + `/keys"}`))
	}))
	t.Cleanup(server.Close)
	issuer = server.URL
	reads := 0
	broken := true
	p := New(settings.Config{Issuer: issuer, ClientID: "cms", ReadSecret: func() (string, error) {
		reads++
		if broken {
			return "", errors.New("the parameter store does not respond")
		}
		return "a secret\n", nil
	}}, "https://cms.example.com", slog.New(slog.DiscardHandler))
	if _, err := p.discover(t.Context()); err == nil {
		t.Error("no error without the secret")
	}
	broken = false
	for range 2 {
		found, err := p.discover(t.Context())
		must.Do(t, err)
		if got := p.oauth(found).ClientSecret; got != "a secret" {
			t.Errorf("the client secret is %q", got)
		}
	}
	if reads != 2 {
		t.Errorf("the secret was read %d times, want one failure and one read", reads)
	}
}

// TestVerifiedAddress holds that a provider that verifies one address does not verify another one.
func TestVerifiedAddress(t *testing.T) {
	for _, row := range []struct {
		token, info claims
		email       string
		verified    bool
	}{
		{claims{"email": "a@x"}, claims{"email": "a@x", "email_verified": true}, "a@x", true},
		{claims{"email": "a@x"}, claims{"email": "b@x", "email_verified": true}, "a@x", false},
		{claims{"email": "a@x"}, claims{"email_verified": true}, "a@x", false},
		{claims{"email": "a@x", "email_verified": true}, claims{"email": "b@x"}, "a@x", true},
		{claims{"email": "a@x", "email_verified": false}, claims{"email": "a@x", "email_verified": true}, "a@x", false},
		{claims{}, claims{"email": "b@x", "email_verified": "true"}, "b@x", true},
		{claims{"email_verified": true}, claims{"email": "b@x"}, "b@x", false},
	} {
		row.token.addMissing(row.info)
		if row.token.textAt("email") != row.email || row.token.isTrue("email_verified") != row.verified {
			t.Errorf("claims %v, want %s, verified: %t", row.token, row.email, row.verified)
		}
	}
}
