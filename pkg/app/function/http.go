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

// ServeAPI serves these routes of the API until the function ends.
func (b *Base) ServeAPI(routes []pipeline.Route) {
	add, flush := b.RequestLog()
	b.ServeAt(func(siteURL string) http.Handler {
		b.Config.SiteURL = siteURL
		return root(b.NewAPI(add, routes))
	}, flush)
}

// NewAPI returns the API with some routes. logRequest receives the lines of its request log.
func (b *Base) NewAPI(logRequest func(db.RequestLine), tables ...[]pipeline.Route) *pipeline.API {
	return pipeline.New(pipeline.Config{Keys: b.Keys, Log: b.Log, LogRequest: logRequest,
		SiteURL: b.Config.SiteURL}, tables...)
}

// Serve serves requests with a handler until the function ends. flush does the remaining work after
// each response.
func (b *Base) Serve(h http.Handler, flush func(context.Context)) {
	lambdahttp.ServeAndFlush(b.Config.Proxies.Handler(web.StrictTransport(b.Config.SiteURL,
		web.OnlyFrom(b.Config.AdminNetworks, web.Stamped(h)))), b.Warm, flush)
}

// ServeAt does the same as Serve with a handler that needs the URL of the service: SITE_URL, or by
// default the URL of the first request, which is the gateway's own and cannot be chosen by a
// client.
func (b *Base) ServeAt(open func(siteURL string) http.Handler, flush func(context.Context)) {
	if url := b.Config.SiteURL; url != "" {
		b.Serve(open(url), flush)
		return
	}
	b.Serve(&late{open: open}, flush)
}

// late is a handler that is created at the first request.
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

// OwnHosts returns the hosts in the configuration and, behind API Gateway, the host name that API
// Gateway gives the API. The template cannot pass this name to a function that the API depends on,
// so it is read from a request.
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

// root redirects / to the admin area, and /admin/ to /admin, because a gateway may not route the
// former to the admin function.
func root(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if (r.URL.Path == "/" || r.URL.Path == "/admin/") && r.Method == http.MethodGet {
			http.Redirect(w, r, "/admin", http.StatusSeeOther)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// RequestLog returns a function that receives the lines of the request log, and one that writes
// them after a response.
func (b *Base) RequestLog() (add func(db.RequestLine), flush func(context.Context)) {
	lines := &requestLog{base: b}
	return lines.addLine, lines.flush
}

// requestLog keeps the lines of the request log until the response is sent.
type requestLog struct {
	base  *Base
	mu    sync.Mutex
	lines []db.RequestLine
}

// keptLines is the maximum of kept lines while the table is unavailable.
const keptLines = 1000

func (l *requestLog) addLine(line db.RequestLine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) < keptLines {
		l.lines = append(l.lines, line)
	}
}

// flush writes the lines. Lines that could not be written wait for the next response.
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
			l.addLine(line)
		}
	}
}
