// Package rooms opens the stores of all packages that keep data, on one table.
package rooms

import (
	"time"

	"headless/pkg/access"
	"headless/pkg/apikeys"
	"headless/pkg/assets"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/forms"
	"headless/pkg/hooks"
	"headless/pkg/redirects"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Stores are the stores of all packages that keep data. They share the database and the cached site.
type Stores struct {
	*db.DB
	Site    *site.Store
	Content *content.Store
	Forms   *forms.Store
	Hooks   *hooks.Store
	Assets  *assets.Store
	Access  *access.Store
	Keys    *apikeys.Store

	Redirects *redirects.Store
}

// New opens the stores on a table; now is the clock, time.Now outside tests.
func New(t table.Table, now func() time.Time) *Stores { return Open(apikeys.New(t, now)) }

// Open opens the other stores on the database of the API keys.
func Open(keys *apikeys.Store) *Stores {
	d, s := keys.DB, keys.Store
	a := assets.Open(d)
	c := content.Open(s, a)
	f := forms.Open(s)
	f.KeyOrigins = keys.Origins
	return &Stores{
		DB: d, Site: s, Content: c, Forms: f, Hooks: hooks.Open(s), Assets: a,
		Access: access.Open(s), Keys: keys, Redirects: c.Redirects(),
	}
}
