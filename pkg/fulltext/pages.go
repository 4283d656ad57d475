package fulltext

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"headless/pkg/fulltext/segment"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// pageSet has the pages that one search or flush uses. It is used by one goroutine.
type pageSet struct {
	s     *Texts
	pages map[pageRef][]byte
}

func (s *Texts) newPageSet() *pageSet { return &pageSet{s: s, pages: map[pageRef][]byte{}} }

// loadPages reads pages that are not there yet, in one round trip. It returns errGone if one is missing.
func (p *pageSet) loadPages(ctx context.Context, refs []pageRef) error {
	var missing []pageRef
	for _, ref := range refs {
		if _, ok := p.pages[ref]; ok {
			continue
		}
		body, ok := p.s.pages.Get(ref)
		if p.pages[ref] = body; !ok {
			missing = append(missing, ref)
		}
	}
	raw, err := p.s.getPages(ctx, missing)
	if err != nil {
		for _, ref := range missing {
			delete(p.pages, ref)
		}
		return err
	}
	for i, ref := range missing {
		if p.pages[ref], err = openPage(ref, raw[i]); err != nil {
			return err
		}
		p.s.pages.Put(ref, p.pages[ref], len(p.pages[ref]))
	}
	return nil
}

func openPage(ref pageRef, page []byte) ([]byte, error) {
	body, err := segment.Open(page)
	if err != nil {
		return nil, fmt.Errorf("fulltext: page %c%d of segment %x: %w", ref.section, ref.n, uint64(ref.id), err)
	}
	return body, nil
}

// page returns a page, and reads it if it is not there yet.
func (p *pageSet) page(ctx context.Context, h *segment.Header, s segment.Section, n int) ([]byte, error) {
	if body, ok := h.Inline(s); ok {
		return body, nil
	}
	ref := pageRef{h.ID, s, n}
	err := p.loadPages(ctx, []pageRef{ref})
	return p.pages[ref], err
}

// refs appends the pages from..to-1 of a section to list. A segment of one page has none.
func refs(list []pageRef, h *segment.Header, s segment.Section, from, to int) []pageRef {
	if _, ok := h.Inline(s); ok {
		return list
	}
	for n := from; n < to; n++ {
		list = append(list, pageRef{h.ID, s, n})
	}
	return list
}

// getPages reads pages as stored: first eventually, for half the price, and those that are not there
// yet strongly.
func (s *Texts) getPages(ctx context.Context, refs []pageRef) ([][]byte, error) {
	bodies := make([][]byte, len(refs))
	wanted := make([]int, len(refs))
	for i := range wanted {
		wanted[i] = i
	}
	for _, how := range []table.Consistency{table.Eventual, table.Strong} {
		if len(wanted) == 0 {
			return bodies, nil
		}
		items, err := s.Table.Get(ctx, how, slice.Map(wanted, func(at int) table.Key { return refs[at].key() })...)
		if err != nil {
			return nil, err
		}
		var missing []int
		for i, item := range items {
			if item == nil {
				missing = append(missing, wanted[i])
			} else {
				bodies[wanted[i]] = item.Body
			}
		}
		wanted = missing
	}
	if len(wanted) > 0 {
		return nil, errGone
	}
	return bodies, nil
}

// pageWriter stores the pages of a new segment, some at a time.
type pageWriter struct {
	s    *Texts
	ctx  context.Context
	id   segment.ID
	wait []table.Item
}

func (w *pageWriter) putPage(p segment.Page) error {
	ref := pageRef{w.id, p.Section, p.N}
	w.wait = append(w.wait, table.Item{Key: ref.key(), Body: p.Body})
	if len(w.wait) < 2*pagesTogether {
		return nil
	}
	return w.flush()
}

func (w *pageWriter) flush() error {
	items := w.wait
	w.wait = nil
	return w.s.Table.BatchWrite(w.ctx, items, nil)
}

// deletePages deletes the pages of a segment whose size is known.
func (s *Texts) deletePages(ctx context.Context, l live) error {
	var keys []table.Key
	for i, section := range sections {
		for n := range l.Pages[i] {
			keys = append(keys, pageRef{l.ID, section, n}.key())
		}
	}
	return s.Table.BatchWrite(ctx, nil, keys)
}

// deleteUnknown deletes the pages of a segment that was not finished.
func (s *Texts) deleteUnknown(ctx context.Context, id segment.ID) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, section := range sections {
		g.Go(func() error {
			// Pages are written some at a time, so no later partition has any if two have none.
			for n, empty := 0, 0; empty < 2; n += pagesTogether {
				partition := pageRef{id, section, n}.key().Partition
				rows, err := s.Table.Query(ctx, table.Range{Partition: partition, Limit: 1})
				if err != nil {
					return err
				}
				if len(rows) == 0 {
					empty++
				} else if err := s.DeleteAll(ctx, partition); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}
