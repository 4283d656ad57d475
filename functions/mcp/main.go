// Command mcp is the function that serves the Model Context Protocol, and the routes of the API
// that make and revoke preview links. Both need the key that signs these links, which the function
// of the entries cannot read.
package main

import (
	"net/http"
	"strings"

	"headless/pkg/access/grants"
	"headless/pkg/api"
	"headless/pkg/api/pipeline"
	"headless/pkg/app/function"
	"headless/pkg/app/function/entries"
	"headless/pkg/app/function/files"
	"headless/pkg/app/function/secrets"
	"headless/pkg/app/webhooks"
	"headless/pkg/comments"
	"headless/pkg/links"
	"headless/pkg/mcp"
	"headless/pkg/planning"
)

func main() { function.Main(start) }

// start answers requests until the function ends.
func start(b *function.Base) error {
	secrets.Use(b)
	media, err := files.New(b)
	if err != nil {
		return err
	}
	entries, _ := entries.New(b)
	entries.Uses = links.Usage{Store: entries.Store}
	planning.NewSchedules(entries) // changes of entries update plans
	add, flush := b.RequestLog()
	content := b.NewAPI(add, api.ContentRoutes(entries), api.PreviewRoutes(entries),
		api.SearchRoutes(entries), api.UploadRoutes(media))
	b.ServeAt(func(siteURL string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, pipeline.Base+"/") {
				content.ServeHTTP(w, r)
				return
			}
			cfg := b.Config
			cfg.SiteURL, cfg.OwnHosts = siteURL, b.OwnHosts(r.Context()) // from which no file is read
			tools := &mcp.Handler{API: content, Grants: &grants.Grants{DB: b.Keys.DB}, SiteURL: siteURL,
				Comments: &comments.Comments{Entries: entries, SiteURL: siteURL},
				Fetch:    webhooks.NewFetcher(cfg).Fetch,
				MaxFile:  cfg.UploadMaxBytes}
			tools.ServeHTTP(w, r)
		})
	}, flush)
	return nil
}
