// Package admin is the function that serves the admin area.
package admin

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"

	"headless/pkg/access/passwords"
	"headless/pkg/admin"
	"headless/pkg/admin/frame"
	"headless/pkg/api/openapi"
	"headless/pkg/app/awsconf/awsssm"
	"headless/pkg/app/function"
	"headless/pkg/app/function/deliveries"
	"headless/pkg/app/function/files"
	"headless/pkg/app/function/mails"
	"headless/pkg/app/function/secrets"
	"headless/pkg/app/webhooks"
	"headless/pkg/forms"
	"headless/pkg/oidc"
	"headless/pkg/oidc/provider"
	"headless/pkg/richtext/process"
	"headless/pkg/rooms"
	"headless/pkg/spam"
)

// Start serves until the function ends.
func Start(b *function.Base) error {
	keys := secrets.Use(b)
	on, mail, err := openServices(b)
	if err != nil {
		return err
	}
	reseal, upgrade := newResealer(b, keys), newUpgrader(b, on.Tokens)
	var changed atomic.Bool
	on.Models.OnReindex = func() { changed.Store(true) }
	area := func(siteURL string) http.Handler {
		connect(b, &on, mail, siteURL)
		return knowingAPI(b, siteURL, &on, on.Handler(frame.Config{
			Log: b.Log, SiteURL: siteURL, MediaURL: b.Config.MediaBaseURL,
			UploadMax: b.Config.UploadMaxBytes, Description: openapi.AdminJSON,
		}))
	}
	// After a response, entries are migrated to the index of a changed model. The sweeper does what
	// does not fit into the function's time.
	b.ServeAt(area, func(ctx context.Context) {
		if b.Keys.RequireFormat(ctx) != nil {
			return // the rows have the format of another version
		}
		reseal(ctx)
		upgrade(ctx)
		if !changed.Swap(false) {
			return
		}
		if err := on.Entries.Reindex(ctx); err != nil && ctx.Err() == nil {
			b.Log.Error("reindex", "error", err.Error())
		}
	})
	return nil
}

// Services opens the use cases of all packages, for a service with a configured URL.
func Services(b *function.Base) (admin.Services, error) {
	secrets.Use(b)
	on, mail, err := openServices(b)
	if err == nil {
		connect(b, &on, mail, b.Config.SiteURL)
	}
	return on, err
}

// openServices wires the use cases that do not need the URL of the service.
func openServices(b *function.Base) (_ admin.Services, _ *forms.Mails, err error) {
	if b.Config.OIDC, err = signIn(b); err != nil {
		return admin.Services{}, nil, err
	}
	sender, err := deliveries.New(b)
	if err != nil {
		return admin.Services{}, nil, err
	}
	media, err := files.New(b)
	if err != nil {
		return admin.Services{}, nil, err
	}
	mail, err := mails.New(b)
	if err != nil {
		return admin.Services{}, nil, err
	}
	submissions := &forms.Submissions{Store: mail.Store,
		Recaptcha: spam.Verifier{URL: b.Config.RecaptchaVerifyURL}, Log: b.Log}
	on := admin.NewServices(rooms.Open(b.Keys), passwords.New(0), media, submissions, sender)
	on.Entries.HTML = process.New("").HTML
	return on, mail, nil
}

// connect tells the use cases the URL of the service, which no webhook may call.
func connect(b *function.Base, on *admin.Services, mail *forms.Mails, siteURL string) {
	cfg := b.Config
	cfg.SiteURL = siteURL
	on.Webhooks.Client = webhooks.NewClient(cfg)
	on.Connect(siteURL, mail)
	on.WithSessions(cfg.SessionTime, cfg.SessionIdle)
	on.WithProvider(provider.New(cfg.OIDC, siteURL, b.Log))
}

// signIn reads the configuration of the sign-in provider. Its client secret is in the parameter that
// OIDC_CLIENT_SECRET_PARAMETER names, if that is set.
func signIn(b *function.Base) (oidc.Config, error) {
	cfg := b.Config
	err := cfg.ReadProvider(b.Getenv)
	if name := b.Getenv("OIDC_CLIENT_SECRET_PARAMETER"); name != "" {
		cfg.OIDC.ReadSecret = awsssm.NewSecret(b.AWS, b.Getenv, name, "", "").Read
	}
	return cfg.OIDC, err
}

// knowingAPI forbids webhooks and fetches to API Gateway's own host name of the API.
func knowingAPI(b *function.Base, siteURL string, on *admin.Services, next http.Handler) http.Handler {
	var once sync.Once
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		once.Do(func() {
			cfg := b.Config
			cfg.SiteURL, cfg.OwnHosts = siteURL, b.OwnHosts(r.Context())
			on.Webhooks.Client = webhooks.NewClient(cfg)
			on.Grants.Fetch = webhooks.NewFetcher(cfg).Fetch
		})
		next.ServeHTTP(w, r)
	})
}
