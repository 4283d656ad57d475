package ahead

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/links/preview"
	"headless/pkg/planning"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/over"
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
	About   About
}

// Open opens the view of the token of a request; it is nil if the request has none of the site. Errors:
// FORBIDDEN for a token that is expired or ended, CONFLICT if it changes too much by now.
func (p Previews) Open(ctx context.Context, tokens []string) (*View, error) {
	if len(tokens) != 1 {
		return nil, nil
	}
	configured := meanwhile(func() (*site.Site, error) { return p.site(ctx) })
	v, ok, err := p.links().OpenSite(ctx, tokens[0])
	if err != nil || !ok {
		return nil, err
	}
	now, err := configured()
	if err != nil {
		return nil, err
	}
	maker := meanwhile(func() (*cms.Permissions, error) { return p.links().Maker(ctx, v) })
	steps, failed := p.steps(ctx, now, v)
	if v.Maker, err = maker(); cmp.Or(err, failed) != nil {
		return nil, cmp.Or(err, failed)
	}
	changes, planned, err := p.changes(ctx, now, v, steps)
	if err != nil {
		return nil, err
	}
	view := &View{About: About{At: v.At, Release: v.Release, Drafts: v.Drafts, Changes: planned}}
	view.Entries, err = p.lay(ctx, changes)
	return view, err
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

// layWorkers is how many changes are laid concurrently: those of slugs read who had them.
const layWorkers = 16

// lay returns entries that show the changes.
func (p Previews) lay(ctx context.Context, changes []*change) (*editing.Entries, error) {
	made := make([][]table.Op, len(changes))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(layWorkers)
	for i, c := range changes {
		g.Go(func() error {
			tx := p.Releases.Store.Begin()
			err := content.LayEntry(ctx, tx, c.m, &c.was.EntryRecord, c.will)
			made[i] = tx.Written()
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	ops := slices.Concat(made...)
	// What one entry leaves, such as its slug, another one may take.
	cms.Sort(ops, func(a, b table.Op) int { return rank(a) - rank(b) })
	laid := over.New(p.Releases.Store.Table)
	laid.Lay(ops)
	entries := *p.Releases.Entries
	entries.Store = p.Releases.Store.Over(laid)
	return &entries, nil
}

// rank sorts deletions before everything else.
func rank(op table.Op) int {
	if op.Kind == table.Delete {
		return 0
	}
	return 1
}
