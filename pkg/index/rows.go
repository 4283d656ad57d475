package index

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index/sortkey"
	"headless/pkg/index/totals"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Indexed holds the rows and counters of one document in the index. It is kept in the document's
// manifest, so that exactly what was written is deleted, even if the model or the encoding has
// changed since.
type Indexed struct {
	Space    string              `json:"s"`
	Order    []byte              `json:"o"`
	Rows     map[string][][]byte `json:"r"` // path to encoded values
	Counters []string            `json:"c"` // names of the counters that count the document
}

// Index returns the rows and counters of a document.
func (s *IndexSpec) Index(space string, doc any) Indexed {
	x := Indexed{Space: space, Order: s.orderKey(doc),
		Rows: map[string][][]byte{DefaultPath: {nil}}, Counters: []string{totals.All}}
	for i := range s.Paths {
		p := &s.Paths[i]
		if p.Parts != nil {
			s.indexComposite(&x, p, doc)
			continue
		}
		values := s.Values(doc, p.Path)
		if len(values) == 0 {
			values = []query.Value{{}}
		}
		if len(distinct(values)) > ListReserve {
			x.Counters = append(x.Counters, totals.Overflow+p.Path)
			continue
		}
		for _, v := range distinct(values) {
			if key := sortkey.Encode(v); !slices.ContainsFunc(x.Rows[p.Path],
				func(b []byte) bool { return bytes.Equal(b, key) }) {
				x.Rows[p.Path] = append(x.Rows[p.Path], key)
			}
			if p.Counted {
				x.Counters = append(x.Counters, ValueCounter(p.Path, v))
			}
		}
	}
	return x
}

func (s *IndexSpec) indexComposite(x *Indexed, p *IndexedPath, doc any) {
	values := slice.Map(p.Parts, func(part string) query.Value { return s.valueAt(doc, part) })
	x.Rows[p.Path] = [][]byte{compositeKey(values)}
	x.Counters = append(x.Counters, ValueCounter(p.Path, values...))
}

// compositeKey encodes the values of a composite index together.
func compositeKey(values []query.Value) []byte {
	var key []byte
	for _, v := range values {
		key = sortkey.Append(key, v, sortkey.MaxText/len(values))
	}
	return key
}

// distinct drops repeated values: a document has one row for each.
func distinct(values []query.Value) []query.Value {
	var kept []query.Value
	for _, v := range values {
		if !slices.ContainsFunc(kept, func(k query.Value) bool {
			return k.Kind == v.Kind && query.Compare(k, v, nil) == 0
		}) {
			kept = append(kept, v)
		}
	}
	return kept
}

// ValueCounter names the counter of the documents with these exact values at a path.
func ValueCounter(path string, values ...query.Value) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", path)
	for _, v := range values {
		fmt.Fprintf(h, "%d %t %t %d %s %d %q\n", v.Kind, v.Bool, v.Number.Neg, v.Number.Exp,
			v.Number.Digits, v.Time.UnixNano(), v.Text)
	}
	return totals.Value + base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:8])
}

// Reindex replaces the rows and counters of a document. was holds the former ones, now the new
// ones; either may be nil.
func Reindex(t *db.Tx, was, now *Indexed, id uuid.UUID, version int64, scalars []byte) {
	var rest db.Rest
	Move(t, &rest, was, now, id, version, scalars)
	rest.AddTo(t)
}

// Move is Reindex, except that it adds the rows to be deleted to rest instead of to the
// transaction.
func Move(t *db.Tx, rest *db.Rest, was, now *Indexed, id uuid.UUID, version int64, scalars []byte) {
	rows := now.Keys(id)
	for _, key := range rows {
		t.Put(table.Item{Key: key, Version: version, Body: scalars})
	}
	for _, key := range was.Keys(id) {
		if !slices.Contains(rows, key) {
			rest.Delete(key)
		}
	}
	now.addToCounters(t, 1)
	was.addToCounters(t, -1)
}

// addToCounters adds n to all counters of a document.
func (x *Indexed) addToCounters(t *db.Tx, n int64) {
	if x == nil {
		return
	}
	for _, name := range x.Counters {
		totals.Count(t, db.Counter{Space: x.Space, Name: name}, n)
	}
}

// Keys returns the keys of all rows.
func (x *Indexed) Keys(id uuid.UUID) (keys []table.Key) {
	if x == nil {
		return nil
	}
	for path, values := range x.Rows {
		for _, v := range values {
			keys = append(keys, rowKey(x.Space, path, v, x.Order, id))
		}
	}
	return keys
}
