// Package drafted lists the entries of models that have a draft, and those with the status draft,
// with what previews of the site need to know of them before they read them.
package drafted

import (
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/site"
	"headless/pkg/table"
)

// note is what the list of entries with drafts says of one.
type note struct {
	Locale  string `json:"l"`
	Outside bool   `json:"o,omitempty"` // in the archive or in the trash
}

// Row returns the row of an entry in the list of entries with drafts.
func Row(m *site.Model, e *cms.Entry, inTrash bool) table.Item {
	n := note{Locale: e.Locale, Outside: outside(e, inTrash)}
	return table.Item{Key: Key(m.ID, e.ID), Body: db.MustMarshal(n)}
}

func outside(e *cms.Entry, inTrash bool) bool { return inTrash || e.Status == cms.StatusArchived }

// Note updates the row of an entry in the list of entries with drafts if it has one, in the
// transaction that moves the entry to the trash or out of it. If the entry has no draft, but is now in
// sight of previews, the commit fails when a first draft is saved meanwhile: its row has the former
// state of the entry. A row that shows an entry which previews leave out does no harm.
func Note(t *db.Tx, m *site.Model, e *cms.Entry, inTrash bool) {
	row := Row(m, e, inTrash)
	t.Check(func(ctx context.Context) error {
		items, err := t.DB.Table.Get(ctx, table.Strong, row.Key)
		known := slices.ContainsFunc(t.Ops, func(op table.Op) bool { return op.Item.Key == row.Key })
		switch {
		case err != nil || known:
		case items[0] != nil:
			t.Do(table.Op{Kind: table.Put, Item: row, If: table.Present}, db.ErrOvertaken)
		case !outside(e, inTrash):
			t.RequireAbsent(row.Key, db.ErrOvertaken)
		}
		return err
	})
}

// Follow updates the rows of an entry in the transaction that changes it. was is nil for a new entry.
// Plans may name a former locale.
func Follow(t *db.Tx, m *site.Model, was, e *cms.Entry) {
	if was == nil {
		return
	}
	moved := was.Locale != e.Locale
	if moved {
		t.Put(table.Item{Key: movedKey(m.ID, e.ID)})
	}
	if archived := cms.StatusArchived; moved || (was.Status == archived) != (e.Status == archived) {
		Note(t, m, e, false)
	}
}

// Moved lists the ids of entries of a model whose locale was changed, one more than limit at most.
func Moved(ctx context.Context, d *db.DB, m *site.Model, limit int) (ids []string, err error) {
	rows, err := d.Table.Query(ctx, table.Range{Partition: movedPartition(m.ID), Limit: limit + 1})
	for _, row := range rows {
		ids = append(ids, row.Sort)
	}
	return ids, err
}

// List is a partition with a row for each entry of a model that has a draft, or for each one that has the status draft.
type List struct {
	Partition string
	locale    string // of its entries, "" if their rows say it
	drafts    bool
}

// Lists returns the lists of all entries of a model that have a draft, or the status draft.
func Lists(m *site.Model, locales []string) []List {
	lists := []List{{Partition: Partition(m.ID), drafts: true}}
	for _, space := range m.Spaces(locales, []cms.Status{cms.StatusDraft}) {
		list := List{Partition: index.RowPartition(space, index.DefaultPath)}
		if !m.Building() && m.Localized {
			list.locale = site.LocaleIn(space, "")
		}
		lists = append(lists, list)
	}
	return lists
}

// Entry is an entry of a List.
type Entry struct {
	ID      string
	Locale  string // "" if it is not known
	Draft   bool   // it has a draft
	Outside bool   // it is in the archive or in the trash
}

// Read reads a row of the list. Rows that a former version wrote say less.
func (l List) Read(row table.Item) (e Entry, err error) {
	e = Entry{ID: index.RowID(row.Key).String(), Locale: l.locale, Draft: l.drafts}
	if l.drafts && row.Body != nil {
		var n note
		err = db.Unmarshal(row.Body, &n)
		e.Locale, e.Outside = n.Locale, n.Outside
	}
	return e, err
}
