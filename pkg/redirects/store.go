package redirects

import (
	"context"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// MaxRedirects is the maximum number of redirects of a site, not counting former slugs.
const MaxRedirects = 10_000

// Store keeps redirects. It is safe for concurrent use.
type Store struct {
	*site.Store
	holders Holders
	homes   Homes
	trees   Trees
}

// Homes returns the places of a model's home in some locales, where it is published.
type Homes func(ctx context.Context, m *site.Model, locales []string) ([]cms.Place, error)

// Holders returns for each slug of a model the id of the entry outside the trash that has it now, ""
// if none.
type Holders func(ctx context.Context, m *site.Model, slugs []Slug) ([]string, error)

// Slug is a slug in a locale.
type Slug struct{ Locale, Slug string }

// Open returns the store of a site's redirects.
func Open(s *site.Store, holders Holders, homes Homes, trees Trees) *Store {
	return &Store{Store: s, holders: holders, homes: homes, trees: trees}
}

// Redirect is a path of the site that leads to another URL (extensions §8).
type Redirect struct {
	ID        string   `json:"id"`
	From      string   `json:"from"`   // a path; no other redirect has it
	To        *string  `json:"to"`     // a path or an http(s) URL; nil with 410
	Status    int      `json:"status"` // 301, 302, 307, 308 or 410
	CreatedAt cms.Time `json:"created_at"`
	UpdatedAt cms.Time `json:"updated_at"`
}

// Target returns where the redirect leads; "" with status 410.
func (r *Redirect) Target() string {
	if r.To == nil {
		return ""
	}
	return *r.To
}

type doc = db.Doc[Redirect]

func docs(d *db.DB) db.Docs[Redirect] { return db.Docs[Redirect]{DB: d, Kind: "redirect"} }

// listStored lists all redirects by from.
func (s *Store) listStored(ctx context.Context) ([]doc, error) {
	all, err := docs(s.DB).All(ctx)
	cms.Sort(all, func(a, b doc) int { return strings.Compare(a.Value.From, b.Value.From) })
	return all, err
}

// All lists all redirects by from.
func (s *Store) All(ctx context.Context) ([]Redirect, error) {
	all, err := s.listStored(ctx)
	return slice.Map(all, func(a doc) Redirect { return a.Value }), err
}

var errTaken = cms.Errorf(cms.CodeConflict, "There is already a redirect from this path.")

// Put adds the creation of a redirect to a transaction or, if was is not nil, the replacement of
// was. The commit fails if was changed after it was read, and with CONFLICT if another redirect has
// the same from.
func Put(tx *db.Tx, was *doc, r Redirect) {
	d := docs(tx.DB)
	r.UpdatedAt = tx.At()
	if was == nil {
		d.Create(tx, r.ID, r, db.ErrOvertaken)
	} else {
		d.Update(tx, doc{ID: was.ID, Version: was.Version, Value: r})
	}
	if was == nil || was.Value.From != r.From {
		if was != nil {
			d.FreeName(tx, was.Value.From)
		}
		d.ReserveName(tx, r.From, r.ID, errTaken)
	}
	if was == nil || !isSame(r, was.Value) {
		tx.Touch(cms.TagPaths)
	}
}

// Drop adds the deletion of a redirect to a transaction. The commit fails if was changed after it
// was read.
func Drop(tx *db.Tx, was doc) {
	docs(tx.DB).Delete(tx, was)
	docs(tx.DB).FreeName(tx, was.Value.From)
	tx.Touch(cms.TagPaths)
}
