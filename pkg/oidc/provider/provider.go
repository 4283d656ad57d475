package provider

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"headless/pkg/cms"
	settings "headless/pkg/oidc"
)

const (
	askTime   = 10 * time.Second // how long one request to the provider may take
	maxAnswer = 1 << 20          // bytes of an answer of the provider
	groups    = "groups"         // the scope that providers ask for before they name groups
)

// Provider signs users in. It is safe for concurrent use.
type Provider struct {
	cfg      settings.Config
	redirect string // address of the callback
	client   *http.Client
	log      *slog.Logger

	mu    sync.Mutex
	found *discovered
}

// discovered is what the provider says of itself.
type discovered struct {
	*oidc.Provider
	scopes []string
}

// New makes a provider whose callback is below siteURL; nil where none is configured. It asks
// nothing yet.
func New(cfg settings.Config, siteURL string, log *slog.Logger) *Provider {
	if cfg.Issuer == "" {
		return nil
	}
	return &Provider{
		cfg: cfg, log: log, redirect: siteURL + "/admin/oidc/callback",
		client: &http.Client{Timeout: askTime, Transport: bounded{http.DefaultTransport}},
	}
}

// Configured reports whether there is a provider.
func (p *Provider) Configured() bool { return p != nil }

// PasswordsOff reports whether this is the only way to sign in.
func (p *Provider) PasswordsOff() bool { return p != nil && p.cfg.PasswordsOff }

// bounded refuses endless answers, and requests that a provider leads to other than by https.
type bounded struct{ http.RoundTripper }

// RoundTrip sends one request.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := settings.CheckAddress(r.URL.String()); err != nil {
		return nil, err
	}
	answer, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, maxAnswer), answer.Body}
	}
	return answer, err
}

// discover asks the provider for its addresses, once. SERVICE_UNAVAILABLE while it does not answer.
func (p *Provider) discover(ctx context.Context) (*discovered, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found != nil {
		return p.found, nil
	}
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client), p.cfg.Issuer)
	if err != nil {
		return nil, p.unavailable(err)
	}
	var more struct {
		Scopes []string `json:"scopes_supported"`
	}
	if err := found.Claims(&more); err != nil {
		return nil, p.unavailable(err)
	}
	if err := settings.CheckAddress(found.Endpoint().AuthURL); err != nil {
		return nil, p.unavailable(err)
	}
	p.found = &discovered{Provider: found, scopes: more.Scopes}
	return p.found, nil
}

// unavailable is the error of a request while the provider does not answer; why stands in the log
// only.
func (p *Provider) unavailable(err error) error {
	p.log.Warn("sign-in service", "error", err.Error())
	return &cms.Error{
		Code:       cms.CodeUnavailable,
		Message:    "The sign-in service of your organization does not answer. Try again.",
		RetryAfter: 5 * time.Second,
	}
}

// oauth is the OAuth client for what was discovered.
func (p *Provider) oauth(d *discovered) *oauth2.Config {
	scopes := []string{oidc.ScopeOpenID, "email", "profile"}
	if slices.Contains(d.scopes, groups) {
		scopes = append(scopes, groups)
	}
	return &oauth2.Config{
		ClientID: p.cfg.ClientID, ClientSecret: p.cfg.ClientSecret, RedirectURL: p.redirect,
		Endpoint: d.Endpoint(), Scopes: scopes,
	}
}
