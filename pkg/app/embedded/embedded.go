// Package embedded wires the whole service into one process on the embedded engines.
package embedded

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"headless/pkg/app"
	"headless/pkg/app/demo"
	"headless/pkg/app/setup"
	"headless/pkg/rooms"
	"headless/pkg/seal"
	"headless/pkg/secrets"
	"headless/pkg/table"
	"headless/pkg/viewcount"
)

// Server is the whole service in one process.
type Server struct {
	http.Handler
	Made     setup.Made // created at the first start
	store    *rooms.Stores
	keys     *seal.Keys // keys that seal the stored secrets
	requests *requestLog
	services *services
	stop     context.CancelFunc
}

// New opens the data folder and wires the service. Close it after the last request.
func New(cfg app.Config, log *slog.Logger) (*Server, error) {
	return NewOn(cfg, log, func(t table.Table) table.Table { return t })
}

// NewOn is New on the table that wrap returns for that of the data folder.
func NewOn(cfg app.Config, log *slog.Logger, wrap func(table.Table) table.Table) (*Server, error) {
	st, err := openStores(cfg, log)
	if err != nil {
		return nil, err
	}
	st.Table = wrap(st.Table)
	tuneMemory()
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{store: st, keys: openKeys(cfg, st), requests: newRequestLog(st, log), stop: stop}
	go s.requests.runWriter(ctx)
	if err := s.startServing(ctx, cfg, log); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// startServing creates what a new service needs and starts to serve.
func (s *Server) startServing(ctx context.Context, cfg app.Config, log *slog.Logger) (err error) {
	on, err := newServices(cfg, s.store, log)
	if err != nil {
		return err
	}
	if err := s.store.Content.Upgrade(ctx, func(entries int) {
		log.Info("upgrade: the text index is built anew", "entries", entries)
	}); err != nil {
		return err
	}
	if s.Made, err = setup.Run(ctx, cfg, s.store, on.Services); err != nil {
		return err
	}
	views := &viewcount.Counter{Store: viewcount.Store{Entries: s.store.Content, Keys: s.store.Keys}, Log: log}
	on.jobs.loop(views.Run)
	edge := newEdge(cfg, s.store, log, on.Entries, on.files, s.requests.addLine, views.Seen)
	var example http.Handler
	if key := s.Made.Key; key != nil && key.Site != "" {
		s.Made.SitePath, example = demo.SitePath, demo.Site(key.Site)
	}
	s.Handler = newHandler(cfg, log, s.store, on, edge, example, s.requests.addLine)
	on.jobs.addTasks((&secrets.Resealer{Stores: s.store, Keys: s.keys, Log: log}).Run)
	on.startAll(ctx, s.store, edge, log)
	s.services = on
	return nil
}

// Close stops the background work, writes buffered data and closes the table.
func (s *Server) Close() error {
	s.stop()
	if s.services != nil {
		s.services.wait()
	}
	s.requests.wait()
	return s.store.Close()
}
