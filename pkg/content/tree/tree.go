package tree

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/index"
	"headless/pkg/index/sortkey"
	"headless/pkg/index/totals"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// Node is an entry in the tree of a model and locale.
type Node struct {
	ID       string
	Parent   string // id, "" at the root
	Position float64
	Address
	title []byte // sorts as titles do in lists
}

// Tree is the part of a tree that was read.
type Tree struct {
	Nodes map[string]*Node
	Whole bool               // all entries of the model and locale were read
	below map[string][]*Node // by parent, in order
}

// Below returns the entries directly below one, in order; those at the root for "".
func (t *Tree) Below(parent string) []*Node { return t.below[parent] }

// Walk calls visit for the entries below one, depth first, each before the entries below it. The
// level of the first is 1. If visit returns false, the entries below are left out.
func (t *Tree) Walk(parent string, visit func(n *Node, level int) bool) {
	seen := map[string]bool{} // so that damage cannot make it endless
	var walk func(parent string, level int)
	walk = func(parent string, level int) {
		for _, n := range t.below[parent] {
			if !seen[n.ID] {
				seen[n.ID] = true
				if visit(n, level) {
					walk(n.ID, level+1)
				}
			}
		}
	}
	walk(parent, 1)
}

// Size returns how many entries are below one, and on how many levels.
func (t *Tree) Size(parent string) (n, levels int) {
	t.Walk(parent, func(_ *Node, level int) bool {
		n, levels = n+1, max(levels, level)
		return true
	})
	return n, levels
}

// ErrLargeTree says that more than cms.MaxNodes entries would have to be read.
var ErrLargeTree = cms.Errorf(cms.CodeQueryNotIndexed,
	"There are more than %d entries in this tree. Ask for a part of it: GET /{model}/tree with parent or depth, or "+
		"filter[parent].",
	cms.MaxNodes)

// MaxLevel is how many entries directly below one are read together: as many as for a list.
const MaxLevel = index.MaxCollect

// Query asks for the tree of a model in a locale.
type Query struct {
	Model    *site.Model
	Entries  *index.Collection // of the model
	Locale   string
	Statuses []cms.Status
	Parent   string // only what is below this entry; "": all
	Depth    int    // on so many levels; 0: all
	Limit    int    // of entries; one level alone may have up to MaxLevel
	Whole    bool   // in one round trip, although a part may do
}

// ReadPart reads a tree. A small one is read whole, even if a part of it would do. Error: ErrLargeTree if the
// part has more entries than the limit.
func (s *Places) ReadPart(ctx context.Context, q Query) (*Tree, error) {
	spaces := q.Model.Spaces([]string{q.Locale}, q.Statuses)
	n, err := []int{0}, error(nil)
	if !q.Whole {
		if n, err = totals.Of(ctx, s.Data, spaces, totals.All); err != nil {
			return nil, err
		}
	}
	r := reading{s, q, spaces, &Tree{Nodes: map[string]*Node{}, below: map[string][]*Node{}, Whole: n[0] <= q.Limit}}
	if q.Depth == 1 {
		r.Limit = max(q.Limit, MaxLevel)
	}
	switch {
	case !q.Model.Listed().Tree:
		err = r.bodies(ctx)
	case r.t.Whole:
		err = r.readBelow(ctx, nil)
	default:
		err = r.levels(ctx)
	}
	r.t.sort()
	return r.t, err
}

// LevelAfter reads up to most entries directly below the parent of a query, in the order of the index, without those
// before next was returned.
func (s *Places) LevelAfter(ctx context.Context, q Query, after string, most int) (t *Tree, next string, err error) {
	parent := query.Value{} // at the root
	if q.Parent != "" {
		parent = query.Value{Kind: cms.ValueText, Text: q.Parent}
	}
	rows, next, err := index.RowsAfter(ctx, s.Data, q.Entries, q.Model.Spaces([]string{q.Locale}, q.Statuses),
		cms.ColumnParent, parent, after, most)
	if err != nil {
		return nil, "", err
	}
	ids := slice.Map(rows, func(row *index.Record) string { return row.ID.String() })
	known, err := s.Addresses(ctx, ids)
	t = &Tree{Nodes: map[string]*Node{}, below: map[string][]*Node{}}
	for _, id := range ids {
		if a, ok := known[id]; ok {
			t.addNode(&Node{ID: id, Parent: q.Parent, Address: a})
		}
	}
	return t, next, err
}

