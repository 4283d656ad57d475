// Package admin is the function that serves the admin area.
package admin

import (
	"context"
	"sync/atomic"

	"headless/pkg/admin"
	"headless/pkg/api/openapi"
	"headless/pkg/app/function"
	"headless/pkg/app/function/deliveries"
	"headless/pkg/app/function/files"
	"headless/pkg/service"
	"headless/pkg/spam"
)

// Start answers requests until the function ends.
func Start(b *function.Base) error {
	hooks, err := deliveries.New(b)
	if err != nil {
		return err
	}
	media, err := files.New(b)
	if err != nil {
		return err
	}
	submissions := &service.Submissions{Store: b.Store, Recaptcha: spam.Verifier{URL: b.Config.RecaptchaVerifyURL}, Log: b.Log}
	on := admin.NewServices(b.Store, service.NewPasswords(0), media, submissions, hooks)
	var changed atomic.Bool
	on.Models.OnReindex = func() { changed.Store(true) }
	area := admin.New(admin.Config{
		Log: b.Log, SiteURL: b.Config.SiteURL, MediaURL: b.Config.MediaBaseURL, UploadMax: b.Config.UploadMaxBytes, Description: openapi.AdminJSON(),
	}, on)
	// Entries move to the index of a changed model behind the answer; what does not fit into the function's time is the sweeper's.
	b.Serve(area, func(ctx context.Context) {
		if !changed.Swap(false) {
			return
		}
		if err := on.Models.Reindex(ctx); err != nil && ctx.Err() == nil {
			b.Log.Error("reindex", "error", err.Error())
		}
	})
	return nil
}
