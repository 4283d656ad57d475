package ahead

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/links/preview"
	"headless/pkg/planning"
	"headless/pkg/site"
)

// Previews makes and opens links to the site as it will be.
type Previews struct{ Releases *planning.Releases }

// Of returns the previews of a site whose entries these are.
func Of(s *editing.Entries) Previews {
	return Previews{&planning.Releases{Store: s.Store, Entries: s}}
}

func (p Previews) links() preview.Links { return preview.Links{Entries: p.Releases.Entries} }

// About says in an answer what it shows.
type About struct {
	At      cms.Time `json:"at,omitzero"`
	Release string   `json:"release,omitempty"` // id
	Drafts  bool     `json:"drafts,omitempty"`
	Changes int      `json:"changes"` // entries that are shown as they will be
}

// View is the site as a link shows it, for one read.
type View struct {
	Entries *editing.Entries // only to be read from
	laying  *laying
}

// About says what a view shows, after everything was read from it. Errors: FORBIDDEN for a link that has ended with
// its maker, CONFLICT if it changes too much by now; then nothing that was read counts.
func (v *View) About() (About, error) {
	shown := v.laying.v.View
	n, err := v.laying.countChanges()
	return About{At: shown.At, Release: shown.Release, Drafts: shown.Drafts, Changes: n}, err
}

// Open opens the view of the token of a request; it is nil if the request has none of the site. It reads what is to
// change, and entries only when they are read from the view. Error: FORBIDDEN for a token that is expired or ended.
func (p Previews) Open(ctx context.Context, tokens []string) (*View, error) {
	if len(tokens) != 1 {
		return nil, nil
	}
	now, err := p.site(ctx)
	if err != nil {
		return nil, err
	}
	list := func(shown preview.View) func() (listed, error) {
		return meanwhile(func() (listed, error) { return p.list(ctx, now, shown) })
	}
	steps := func() (listed, error) { return listed{}, nil }
	said, known := preview.Peek(tokens[0])
	if known {
		steps = list(said)
	}
	v, ok, err := p.links().OpenSite(ctx, tokens[0])
	if ok && !known && err == nil {
		steps = list(v.View)
	}
	found, failed := steps()
	if err != nil || !ok {
		return nil, err
	}
	if failed != nil {
		return nil, failed
	}
	l := newLaying(ctx, p, now, v, found)
	l.maker = meanwhile(func() (*cms.Permissions, error) { return p.links().Maker(ctx, v) })
	if l.atOnce {
		for model := range l.steps {
			l.loadChanges(model, l.idsOf(model), false)
		}
	}
	entries := *p.Releases.Entries
	entries.Store = p.Releases.Store.Over(l.table, l.expect)
	return &View{Entries: &entries, laying: l}, nil
}

// site returns the whole configuration.
func (p Previews) site(ctx context.Context) (*site.Site, error) {
	return p.Releases.Store.Site(whole(ctx))
}

// meanwhile starts a read. The function that it returns waits for the result.
func meanwhile[T any](read func() (T, error)) func() (T, error) {
	var got T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		got, err = read()
	}()
	return func() (T, error) {
		<-done
		return got, err
	}
}
