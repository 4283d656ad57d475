package index

import (
	"context"
	"slices"

	"headless/pkg/db"
	"headless/pkg/table"
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

// progress is the work that a query has done so far.
type progress struct {
	read     int  // documents
	stored   int  // their size, as stored
	unpacked int  // the same, unpacked
	probed   int  // documents whose labels were looked up
	moved    bool // a concurrent change moved a document while the list was read
}

// bodies reads the bodies of documents.
type bodies struct {
	c *Collection
	t table.Table
	progress
}

// bodyTurns has a slot for each request of this process that may read many documents now.
var bodyTurns = make(chan struct{}, bodiesAtATime)

// each reads the bodies of records, some at a time, and calls look for each record. Its item is
// nil if the document is gone. Most bodies are dropped afterwards.
func (b *bodies) each(ctx context.Context, records []*Record, look func(*Record) error) error {
	if len(records) > LoadChunk { // a short list needs no turn
		select {
		case bodyTurns <- struct{}{}:
			defer func() { <-bodyTurns }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for part := range slices.Chunk(records, LoadChunk) {
		if err := b.c.loadBodies(ctx, b.t, part); err != nil {
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
			b.stored += len(r.Item.Body)
			b.unpacked += len(doc)
			if b.stored > maxBodyBytes || b.unpacked > maxDocBytes {
				return ErrNotIndexed
			}
			item := *r.Item
			item.Body, r.Item = doc, &item
			if err := look(r); err != nil {
				return err
			}
			if b.read++; b.read > keptBodies || b.unpacked > keptBytes {
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
