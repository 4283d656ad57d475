package redirects

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// Staging plans changes of redirects that commit together with other changes. It is used by one
// goroutine.
type Staging struct{ g *graph }

// Stage starts a plan on what is stored.
func (s *Redirects) Stage(ctx context.Context) (*Staging, error) {
	g, err := s.graph(ctx)
	return &Staging{g}, err
}

// Redirects are all redirects by from, as planned so far.
func (s *Staging) Redirects() []Redirect {
	list := make([]Redirect, 0, len(s.g.own))
	for _, d := range s.g.own {
		list = append(list, d.Value)
	}
	slices.SortFunc(list, func(a, b Redirect) int { return strings.Compare(a.From, b.From) })
	return list
}

// Set lays the body of a redirect over the one with the same from, or over a new one; p gets what
// is wrong with it by itself. Put stores it.
func (s *Staging) Set(p cms.Problems, from string, body map[string]any) (was *Redirect,
	now Redirect, put func(tx *db.Tx)) {
	in, problems := decode(body)
	p.Merge(problems)
	now = Redirect{Status: http.StatusMovedPermanently}
	stored, known := s.g.own[from]
	if known {
		now = stored.Value
		was = &stored.Value
	} else {
		now.ID = uuid.Must(uuid.NewV7()).String()
	}
	in.apply(&now)
	now.check(p)
	s.g.own[from] = doc{ID: now.ID, Version: stored.Version, Value: now}
	return was, now, func(tx *db.Tx) {
		if known {
			Put(tx, &stored, now)
			return
		}
		now.CreatedAt = tx.At()
		Put(tx, nil, now)
	}
}

// Delete plans the end of a redirect; ok is false where there is none.
func (s *Staging) Delete(from string) (drop func(tx *db.Tx), ok bool) {
	d, ok := s.g.own[from]
	delete(s.g.own, from)
	return func(tx *db.Tx) { Drop(tx, d) }, ok
}

// Closes reports whether a planned redirect leads to its own from again.
func (s *Staging) Closes(r Redirect) bool { return r.To != nil && s.g.closes(r.From, *r.To) }
