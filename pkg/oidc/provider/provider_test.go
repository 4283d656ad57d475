package provider

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"headless/pkg/cms"
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

// hanging is a provider that responds with an error when told to.
type hanging struct {
	asked   atomic.Int32
	respond chan bool
}

func (h *hanging) RoundTrip(*http.Request) (*http.Response, error) {
	h.asked.Add(1)
	<-h.respond
	return nil, errors.New("no route to host")
}

// TestDiscoveryIsShared: sign-ins while a provider hangs share one request to it, and none waits longer than its
// client does.
func TestDiscoveryIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(settings.Config{Issuer: "https://id.example.com", ClientID: "cms"}, "https://cms.example.com",
			slog.New(slog.DiscardHandler))
		h := &hanging{respond: make(chan bool)}
		p.client = &http.Client{Transport: h}
		failed := make(chan error, 4)
		gone, disconnect := context.WithCancel(t.Context())
		for i := range 4 {
			ctx := t.Context()
			if i == 0 {
				ctx = gone
			}
			go func() {
				_, err := p.discover(ctx)
				failed <- err
			}()
			synctest.Wait()
		}
		disconnect()
		synctest.Wait()
		if len(failed) != 1 || !errors.Is(<-failed, context.Canceled) {
			t.Error("a sign-in waits though its client is gone")
		}
		close(h.respond)
		for range 3 {
			if err := <-failed; cms.CodeOf(err) != cms.CodeUnavailable {
				t.Error(err)
			}
		}
		if n := h.asked.Load(); n != 1 {
			t.Errorf("the provider was asked %d times", n)
		}
	})
}
