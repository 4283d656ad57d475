package embedded

import (
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/api"
	"headless/pkg/api/formroutes"
	"headless/pkg/api/openapi"
	"headless/pkg/api/pipeline"
	"headless/pkg/app"
	"headless/pkg/app/demo"
	"headless/pkg/app/webhooks"
	"headless/pkg/db"
	"headless/pkg/mcp"
	"headless/pkg/rooms"
	"headless/pkg/web"
)

// bodies limits how long clients may take to send a body: at least 4 KB a second. With drainTime
// after the response, a body that trickles keeps its connection open for less than 30 seconds.
var bodies = web.BodyTimeout{Grace: 20 * time.Second, Rate: 4 << 10}

// newHandler serves all URLs of the service, and the example site if there is one.
func newHandler(
	cfg app.Config, log *slog.Logger, st *rooms.Stores, on *services, edge *edge,
	example http.Handler, logRequest func(db.RequestLine),
) http.Handler {
	content := pipeline.New(pipeline.Config{Keys: st.Keys, Log: log, LogRequest: logRequest,
		SiteURL: cfg.SiteURL},
		api.SiteRoutes(), api.ContentRoutes(on.Entries), api.PreviewRoutes(on.Entries),
		api.ScheduleRoutes(on.Schedules), api.SearchRoutes(on.Entries),
		formroutes.New(on.mailing.submissions, say.ForVisitor), api.UploadRoutes(on.files))
	mux := http.NewServeMux()
	area := on.Handler(frame.Config{
		Log: log, SiteURL: cfg.SiteURL, MediaURL: cfg.MediaBaseURL, UploadMax: cfg.UploadMaxBytes,
		Description: openapi.AdminJSON,
	})
	for _, path := range []string{"/admin", "/admin/", frame.PreviewScript, "/oauth/", "/.well-known/", "/docs", "/docs/",
		"/llms.txt", "/llms-full.txt", "/hooks/targets/"} {
		mux.Handle(path, area)
	}
	mux.Handle("GET /{$}", http.RedirectHandler("/admin", http.StatusSeeOther))
	mux.Handle(mcp.Path, &mcp.Handler{API: content, Grants: on.Grants, Comments: on.Comments, SiteURL: cfg.SiteURL,
		Fetch:   webhooks.NewFetcher(cfg).Fetch,
		MaxFile: cfg.UploadMaxBytes})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		x := web.NewExchange(w, r)
		x.Refuse(nil, web.ErrNothing)
	})
	mountBlobs(mux, on.blobs, on.files)
	if example != nil {
		mux.Handle(demo.SitePath, example)
	}
	all := drainBody(bodies.Handler(underPrefix("/delivery", edge, underPrefix(pipeline.Base, content, mux))))
	return cfg.Proxies.Handler(web.StrictTransport(cfg.SiteURL,
		web.OnlyFrom(cfg.AdminNetworks, web.FinishChanges(web.Stamped(all)))))
}

// underPrefix sends requests for a path and everything below it to handler, and all others to other.
// An http.ServeMux would redirect unclean paths, such as //api/v1/ping, which these handlers answer
// themselves.
func underPrefix(prefix string, handler, other http.Handler) http.Handler {
	under := func(p string) bool { return p == prefix || strings.HasPrefix(p, prefix+"/") }
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if under(r.URL.Path) || under(path.Clean(r.URL.Path)) {
			handler.ServeHTTP(w, r)
			return
		}
		other.ServeHTTP(w, r)
	})
}
