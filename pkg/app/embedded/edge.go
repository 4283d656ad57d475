package embedded

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"headless/pkg/api"
	"headless/pkg/api/formroutes"
	"headless/pkg/api/pipeline"
	"headless/pkg/app"
	"headless/pkg/assets"
	"headless/pkg/db"
	"headless/pkg/delivery"
	"headless/pkg/editing"
	"headless/pkg/jobs"
	"headless/pkg/purge"
	"headless/pkg/purge/memory"
	"headless/pkg/rooms"
)

const (
	// cacheBytes is the size of the delivery API's cache.
	cacheBytes = 64 << 20
	// purgePause lets purges accumulate, so that they are processed together.
	purgePause = time.Second
)

// edge is the delivery API with its cache.
type edge struct {
	http.Handler
	purges  jobs.Purges
	changed signal // a commit wrote a purge
}

// newEdge wires the delivery API. A commit of this process purges the cache before its response.
// The stored purge rows are processed in the background as on AWS, where they are paid for, so that
// GET /admin/purge counts what the same changes would cost there.
func newEdge(cfg app.Config, st *rooms.Stores, log *slog.Logger, entries *editing.Entries,
	files *assets.Media, lines func(db.RequestLine), seen func(key, entry string)) *edge {
	cache := memory.New(cacheBytes, time.Now)
	e := &edge{changed: newSignal(), purges: jobs.Purges{Store: st.DB, To: purge.None{}, Log: log,
		Published: st.Keys.Published}}
	st.OnPurge(func(p db.Purge) {
		_, _ = cache.Purge(context.Background(),
			purge.Batch{ID: p.ID, Tags: p.Tags, All: p.All}) // cannot fail in memory
		e.changed.raise()
	})
	e.Handler = delivery.New(delivery.Config{
		Keys: st.Keys, Log: log, Entries: entries, Media: files, Cache: cache, SiteURL: cfg.SiteURL,
		LogRequest: lines, Seen: seen,
		Reader: pipeline.NewReader(st.Keys, log, api.SiteRoutes(), api.ContentRoutes(entries),
			api.SearchRoutes(entries), formroutes.New(nil, nil)),
	})
	return e
}
