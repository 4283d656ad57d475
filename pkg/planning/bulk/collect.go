package bulk

import (
	"context"
	"errors"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/search"
	"headless/pkg/table"
)

// collectPage is how many entries one query of a filter reads.
const collectPage = 100

// collectIDs stores the ids of the next page of entries that match the filters.
func (w *jobWork) collectIDs(ctx context.Context) error {
	page, err := w.nextFound(ctx, collectPage)
	var refused *cms.Error
	if errors.As(err, &refused) && refused.Code != cms.CodeUnavailable {
		return w.endJob(ctx, Failed, refused)
	}
	if err != nil {
		return err
	}
	next, tx := *w.job, w.s.Store.Begin()
	if next.Cursor == "" {
		next.Total = 0
	}
	ids, err := w.pendingIDs(ctx, &next)
	if err != nil {
		return err
	}
	for _, item := range page.Items {
		e, err := item.Decoded()
		if err != nil {
			return err
		}
		ids = append(ids, e.ID)
	}
	next.Total += len(page.Items)
	return w.storeCollected(ctx, tx, &next, ids, page.Next)
}

// nextFound returns the next page of the entries that match the filters. They are sorted by creation
// time, which never changes. The query is made once for each worker, since a filter by translations
// is expensive to resolve.
func (w *jobWork) nextFound(ctx context.Context, perPage int) (page db.Page[content.EntryItem], err error) {
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
	return search.List(ctx, w.s.Store, site, m, q)
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
	next, tx := *w.job, w.s.Store.Begin()
	ids, err := w.pendingIDs(ctx, &next)
	if err != nil {
		return err
	}
	next.Total += len(items)
	return w.storeCollected(ctx, tx, &next, append(ids, items...), cursor)
}

// storeCollected stores ids in chunks, and the cursor of the next page, "" if there is none.
func (w *jobWork) storeCollected(ctx context.Context, tx *db.Tx, next *job, ids []string, cursor string) error {
	for chunk := range slices.Chunk(ids, chunkSize) {
		n := next.Chunks
		tx.Put(table.Item{Key: chunkKey(next.ID, n), Body: db.Pack(chunk), Expires: next.expires()})
		next.Chunks = n + 1
	}
	next.Cursor, next.Collected = cursor, cursor == ""
	next.Lease.Extend(w.s.Store.Now())
	w.chunk = -1
	return w.commit(ctx, tx, next)
}

// pendingIDs returns the ids of the last chunk if that is not full, so that it can be filled: every
// chunk except the last is full.
func (w *jobWork) pendingIDs(ctx context.Context, next *job) ([]string, error) {
	if next.Total%chunkSize == 0 || next.Chunks == 0 {
		return nil, nil
	}
	items, err := w.s.Store.Table.Get(ctx, table.Strong, chunkKey(next.ID, next.Chunks-1))
	if err != nil || items[0] == nil {
		return nil, err
	}
	var ids []string
	next.Chunks--
	return ids, db.Unpack(items[0].Body, &ids)
}
