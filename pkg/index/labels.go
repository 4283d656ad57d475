package index

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/db"
	"headless/pkg/index/totals"
	"headless/pkg/slice"
)

// SetLabel replaces the label of a document. counted reports whether totals.OfLabels counts the
// label.
func (x *Indexed) SetLabel(label string, counted bool) {
	rows, counters := maps.Clone(x.Rows), slices.Clone(x.Counters)
	if former := x.Label(); former != "" {
		delete(rows, DefaultPath+former)
		counters = slices.DeleteFunc(counters, func(name string) bool { return name == totals.Label+former })
	}
	rows[DefaultPath+label] = [][]byte{nil}
	if counted {
		counters = append(counters, totals.Label+label)
	}
	x.Rows, x.Counters = rows, counters
}

// Label returns the label of a document, "" if it has none.
func (x *Indexed) Label() string {
	for path := range x.Rows {
		if label, ok := strings.CutPrefix(path, DefaultPath); ok && label != "" {
			return label
		}
	}
	return ""
}

// Relabel replaces the row and the counter of a document's former label by those of its new one.
func Relabel(t *db.Tx, was, now *Indexed, id uuid.UUID, version int64, scalars []byte) {
	Reindex(t, was.labelOnly(), now.labelOnly(), id, version, scalars)
}

// labelOnly returns only the row and the counter of a document's label; nil if it has no label.
func (x *Indexed) labelOnly() *Indexed {
	label := x.Label()
	if label == "" {
		return nil
	}
	only := &Indexed{Space: x.Space, Order: x.Order, Rows: map[string][][]byte{DefaultPath + label: {nil}}}
	if slices.Contains(x.Counters, totals.Label+label) {
		only.Counters = []string{totals.Label + label}
	}
	return only
}

// Labels limits a list to documents with some labels.
type Labels struct {
	Name string // identifies this choice of labels in cursors
	// How many documents there are, by space and label. It has only the labels that are listed.
	Counts map[string]map[string]int
}

// maxProbes is the largest number of documents whose labels are looked up one by one.
const maxProbes = 1000

// findLabelled lists documents with some labels. It reads either the rows of the labels, which are
// in the default order, or other rows and the label of each document, depending on which of the two
// reads less.
func (l *lister) findLabelled(ctx context.Context) (found, error) {
	total := 0
	for _, space := range l.spaces {
		for _, n := range l.q.Labels.Counts[space] {
			total += n
		}
	}
	hits, filters := l.q.Hits, l.q.Filters
	if hits == nil {
		hits, filters = idsOf(filters)
	}
	l.q.Plan.set(step{way: planLabels, rows: total}, "", total)
	if total == 0 {
		return found{}, nil
	}
	if hits != nil {
		q := l.q
		q.Filters = filters
		return l.with(q, l.after, nil).labelledHits(ctx, hits, total)
	}
	labelled := l.labelled()
	if len(l.q.Filters) == 0 && len(l.q.Sort) == 0 {
		return labelled.walk(ctx, labelled.ordered(), total)
	}
	n, err := l.count(ctx)
	if err != nil {
		return found{}, err
	}
	probes := MaxCollect
	n.total = -1
	switch {
	case len(l.q.Filters) == 0 && len(l.q.Sort) == 1 && l.streamable():
		n.total, probes = total, (l.q.Offset()+l.q.PerPage+1)*max(1, n.all/total)
	case n.best != nil && n.best.counted:
		probes = n.rows
	}
	switch {
	case probes <= maxProbes && (probes*rowsPerBody < total || total > MaxCollect):
		return l.runPlan(ctx, n)
	case total <= MaxCollect:
		return labelled.collectRecords(ctx, labelled.whole().ordered())
	case len(l.q.Sort) == 0:
		return labelled.walkCounting(ctx, labelled.ordered())
	}
	return found{}, ErrNotIndexed
}

// labelledHits lists those of the hits that have one of the labels.
func (l *lister) labelledHits(ctx context.Context, hits []Hit, total int) (found, error) {
	chosen := map[uuid.UUID]bool{}
	labelled := l.labelled()
	switch {
	case total <= MaxCollect && total < rowsPerBody*len(hits):
		m := labelled.whole().ordered()
		m.expect(total)
		records, err := takeRecords(ctx, m.nextRecord, nil, MaxCollect)
		if err != nil {
			return found{}, err
		}
		for _, r := range records {
			chosen[r.ID] = true
		}
	case len(hits) > maxProbes:
		return found{}, ErrNotIndexed
	default:
		records := slice.Map(hits, l.q.record)
		records, err := l.matcher.withLabels(ctx, records)
		if err != nil {
			return found{}, err
		}
		for _, r := range records {
			chosen[r.ID] = true
		}
	}
	labelled.q.Hits = slices.DeleteFunc(slices.Clone(hits), func(h Hit) bool { return !chosen[h.ID] })
	return labelled.findHits(ctx)
}
