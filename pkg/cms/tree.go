package cms

import "bytes"

// Limits of trees (extensions §13).
const (
	MaxLevels = 10    // levels of a tree
	MaxNodes  = 2_000 // entries of a tree that are read or moved together
)

// The columns of models with a tree.
const (
	ColumnParent   = "parent"
	ColumnPosition = "position"
)

// SortTree is the sort parameter for the order of the tree: depth first. FilterAncestor is the filter
// for the entries below one.
const (
	SortTree       = "tree"
	FilterAncestor = "ancestor"
)

// ReservesSlug reports whether entries of the model cannot have a slug, since it is a route.
func (m *Model) ReservesSlug(slug string) bool { return m.Tree && slug == "tree" }

// Spot says where an entry stands in the tree of its model. It is never changed, only replaced.
type Spot struct {
	Parent   *string `json:"parent"`   // id of the entry above; nil at the root
	Position float64 `json:"position"` // among the entries with the same parent, ascending, then by title

	// Above has the slugs of the entries above, the root first, where an entry is read for a change.
	Above []string `json:"-"`
}

// ParentID returns the id of the entry above, "" at the root.
func (e *Entry) ParentID() string {
	if e.Spot == nil || e.Spot.Parent == nil {
		return ""
	}
	return *e.Spot.Parent
}

// TreePosition returns the position among the entries with the same parent, 0 if none was set.
func (e *Entry) TreePosition() float64 {
	if e.Spot == nil {
		return 0
	}
	return e.Spot.Position
}

// StandsAs reports whether two versions of an entry have the same place in the tree.
func (e *Entry) StandsAs(other *Entry) bool {
	return e.ParentID() == other.ParentID() && e.TreePosition() == other.TreePosition()
}

// Stand puts the entry below another one, at the root if parent is "".
func (e *Entry) Stand(parent string, position float64) {
	next := Spot{Position: position}
	if parent != "" {
		next.Parent = &parent
	}
	if e.Spot != nil && parent == e.ParentID() {
		next.Above = e.Spot.Above
	}
	e.Spot = &next
}

// spotBytes is more than the keys of a Spot take at the end of a stored entry.
const spotBytes = 120

// WithSpot returns the JSON of a stored entry with the keys of a Spot if the model has a tree, and
// without them if it has none: the entry may have been saved before the model changed.
func (m *Model) WithSpot(raw []byte) []byte {
	tail := max(0, len(raw)-spotBytes)
	at := bytes.LastIndex(raw[tail:], []byte(`,"parent":`))
	has := at >= 0 && !bytes.Contains(raw[tail+at:], []byte(`,"version":`)) // data may have such a key
	switch {
	case has == m.Tree || len(raw) == 0:
		return raw
	case has:
		return append(bytes.Clone(raw[:tail+at]), '}')
	}
	return append(bytes.Clone(raw[:len(raw)-1]), `,"parent":null,"position":0}`...)
}

// EntryKeys returns the top-level keys of the model's entries in the order of the API (decisions §2).
func (m *Model) EntryKeys() []string {
	keys := []string{"id", "slug", "title", "status", "locale", "data", "seo", "published_at",
		"created_at", "updated_at", "version", "draft", "translations", "url"}
	if m.Tree {
		keys = append(keys, ColumnParent, ColumnPosition)
	}
	return keys
}
