package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// indexKinds sums up what the parts of a model's index depend on: as long as two are equal, the index of one definition serves the other.
// What all of them depend on stands at the default path.
func (m *Model) indexKinds() map[string]string {
	spec := entrySpec(&m.Model)
	kinds := map[string]string{defaultPath: fmt.Sprintf("%t %s %v", m.Localized, m.Kind, spec.order)}
	for _, p := range spec.paths {
		kind := fmt.Sprintf("%v %t %t", p.parts, p.list, p.counted)
		for _, path := range append([]string{p.path}, p.parts...) {
			if info, ok := m.Lookup(path); ok {
				kind += " " + info.Kind.String()
			}
		}
		kinds[p.path] = kind
	}
	return kinds
}

// indexPaths are the paths in the order in which rows carry their values.
func (m *Model) indexPaths() []string {
	var paths []string
	for _, p := range entrySpec(&m.Model).paths {
		paths = append(paths, p.path)
	}
	return paths
}

// uniqueKind sums up which values are reserved.
func (m *Model) uniqueKind() string {
	kind := ""
	for _, f := range m.Fields {
		if f.Unique {
			kind += f.Name + "\n"
		}
	}
	return kind
}

// NextGeneration prepares the index for a change of a model's definition: where the change matters to the index, entries are moved to a
// new generation by Reindex, and until then are found by what stays the same, or by looking at each. That the model has no entries is left to Reindex
// to find out: one may be created until the change is committed. locales are the codes of all.
func (m *Model) NextGeneration(was *Model, locales []string) {
	if was == nil {
		m.Gen, m.Old = 1, nil
		return
	}
	before, now := was.indexKinds(), m.indexKinds()
	text := was.textKind() == m.textKind()
	if text && maps.Equal(before, now) && slices.Equal(was.indexPaths(), m.indexPaths()) && was.uniqueKind() == m.uniqueKind() {
		return
	}
	same := before[defaultPath] == now[defaultPath]
	kept := func(path string) bool { return same && before[path] != "" && before[path] == now[path] }
	places := []string{sharedPlace}
	if was.Localized {
		places = locales
	}
	old := append(slices.Clone(was.Old), Earlier{Gen: was.Gen, Paths: slices.Sorted(maps.Keys(before)), Text: true, Places: places})
	for i := range old {
		old[i].Paths = slices.DeleteFunc(slices.Clone(old[i].Paths), func(path string) bool { return !kept(path) })
		old[i].Text = old[i].Text && text && same
	}
	m.Gen, m.Old = was.Gen+1, old
}

// reindexBatch is how many entries are moved together.
const reindexBatch = 200

// Reindex moves the entries of earlier generations of a model to the current one, until none is left or ctx ends. One that cannot be moved
// does not keep the others from it. It may be run by several at once and any number of times. It returns how many entries it moved.
func (s *Store) Reindex(ctx context.Context, modelID string) (moved int, err error) {
	for {
		site, err := s.Site(ctx)
		if err != nil {
			return moved, err
		}
		m := site.ModelByID(modelID)
		if m == nil || len(m.Old) == 0 {
			return moved, nil
		}
		rows, err := s.leftBehind(ctx, site, m)
		if err != nil {
			return moved, err
		}
		if len(rows) == 0 {
			return moved, s.finishReindex(ctx, modelID, m.Gen)
		}
		n, err := s.moveEntries(ctx, site, m, rows)
		moved += n
		if n == 0 && err != nil {
			return moved, err
		}
		if _, err := s.MergeText(ctx, modelID); err != nil {
			return moved, err
		}
	}
}

// moveEntries moves some entries and returns how many it could; those that others changed meanwhile count among them.
func (s *Store) moveEntries(ctx context.Context, site *Site, m *Model, rows []table.Key) (moved int, err error) {
	failures := make([]error, len(rows))
	var g errgroup.Group
	g.SetLimit(8)
	for i, row := range rows {
		g.Go(func() error {
			if err := s.moveEntry(ctx, site, m, row); !errors.Is(err, ErrOvertaken) {
				failures[i] = err
			}
			return nil
		})
	}
	_ = g.Wait()
	for _, failure := range failures {
		if failure == nil {
			moved++
		} else {
			err = failure
		}
	}
	return moved, err
}

// leftBehind finds rows of some entries that are still in an earlier generation.
func (s *Store) leftBehind(ctx context.Context, site *Site, m *Model) ([]table.Key, error) {
	_, old := m.spaces(site.Codes(), cms.Statuses)
	for _, space := range old {
		rows, err := s.table.Query(ctx, table.Range{Partition: rowPartition(space, defaultPath), Limit: reindexBatch})
		if err != nil || len(rows) > 0 {
			keys := make([]table.Key, len(rows))
			for i, row := range rows {
				keys[i] = row.Key
			}
			return keys, err
		}
	}
	return nil, nil
}

// moveEntry writes the index of the entry that a row leads to anew; the entry itself stays as it is.
func (s *Store) moveEntry(ctx context.Context, site *Site, m *Model, row table.Key) error {
	var id uuid.UUID
	copy(id[:], row.Sort[len(row.Sort)-len(id):])
	rec, err := s.EntryForChange(ctx, m, id.String())
	if errors.Is(err, ErrNotFound) || err == nil && rec.manifest.Index.Space == m.space(rec.Entry) {
		// Deleted or moved by another writer since the row was read, which took the row along: nothing writes there any more.
		return s.table.BatchWrite(ctx, nil, []table.Key{row})
	}
	if err != nil {
		return err
	}
	unique := uniques(m, m.place(rec.Entry.Locale), rec.Entry)
	err = s.commitMove(ctx, site, m, rec, unique)
	var conflict *cms.Error
	if errors.As(err, &conflict) && conflict.Code == cms.CodeConflict {
		// The field was made unique while several entries share the value: the first to be moved holds it.
		if unique, err = s.unclaimed(ctx, unique, rec.Entry.ID); err != nil {
			return err
		}
		err = s.commitMove(ctx, site, m, rec, unique)
	}
	return err
}

func (s *Store) commitMove(ctx context.Context, site *Site, m *Model, rec *EntryRecord, unique []string) error {
	tx := s.Begin()
	tx.putEntry(m, rec, rec.Entry, unique)
	tx.HoldSite(site)
	return s.Commit(ctx, tx)
}

// finishReindex declares the current generation complete.
func (s *Store) finishReindex(ctx context.Context, modelID string, gen int) error {
	return s.Retry(ctx, func() error {
		site, err := s.Site(ctx)
		if err != nil {
			return err
		}
		m := site.ModelByID(modelID)
		if m == nil || m.Gen != gen || len(m.Old) == 0 {
			return nil
		}
		done := *m
		done.Old = nil
		tx := s.Begin()
		tx.PutModel(site, m.Slug, done)
		return s.Commit(ctx, tx)
	})
}

// ModelsToReindex lists the ids of models with entries in earlier generations.
func (s *Site) ModelsToReindex() []string {
	var ids []string
	for _, m := range s.Models {
		if len(m.Old) > 0 {
			ids = append(ids, m.ID)
		}
	}
	return ids
}
