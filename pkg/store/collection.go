package store

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// collection is a set of documents that are listed by the index machinery: a model's entries, the media, a form's submissions.
type collection struct {
	spec    *indexSpec
	key     func(id uuid.UUID) table.Key                 // where a document is stored
	decode  func(item *table.Item) (any, error)          // what the spec's values are taken from
	space   func(doc any) string                         // where the document is listed now
	lookup  func(path string) (cms.PathInfo, bool)       // kinds of values
	fixed   func(space, path string) (v string, ok bool) // values that all documents of a space share
	model   string                                       // id of the model, where the documents are entries
	earlier []Earlier                                    // generations of the index that still hold documents
}

// record is a document on its way into a list: found by an index row, completed by its body.
type record struct {
	id      uuid.UUID
	space   string
	version int64
	key     string // place in the list's order
	path    string // the path of the index row, "" where no row led here
	row     string // sort key of the index row
	scalars []byte // values that the row carries
	item    *table.Item
	doc     any // decoded from item when first needed
	score   float64
	gone    bool // its document was not there when the body was read
}

// values are the values at a path, without the body where the row has them. ok is false where the body must be read first.
func (c *collection) values(r *record, path string) (values []cms.Value, ok bool, err error) {
	if path == "id" {
		return []cms.Value{{Kind: cms.ValueText, Text: r.id.String()}}, true, nil
	}
	if v, ok := c.fixed(r.space, path); ok {
		return []cms.Value{{Kind: cms.ValueText, Text: v}}, true, nil
	}
	if r.scalars != nil {
		if i := c.spec.find(path); i >= 0 {
			if values, ok = scalarValues(r.scalars, i); ok {
				return values, true, nil
			}
		}
	}
	if r.item == nil {
		return nil, false, nil
	}
	if err := c.decoded(r); err != nil {
		return nil, false, err
	}
	return c.spec.values(r.doc, path), true, nil
}

func (c *collection) decoded(r *record) (err error) {
	if r.doc == nil {
		r.doc, err = c.decode(r.item)
	}
	return err
}

// loadChunk is how many bodies are read together.
const loadChunk = 100

// load reads the bodies of the records that have none. An eventual read that shows another version than the row is read again; where no row
// tells the version, nothing is read eventually. A record whose document is gone
// keeps a nil item; one that was changed since its row was read is completed with what it is now.
func (c *collection) load(ctx context.Context, t table.Table, records []*record) error {
	var missing []*record
	for _, r := range records {
		if r.item == nil {
			missing = append(missing, r)
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	for from := 0; from < len(missing); from += loadChunk {
		part := missing[from:min(from+loadChunk, len(missing))]
		g.Go(func() error {
			if part[0].version > 0 {
				if err := c.loadPart(ctx, t, part, table.Eventual); err != nil {
					return err
				}
			}
			var stale []*record
			for _, r := range part {
				if r.item == nil || r.item.Version != r.version {
					stale = append(stale, r)
				}
			}
			return c.loadPart(ctx, t, stale, table.Strong)
		})
	}
	return g.Wait()
}

func (c *collection) loadPart(ctx context.Context, t table.Table, records []*record, consistency table.Consistency) error {
	if len(records) == 0 {
		return nil
	}
	keys, at := make([]table.Key, 0, len(records)), make(map[uuid.UUID]int, len(records))
	for _, r := range records {
		if _, ok := at[r.id]; !ok { // one that moves while rows are read may come twice
			at[r.id] = len(keys)
			keys = append(keys, c.key(r.id))
		}
	}
	items, err := t.Get(ctx, consistency, keys...)
	if err != nil {
		return err
	}
	for _, r := range records {
		r.item = items[at[r.id]]
	}
	return nil
}

// current tells whether a loaded record still belongs where its row put it: a change that committed between the two reads may have moved it.
func (c *collection) current(r *record, l *lister) (bool, error) {
	if r.item == nil {
		return false, nil
	}
	if r.item.Version == r.version {
		return true, nil
	}
	if err := c.decoded(r); err != nil {
		return false, err
	}
	if c.space(r.doc) != r.space {
		return false, nil
	}
	r.scalars = nil
	ok, known, err := l.match(r)
	if err == nil && !known {
		err = errors.New("store: a loaded record has no values")
	}
	return ok, err
}
