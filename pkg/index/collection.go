package index

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Collection is a set of documents that are listed by the index machinery: a model's entries, the
// media, a form's submissions.
type Collection struct {
	Spec    *IndexSpec
	Key     func(id uuid.UUID) table.Key                 // where a document is stored
	Decode  func(item *table.Item) (any, error)          // the document from which Spec takes values
	Space   func(doc any) string                         // in which the document is listed now
	SpaceOf func(item *table.Item) (string, error)       // the same, without decoding all of the document; may be nil
	Lookup  func(path string) (cms.PathInfo, bool)       // kinds of values
	Fixed   func(space, path string) (v string, ok bool) // values that all documents of a space share
	// Joined names paths that have the values of several others, which one filter looks at together; nil: none.
	Joined map[string][]string
	// Drafts is the entries that have a draft, if the query uses has_draft.
	Drafts map[uuid.UUID]bool
	// Beside returns the key of a row that is read together with each document; nil: none.
	Beside func(id uuid.UUID) table.Key

	// Held returns the index content of some documents, the zero value for a missing one. It is
	// needed if documents have labels.
	Held func(ctx context.Context, ids []uuid.UUID) ([]Indexed, error)

	// Building reports whether the rows of a path are still being built. Until then, documents with
	// a value at the path can only be found by reading each of them. nil: no rows are being built.
	Building func(path string) bool
}

// Record is a document on its way into a list: found by an index row, completed by its body.
type Record struct {
	ID      uuid.UUID
	Space   string
	version int64
	key     string // sort key in the list's order
	sortKey string // key, if it was computed from a body that is dropped since
	path    string // the path of the index row, "" if no row was read
	row     string // sort key of the index row
	scalars []byte // values that the row carries
	Item    *table.Item
	Beside  *table.Item // the row of Collection.Beside
	Doc     any         // decoded from item when first needed
	Score   float64
	gone    bool // its document was not there when the body was read
}

// valuesAt returns the values at a path, from the row if it has them. ok is false if the body must be
// read first.
func (c *Collection) valuesAt(r *Record, path string) (values []query.Value, ok bool, err error) {
	if path == "id" {
		return []query.Value{{Kind: cms.ValueText, Text: r.ID.String()}}, true, nil
	}
	if path == cms.ColumnHasDraft && c.Drafts != nil {
		return []query.Value{{Kind: cms.ValueBool, Bool: c.Drafts[r.ID]}}, true, nil
	}
	if v, ok := c.Fixed(r.Space, path); ok {
		return []query.Value{{Kind: cms.ValueText, Text: v}}, true, nil
	}
	if parts := c.Joined[path]; parts != nil {
		for _, part := range parts {
			more, ok, err := c.valuesAt(r, part)
			if !ok || err != nil {
				return nil, ok, err
			}
			values = append(values, more...)
		}
		return values, true, nil
	}
	if r.scalars != nil {
		if values, ok = c.Spec.inRow(r, path); ok {
			return values, true, nil
		}
	}
	if r.Item == nil {
		return nil, false, nil
	}
	if err := c.Decoded(r); err != nil {
		return nil, false, err
	}
	return c.Spec.Values(r.Doc, path), true, nil
}

func (c *Collection) Decoded(r *Record) (err error) {
	if r.Doc == nil {
		r.Doc, err = c.Decode(r.Item)
	}
	return err
}

// LoadChunk is how many bodies are read together.
const LoadChunk = 100

// loadBodies reads the bodies of the records that have none, by the versions of their rows (see
// table.GetVersions). A record whose document is gone keeps a nil item. If a document was changed
// after its row was read, the record gets the newer body.
func (c *Collection) loadBodies(ctx context.Context, t table.Table, records []*Record) error {
	missing := slice.Filter(records, func(r *Record) bool { return r.Item == nil })
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	for from := 0; from < len(missing); from += LoadChunk {
		part := missing[from:min(from+LoadChunk, len(missing))]
		if c.Beside != nil {
			g.Go(func() error {
				return readEach(ctx, t, part, false, c.Beside, func(r *Record, row *table.Item) { r.Beside = row })
			})
		}
		g.Go(func() error {
			return readEach(ctx, t, part, true, c.Key, func(r *Record, body *table.Item) { r.Item = body })
		})
	}
	return g.Wait()
}

// readEach reads one row for each record. known reports whether that has the version of the record.
func readEach(ctx context.Context, t table.Table, records []*Record, known bool, key func(uuid.UUID) table.Key,
	take func(*Record, *table.Item)) error {
	keys, at := make([]table.Key, 0, len(records)), make(map[uuid.UUID]int, len(records))
	versions := make([]int64, len(records))
	for _, r := range records {
		i, ok := at[r.ID]
		if !ok { // a document that moves while rows are read may come twice
			i = len(keys)
			at[r.ID], keys = i, append(keys, key(r.ID))
		}
		if known {
			versions[i] = max(versions[i], r.version)
		}
	}
	items, err := table.GetVersions(ctx, t, keys, versions[:len(keys)])
	if err != nil {
		return err
	}
	for _, r := range records {
		take(r, items[at[r.ID]])
	}
	return nil
}

// current reports whether a loaded record is still in the space of its row and meets the filters. A
// change that committed between the two reads may have moved it.
func (c *Collection) current(r *Record, filters []query.Filter) (bool, error) {
	if r.Item == nil {
		return false, nil
	}
	if r.Item.Version == r.version {
		return true, nil
	}
	if c.SpaceOf != nil && r.version == 0 && len(filters) == 0 {
		space, err := c.SpaceOf(r.Item)
		return space == r.Space, err
	}
	if err := c.Decoded(r); err != nil {
		return false, err
	}
	if c.Space(r.Doc) != r.Space {
		return false, nil
	}
	r.scalars = nil
	ok, known, err := c.match(r, filters)
	if err == nil && !known {
		err = errors.New("index: a loaded record has no values")
	}
	return ok, err
}

// locate finds the space of a loaded document. ok reports whether it is one of some spaces.
func (c *Collection) locate(r *Record, spaces []string) (ok bool, err error) {
	if r.Item == nil {
		return false, nil
	}
	if err := c.Decoded(r); err != nil {
		return false, err
	}
	r.version, r.Space = r.Item.Version, c.Space(r.Doc)
	return slices.Contains(spaces, r.Space), nil
}
