package standing

import (
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/content/tree"
	"headless/pkg/site"
)

// maxShown is how many entries below one an IN_USE error lists.
const maxShown = 20

// use is a place in the details of an IN_USE error, as in package links.
type use struct {
	Model  string     `json:"model"`
	ID     string     `json:"id"`
	Title  string     `json:"title"`
	Locale string     `json:"locale"`
	Status cms.Status `json:"status"`
	Path   string     `json:"path"`
}

// usage is the details of an IN_USE error.
type usage struct {
	Usage []use `json:"usage"`
	More  int   `json:"more,omitempty"` // entries that are not listed
}

// Held says that entries stand below one that leaves the public or is deleted. It is an IN_USE error.
type Held struct {
	Model *site.Model
	Entry *cms.Entry
	// Below are the entries that hold it, each before the one above it. Directly are those directly below
	// it that hold it or have some of these below them, in order.
	Below, Directly []*tree.Node
	// Partly says that there are too many entries to know Below.
	Partly bool

	refused *cms.Error
}

func (h *Held) Error() string { return h.refused.Error() }

// Unwrap returns the error for readers who see published entries only.
func (h *Held) Unwrap() error { return h.refused }

// ForEditors returns the error for those who see entries of every status.
func (h *Held) ForEditors() error { return h.refusal("") }

type freeKey struct{}

// Free returns a context in which entries leave as if none stood below them, to try out a change that is
// not committed.
func Free(ctx context.Context) context.Context { return context.WithValue(ctx, freeKey{}, true) }

type publishedKey struct{}

// Published returns a context in which entries with some ids count as published, to try out a change that comes
// after others that are not committed.
func Published(ctx context.Context, is func(id string) bool) context.Context {
	return context.WithValue(ctx, publishedKey{}, is)
}

// Delete plans the deletion of an entry. Error: Held while entries stand below it.
func Delete(ctx context.Context, s *content.Store, m *site.Model, e *cms.Entry) (plan Plan, err error) {
	plan.fence, err = checkLeaving(ctx, s, m, e, "")
	return plan, err
}

// checkLeaving refuses what would leave entries of a status, or of any if it is "", without the one above them. A
// commit with the fence fails if another entry is put below meanwhile.
func checkLeaving(ctx context.Context, s *content.Store, m *site.Model, e *cms.Entry,
	of cms.Status) (*tree.Fence, error) {
	if !m.Tree || ctx.Value(freeKey{}) != nil {
		return nil, nil
	}
	fence, err := s.ReadFence(ctx, e.ID)
	if err != nil || !fence.HadBelow() {
		return &fence, err
	}
	held := &Held{Model: m, Entry: e}
	t, err := s.ReadTree(ctx, m, e.Locale, cms.Statuses, e.ID, 0)
	if held.Partly = cms.CodeOf(err) == cms.CodeQueryNotIndexed; held.Partly {
		// There are too many to read all. Those directly below are enough.
		t, err = s.ReadTree(ctx, m, e.Locale, cms.Statuses, e.ID, 1)
	}
	if err != nil {
		return nil, err
	}
	if held.findIn(ctx, t, of); len(held.Below) > 0 {
		return nil, held
	}
	return &fence, nil
}

// findIn finds the entries of a tree that hold the entry.
func (h *Held) findIn(ctx context.Context, t *tree.Tree, of cms.Status) {
	published, _ := ctx.Value(publishedKey{}).(func(id string) bool)
	var direct, last *tree.Node // below the entry; the last that was found
	t.Walk(h.Entry.ID, func(n *tree.Node, level int) bool {
		if level == 1 {
			direct = n
		}
		if published != nil && published(n.ID) {
			n.Status = cms.StatusPublished
		}
		holds := of == "" || n.Status == of
		if holds {
			h.Below = append(h.Below, n)
		}
		if (holds || h.Partly) && direct != last {
			h.Directly, last = append(h.Directly, direct), direct
		}
		return true
	})
	slices.Reverse(h.Below)
	h.refused = h.refusal(cms.StatusPublished)
}

// refusal returns the error that lists the entries of Below of a status, or of any if it is "", and counts the
// others.
func (h *Held) refusal(of cms.Status) *cms.Error {
	found := usage{Usage: []use{}}
	for i := len(h.Below) - 1; i >= 0; i-- {
		n := h.Below[i]
		if (of == "" || n.Status == of) && len(found.Usage) < maxShown {
			found.Usage = append(found.Usage, use{h.Model.Slug, n.ID, n.Title, n.Locale, n.Status, cms.ColumnParent})
		} else {
			found.More++
		}
	}
	return &cms.Error{Code: cms.CodeInUse, Objects: found,
		Message: "Entries stand below this one. Move or remove them first, or say what happens to them with children=up " +
			"or down."}
}
