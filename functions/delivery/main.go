// Command delivery is the function that serves the delivery API under /delivery/v1.
package main

import (
	"headless/pkg/api"
	"headless/pkg/api/formroutes"
	"headless/pkg/api/pipeline"
	"headless/pkg/app/function"
	"headless/pkg/app/function/entries"
	"headless/pkg/delivery"
)

func main() { function.Main(start) }

// start serves until the function ends. It caches no responses: the CDN does.
func start(b *function.Base) error {
	entries, media := entries.New(b)
	log, flush := b.RequestLog()
	b.Serve(delivery.New(delivery.Config{
		Keys: b.Keys, Log: b.Log, Entries: entries, Media: media, SiteURL: b.Config.SiteURL,
		LogRequest: log,
		Reader: pipeline.NewReader(b.Keys, b.Log, api.SiteRoutes(), api.ContentRoutes(entries),
			api.SearchRoutes(entries), formroutes.New(nil, nil)),
	}), flush)
	return nil
}
