package jobs

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/service"
)

const (
	mailLimit  = 2000 // mails woken in a run
	purgeLimit = 1000 // submissions removed in a run
)

// Announce is the Dispatcher's Also for mails: it sends for workers to those of a submission.
func Announce(mails *service.Mails) func(context.Context, cms.Event) error {
	return func(ctx context.Context, e cms.Event) error {
		mails.Announce(ctx, e)
		return nil
	}
}

// FormTasks are what a sweep does for forms: mails that nobody was woken for, and submissions that have been kept long enough.
func FormTasks(mails *service.Mails, submissions *service.Submissions) []func(context.Context) error {
	return []func(context.Context) error{
		func(ctx context.Context) error {
			woken, err := mails.WakeDue(ctx, mailLimit)
			if woken > 0 {
				mails.Log.Info("mails woken", "count", woken)
			}
			return err
		},
		func(ctx context.Context) error {
			_, err := submissions.PurgeExpired(ctx, purgeLimit)
			return err
		},
	}
}
