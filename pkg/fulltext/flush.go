package fulltext

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/fulltext/segment"
	"headless/pkg/table"
)

// Limits of a flush, and of what waits for one.
const (
	flushRows  = 1000
	flushBytes = 768 << 10 // stored: what a small function can do in the time
	swapTries  = 50

	cleanParallel = 32

	dueRows  = 32 // with more, Settle flushes
	dueBytes = 32 << 10
	dueAge   = 10 * time.Minute
)

// Settle flushes and merges if enough rows are pending or the oldest is old enough, and deletes
// garbage. It is called at times, and after saves. It returns how many rows it flushed.
func (s *Texts) Settle(ctx context.Context) (flushed int, err error) {
	rows, err := s.readItems(ctx, nil)
	if err != nil {
		return 0, err
	}
	due := len(rows) >= dueRows || storedBytes(rows) >= dueBytes
	for i := 0; i < len(rows) && !due; i++ {
		r, err := decodeRow(&rows[i])
		if err != nil {
			return 0, err
		}
		due = s.Clock().Sub(time.Unix(r.at, 0)) >= dueAge
	}
	if due {
		return s.Flush(ctx)
	}
	// Writers flush too, but leave long merges to this.
	if err := s.merge(ctx); err != nil {
		return 0, err
	}
	return 0, s.deleteGarbage(ctx)
}

// Flush flushes all pending rows, merges segments, and deletes garbage. If another process flushes,
// it leaves the rest to that.
func (s *Texts) Flush(ctx context.Context) (flushed int, err error) {
	for {
		n, more, err := s.flush(ctx, flushRows, flushBytes)
		if flushed += n; err != nil {
			return flushed, err
		}
		if err := s.merge(ctx); err != nil {
			return flushed, err
		}
		if !more || ctx.Err() != nil {
			return flushed, s.deleteGarbage(ctx)
		}
	}
}

// flush makes a segment of up to limit pending rows, of up to the given stored bytes. It returns how
// many it flushed, and whether there are more.
func (s *Texts) flush(ctx context.Context, limit, bytes int) (n int, more bool, err error) {
	err = s.withLease(ctx, flushLease, flushTime, func(ctx context.Context, id segment.ID) (err error) {
		n, more, err = s.flushOnce(ctx, id, limit, bytes)
		return err
	})
	if errors.Is(err, errOvertaken) {
		return 0, true, nil
	}
	return n, more, err
}

// errOvertaken says that another process did the same work.
var errOvertaken = errors.New("fulltext: overtaken by another process")

func (s *Texts) flushOnce(ctx context.Context, id segment.ID, limit, bytes int) (n int, more bool, err error) {
	v, err := s.current(ctx)
	if err != nil {
		return 0, false, err
	}
	all, err := s.readRows(ctx, nil)
	if err != nil {
		return 0, false, err
	}
	rows, done := all[:0:0], []segment.Row(nil)
	for _, r := range all {
		switch {
		case v.takes(r), slices.Contains(v.Dropped, r.name):
			done = append(done, segment.Row{Name: r.name, ID: r.id, Version: r.version})
		case len(rows) < limit && (bytes > 0 || len(rows) == 0):
			rows, bytes = append(rows, r), bytes-r.size
		default:
			more = true
		}
	}
	// The rows of the last flush, since this flush makes the root forget them.
	if err := s.clean(ctx, done); err != nil || len(rows) == 0 {
		return 0, false, err
	}
	f := &flushing{s: s, rows: rows, from: v.Flushed, pages: s.newPageSet(), out: &pageWriter{s: s, ctx: ctx, id: id}}
	if err := f.build(); err != nil {
		return 0, false, err
	}
	if err := f.swap(ctx, v); err != nil {
		return 0, false, err
	}
	if s.clean(ctx, f.built.Taken) == nil { // else the next flush or merge does it
		s.mu.Lock()
		s.cleaned = id
		s.mu.Unlock()
	}
	return len(rows), more, nil
}

// clean deletes pending rows that were not replaced since.
func (s *Texts) clean(ctx context.Context, rows []segment.Row) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cleanParallel)
	for _, r := range rows {
		g.Go(func() error {
			_, err := table.TryWrite(ctx, s.Table, table.Op{Kind: table.Delete, If: table.VersionIs, Version: r.Version,
				Item: table.Item{Key: pendingKey(r.Name, r.ID)}})
			return err
		})
	}
	return g.Wait()
}

