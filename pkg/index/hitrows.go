package index

import (
	"context"
	"slices"

	"github.com/google/uuid"
)

// rowsPerBody is about how many index rows cost as much as one document.
const rowsPerBody = 20

// hitsByRows finds the matching hits through index rows, which have the values for filters and
// sorting. ok is false if reading the documents costs less.
func (l *lister) hitsByRows(ctx context.Context) (matching []*Record, ok bool, err error) {
	hits := l.q.Hits
	if len(hits) <= LoadChunk || hits[0].Space == "" {
		return nil, false, nil
	}
	n, err := l.count(ctx)
	if err != nil {
		return nil, false, err
	}
	all := l.withoutOrder()
	m, rows := all.orderedStream(), n.all
	if n.best != nil && n.best.counted && n.rows < rows {
		m, rows = all.byEquality(*n.best), n.rows
	}
	if rows > MaxCollect || rows > rowsPerBody*len(hits) {
		return nil, false, nil
	}
	for _, s := range m.streams {
		s.chunk = maxChunk
	}
	records, err := takeRecords(ctx, m.nextRecord, nil, MaxCollect+1)
	if err != nil || len(records) > MaxCollect {
		return nil, false, err
	}
	scores := make(map[uuid.UUID]float64, len(hits))
	for _, h := range hits {
		scores[h.ID] = h.Score
	}
	var kept []*Record
	for _, r := range newestEach(records) {
		if score, found := scores[r.ID]; found {
			r.Score = score
			kept = append(kept, r)
		}
	}
	matching, err = l.keepMatching(ctx, kept)
	return matching, true, err
}

// locate finds the space of a loaded document. ok reports whether it is a space of the list.
func (l *lister) locate(r *Record) (ok bool, err error) {
	if r.Item == nil {
		return false, nil
	}
	if err := l.c.Decoded(r); err != nil {
		return false, err
	}
	r.version, r.Space = r.Item.Version, l.c.Space(r.Doc)
	return slices.Contains(l.spaces, r.Space), nil
}

// hitsByBodies reads the documents of all hits and keeps those that match.
func (l *lister) hitsByBodies(ctx context.Context) ([]*Record, error) {
	records := make([]*Record, 0, len(l.q.Hits))
	for _, h := range l.q.Hits {
		records = append(records, l.record(h))
	}
	var matching []*Record
	err := l.eachBody(ctx, records, func(r *Record) error {
		ok, err := l.locate(r)
		if err != nil || !ok {
			return err
		}
		if ok, _, err = l.match(r); err != nil || !ok {
			return err
		}
		key := r.key
		if known, err := l.setKey(r); err != nil {
			return err
		} else if known {
			r.sortKey, r.key = r.key, key
		}
		matching = append(matching, r)
		return nil
	})
	return matching, err
}
