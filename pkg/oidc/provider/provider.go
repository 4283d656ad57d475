package provider

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"headless/pkg/cms"
	settings "headless/pkg/oidc"
)

const (
	askTime   = 10 * time.Second // how long one request to the provider may take
	maxAnswer = 1 << 20          // bytes of a response of the provider
	groups    = "groups"         // the scope that some providers require for groups
)

// Provider signs users in. It is safe for concurrent use.
type Provider struct {
	cfg      settings.Config
	redirect string // URL of the callback
	client   *http.Client
	log      *slog.Logger

	mu    sync.Mutex
	found *discovered
}

// discovered is the configuration that the provider publishes.
type discovered struct {
	*oidc.Provider
	scopes []string
	secret string // of the client
}

// New returns a provider whose callback is below siteURL, nil if none is configured. It makes no
// requests yet.
func New(cfg settings.Config, siteURL string, log *slog.Logger) *Provider {
	if cfg.Issuer == "" {
		return nil
	}
	return &Provider{
		cfg: cfg, log: log, redirect: siteURL + "/admin/oidc/callback",
		client: &http.Client{Timeout: askTime, Transport: bounded{http.DefaultTransport}},
	}
}

// PasswordsOff reports whether this is the only way to sign in.
func (p *Provider) PasswordsOff() bool { return p != nil && p.cfg.PasswordsOff }

// bounded limits the size of responses, and refuses requests without https to which a provider
// redirects.
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

// discover reads the provider's configuration once. SERVICE_UNAVAILABLE if the provider does not
// respond.
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
	secret, err := p.clientSecret()
	if err != nil {
		return nil, p.unavailable(err)
	}
	p.found = &discovered{Provider: found, scopes: more.Scopes, secret: secret}
	return p.found, nil
}

// clientSecret returns the secret of the client, "" for a public one.
func (p *Provider) clientSecret() (string, error) {
	if p.cfg.ReadSecret == nil {
		return p.cfg.ClientSecret, nil
	}
	text, err := p.cfg.ReadSecret()
	return strings.TrimSpace(text), err
}

// unavailable returns the error for a provider that does not respond. The cause is only logged.
func (p *Provider) unavailable(err error) error {
	p.log.Warn("sign-in service", "error", err.Error())
	return &cms.Error{
		Code:       cms.CodeUnavailable,
		Message:    "The sign-in service of your organization does not respond. Try again in a moment.",
		RetryAfter: 5 * time.Second,
	}
}

// oauth returns the OAuth client for the discovered configuration.
func (p *Provider) oauth(d *discovered) *oauth2.Config {
	scopes := []string{oidc.ScopeOpenID, "email", "profile"}
	if slices.Contains(d.scopes, groups) {
		scopes = append(scopes, groups)
	}
	return &oauth2.Config{
		ClientID: p.cfg.ClientID, ClientSecret: d.secret, RedirectURL: p.redirect,
		Endpoint: d.Endpoint(), Scopes: scopes,
	}
}
