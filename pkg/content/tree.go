package content

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/content/tree"
	"headless/pkg/db"
	"headless/pkg/redirects"
	"headless/pkg/site"
)

// Above holds the addresses of entries and of those above them.
type Above = tree.Above

// ReadTree reads the tree of a model in a locale: the entries of some statuses, all below parent ("" is the
// root) on up to depth levels, 0 for all levels. Error: tree.ErrLargeTree for more than cms.MaxNodes.
func (s *Store) ReadTree(ctx context.Context, m *site.Model, locale string, statuses []cms.Status,
	parent string, depth int) (*tree.Tree, error) {
	return s.ReadPart(ctx, tree.Query{Model: m, Entries: entries(m), Locale: locale, Statuses: statuses, Parent: parent,
		Depth: depth, Limit: cms.MaxNodes})
}

// LevelAfter is tree.Places.LevelAfter for a level of a model in a locale.
func (s *Store) LevelAfter(ctx context.Context, m *site.Model, locale, parent, after string,
	most int) (*tree.Tree, string, error) {
	return s.Places.LevelAfter(ctx, tree.Query{Model: m, Entries: entries(m), Locale: locale, Statuses: cms.Statuses,
		Parent: parent}, after, most)
}

// WholeTree is ReadTree for all levels of the whole tree, in one round trip.
func (s *Store) WholeTree(ctx context.Context, m *site.Model, locale string,
	statuses []cms.Status) (*tree.Tree, error) {
	return s.ReadPart(ctx, tree.Query{Model: m, Entries: entries(m), Locale: locale, Statuses: statuses,
		Limit: cms.MaxNodes, Whole: true})
}

// TreePlaces returns the places of all entries of a model with a tree in a locale, without those above; see
// redirects.Trees.
func (s *Store) TreePlaces(ctx context.Context, m *site.Model, locale string, limit int) ([]redirects.Node, error) {
	t, err := s.ReadPart(ctx, tree.Query{Model: m, Entries: entries(m), Locale: locale, Statuses: cms.Statuses,
		Limit: limit})
	if err != nil {
		return nil, err
	}
	var list []redirects.Node
	t.Walk("", func(n *tree.Node, _ int) bool {
		p := n.Place(n.ID)
		p.Parent = n.Parent
		list = append(list, redirects.Node{Place: p, Public: n.Status == cms.StatusPublished})
		return true
	})
	return list, nil
}

// Reposition changes only the position of an entry, to make room for another one. It is no save: version,
// time and revisions stay, and no event tells of it.
func Reposition(t *db.Tx, m *site.Model, was *EntryRecord, position float64) {
	e := *was.Entry
	e.Stand(e.ParentID(), position)
	putEntry(t, &db.Rest{}, m, was, &e, uniques(m, m.KeyLocale(e.Locale), &e))
	entryChanged(t, m, was.Entry, &e, false)
}