// reading is a tree that is being read.
type reading struct {
	s *Places
	Query
	spaces []string
	t      *Tree
}

// With returns the tree with some nodes added, or in place of those with their ids.
func (t *Tree) With(nodes []*Node) *Tree {
	now := &Tree{Nodes: map[string]*Node{}, below: map[string][]*Node{}}
	for _, n := range nodes {
		now.addNode(n)
	}
	for _, n := range t.Nodes {
		now.addNode(n)
	}
	now.sort()
	return now
}

func (t *Tree) sort() {
	for _, nodes := range t.below {
		for _, n := range nodes {
			if n.title == nil {
				n.title = sortkey.Append(nil, query.Value{Kind: cms.ValueText, Text: n.Title}, sortkey.MaxText)
			}
		}
		slices.SortFunc(nodes, func(a, b *Node) int {
			return cmp.Or(cmp.Compare(a.Position, b.Position), bytes.Compare(a.title, b.title),
				strings.Compare(a.ID, b.ID))
		})
	}
}

func (t *Tree) addNode(n *Node) {
	if t.Nodes[n.ID] == nil {
		t.Nodes[n.ID] = n
		t.below[n.Parent] = append(t.below[n.Parent], n)
	}
}

// bodies reads the entries themselves, while the index of a model that has just got a tree is being
// built.
func (r reading) bodies(ctx context.Context) error {
	records, err := index.All(ctx, r.s.Data, r.Entries, r.spaces, r.Limit)
	if err != nil {
		return err
	}
	for _, found := range records {
		e := found.Doc.(*cms.Entry)
		r.t.addNode(&Node{ID: e.ID, Parent: e.ParentID(), Position: e.TreePosition(), Address: AddressOf(r.Model, e)})
	}
	return nil
}

// levels reads the entries below one, level by level.
func (r reading) levels(ctx context.Context) error {
	above := []string{r.Parent}
	for level := 1; len(above) > 0 && (r.Depth == 0 || level <= r.Depth) && level <= 2*cms.MaxLevels; level++ {
		if err := r.readBelow(ctx, above); err != nil {
			return err
		}
		var next []string
		for _, id := range above {
			for _, n := range r.t.below[id] {
				next = append(next, n.ID)
			}
		}
		above = next
	}
	return nil
}

// readBelow adds the entries directly below some, or all entries if parents is nil.
func (r reading) readBelow(ctx context.Context, parents []string) error {
	var values []query.Value
	for _, id := range parents {
		v := query.Value{}
		if id != "" {
			v = query.Value{Kind: cms.ValueText, Text: id}
		}
		values = append(values, v)
	}
	rows, err := index.RowsAt(ctx, r.s.Data, r.Entries, r.spaces, cms.ColumnParent, values, r.Limit-len(r.t.Nodes))
	if err != nil {
		return err
	}
	if len(r.t.Nodes)+len(rows) > r.Limit {
		return ErrLargeTree
	}
	var unknown []string
	for _, row := range rows {
		n, whole := r.node(row)
		if !whole {
			unknown = append(unknown, n.ID)
		}
		r.t.addNode(n)
	}
	found, err := r.s.Addresses(ctx, unknown)
	for id, a := range found {
		r.t.Nodes[id].Address = a
	}
	return err
}

// node returns the entry of an index row; whole is false if the row does not hold all of it.
func (r reading) node(row *index.Record) (n *Node, whole bool) {
	status, _ := r.Model.Fixed(row.Space, "status")
	n = &Node{ID: row.ID.String(), Address: Address{ModelID: r.Model.ID, Locale: r.Locale, Status: cms.Status(status)}}
	parent, _ := r.Entries.RowValue(row, cms.ColumnParent)
	position, _ := r.Entries.RowValue(row, cms.ColumnPosition)
	title, titled := r.Entries.RowValue(row, "title")
	slug, named := r.Entries.RowValue(row, "slug")
	day, dated := r.Entries.RowValue(row, "published_at")
	n.Parent, n.Position, n.Title, n.Slug = parent.Text, position.Number.Float(), title.Text, slug.Text
	if day.Kind == cms.ValueTime {
		n.Day = cms.At(day.Time).Day()
	}
	return n, titled && named && dated
}
