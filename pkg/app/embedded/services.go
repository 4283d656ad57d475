package embedded

import (
	"context"
	"log/slog"
	"time"

	"headless/pkg/access/passwords"
	"headless/pkg/admin"
	"headless/pkg/app"
	"headless/pkg/app/timers"
	"headless/pkg/app/uploads"
	"headless/pkg/app/webhooks"
	"headless/pkg/assets"
	"headless/pkg/blob/disk"
	"headless/pkg/jobs"
	"headless/pkg/oidc/provider"
	"headless/pkg/richtext"
	"headless/pkg/rooms"
)

// mergePause lets changed texts accumulate, so that they are merged together.
const mergePause = 200 * time.Millisecond

// countPause lets change rows accumulate, so that many are merged together.
const countPause = time.Second

// services are the use cases of all packages, and their background work.
type services struct {
	admin.Services
	jobs    *background
	mailing *mailing
	blobs   *disk.Store
	files   *assets.Media
	texts   signal // a commit changed texts
	counts  signal // a commit moved counters
}

func newServices(cfg app.Config, st *rooms.Stores, log *slog.Logger) (*services, error) {
	jobs, err := newBackground(cfg, st, log)
	if err != nil {
		return nil, err
	}
	mailing, err := newMailing(cfg, st, log)
	if err != nil {
		return nil, err
	}
	jobs.deliveries.Mailer = mailing.notifier.Mails
	blobs, err := openBlobs(cfg)
	if err != nil {
		return nil, err
	}
	files := uploads.New(cfg, st.Content, blobs, log)
	s := &services{
		Services: admin.NewServices(st, passwords.New(cfg.PasswordMemory), files, mailing.submissions, jobs.deliveries),
		jobs:     jobs, mailing: mailing, blobs: blobs, files: files, texts: newSignal(), counts: newSignal(),
	}
	s.Entries.HTML = richtext.Local
	s.Connect(cfg.SiteURL, mailing.notifier.Mails)
	s.WithSessions(cfg.SessionTime, cfg.SessionIdle)
	s.Grants.Fetch = webhooks.NewFetcher(cfg).Fetch
	s.WithProvider(provider.New(cfg.OIDC, cfg.SiteURL, log))
	st.OnEvents(func() { jobs.events.raise(); s.texts.raise(); s.counts.raise() })
	return s, nil
}

// startAll starts the background work, which ends with ctx.
func (s *services) startAll(ctx context.Context, st *rooms.Stores, edge *edge, log *slog.Logger) {
	reindex, ticks := newSignal(), newSignal()
	s.Models.OnReindex = reindex.raise
	st.OnTimers(ticks.raise)
	clock := timers.New(s.Entries, s.files, s.jobs.deliveries, log)

	s.jobs.sweeper.Dispatcher.OnEvent = jobs.Announce(s.mailing.notifier.Mails)
	s.jobs.addTasks(jobs.FormTasks(s.mailing.notifier.Mails, s.mailing.submissions)...)
	s.jobs.addTasks(jobs.MediaTask(s.files), st.FinishRests, st.Site.Reopen, s.Entries.Reindex, s.Entries.SettleTexts,
		s.Entries.MergeTotals, s.Entries.PurgeExpired, s.Entries.DropIndexes, edge.purges.Run)
	after := func(changed signal, pause time.Duration, name string, job func(context.Context) error) {
		s.jobs.loop(func(ctx context.Context) { changed.runAfterEach(ctx, pause, log, name, job) })
	}
	after(reindex, 0, "reindex", s.Entries.Reindex)
	after(s.texts, mergePause, "settle texts", s.Entries.SettleTexts)
	after(s.counts, countPause, "merge totals", s.Entries.MergeTotals)
	after(edge.changed, purgePause, "purge", edge.purges.Run)
	s.jobs.loop(func(ctx context.Context) { clock.Loop(ctx, ticks) })
	s.jobs.startPending(ctx)
	s.mailing.startPending(ctx)
}

// wait returns when the background work has ended.
func (s *services) wait() {
	s.jobs.running.Wait()
	s.mailing.running.Wait()
}
