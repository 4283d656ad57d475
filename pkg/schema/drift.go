package schema

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
)

// Drift is a model or locale that was changed in another way since a schema was last applied.
type Drift struct {
	Op   string `json:"op"` // create, update or delete
	Kind string `json:"kind"`
	Path string `json:"path"` // models.posts
}

// applied is the state after the last schema: a hash of each model and locale, by path.
type applied struct {
	At   cms.Time          `json:"at"`
	Sums map[string]string `json:"sums"`
}

func appliedDocs(s *db.DB) db.Docs[applied] { return db.Docs[applied]{DB: s, Kind: "schema"} }

const appliedID = "applied"

// putApplied stores the state after a schema, in the transaction that applies it.
func putApplied(tx *db.Tx, target *site.Site) {
	tx.Put(appliedDocs(tx.DB).Item(appliedID, 1, applied{tx.At(), sums(target)}))
}

// sums returns the hashes of all models and locales.
func sums(now *site.Site) map[string]string {
	all := map[string]string{}
	add := func(path string, p Part) {
		sum := sha256.Sum256(mustMarshal(p))
		all[path] = hex.EncodeToString(sum[:8])
	}
	for _, m := range now.Models {
		add("models."+m.Slug, part(m.Model))
	}
	for _, l := range now.Locales {
		add("locales."+l.Code, part(l))
	}
	return all
}

// Drift lists the changes that were made in another way since a schema was last applied, at at. at
// is zero if no schema was ever applied.
func (s *Schemas) Drift(ctx context.Context) (at cms.Time, drift []Drift, err error) {
	now, err := s.Store.Site.Site(ctx)
	if err != nil {
		return at, nil, err
	}
	return s.driftOf(ctx, now)
}

func (s *Schemas) driftOf(ctx context.Context, now *site.Site) (at cms.Time, drift []Drift, err error) {
	drift = []Drift{}
	doc, err := appliedDocs(s.Store.DB).Get(ctx, appliedID)
	if errors.Is(err, db.ErrNotFound) {
		return at, drift, nil
	}
	if err != nil {
		return at, nil, err
	}
	was, is := doc.Value.Sums, sums(now)
	paths := maps.Clone(was)
	maps.Copy(paths, is)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		d := Drift{Op: "update", Kind: "model", Path: path}
		if path[0] == 'l' {
			d.Kind = "locale"
		}
		switch {
		case was[path] == is[path]:
			continue
		case was[path] == "":
			d.Op = "create"
		case is[path] == "":
			d.Op = "delete"
		}
		drift = append(drift, d)
	}
	return doc.Value.At, drift, nil
}
