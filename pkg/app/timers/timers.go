// Package timers wires the handlers of all kinds of timer, for the functions and the embedded
// server.
package timers

import (
	"context"
	"log/slog"

	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/editing/takeback"
	"headless/pkg/groups"
	"headless/pkg/health"
	"headless/pkg/hooks"
	"headless/pkg/hooks/bundle"
	"headless/pkg/hooks/replay"
	"headless/pkg/hooks/stream"
	"headless/pkg/jobs"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk"
	"headless/pkg/planning/mails"
	"headless/pkg/recheck"
	"headless/pkg/redirects"
	"headless/pkg/review"
	"headless/pkg/settings"
	"headless/pkg/site"
	"headless/pkg/targets"
	"headless/pkg/tasks"
	"headless/pkg/urls"
)

// New returns the timers of a store, with a handler for each kind.
func New(entries *editing.Entries, files *assets.Media, deliveries *hooks.Deliveries, log *slog.Logger) *jobs.Timers {
	toPlanners := mails.Mails{Store: entries.Store, Mailer: deliveries.Mailer, SiteURL: deliveries.SiteURL}
	releases := &planning.Releases{Store: entries.Store, Entries: entries, Mails: toPlanners}
	schedules, jobsOverEntries := planning.NewSchedules(entries),
		&bulk.Jobs{Store: entries.Store, Entries: entries, Texts: map[string]takeback.PutText{
			cms.AreaMedia:    assets.PutAlt(files),
			cms.AreaSettings: (&settings.Settings{Store: entries.Store.Store}).PutText,
			cms.AreaRedirects: (&redirects.Redirects{Store: entries.Store.Redirects(),
				SiteURL: deliveries.SiteURL}).PutText,
		}}
	schedules.Mails = toPlanners
	news := tasks.News{DB: entries.Store.DB, Mailer: deliveries.Mailer,
		Waiting: (&review.Reviews{Entries: entries}).Waiting}
	replays := &replay.Replays{Webhooks: hooks.Webhooks{Deliveries: deliveries}}
	return &jobs.Timers{Store: entries.Store.DB, Log: log, Together: map[string]jobs.TogetherHandler{
		recheck.Kind: health.Checks{Store: entries.Store}.Work,
	}, Handlers: map[string]jobs.TimerHandler{
		planning.KindSchedule: schedules.Fire, bulk.KindJob: jobsOverEntries.Work,
		planning.KindRelease: releases.Work,
		bundle.KindBundle:    bundle.Bundles{Deliveries: deliveries}.Flush,
		editing.KindShare:    entries.Share,
		replay.KindReplay:    replays.Work,
		tasks.KindNews:       news.Send,
		targets.KindBuild:    (&targets.Targets{DB: entries.Store.DB, Client: deliveries.Client}).Work,
		redirects.KindMove:   urls.Moves{Store: entries.Store}.Work,
		hooks.KindStream:     stream.Streams{Deliveries: deliveries}.Work,
		groups.KindCoverage: func(ctx context.Context, ref string) (cms.Time, error) {
			return groups.Cover(ctx, entries.Store, ref)
		},
		site.KindDefault: func(ctx context.Context, ref string) (cms.Time, error) {
			return groups.CoverAll(ctx, entries.Store, ref)
		},
	}}
}
