package viewcount

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Limits of a batch. Anybody can send ids and keys that do not exist, and each costs a read.
const (
	maxEntries = 5000 // with the most views
	maxKeys    = 100  // with the most views
	partSize   = 50   // entries in one transaction
)

// remembered is how long a batch cannot be counted again. Log files are deleted after two days at
// most.
const remembered = 7 * 24 * time.Hour

// View is a view of an entry on a day, for a publishable key.
type View struct{ Key, Entry, Day string }

// errAdded is the error of a commit if the part was counted before.
var errAdded = errors.New("viewcount: already added")

// batch has the views that a call of Add adds.
type batch struct {
	Store
	name  string
	site  *site.Site
	views map[string]map[View]int     // by id of the entry
	rules map[string]*cms.Permissions // by key; keys that are not valid are missing
}

// Add adds the number of each view. Views that do not count are ignored: see the package. With a
// name, a call that failed can be repeated with the same views. "" names a batch that is never
// repeated.
func (s Store) Add(ctx context.Context, name string, views map[View]int) error {
	now, err := s.Entries.Site(ctx)
	if err != nil || !now.CountsViews() {
		return err
	}
	b := batch{Store: s, name: name, site: now, views: map[string]map[View]int{}}
	ofEntry, ofKey := map[string]int{}, map[string]int{}
	for v, n := range views {
		if b.views[v.Entry] == nil {
			b.views[v.Entry] = map[View]int{}
		}
		b.views[v.Entry][v] = n
		ofEntry[v.Entry] += n
		ofKey[v.Key] += n
	}
	if b.rules, err = s.rules(ctx, mostViewed(ofKey, maxKeys)); err != nil {
		return err
	}
	part := 0
	for ids := range slices.Chunk(mostViewed(ofEntry, maxEntries), partSize) {
		err := s.Entries.Retry(ctx, func() error { return b.addPart(ctx, part, ids) })
		if err != nil && !errors.Is(err, errAdded) {
			return err
		}
		part++
	}
	return nil
}

// mostViewed returns the names with the largest numbers, up to limit. The same numbers give the same
// order.
func mostViewed(numbers map[string]int, limit int) []string {
	names := slices.SortedFunc(maps.Keys(numbers), func(a, b string) int {
		return cmp.Or(cmp.Compare(numbers[b], numbers[a]), cmp.Compare(a, b))
	})
	return names[:min(len(names), limit)]
}

// rules returns what each key may read.
func (s Store) rules(ctx context.Context, keys []string) (map[string]*cms.Permissions, error) {
	rules := map[string]*cms.Permissions{}
	for _, key := range keys {
		o, err := s.Keys.OpenPublishable(ctx, key)
		if err != nil {
			return nil, err
		}
		if o.Key != nil {
			rules[key] = o.Key.Permissions()
		}
	}
	return rules, nil
}

// addPart adds the views of some entries in one transaction.
func (b batch) addPart(ctx context.Context, part int, ids []string) error {
	addresses, err := b.Entries.Addresses(ctx, ids)
	if err != nil {
		return err
	}
	added, keys := []byDay{}, []table.Key{}
	for id, a := range addresses {
		if views := b.countedViews(id, a); len(views) > 0 {
			added, keys = append(added, views), append(keys, viewsKey(a.ModelID, id))
		}
	}
	if len(keys) == 0 {
		return nil
	}
	items, err := b.Entries.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return err
	}
	tx := b.Entries.Begin()
	if b.name != "" {
		tx.Create(table.Item{Key: addedKey(b.name, part), Expires: tx.At().Add(remembered).Unix()}, errAdded)
	}
	for i, item := range items {
		if err := b.putViews(tx, keys[i], item, added[i]); err != nil {
			return err
		}
	}
	return b.Entries.Commit(ctx, tx)
}

// countedViews returns the views of an entry with keys that may read it. There are none unless it is
// published.
func (b batch) countedViews(id string, a content.Address) byDay {
	views, m := byDay{}, b.site.ModelByID(a.ModelID)
	if m == nil || !m.IsActive || a.Status != cms.StatusPublished {
		return nil
	}
	for v, n := range b.views[id] {
		if rules, ok := b.rules[v.Key]; ok && rules.May(cms.ActionRead, m.Slug, a.Locale) {
			views[v.Day] += n
		}
	}
	return views
}

// putViews writes the row of an entry with more views, without the days that no longer count.
func (s Store) putViews(tx *db.Tx, key table.Key, stored *table.Item, added byDay) error {
	now, version := byDay{}, int64(0)
	if stored != nil {
		version = stored.Version
		if err := db.Unmarshal(stored.Body, &now); err != nil {
			return err
		}
	}
	for day, n := range added {
		now[day] += n
	}
	from := s.firstDay()
	maps.DeleteFunc(now, func(day string, _ int) bool { return day < from })
	item := table.Item{Key: key, Body: db.MustMarshal(now), Expires: tx.At().AddDate(0, 0, days+1).Unix()}
	tx.Save(item, version)
	return nil
}
