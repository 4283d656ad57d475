package db

import (
	"context"
	"strings"
	"unicode/utf8"

	"headless/pkg/table"
)

// Doc is a stored document with its version, for optimistic locking.
type Doc[T any] struct {
	ID      string
	Version int64
	Value   T
}

// Docs stores the small documents of one kind (models, keys, users, webhooks…): a few to a few
// thousand, all listed at once.
type Docs[T any] struct {
	DB     *DB
	Kind   string
	Prefix string // of the ids, if this is only a part of the kind
}

// Get reads one document. It returns ErrNotFound if there is none.
func (d Docs[T]) Get(ctx context.Context, id string) (doc Doc[T], err error) {
	if id == "" {
		return doc, ErrNotFound
	}
	item, err := d.DB.Get(ctx, DocKey(d.Kind, d.Prefix+id))
	if err != nil {
		return doc, err
	}
	return d.Decode(*item)
}

// All reads every document in the order of their ids.
func (d Docs[T]) All(ctx context.Context) ([]Doc[T], error) {
	items, err := d.DB.Table.Query(ctx, table.Range{Partition: DocPartition(d.Kind), Prefix: d.Prefix})
	if err != nil {
		return nil, err
	}
	return d.Among(items)
}

// Among decodes those items of the kind whose ids have the prefix of d.
func (d Docs[T]) Among(items []table.Item) ([]Doc[T], error) {
	docs := make([]Doc[T], 0, len(items))
	for _, item := range items {
		if !strings.HasPrefix(item.Sort, d.Prefix) {
			continue
		}
		docs = append(docs, Doc[T]{ID: strings.TrimPrefix(item.Sort, d.Prefix), Version: item.Version})
		if err := Unmarshal(item.Body, &docs[len(docs)-1].Value); err != nil {
			return nil, err
		}
	}
	return docs, nil
}

// ByName reads the document for which a name is reserved (see ReserveName).
func (d Docs[T]) ByName(ctx context.Context, name string) (doc Doc[T], err error) {
	if len(name) > 900 || !utf8.ValidString(name) || strings.Contains(name, "\x00") { // no key has it
		return doc, ErrNotFound
	}
	item, err := d.DB.Get(ctx, NameKey(d.Kind, name))
	if err != nil {
		return doc, err
	}
	return d.Get(ctx, string(item.Body))
}

// Create adds a document to the transaction. If the id exists, the commit returns taken.
func (d Docs[T]) Create(tx *Tx, id string, value T, taken error) {
	tx.Create(d.Item(id, 1, value), taken)
}

// Limit makes the commit return full if there are max documents already.
func (d Docs[T]) Limit(tx *Tx, max int, full error) {
	tx.LimitRows(table.Range{Partition: DocPartition(d.Kind), Prefix: d.Prefix, Limit: max}, full)
}

// Update replaces the document, which must still be at the version that doc was read with.
func (d Docs[T]) Update(tx *Tx, doc Doc[T]) {
	tx.Replace(d.Item(doc.ID, doc.Version+1, doc.Value), doc.Version)
}

// Save puts a document in the place of the version that doc was read with, or a new one if that is 0.
func (d Docs[T]) Save(tx *Tx, doc Doc[T]) { tx.Save(d.Item(doc.ID, 0, doc.Value), doc.Version) }

// Delete removes the document, which must still be at the version that doc was read with.
func (d Docs[T]) Delete(tx *Tx, doc Doc[T]) {
	tx.Remove(DocKey(d.Kind, d.Prefix+doc.ID), doc.Version)
}

// ReserveName reserves a name for the document id. If it is reserved already, the commit returns
// taken.
func (d Docs[T]) ReserveName(tx *Tx, name, id string, taken error) {
	tx.Create(table.Item{Key: NameKey(d.Kind, name), Body: []byte(id)}, taken)
}

// FreeName gives up a reserved name.
func (d Docs[T]) FreeName(tx *Tx, name string) { tx.Delete(NameKey(d.Kind, name)) }

func (d Docs[T]) Item(id string, version int64, value T) table.Item {
	return table.Item{Key: DocKey(d.Kind, d.Prefix+id), Version: version, Body: PackBytes(MustMarshal(value))}
}

func (d Docs[T]) Decode(item table.Item) (doc Doc[T], err error) {
	doc.ID, doc.Version = strings.TrimPrefix(item.Sort, d.Prefix), item.Version
	err = Unmarshal(item.Body, &doc.Value)
	return doc, err
}
