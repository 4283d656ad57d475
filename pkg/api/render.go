package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"headless/pkg/api/pipeline"
	"headless/pkg/apikeys"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/site"
	"headless/pkg/urls"
	"headless/pkg/web"
)

// Render returns an entry as a list with refs=raw shows it to the key of an opening, with its URL
// unless u is nil.
func Render(ctx context.Context, o apikeys.Opening, s *editing.Entries, m *site.Model,
	item content.EntryItem, u *urls.Answer) (json.RawMessage, error) {
	r := (&http.Request{Method: http.MethodGet, URL: &url.URL{}}).WithContext(ctx)
	c := &pipeline.Call{Exchange: web.Exchange{R: r}, Site: o.Site, Key: o.Key}
	v := &view{c: c, h: entries{service: s}, full: m, model: c.VisibleModel(m), raw: true, urls: u}
	return v.render(item)
}
