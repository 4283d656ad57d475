package jobs

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/forms"
)

const (
	mailLimit  = 2000 // mails woken in a run
	purgeLimit = 1000 // submissions removed in a run, and files
)

// Announce returns an OnEvent of a Dispatcher that wakes workers for the mails of submissions.
func Announce(mails *forms.Mails) func(context.Context, cms.Event) error {
	return func(ctx context.Context, e cms.Event) error {
		mails.Announce(ctx, e)
		return nil
	}
}

// FormTasks returns the tasks of a sweep for forms. They wake workers for mails whose message was
// lost, remove expired submissions and files, and merge totals.
func FormTasks(mails *forms.Mails, submissions *forms.Submissions) []func(context.Context) error {
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
		func(ctx context.Context) error {
			_, err := submissions.Files.Sweep(ctx, submissions.Store.DB, purgeLimit)
			return err
		},
		submissions.MergeTotals,
	}
}
