package redirects

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// Staging plans changes of redirects that are committed together with other changes. It is not safe
// for concurrent use.
type Staging struct{ g *graph }

// Stage starts a plan from the stored redirects.
func (s *Redirects) Stage(ctx context.Context) (*Staging, error) {
	g, err := s.graph(ctx)
	return &Staging{g}, err
}

// Redirects returns all redirects as planned so far, sorted by from.
func (s *Staging) Redirects() []Redirect {
	list := make([]Redirect, 0, len(s.g.own))
	for _, d := range s.g.own {
		list = append(list, d.Value)
	}
	cms.Sort(list, func(a, b Redirect) int { return strings.Compare(a.From, b.From) })
	return list
}

// Set applies a body to the redirect with the given from, or to a new one, and adds the problems of
// the result to p. It returns the redirect before (nil for a new one) and after the change; put
// adds the change to a transaction, and drop the deletion of a new one.
func (s *Staging) Set(p cms.Problems, from string, body map[string]any) (was *Redirect,
	now Redirect, put, drop func(tx *db.Tx)) {
	in, problems := input.Decode[redirectInput](body)
	p.Merge(problems)
	now = Redirect{Status: http.StatusMovedPermanently}
	stored, known := s.g.named(from)
	if known {
		now = stored.Value
		was = &stored.Value
		delete(s.g.own, stored.Value.From)
	} else {
		now.ID = uuid.Must(uuid.NewV7()).String()
	}
	in.applyTo(&now)
	now.checkPaths(p)
	if other, taken := s.g.ownAt(addressOf(now.From)); taken {
		p.Add("from", "is the address of the redirect from %s", cms.Shorten(other.Value.From))
	}
	s.g.own[now.From] = doc{ID: now.ID, Value: now}
	put = func(tx *db.Tx) {
		if known {
			Put(tx, &stored, now)
			return
		}
		now.CreatedAt = tx.At()
		Put(tx, nil, now)
	}
	return was, now, put, func(tx *db.Tx) { Drop(tx, doc{ID: now.ID, Version: 1, Value: now}) }
}

// Delete plans to delete the redirect with the given from; ok is false if there is none. drop adds
// the change to a transaction.
func (s *Staging) Delete(from string) (drop func(tx *db.Tx), ok bool) {
	d, ok := s.g.named(from)
	delete(s.g.own, d.Value.From)
	return func(tx *db.Tx) { Drop(tx, d) }, ok
}

// named returns the stored redirect whose from was sent as from; ok is false if there is none, or if it
// is planned already.
func (g *graph) named(from string) (d doc, ok bool) {
	if d, ok = g.own[from]; !ok {
		d, ok = g.own[findable(from)]
	}
	return d, ok && d.Version > 0
}

// Closes reports whether a planned redirect leads back to its own from.
func (s *Staging) Closes(r Redirect) bool { return r.To != nil && s.g.closes(r.From, *r.To) }
