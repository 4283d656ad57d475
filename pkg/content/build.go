package content

import (
	"context"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/coverage"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/table"
)

// markStale marks an entry as stale in the transaction, if a generation is being built, and builds
// the entry directly after the commit. If that fails, Reindex finds the mark.
func markStale(t *db.Tx, m *site.Model, id uuid.UUID) {
	if !m.Building() {
		return
	}
	t.Put(table.Item{Key: staleKey(m.ID, id), Version: rand.Int64()})
	t.Then(func(ctx context.Context) error {
		m.Rebuild(ctx, id)
		return nil
	})
}

// build writes the current state of an entry into the generation that is being built or was just
// completed. It does nothing if the generation has the entry and that is not stale.
func (s *Store) build(ctx context.Context, modelID string, id uuid.UUID) error {
	ctx = cms.WithPermissions(ctx, nil)
	return s.Retry(ctx, func() error {
		siteNow, err := s.Site(ctx)
		if err != nil {
			return err
		}
		m := siteNow.ModelByID(modelID)
		if m == nil {
			return nil
		}
		return s.buildOnce(ctx, siteNow, m, id)
	})
}

func (s *Store) buildOnce(ctx context.Context, siteNow *site.Site, m *site.Model, id uuid.UUID) error {
	next := m.Next()
	items, err := s.Table.Get(ctx, table.Strong, entryKey(m.ID, id.String()), staleKey(m.ID, id),
		manifestKey(m.ID, id.String(), next.Gen))
	if err != nil {
		return err
	}
	entry, stale, built := items[0], items[1], items[2]
	if stale == nil && (entry == nil || built != nil) {
		return nil
	}
	was := &EntryRecord{}
	if built != nil {
		was.version = built.Version
		if err := db.Unmarshal(built.Body, &was.manifest); err != nil {
			return err
		}
	}
	if built == nil || was.manifest.Rest {
		if err := s.FinishRest(ctx, restName(m.ID, id.String(), next.Gen)); err != nil {
			return err
		}
	}
	tx := s.Begin()
	if entry == nil {
		err = s.buildGone(ctx, tx, next, was, id)
	} else {
		err = s.buildEntry(ctx, tx, m, was, entry)
	}
	if err != nil {
		return err
	}
	if stale != nil {
		tx.Remove(stale.Key, stale.Version)
	}
	site.RequireFence(tx, siteNow)
	return s.Commit(ctx, tx)
}

// buildGone removes a deleted entry from the new generation.
func (s *Store) buildGone(ctx context.Context, tx *db.Tx, next *site.Model, was *EntryRecord, id uuid.UUID) error {
	tx.RequireAbsent(entryKey(next.ID, id.String()), db.ErrOvertaken)
	if was.version == 0 {
		return nil
	}
	rest := &db.Rest{}
	held, err := s.holders(ctx, was.manifest.claims(next))
	for key, holder := range held {
		if holder == id.String() {
			rest.Delete(key)
		}
	}
	removeIndex(tx, rest, next, was, id)
	return err
}

// buildEntry writes the index of an entry and claims its slug and unique values, as the definition
// of m requires. The commit fails if the entry changed after it was read.
func (s *Store) buildEntry(ctx context.Context, tx *db.Tx, m *site.Model, was *EntryRecord, item *table.Item) error {
	e, err := decodeEntry(m, item)
	if err != nil {
		return err
	}
	e.Data = m.WithoutNulls(e.Data) // a value of type json may have become one of a group
	if now := entryItem(m, e); len(m.PendingRenames()) > 0 && !slices.Equal(now.Body, item.Body) {
		tx.Replace(now, item.Version)
	} else {
		tx.Require(item.Key, item.Version)
	}
	next := m.Next()
	now := manifest{KeyLocale: next.KeyLocale(e.Locale), Slug: e.Slug,
		Uniques: uniques(next, next.KeyLocale(e.Locale), e)}
	rest := &db.Rest{}
	if err := s.buildClaims(ctx, tx, rest, m, was, e, &now); err != nil {
		return err
	}
	space := next.Space(e)
	now.Index = next.Spec().Index(space, e)
	if next.Localized {
		listed, err := s.manifestOf(ctx, m, e.ID)
		if err != nil {
			return err
		}
		coverage.Keep(&now.Index, &listed.Index, e.Locale)
	}
	putIndex(tx, rest, next, was, e, now)
	return nil
}

// buildClaims makes the claims of an entry, and removes those that the definition no longer
// requires. It does not change claims of other entries.
func (s *Store) buildClaims(ctx context.Context, tx *db.Tx, rest *db.Rest, m *site.Model,
	was *EntryRecord, e *cms.Entry, now *manifest) error {
	next := m.Next()
	given := was.manifest.claims(next)
	if m.Building() {
		former, err := s.manifestOf(ctx, m, e.ID)
		if err != nil {
			return err
		}
		for _, p := range former.Uniques {
			if keyLocaleOf(p) == now.KeyLocale {
				given = append(given, uniqueRow(p))
			}
		}
	}
	wanted := now.claims(next)
	held, err := s.holders(ctx, append(given, wanted...))
	if err != nil {
		return err
	}
	for _, key := range wanted {
		holder, taken := held[key]
		switch {
		case !taken:
			tx.Create(table.Item{Key: key, Body: []byte(e.ID)}, db.ErrOvertaken)
		case holder == e.ID:
		case key == now.slugKey(next):
			now.Slug = ""
		// The field was made unique although several entries share the value. The entry that is
		// built first gets the claim.
		case !m.Shared:
			if err := s.MarkShared(ctx, m.ID); err != nil {
				return err
			}
			return db.ErrOvertaken
		default:
			now.Uniques = slices.DeleteFunc(now.Uniques, func(p string) bool { return uniqueRow(p) == key })
		}
	}
	for key, holder := range held {
		if holder == e.ID && !slices.Contains(wanted, key) {
			rest.Delete(key)
		}
	}
	return nil
}

// claims returns the keys of the rows that reserve the entry's slug and unique values.
func (x *manifest) claims(m *site.Model) []table.Key {
	keys := []table.Key{x.slugKey(m)}
	for _, p := range x.Uniques {
		keys = append(keys, uniqueRow(p))
	}
	return keys
}

// keyLocaleOf returns the locale in the partition of a unique value.
func keyLocaleOf(partition string) string { return strings.Split(partition, "#")[2] }

// manifestOf reads the manifest of an entry. It returns an empty one if there is none.
func (s *Store) manifestOf(ctx context.Context, m *site.Model, id string) (x manifest, err error) {
	items, err := s.Table.Get(ctx, table.Strong, manifestKey(m.ID, id, m.ListedGen()))
	if err != nil || items[0] == nil {
		return x, err
	}
	return x, db.Unmarshal(items[0].Body, &x)
}

// holders returns the ids of the entries that hold claims, by the claim's key.
func (s *Store) holders(ctx context.Context, keys []table.Key) (map[table.Key]string, error) {
	// Not slices.SortFunc: its code for this type would be 15 KB of each function.
	sort.Slice(keys, func(i, j int) bool { return keys[i].Partition < keys[j].Partition })
	keys = slices.Compact(keys)
	items, err := s.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	held := map[table.Key]string{}
	for i, item := range items {
		if item != nil {
			held[keys[i]] = string(item.Body)
		}
	}
	return held, nil
}
