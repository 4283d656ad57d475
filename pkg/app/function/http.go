package function

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"

	"headless/pkg/api/pipeline"
	"headless/pkg/app/lambdahttp"
	"headless/pkg/db"
	"headless/pkg/web"
)

// ServeAPI answers requests of the API by these routes, until the function ends.
func (b *Base) ServeAPI(routes []pipeline.Route) {
	add, flush := b.RequestLog()
	b.Serve(root(b.NewAPI(add, routes)), flush)
}

// NewAPI makes the API of some routes. LogRequest takes the lines of its request log.
func (b *Base) NewAPI(logRequest func(db.RequestLine), tables ...[]pipeline.Route) *pipeline.API {
	return pipeline.New(pipeline.Config{Keys: b.Keys, Log: b.Log, LogRequest: logRequest,
		SiteURL: b.Config.SiteURL}, tables...)
}

// Serve answers requests with a handler until the function ends. Flush does what is left to do
// behind an answer.
func (b *Base) Serve(h http.Handler, flush func(context.Context)) {
	lambdahttp.ServeAndFlush(b.Config.Proxies.Handler(web.StrictTransport(b.Config.SiteURL,
		stamped(h))), b.Warm, flush)
}

// ServeAt is Serve with a handler that must know the address of the service: SITE_URL, or without
// it that of the first request, which is the gateway's own and nothing that a client can choose.
func (b *Base) ServeAt(open func(siteURL string) http.Handler, flush func(context.Context)) {
	if url := b.Config.SiteURL; url != "" {
		b.Serve(open(url), flush)
		return
	}
	b.Serve(&late{open: open}, flush)
}

// late is a handler that is made at the first request.
type late struct {
	open    func(siteURL string) http.Handler
	once    sync.Once
	handler http.Handler
}

func (l *late) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.once.Do(func() {
		url := "https://" + r.Host
		l.handler = web.StrictTransport(url, l.open(url))
	})
	l.handler.ServeHTTP(w, r)
}

// OwnHosts are those of the configuration and, behind API Gateway, the name that this gives the API.
// The template cannot name it to a function that the API needs first, so a request does.
func (b *Base) OwnHosts(ctx context.Context) []string {
	id := lambdahttp.APIID(ctx)
	if id == "" {
		return b.Config.OwnHosts
	}
	host := id + ".execute-api." + b.AWS.Region + ".amazonaws.com"
	if strings.HasPrefix(b.AWS.Region, "cn-") {
		host += ".cn"
	}
	return append(slices.Clone(b.Config.OwnHosts), host)
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

// root sends visitors of the bare address to the admin area, and those of its address with a slash
// to that without: a gateway may take it for no route of the admin function.
func root(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if (r.URL.Path == "/" || r.URL.Path == "/admin/") && r.Method == http.MethodGet {
			http.Redirect(w, r, "/admin", http.StatusSeeOther)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// RequestLog returns what takes the lines of the request log, and what writes them behind an
// answer.
func (b *Base) RequestLog() (add func(db.RequestLine), flush func(context.Context)) {
	lines := &requestLog{base: b}
	return lines.add, lines.flush
}

// requestLog keeps the lines of the request log until the answer is out.
type requestLog struct {
	base  *Base
	mu    sync.Mutex
	lines []db.RequestLine
}

// keptLines bounds what is kept while the table does not answer.
const keptLines = 1000

func (l *requestLog) add(line db.RequestLine) {
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
	if err := l.base.Keys.LogRequests(ctx, lines...); err != nil {
		l.base.Log.Error("request log", "error", err.Error(), "lines", len(lines))
		for _, line := range lines {
			l.add(line)
		}
	}
}
