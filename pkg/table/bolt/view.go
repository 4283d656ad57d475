package bolt

import (
	"bytes"
	"slices"

	"github.com/tidwall/btree"
	"go.etcd.io/bbolt"

	"headless/pkg/table"
)

// layer holds changes that are not in the file yet: values by key, nil for a deleted item. A layer
// in a view does not change.
type layer = btree.Map[string, []byte]

// layerDegree is small since each commit copies the nodes that it changes.
const layerDegree = 16

func newLayer() *layer { return btree.NewMap[string, []byte](layerDegree) }

// view is what readers see: the changes of both layers, and the file below them.
type view struct {
	recent   *layer
	flushing *layer // is being put into the file; nil if none is
	flushes  int    // how many layers were put into the file and left the view
}

// snapshot is a view together with a state of the file.
type snapshot struct {
	*view
	items *bbolt.Bucket
}

// readSnapshot calls do with a snapshot.
func (t *Table) readSnapshot(do func(s snapshot) error) error {
	for {
		v := t.view.Load()
		tx, err := t.db.Begin(false)
		if err != nil {
			return unavailable(err)
		}
		current := t.current(v)
		if current {
			err = do(snapshot{v, tx.Bucket(itemsBucket)})
		}
		_ = tx.Rollback() // never fails for a reader
		if current {
			return unavailable(err)
		}
	}
}

// current reports whether the file has no changes that are newer than a view. A flush that began
// after the view was loaded may be in the file already, with newer changes than those of the view.
func (t *Table) current(v *view) bool {
	now := t.view.Load()
	return now.flushing == v.flushing && now.flushes == v.flushes
}

// valueOf returns the value of a key; nil if there is none. It is only valid during read.
func (s *snapshot) valueOf(key []byte) []byte {
	if value, ok := s.recent.Get(string(key)); ok {
		return value
	}
	return s.below(key)
}

// below returns the value of a key below the recent changes, likewise.
func (s *snapshot) below(key []byte) []byte {
	if s.flushing != nil {
		if value, ok := s.flushing.Get(string(key)); ok {
			return value
		}
	}
	return s.items.Get(key)
}

// walk steps through the keys from lo (inclusive) to hi (exclusive) in either direction.
type walk struct {
	lo, hi  []byte
	reverse bool
	sources []source // newer ones first
	// onlyFile reports whether the layers have nothing in the range: then nothing is merged.
	onlyFile bool
}

// source is one of the places that a walk merges, at its current key; nil: at its end.
type source struct {
	key, value []byte
	next       func() (key, value []byte)
}

func newWalk(s *snapshot, partition, lo, hi string, reverse bool) *walk {
	w := &walk{reverse: reverse}
	w.lo = appendKey(nil, table.Key{Partition: partition, Sort: lo})
	if hi != "" {
		w.hi = appendKey(nil, table.Key{Partition: partition, Sort: hi})
	} else {
		w.hi = append(slices.Clone([]byte(partition)), 1) // the end of the partition
	}
	for _, l := range [...]*layer{s.recent, s.flushing} {
		if l != nil && l.Len() > 0 {
			w.addSource(w.inLayer(l))
		}
	}
	w.onlyFile = len(w.sources) == 0
	w.addSource(w.inFile(s.items.Cursor()))
	return w
}

// addSource adds a source, unless it has no key in the range.
func (w *walk) addSource(next func() (key, value []byte)) {
	from := source{next: next}
	w.advance(&from)
	if from.key != nil {
		w.sources = append(w.sources, from)
	}
}

// advance moves a source to its next key in the range.
func (w *walk) advance(s *source) {
	s.key, s.value = s.next()
	if s.key != nil && (w.reverse && bytes.Compare(s.key, w.lo) < 0 ||
		!w.reverse && bytes.Compare(s.key, w.hi) >= 0) {
		s.key = nil // each source starts within the other bound
	}
}

func (w *walk) inFile(cursor *bbolt.Cursor) func() (key, value []byte) {
	started := false
	return func() (key, value []byte) {
		switch {
		case started && w.reverse:
			return cursor.Prev()
		case started:
			return cursor.Next()
		}
		started = true
		if !w.reverse {
			return cursor.Seek(w.lo)
		}
		if key, _ = cursor.Seek(w.hi); key == nil {
			return cursor.Last()
		}
		return cursor.Prev()
	}
}

// inLayer returns a function that steps through a layer. A key is only valid until the step after the next.
func (w *walk) inLayer(l *layer) func() (key, value []byte) {
	iter, started := l.Iter(), false
	var last, key []byte
	return func() ([]byte, []byte) {
		var found bool
		switch {
		case started && w.reverse:
			found = iter.Prev()
		case started:
			found = iter.Next()
		case !w.reverse:
			found = iter.Seek(string(w.lo))
		case iter.Seek(string(w.hi)):
			found = iter.Prev()
		default:
			found = iter.Last()
		}
		started = true
		if !found {
			return nil, nil
		}
		last, key = key, append(last[:0], iter.Key()...)
		return key, iter.Value()
	}
}

// nextItem returns the next key that has an item, with its value, and nil at the end.
func (w *walk) nextItem() (key, value []byte) {
	if w.onlyFile && len(w.sources) > 0 {
		key, value = w.sources[0].key, w.sources[0].value
		w.advance(&w.sources[0])
		return key, value
	}
	for {
		first := -1
		for i := range w.sources {
			if w.sources[i].key != nil && (first < 0 || w.isBefore(w.sources[i].key, w.sources[first].key)) {
				first = i
			}
		}
		if first < 0 {
			return nil, nil
		}
		key, value = w.sources[first].key, w.sources[first].value
		for i := first; i < len(w.sources); i++ {
			if bytes.Equal(w.sources[i].key, key) {
				w.advance(&w.sources[i])
			}
		}
		if value != nil {
			return key, value
		}
	}
}

func (w *walk) isBefore(a, b []byte) bool {
	if w.reverse {
		a, b = b, a
	}
	return bytes.Compare(a, b) < 0
}
