package bulk

import (
	"context"
	"errors"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/search"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// collectPage is how many entries one query of a filter reads.
const collectPage = 100

// collectIDs stores the ids of the next page of entries that match the filters.
func (w *jobWork) collectIDs(ctx context.Context) error {
	page, err := w.nextFound(ctx, collectPage)
	if refused, ok := errors.AsType[*cms.Error](err); ok && refused.Code != cms.CodeUnavailable {
		return w.endJob(ctx, Failed, refused)
	}
	if err != nil {
		return err
	}
	return w.storeCollected(ctx, entryIDs(page.Items), page.Next)
}

func entryIDs(entries []*cms.Entry) []string {
	return slice.Map(entries, func(e *cms.Entry) string { return e.ID })
}

// nextFound returns the next page of the entries that match the filters. They are sorted by creation
// time, which never changes. The query is made once for each worker, since a filter by translations
// is expensive to resolve.
func (w *jobWork) nextFound(ctx context.Context, perPage int) (page db.Page[*cms.Entry], err error) {
	site, err := w.s.Store.Site(ctx)
	if err != nil {
		return page, err
	}
	m, err := site.ActiveModel(w.job.Model)
	if err != nil {
		return page, err
	}
	if w.query == nil {
		q, err := w.job.Query(ctx, w.s.Store, site, m)
		if err != nil {
			return page, err
		}
		if q.Sort, err = query.ParseSort(&m.Model, "created_at"); err != nil {
			return page, err
		}
		w.query = &q
	}
	q := *w.query
	q.Paging, q.Cursor = db.Paging{Page: 1, PerPage: perPage}, w.job.Cursor
	return search.Entries(ctx, w.s.Store, site, m, q)
}

// collectItems stores the next page of items that refer to the file.
func (w *jobWork) collectItems(ctx context.Context) error {
	items, cursor, err := w.replacement().Items(ctx, w.job.Cursor)
	if err == nil && w.job.Failures > 0 {
		items, err = w.untriedOf(ctx, items)
	}
	if err != nil {
		return err
	}
	return w.storeCollected(ctx, items, cursor)
}

// storeCollected stores ids after those before them, and the cursor of the next page, "" if there is none. Every
// chunk except the last is full.
func (w *jobWork) storeCollected(ctx context.Context, ids []string, cursor string) error {
	next, tx := *w.job, w.s.Store.Begin()
	if next.Chunks == 0 {
		next.Total = 0 // it was estimated
	}
	added := len(ids)
	if next.Total%chunkSize > 0 {
		last, err := readChunk[string](ctx, w.s, next.ID, next.Chunks-1)
		if err != nil {
			return err
		}
		next.Chunks--
		ids = append(last, ids...)
	}
	for chunk := range slices.Chunk(ids, chunkSize) {
		tx.Put(table.Item{Key: chunkKey(next.ID, next.Chunks), Body: db.Pack(chunk), Expires: next.expires()})
		next.Chunks++
	}
	next.Total += added
	next.Cursor, next.Collected = cursor, cursor == ""
	next.Lease.Extend(w.s.Store.Now())
	w.chunk = -1
	return w.commit(ctx, tx, &next)
}
