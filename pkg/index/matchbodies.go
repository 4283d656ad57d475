package index

import (
	"context"
	"slices"

	"headless/pkg/db"
)

// Limits for reading the bodies of documents whose rows do not have the values. They keep a process
// within its memory.
const (
	maxBodyBytes = 32 << 20 // of the documents that one request reads, as stored
	// Of the same documents, unpacked: repeated text is small when stored, but takes as much time.
	maxDocBytes = 64 << 20
	// How many bodies are kept in memory; the others are read again if they are shown.
	keptBodies    = 256
	keptBytes     = 8 << 20 // of them, unpacked
	bodiesAtATime = 4       // requests that read many documents at the same time
)

// bodyTurns has a slot for each request of this process that may read many documents now.
var bodyTurns = make(chan struct{}, bodiesAtATime)

// eachBody reads the bodies of records, some at a time, and calls look for each record. Its item is
// nil if the document is gone. Most bodies are dropped afterwards.
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
		if err := l.c.loadBodies(ctx, l.db.Table, part); err != nil {
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

// matchBodies reads the bodies of records, and adds those that do not meet the filters to drop.
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
		// Compute the key now, before the body may be dropped.
		key := r.key
		if known, err := l.setKey(r); err != nil || !known {
			return err
		}
		r.sortKey, r.key = r.key, key
		return nil
	})
}
