package content

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/index/totals"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// EntryItem is an entry of a list.
type EntryItem struct {
	JSON   []byte      // in the form of the API
	Entry  *cms.Entry  // nil unless the list had to decode it
	Score  float64     // of a text search
	Beside *table.Item // the copy of its group, if asked for; nil if it has none
}

// EntryQuery is a query for a page of a model's entries.
type EntryQuery struct {
	index.ListQuery
	Locales  []string
	Statuses []cms.Status
	Q        string // full-text search within the list; blank for none
	Public   bool   // the reader has no admin role: hidden fields are not searched
}

// Decoded returns the decoded entry.
func (i *EntryItem) Decoded() (*cms.Entry, error) {
	if i.Entry != nil {
		return i.Entry, nil
	}
	return decodeEntryJSON(i.JSON)
}

// entries returns the collection of a model's entries.
func entries(m *site.Model) *index.Collection {
	return &index.Collection{
		Spec:   m.ReadSpec(),
		Key:    func(id uuid.UUID) table.Key { return entryKey(m.ID, id.String()) },
		Decode: func(item *table.Item) (any, error) { return decodeEntry(m, item) },
		Space:  func(doc any) string { return m.Space(doc.(*cms.Entry)) },
		SpaceOf: func(item *table.Item) (string, error) {
			raw, err := db.UnpackBytes(item.Body)
			if err != nil {
				return "", err
			}
			var e struct {
				Locale string     `json:"locale"`
				Status cms.Status `json:"status"`
			}
			err = json.Unmarshal(raw, &e)
			return m.SpaceOf(e.Locale, e.Status), err
		},
		Lookup:   m.WithDrafts().Lookup,
		Fixed:    m.Fixed,
		Building: func(path string) bool { return m.Building() && m.Changed(path) },
	}
}

// Entries lists a model's entries of some locales and statuses. With q.Beside it also reads their
// translation groups.
func (s *Store) Entries(ctx context.Context, m *site.Model, locales []string, statuses []cms.Status,
	q index.ListQuery) (db.Page[EntryItem], error) {
	none := db.Page[EntryItem]{Paging: q.Paging, Items: []EntryItem{}}
	locales, q.Filters = readableLocales(ctx, m, locales, q.Filters)
	if len(locales) == 0 || len(statuses) == 0 {
		return none, nil
	}
	q.Scope = ListScope(m, locales, statuses)
	drafts, err := s.draftsAsked(ctx, m, &q)
	if err != nil {
		return none, err
	}
	spaces := m.Spaces(locales, statuses)
	if m.OrderChanged() && len(q.Sort) == 0 && q.Hits == nil {
		few, err := s.haveFew(ctx, spaces)
		if err != nil {
			return none, err
		}
		if few {
			q.Sort = query.SortOrder(&m.Model)
		}
	}
	c := entries(m)
	c.Drafts = drafts
	c.Held = func(ctx context.Context, ids []uuid.UUID) ([]index.Indexed, error) {
		return s.readIndexed(ctx, m, ids)
	}
	if q.Beside {
		c.Beside = func(id uuid.UUID) table.Key { return MemberKey(m.ID, id.String()) }
	}
	records, err := index.List(ctx, s.DB, c, spaces, q)
	if err != nil {
		return none, err
	}
	page := db.Page[EntryItem]{Paging: q.Paging, Total: records.Total, Estimate: records.Estimate,
		Next: records.Next, Items: make([]EntryItem, len(records.Items))}
	for i, r := range records.Items {
		raw, err := entryJSON(m, r.Item)
		if err != nil {
			return none, err
		}
		page.Items[i] = EntryItem{JSON: raw, Score: r.Score, Beside: r.Beside}
		if r.Doc != nil {
			page.Items[i].Entry = r.Doc.(*cms.Entry)
		}
	}
	return page, nil
}

// maxExact is the largest number of entries for which lists and searches use a changed model at
// once, by reading every entry. If there are more, the former generation of the index answers as
// before until the next one is built.
const maxExact = 2000

// haveFew reports whether some spaces have at most maxExact entries.
func (s *Store) haveFew(ctx context.Context, spaces []string) (bool, error) {
	n, err := totals.Of(ctx, s.DB, spaces, totals.All)
	return err == nil && n[0] <= s.maxExact, err
}

// ListScope returns the names that identify a set of entries (see index.ListQuery.Scope).
func ListScope(m *site.Model, locales []string, statuses []cms.Status) []string {
	scope := []string{m.ID, fmt.Sprint(statuses)}
	for _, locale := range locales {
		// A list of a model that is not localized stays the same when the site gets another locale.
		if key := m.KeyLocale(locale); !slices.Contains(scope[2:], key) {
			scope = append(scope, key)
		}
	}
	return scope
}

// Reference names an entry of a model.
type Reference struct {
	Model   *site.Model
	ID      string
	Version int64 // of the entry, 0 if it is not known
}

// EntriesByID reads entries in one round trip. Those that are missing or may not be read are nil.
func (s *Store) EntriesByID(ctx context.Context, refs []Reference) ([]*cms.Entry, error) {
	entries, _, err := s.EntriesWithRows(ctx, refs)
	return entries, err
}

// EntriesWithRows is EntriesByID with the rows that were read; nil for those that are missing. Where
// versions are known, it costs half.
func (s *Store) EntriesWithRows(ctx context.Context, refs []Reference) ([]*cms.Entry, []*table.Item, error) {
	items, err := s.Each(ctx, refs, entryKey)
	if err != nil {
		return nil, nil, err
	}
	entries, decoded := make([]*cms.Entry, len(refs)), map[*table.Item]*cms.Entry{}
	permitted := cms.PermissionsOf(ctx)
	for i, item := range items {
		if item == nil {
			continue
		}
		e := decoded[item]
		if e == nil {
			if e, err = decodeEntry(refs[i].Model, item); err != nil {
				return nil, nil, err
			}
			decoded[item] = e
		}
		if permitted.May(cms.ActionRead, refs[i].Model.Slug, e.Locale) {
			entries[i] = e
		}
	}
	return entries, items, nil
}

// Each reads one row of each entry. If an entry is listed twice, its row is read once.
func (s *Store) Each(ctx context.Context, refs []Reference,
	key func(modelID, id string) table.Key) ([]*table.Item, error) {
	at := map[table.Key]int{}
	var keys []table.Key
	var versions []int64
	for _, r := range refs {
		k := key(r.Model.ID, r.ID)
		if _, ok := at[k]; !ok {
			at[k], keys, versions = len(keys), append(keys, k), append(versions, r.Version)
		}
	}
	items, err := table.GetVersions(ctx, s.Table, keys, versions)
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	return slice.Map(refs, func(r Reference) *table.Item { return items[at[key(r.Model.ID, r.ID)]] }), nil
}
