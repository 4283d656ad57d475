// Package embedded wires the whole service into one process on the embedded engines.
package embedded

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"headless/pkg/admin"
	"headless/pkg/api"
	"headless/pkg/app"
	"headless/pkg/app/uploads"
	"headless/pkg/jobs"
	"headless/pkg/service"
	"headless/pkg/store"
	"headless/pkg/table/bolt"
)

// Server is the whole service in one process.
type Server struct {
	http.Handler
	First    FirstUser // what the first start made
	Demo     *DemoKey  // opens the demo content; nil when there is none
	store    *store.Store
	requests *requestLog
	jobs     *background
	mailing  *mailing
	stop     context.CancelFunc
}

// New opens the data folder and wires the service. Close it after the last request.
func New(cfg app.Config, log *slog.Logger) (*Server, error) {
	if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
		return nil, err
	}
	table, err := bolt.Open(filepath.Join(cfg.DataDir, "table.db"))
	if err != nil {
		return nil, err
	}
	st := store.New(table, time.Now)
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{store: st, requests: newRequestLog(st, log), stop: stop}
	go s.requests.run(ctx)

	if s.jobs, err = newBackground(cfg, st, log); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	reindex, texts := newSignal(), newSignal()
	st.OnEvents(func() { s.jobs.events.raise(); texts.raise() })
	if s.mailing, err = newMailing(cfg, st, log); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.jobs.sweeper.Tasks = append(s.jobs.sweeper.Tasks, s.mailing.tasks()...)
	s.jobs.sweeper.Dispatcher.Also = s.mailing.announce
	blobs, err := openBlobs(cfg)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	files := uploads.New(cfg, st, blobs, log)
	s.jobs.sweeper.Tasks = append(s.jobs.sweeper.Tasks, jobs.MediaTask(files))
	on := admin.NewServices(st, service.NewPasswords(0), files, s.mailing.submissions, s.jobs.deliveries)
	if s.First, err = setUp(ctx, cfg, on); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if s.Demo, err = seed(ctx, cfg, st, demoServices(on)); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.jobs.sweeper.Tasks = append(s.jobs.sweeper.Tasks, on.Models.Reindex, on.Models.MergeText, on.Entries.PurgeExpired)
	on.Models.OnReindex = reindex.raise
	s.jobs.also(func(ctx context.Context) { reindex.follow(ctx, 0, log, "reindex", on.Models.Reindex) })
	s.jobs.also(func(ctx context.Context) { texts.follow(ctx, mergePause, log, "merge texts", on.Models.MergeText) })
	mux := http.NewServeMux()
	area := adminHandler(cfg, log, on)
	mux.Handle("/admin", area)
	mux.Handle("/admin/", area)
	mux.Handle("GET /{$}", http.RedirectHandler("/admin/", http.StatusSeeOther))
	mountBlobs(mux, blobs)
	s.Handler = drained(besides(mux, api.New(api.Config{Store: st, Log: log, LogRequest: s.requests.add},
		api.SiteRoutes(), api.ContentRoutes(on.Entries), api.SearchRoutes(on.Entries), api.FormRoutes(s.mailing.submissions),
		api.UploadRoutes(files))))
	s.jobs.start(ctx)
	s.mailing.start(ctx)
	return s, nil
}

// mergePause lets changed texts gather, so that they are merged together.
const mergePause = 200 * time.Millisecond

// besides gives all that is under the prefix of the API to it, past the mux, which redirects paths that are not clean.
func besides(mux, content http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == api.Base || strings.HasPrefix(r.URL.Path, api.Base+"/") {
			content.ServeHTTP(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// Close stops the background work, writes what is buffered and closes the table.
func (s *Server) Close() error {
	s.stop()
	if s.jobs != nil {
		s.jobs.wait()
	}
	if s.mailing != nil {
		s.mailing.wait()
	}
	s.requests.wait()
	return s.store.Close()
}
