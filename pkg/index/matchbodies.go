package index

import (
	"context"
	"slices"

	"headless/pkg/db"
)

// Limits of looking inside documents that no row describes. Requests share them, so that a process
// keeps within its memory.
const (
	maxBodyBytes = 32 << 20 // of the documents, as stored, that one request looks at
	// Of the same documents, unpacked: repeated text takes little room and as much time.
	maxDocBytes = 64 << 20
	// Documents that are kept as they were read; the others are read again where they are shown.
	keptBodies    = 256
	keptBytes     = 8 << 20 // of them, unpacked
	bodiesAtATime = 4       // requests that look at many documents at the same time
)

// bodyTurns has a place for each request of this process that may look at many documents now.
var bodyTurns = make(chan struct{}, bodiesAtATime)

// eachBody reads the bodies of records, some at a time, and calls look for each; item is nil where
// the document is gone. Most are dropped again.
func (l *lister) eachBody(ctx context.Context, records []*Record, look func(*Record) error) error {
	if len(records) > LoadChunk { // a short list needs no turn
		select {
		case bodyTurns <- struct{}{}:
			defer func() { <-bodyTurns }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for part := range slices.Chunk(records, LoadChunk) {
		if err := l.c.load(ctx, l.db.Table, part); err != nil {
			return err
		}
		for _, r := range part {
			if r.Item == nil {
				if err := look(r); err != nil {
					return err
				}
				continue
			}
			doc, err := db.UnpackBytes(r.Item.Body)
			if err != nil {
				return err
			}
			l.bodyBytes += len(r.Item.Body)
			l.docBytes += len(doc)
			if l.bodyBytes > maxBodyBytes || l.docBytes > maxDocBytes {
				return ErrNotIndexed
			}
			item := *r.Item
			item.Body, r.Item = doc, &item
			if err := look(r); err != nil {
				return err
			}
			if l.bodies++; l.bodies > keptBodies || l.docBytes > keptBytes {
				r.forget()
			}
		}
	}
	return nil
}

// forget drops the body of a record.
func (r *Record) forget() {
	if r.version == 0 {
		r.version = r.Item.Version
	}
	r.Item, r.Doc = nil, nil
}

// matchBodies puts those of the records into drop whose bodies do not meet the filters.
func (l *lister) matchBodies(ctx context.Context, records []*Record, drop map[*Record]bool) error {
	return l.eachBody(ctx, records, func(r *Record) error {
		if r.Item == nil {
			drop[r] = true
			return nil
		}
		ok, _, err := l.match(r)
		if err != nil {
			return err
		}
		if !ok {
			drop[r] = true
			return nil
		}
		// The key is computed while the body is there.
		key := r.key
		if known, err := l.setKey(r); err != nil || !known {
			return err
		}
		r.sortKey, r.key = r.key, key
		return nil
	})
}
