// Package oidctest is an OpenID Connect provider for tests. It signs in the user that the test
// sets, without a page.
package oidctest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"

	"headless/pkg/must"
)

// The client that the provider knows.
const (
	ClientID     = "headless"
	ClientSecret = "the secret of the client"
	keyID        = "key"
)

// Provider is a running provider.
type Provider struct {
	Issuer string
	key    *rsa.PrivateKey

	mu     sync.Mutex
	claims map[string]any        // claims of the next user
	codes  map[string]url.Values // queries of sign-ins by their code
}

// New starts a provider, which runs until the test ends.
func New(t *testing.T) *Provider {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	must.Do(t, err)
	published := &oidctest.Server{
		PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: keyID, Algorithm: "RS256"}},
	}
	p := &Provider{key: key, codes: map[string]url.Values{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /auth", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.Handle("/", published)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p.Issuer = server.URL
	published.SetIssuer(server.URL)
	return p
}

// SignIn sets claims of the next user. They replace or extend those that every ID token has.
func (p *Provider) SignIn(claims map[string]any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.claims = claims
}

// authorize redirects the browser back with a code at once.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("client_id") != ClientID || q.Get("response_type") != "code" ||
		q.Get("code_challenge_method") != "S256" {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	p.mu.Lock()
	p.codes[code] = q
	p.mu.Unlock()
	back := url.Values{"code": {code}, "state": {q.Get("state")}}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

// token exchanges a code for an ID token, if it has not been used and the client, redirect URL and
// verifier are right.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	id, secret, ok := r.BasicAuth()
	if !ok {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	if known, err := url.QueryUnescape(secret); err == nil {
		secret = known
	}
	p.mu.Lock()
	q, claims := p.codes[r.PostFormValue("code")], p.claims
	delete(p.codes, r.PostFormValue("code"))
	p.mu.Unlock()
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	challenge := base64.RawURLEncoding.EncodeToString(sum[:])
	w.Header().Set("Content-Type", "application/json")
	if q == nil || id != ClientID || secret != ClientSecret || q.Get("code_challenge") != challenge ||
		q.Get("redirect_uri") != r.PostFormValue("redirect_uri") {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
		return
	}
	all := map[string]any{
		"iss": p.Issuer, "aud": ClientID, "nonce": q.Get("nonce"), "iat": time.Now().Unix(),
		"exp": time.Now().Add(time.Minute).Unix(),
	}
	maps.Copy(all, claims)
	text, err := json.Marshal(all)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"access_token": rand.Text(), "token_type": "Bearer", "expires_in": 60,
		"id_token": oidctest.SignIDToken(p.key, keyID, "RS256", string(text)),
	})
}