// flushing is a flush of some rows.
type flushing struct {
	s     *Texts
	rows  []*row
	from  int64 // root.Flushed before the rows were read
	pages *pageSet
	out   *pageWriter
	built *segment.Built
}

func (f *flushing) build() (err error) {
	var docs []segment.Document
	for _, r := range f.rows {
		docs = append(docs, r.documents()...)
	}
	if f.built, err = segment.Build(f.out.id, docs, f.out.putPage); err != nil {
		return err
	}
	for _, r := range f.rows {
		f.built.Taken = append(f.built.Taken, segment.Row{Name: r.name, ID: r.id, Version: r.version})
	}
	return nil
}

// swap makes the segment live. It returns errOvertaken if another flush committed since the rows were
// read: then the rows may be old, and killing by them would lose newer documents.
func (f *flushing) swap(ctx context.Context, v *view) (err error) {
	for range swapTries {
		if v.Flushed != f.from || slices.Contains(v.Void, f.built.ID) {
			return errOvertaken
		}
		if f.built.Kills, err = f.kills(ctx, v); errors.Is(err, errGone) {
			if v, err = f.s.current(ctx); err != nil {
				return err
			}
			continue
		} else if err != nil {
			return err
		}
		pages, err := f.built.Finish()
		if err == nil {
			err = f.out.flush()
		}
		if err != nil {
			return err
		}
		next := *v.root
		next.Segments = append(slices.Clone(next.Segments), liveOf(f.built, pages))
		next.Last, next.Flushed = f.built.ID, next.Flushed+1
		if done, err := f.s.swap(ctx, v.root, next); done || err != nil && !errors.Is(err, table.ErrUnavailable) {
			return err
		}
		// The root has changed, or the answer was lost: then it may have this segment.
		if v, err = f.s.current(ctx); err != nil || v.hasSegment(f.built.ID) {
			return err
		}
	}
	return ErrMerging
}

// kills finds the documents that the rows replace in the segments of a view.
func (f *flushing) kills(ctx context.Context, v *view) (map[segment.ID][]uint32, error) {
	var want []place
	for _, r := range f.rows {
		if r.isNew {
			continue
		}
		for _, g := range v.segs {
			for _, space := range g.Of(r.name + "#") {
				want = append(want, place{g, space, r.id})
			}
		}
	}
	found, err := f.pages.findDocuments(ctx, want)
	if err != nil {
		return nil, err
	}
	kills := map[segment.ID][]uint32{}
	for i, at := range found {
		if g := want[i].seg; at.exact && !g.dead.Has(at.number) {
			kills[g.ID] = append(kills[g.ID], uint32(at.number))
		}
	}
	sortKills(kills)
	return kills, nil
}

// place asks for a document of a segment: the first of a space from an id on.
type place struct {
	seg   *seg
	space segment.Space
	id    uuid.UUID
}

// found is the answer: the number of the document, which is the end of the space if there is none.
type found struct {
	number int
	exact  bool // it has this id
}

// findDocuments looks up documents. It reads the pages in one round trip, but for ids that begin like many
// others.
func (p *pageSet) findDocuments(ctx context.Context, places []place) ([]found, error) {
	var wanted []pageRef
	for _, at := range places {
		if lo, hi := at.seg.Near(at.space, at.id); lo < hi {
			n := at.seg.IDPage(lo)
			wanted = refs(wanted, at.seg.Header, segment.IDs, n, n+1)
		}
	}
	if err := p.loadPages(ctx, wanted); err != nil {
		return nil, err
	}
	all := make([]found, len(places))
	for i, at := range places {
		lo, hi := at.seg.Near(at.space, at.id)
		for lo < hi {
			mid := (lo + hi) / 2
			if at.seg.IDPage(lo) != at.seg.IDPage(hi-1) {
				mid = lo // several pages begin alike: read one after the other
			}
			id, _, err := p.document(ctx, at.seg.Header, mid)
			if err != nil {
				return nil, err
			}
			if c := bytes.Compare(id[:], at.id[:]); c < 0 {
				lo = mid + 1
			} else {
				hi = mid
				all[i].exact = c == 0
			}
		}
		all[i].number = lo
	}
	return all, nil
}

// document returns the id of a document, and the version of its entry; 0 if that is not known.
func (p *pageSet) document(ctx context.Context, h *segment.Header, number int) (id uuid.UUID, version uint32,
	err error) {
	page, err := p.page(ctx, h, segment.IDs, h.IDPage(number))
	if err != nil {
		return id, 0, err
	}
	return h.IDIn(page, number)
}
