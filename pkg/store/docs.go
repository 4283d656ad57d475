package store

import (
	"context"
	"strings"

	"headless/pkg/table"
)

// Doc is a stored document with what optimistic locking needs.
type Doc[T any] struct {
	ID      string
	Version int64
	Value   T
}

// Docs stores the small documents of one kind (models, keys, users, webhooks…): a few to a few thousand, all listed at once.
type Docs[T any] struct {
	s      *Store
	kind   string
	prefix string // before the ids of a part of a kind
}

// Get reads one document; ErrNotFound when there is none.
func (d Docs[T]) Get(ctx context.Context, id string) (Doc[T], error) {
	if id == "" || len(d.prefix+id) > table.MaxSortBytes {
		return Doc[T]{}, ErrNotFound
	}
	item, err := d.s.get(ctx, docKey(d.kind, d.prefix+id))
	if err != nil {
		return Doc[T]{}, err
	}
	return d.decode(*item)
}

// All reads every document in the order of their ids.
func (d Docs[T]) All(ctx context.Context) ([]Doc[T], error) {
	items, err := d.s.table.Query(ctx, table.Range{Partition: docPartition(d.kind), Prefix: d.prefix})
	if err != nil {
		return nil, err
	}
	return d.among(items)
}

// among decodes those of a kind's items that are documents of d.
func (d Docs[T]) among(items []table.Item) ([]Doc[T], error) {
	docs := make([]Doc[T], 0, len(items))
	for _, item := range items {
		if !strings.HasPrefix(item.Sort, d.prefix) {
			continue
		}
		doc, err := d.decode(item)
		if err != nil {
			return nil, err
		}
		docs = append(docs, doc)
	}
	return docs, nil
}

// ByName reads the document that holds a reserved name (see Put).
func (d Docs[T]) ByName(ctx context.Context, name string) (Doc[T], error) {
	if len(name) > 900 {
		return Doc[T]{}, ErrNotFound
	}
	item, err := d.s.get(ctx, nameKey(d.kind, name))
	if err != nil {
		return Doc[T]{}, err
	}
	return d.Get(ctx, string(item.Body))
}

// Create adds a document to the transaction; taken is returned by the commit when the id exists.
func (d Docs[T]) Create(tx *Tx, id string, value T, taken error) {
	tx.create(d.item(id, 1, value), taken)
}

// Update replaces the document, which must still be at the version that doc was read with.
func (d Docs[T]) Update(tx *Tx, doc Doc[T]) {
	tx.replace(d.item(doc.ID, doc.Version+1, doc.Value), doc.Version)
}

// Delete removes the document, which must still be at the version that doc was read with.
func (d Docs[T]) Delete(tx *Tx, doc Doc[T]) {
	tx.remove(docKey(d.kind, d.prefix+doc.ID), doc.Version)
}

// ReserveName makes name lead to the document id; taken is returned by the commit when another document holds the name.
func (d Docs[T]) ReserveName(tx *Tx, name, id string, taken error) {
	tx.create(table.Item{Key: nameKey(d.kind, name), Body: []byte(id)}, taken)
}

// FreeName gives up a reserved name.
func (d Docs[T]) FreeName(tx *Tx, name string) { tx.delete(nameKey(d.kind, name)) }

func (d Docs[T]) item(id string, version int64, value T) table.Item {
	return table.Item{Key: docKey(d.kind, d.prefix+id), Version: version, Body: pack(mustMarshal(value))}
}

func (d Docs[T]) decode(item table.Item) (Doc[T], error) {
	doc := Doc[T]{ID: strings.TrimPrefix(item.Sort, d.prefix), Version: item.Version}
	return doc, unmarshal(item.Body, &doc.Value)
}
