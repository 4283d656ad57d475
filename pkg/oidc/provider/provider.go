package provider

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

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

	discoveries singleflight.Group
	found       atomic.Pointer[discovered]
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

// discover reads the provider's configuration once. Those who wait for one request share its outcome, and each
// waits until its ctx ends. SERVICE_UNAVAILABLE if the provider does not respond.
func (p *Provider) discover(ctx context.Context) (*discovered, error) {
	if d := p.found.Load(); d != nil {
		return d, nil
	}
	flight := p.discoveries.DoChan("", func() (any, error) { return p.ask(context.WithoutCancel(ctx)) })
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case outcome := <-flight:
		d, _ := outcome.Val.(*discovered)
		return d, outcome.Err
	}
}

// ask reads the configuration from the provider.
func (p *Provider) ask(ctx context.Context) (*discovered, error) {
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
	d := &discovered{Provider: found, scopes: more.Scopes, secret: secret}
	p.found.Store(d)
	return d, nil
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
