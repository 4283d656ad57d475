package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// indexed is what the index holds of one document. It is kept in the document's manifest, so that exactly what was written is deleted,
// whatever the model or the encoding has become since.
type indexed struct {
	Space    string              `json:"s"`
	Order    []byte              `json:"o"`
	Rows     map[string][][]byte `json:"r"` // path to encoded values
	Counters []string            `json:"c"` // names of the counters that the document adds one to
}

// The names of counters start with what they count.
const (
	counterTotal    = "n" // documents of the space
	counterValue    = "v" // documents with a value at a path
	counterOverflow = "o" // documents with more values at a path than have rows
)

// index computes what the index holds of a document.
func (s *indexSpec) index(space string, doc any) indexed {
	x := indexed{Space: space, Order: s.orderKey(doc), Rows: map[string][][]byte{defaultPath: {nil}}, Counters: []string{counterTotal}}
	for i := range s.paths {
		p := &s.paths[i]
		if p.parts != nil {
			s.indexComposite(&x, p, doc)
			continue
		}
		values := s.values(doc, p.path)
		if len(values) == 0 {
			values = []cms.Value{{}}
		}
		if len(distinct(values)) > listReserve {
			x.Counters = append(x.Counters, counterOverflow+p.path)
			continue
		}
		for _, v := range distinct(values) {
			if key := encode(v); !slices.ContainsFunc(x.Rows[p.path], func(b []byte) bool { return bytes.Equal(b, key) }) {
				x.Rows[p.path] = append(x.Rows[p.path], key)
			}
			if p.counted {
				x.Counters = append(x.Counters, valueCounter(p.path, v))
			}
		}
	}
	return x
}

func (s *indexSpec) indexComposite(x *indexed, p *indexedPath, doc any) {
	values := make([]cms.Value, len(p.parts))
	for i, part := range p.parts {
		values[i] = s.value(doc, part)
	}
	x.Rows[p.path] = [][]byte{compositeKey(values)}
	x.Counters = append(x.Counters, valueCounter(p.path, values...))
}

// compositeKey encodes the values of a composite index together.
func compositeKey(values []cms.Value) []byte {
	var key []byte
	for _, v := range values {
		key = appendValue(key, v, maxTextKey/len(values))
	}
	return key
}

// distinct drops repeated values: a document has one row for each.
func distinct(values []cms.Value) []cms.Value {
	var kept []cms.Value
	for _, v := range values {
		if !slices.ContainsFunc(kept, func(k cms.Value) bool { return k.Kind == v.Kind && cms.Compare(k, v, nil) == 0 }) {
			kept = append(kept, v)
		}
	}
	return kept
}

// valueCounter names the counter of the documents with these exact values at a path.
func valueCounter(path string, values ...cms.Value) string {
	h := sha256.New()
	for _, v := range values {
		fmt.Fprintf(h, "%d %t %t %d %s %d %q\n", v.Kind, v.Bool, v.Number.Neg, v.Number.Exp, v.Number.Digits, v.Time.UnixNano(), v.Text)
	}
	return counterValue + path + "\x00" + hex.EncodeToString(h.Sum(nil)[:8])
}

// reindex replaces what the index held of a document by what it holds now; either may be nil.
func (t *Tx) reindex(was, now *indexed, id uuid.UUID, version int64, scalars []byte) {
	kept := map[table.Key]bool{}
	if now != nil {
		for _, key := range now.keys(id) {
			kept[key] = true
			t.put(table.Item{Key: key, Version: version, Body: scalars})
		}
		for _, name := range now.Counters {
			t.add(counterKey(now.Space, name, t.shard), 1)
		}
	}
	if was != nil {
		for _, key := range was.keys(id) {
			if !kept[key] {
				t.delete(key)
			}
		}
		for _, name := range was.Counters {
			t.add(counterKey(was.Space, name, t.shard), -1)
		}
	}
}

// ranked is where the entry counts in the default order.
func (x *indexed) ranked(id string) ranked {
	if x.Space == "" {
		return ranked{}
	}
	raw := uuid.MustParse(id)
	return ranked{x.Space, string(x.Order) + string(raw[:])}
}

// keys are the keys of all rows.
func (x *indexed) keys(id uuid.UUID) []table.Key {
	var keys []table.Key
	for path, values := range x.Rows {
		for _, v := range values {
			keys = append(keys, rowKey(x.Space, path, v, x.Order, id))
		}
	}
	return keys
}
