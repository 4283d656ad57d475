package function

import (
	"context"
	"net/http"
	"sync"

	"headless/pkg/api"
	"headless/pkg/app/lambdahttp"
	"headless/pkg/store"
)

// ServeAPI answers requests of the API by these routes, until the function ends.
func (b *Base) ServeAPI(routes []api.Route) {
	lines := &requestLog{base: b}
	handler := api.New(api.Config{Store: b.Store, Log: b.Log, LogRequest: lines.add}, routes)
	b.Serve(root(handler), lines.flush)
}

// Serve answers requests with a handler until the function ends. Flush does what is left to do behind an answer.
func (b *Base) Serve(h http.Handler, flush func(context.Context)) {
	lambdahttp.ServeAndFlush(stamped(h), b.Warm, flush)
}

// stamped adds the version, if there is one, to each answer.
func stamped(h http.Handler) http.Handler {
	if version == "" {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Service-Version", version)
		h.ServeHTTP(w, r)
	})
}

// root sends visitors of the bare address to the admin area.
func root(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" && r.Method == http.MethodGet {
			http.Redirect(w, r, "/admin/", http.StatusSeeOther)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// requestLog keeps the lines of the request log until the answer is out.
type requestLog struct {
	base  *Base
	mu    sync.Mutex
	lines []store.RequestLine
}

// keptLines bounds what is kept while the table does not answer.
const keptLines = 1000

func (l *requestLog) add(line store.RequestLine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) < keptLines {
		l.lines = append(l.lines, line)
	}
}

// flush writes the lines; those that could not be written wait for the next answer.
func (l *requestLog) flush(ctx context.Context) {
	l.mu.Lock()
	lines := l.lines
	l.lines = nil
	l.mu.Unlock()
	if len(lines) == 0 {
		return
	}
	if err := l.base.Store.LogRequests(ctx, lines...); err != nil {
		l.base.Log.Error("request log", "error", err.Error(), "lines", len(lines))
		for _, line := range lines {
			l.add(line)
		}
	}
}
