package editing

import (
	"fmt"
	"testing"

	"golang.org/x/sync/errgroup"

	"headless/pkg/must"
)

// TestTriesOfOneCreation creates entries of one title at once, so that they take slugs from one another and are tried
// again. Each entry must have one row for its reference, and tries must leave none: a reader looks at some thousand
// rows only.
func TestTriesOfOneCreation(t *testing.T) {
	w := newContentWorld(t)
	target := w.create(`{"title": "Target", "data": {"body": "b"}}`)
	body := fmt.Sprintf(`{"title": "Same", "data": {"body": "b", "more": %q}}`, target.ID)
	const n = 60
	var g errgroup.Group
	g.SetLimit(8)
	for range n {
		create := w.body(body)
		g.Go(func() error {
			_, err := w.Create(t.Context(), w.actor, "articles", create)
			return err
		})
	}
	must.Do(t, g.Wait())
	holders, err := w.Store.Holders(t.Context(), target.ID, nil, 10*n)
	if err != nil || len(holders) != n {
		t.Errorf("%d entries have %d rows, %v", n, len(holders), err)
	}
}
