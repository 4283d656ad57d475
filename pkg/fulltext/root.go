package fulltext

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"headless/pkg/db"
	"headless/pkg/db/waiting"
	"headless/pkg/fulltext/segment"
	"headless/pkg/table"
)

// root is the one item that lists the live segments. It is the truth: it is replaced only if it has
// not changed since it was read.
type root struct {
	Segments []live     `json:"s"`
	Last     segment.ID `json:"l,omitempty"` // the segment of the last flush; 0 after it was merged
	Flushed  int64      `json:"f"`           // number of flushes; it only grows
	Dropped  []string   `json:"d,omitempty"` // indexes whose documents no longer count
	// Void has segments that may not become live any more: their writers were given up, and their
	// pages are deleted.
	Void []segment.ID `json:"v,omitempty"`
	At   string       `json:"a,omitempty"` // how far a rebuild has come; "": there was none

	item *table.Item // as stored; nil: there is none yet
}

// live is a segment in the root.
type live struct {
	ID    segment.ID `json:"i"`
	Docs  int        `json:"n"`
	Pages [4]int     `json:"p"` // of the header, the dictionary, the lists and the ids
}

var sections = [4]segment.Section{segment.Head, segment.Dict, segment.Lists, segment.IDs}

func liveOf(b *segment.Built, headerPages int) live {
	l := live{ID: b.ID, Docs: b.Docs, Pages: [4]int{headerPages}}
	for i, s := range sections[1:] {
		l.Pages[i+1] = b.Header.Pages(s)
	}
	return l
}

// size returns about how many bytes a segment has.
func (l *live) size() (bytes int) {
	for _, n := range l.Pages {
		bytes += n * segment.PageBytes
	}
	return bytes
}

func (r *root) hasSegment(id segment.ID) bool {
	return slices.ContainsFunc(r.Segments, func(l live) bool { return l.ID == id })
}

// version returns the version of the stored item, 0 if there is none.
func (r *root) version() int64 {
	if r.item == nil {
		return 0
	}
	return r.item.Version
}

// readRoot reads the root strongly.
func (s *Texts) readRoot(ctx context.Context) (*root, error) {
	items, err := s.Table.Get(ctx, table.Strong, rootKey)
	if err != nil || items[0] == nil {
		return &root{}, err
	}
	r := &root{item: items[0]}
	if err := json.Unmarshal(items[0].Body, r); err != nil {
		return nil, fmt.Errorf("fulltext: damaged root: %w", err)
	}
	return r, nil
}

// swap replaces the root was by next, together with other items. It returns false if the root has changed since it
// was read.
func (s *Texts) swap(ctx context.Context, was *root, next root, others ...table.Item) (bool, error) {
	ops := []table.Op{waiting.Succeed(was.item, table.Item{Key: rootKey, Body: db.MustMarshal(&next)})}
	for _, item := range others {
		ops = append(ops, table.Op{Kind: table.Put, Item: item})
	}
	return table.TryWrite(ctx, s.Table, ops...)
}

// view is a state of the index: a root with the headers of its segments and what follows from them.
type view struct {
	*root
	segs  []*seg // in the order of root.Segments
	taken map[table.Key]int64
}

// seg is a live segment in a view.
type seg struct {
	*segment.Header
	dead  segment.Bitmap // documents that other segments kill, and those of dropped indexes
	kills int            // how many are dead
}

func (v *view) segmentOf(id segment.ID) *seg {
	for _, g := range v.segs {
		if g.ID == id {
			return g
		}
	}
	return nil
}

// takes reports whether the last flush has a row, as it was read.
func (v *view) takes(r *row) bool {
	version, ok := v.taken[r.key]
	return ok && version == r.version
}

// errGone is returned if a page is missing: the segment was merged since its root was read.
var errGone = errors.New("fulltext: a page is missing")

// view returns the view of a root. It reads the headers that this process does not know.
func (s *Texts) view(ctx context.Context, r *root) (*view, error) {
	known := s.newestView()
	if known != nil && known.version() == r.version() {
		return known, nil
	}
	headers := make([]*segment.Header, len(r.Segments))
	var refs []pageRef
	for i, l := range r.Segments {
		if known != nil {
			if g := known.segmentOf(l.ID); g != nil {
				headers[i] = g.Header
				continue
			}
		}
		for n := range l.Pages[0] {
			refs = append(refs, pageRef{l.ID, segment.Head, n})
		}
	}
	raw, err := s.getPages(ctx, refs)
	if err != nil {
		return nil, err
	}
	for i, l := range r.Segments {
		if headers[i] != nil {
			continue
		}
		if headers[i], err = segment.ParseHeader(l.ID, raw[:l.Pages[0]]...); err != nil {
			return nil, fmt.Errorf("fulltext: segment %x: %w", uint64(l.ID), err)
		}
		raw = raw[l.Pages[0]:]
	}
	v := newView(r, headers)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.newest == nil || s.newest.version() < v.version() {
		s.newest = v
	}
	return v, nil
}

func newView(r *root, headers []*segment.Header) *view {
	v := &view{root: r, taken: map[table.Key]int64{}}
	for _, h := range headers {
		g := &seg{Header: h, dead: segment.NewBitmap(h.Docs)}
		for _, other := range headers {
			for _, n := range other.Kills[h.ID] {
				g.dead.Set(int(n))
			}
		}
		for _, name := range r.Dropped {
			for _, space := range h.Of(name + "#") {
				for n := space.First; n < space.First+space.Count; n++ {
					g.dead.Set(n)
				}
			}
		}
		g.kills = g.dead.Count(0, h.Docs)
		v.segs = append(v.segs, g)
		if h.ID == r.Last {
			for _, t := range h.Taken {
				v.taken[pendingKey(t.Name, t.ID)] = t.Version
			}
		}
	}
	return v
}

// newestView returns the newest view that this process has; nil if it has none.
func (s *Texts) newestView() *view {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newest
}

// current reads the root and returns its view.
func (s *Texts) current(ctx context.Context) (*view, error) {
	for range readTries {
		r, err := s.readRoot(ctx)
		if err != nil {
			return nil, err
		}
		v, err := s.view(ctx, r)
		if !errors.Is(err, errGone) {
			return v, err
		}
	}
	return nil, ErrMerging
}

// readTries is how often a reader begins anew because a segment is gone: it read for longer than
// garbage is kept.
const readTries = 4
