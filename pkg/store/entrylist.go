package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// EntryItem is an entry of a list.
type EntryItem struct {
	JSON  []byte     // as the API shows it
	Entry *cms.Entry // decoded where the list had to look inside, else nil
	Score float64    // of a text search
}

// Decoded gives the entry.
func (i *EntryItem) Decoded() (*cms.Entry, error) {
	if i.Entry != nil {
		return i.Entry, nil
	}
	return decodeEntryJSON(i.JSON)
}

// entries is the collection of a model's entries.
func (m *Model) entries() *collection {
	return &collection{
		spec:   m.spec(),
		key:    func(id uuid.UUID) table.Key { return entryKey(m.ID, id.String()) },
		decode: func(item *table.Item) (any, error) { return decodeEntry(item) },
		space:  func(doc any) string { return m.space(doc.(*cms.Entry)) },
		lookup: m.Lookup,
		fixed: func(space, path string) (string, bool) {
			parts := strings.Split(space, "#")
			switch {
			case path == "status" && len(parts) == 3:
				return parts[2], true
			case path == "locale" && len(parts) == 3 && m.Localized:
				return parts[1], true
			}
			return "", false
		},
		model:   m.ID,
		earlier: m.Old,
	}
}

// spaces lists where entries of some locales and statuses are, in the current index and in those of earlier generations.
// For a model that is not localized, locales are all that its entries may have been saved with.
func (m *Model) spaces(locales []string, statuses []cms.Status) (now, old []string) {
	places := locales
	if !m.Localized {
		places = []string{sharedPlace}
	}
	for _, locale := range places {
		for _, status := range statuses {
			now = append(now, entrySpace(m.ID, m.Gen, locale, status))
		}
	}
	for _, e := range m.Old {
		for _, locale := range append([]string{sharedPlace}, locales...) {
			for _, status := range statuses {
				old = append(old, entrySpace(m.ID, e.Gen, locale, status))
			}
		}
	}
	return now, old
}

// Entries lists a model's entries of some locales and statuses.
func (s *Store) Entries(ctx context.Context, m *Model, locales []string, statuses []cms.Status, q ListQuery) (Page[EntryItem], error) {
	none := Page[EntryItem]{Paging: q.Paging, Items: []EntryItem{}}
	if len(locales) == 0 || len(statuses) == 0 {
		return none, nil
	}
	q.scope = append([]string{m.ID, fmt.Sprint(statuses)}, locales...)
	records, err := currently(s, m, func(m *Model) (Page[*record], error) {
		now, old := m.spaces(locales, statuses)
		return s.list(ctx, m.entries(), now, old, q)
	})
	if err != nil {
		return none, err
	}
	page := Page[EntryItem]{Paging: q.Paging, Total: records.Total, Estimate: records.Estimate, Next: records.Next, Items: make([]EntryItem, len(records.Items))}
	for i, r := range records.Items {
		raw, err := unpack(r.item.Body)
		if err != nil {
			return none, err
		}
		page.Items[i] = EntryItem{JSON: raw, Score: r.score}
		if r.doc != nil {
			page.Items[i].Entry = r.doc.(*cms.Entry)
		}
	}
	return page, nil
}

// Reference names an entry of a model.
type Reference struct {
	Model *Model
	ID    string
}

// EntriesByID reads entries of any models in one round trip; the result has nil where there is none.
func (s *Store) EntriesByID(ctx context.Context, refs []Reference) ([]*cms.Entry, error) {
	entries := make([]*cms.Entry, len(refs))
	if len(refs) == 0 {
		return entries, nil
	}
	at := map[table.Key]int{}
	var keys []table.Key
	for _, r := range refs {
		key := entryKey(r.Model.ID, r.ID)
		if _, ok := at[key]; !ok {
			at[key] = len(keys)
			keys = append(keys, key)
		}
	}
	items, err := s.table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	decoded := make([]*cms.Entry, len(items))
	for i, item := range items {
		if item == nil {
			continue
		}
		if decoded[i], err = decodeEntry(item); err != nil {
			return nil, err
		}
	}
	for i, r := range refs {
		entries[i] = decoded[at[entryKey(r.Model.ID, r.ID)]]
	}
	return entries, nil
}

// CountEntries counts a model's entries of all statuses in some locales.
func (s *Store) CountEntries(ctx context.Context, m *Model, locales []string) (int, error) {
	now, old := m.spaces(locales, cms.Statuses)
	totals, _, err := s.movingCounts(ctx, old, now, counterTotal)
	if err != nil {
		return 0, err
	}
	return totals[0], nil
}
