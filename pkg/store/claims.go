package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// A slug, a unique value and the place of a single-type model's entry are reserved by rows that are created in the entry's transaction. After a change of
// the model, others may hold them without such a row: entries that are not moved yet and have their rows elsewhere, and entries from before a
// field was unique. Commit looks for these.

// claim is what an entry is about to reserve.
type claim struct {
	model  *Model
	entry  *cms.Entry
	values map[string]string // names of unique fields whose value is new to the entry, by the value's partition
}

// claim notes what an entry reserves, where the model was changed since its first definition. was is nil for a new entry.
func (t *Tx) claim(m *Model, was *EntryRecord, e *cms.Entry) {
	if m.Gen < 2 {
		return
	}
	c := claim{model: m, entry: e, values: map[string]string{}}
	for i := range m.Fields {
		f := &m.Fields[i]
		if p := uniqueValue(m, m.place(e.Locale), f, e); p != "" && (was == nil || !slices.Contains(was.manifest.Uniques, p)) {
			c.values[p] = f.Name
		}
	}
	t.claims = append(t.claims, c)
}

// check finds out whether another entry holds what is claimed.
func (s *Store) check(ctx context.Context, c claim) error {
	if err := s.checkPlaces(ctx, c); err != nil {
		return err
	}
	for partition, field := range c.values {
		held, err := s.heldUnreserved(ctx, c, field)
		if err != nil {
			return err
		}
		if held {
			return uniqueTaken(partition)
		}
	}
	return nil
}

// checkPlaces looks at the reservations of entries that are not moved yet. One that moves meanwhile makes its reservation in the current place, where the
// transaction meets it.
func (s *Store) checkPlaces(ctx context.Context, c claim) error {
	m, e := c.model, c.entry
	var keys []table.Key
	var taken []error
	for _, place := range m.earlierPlaces(e.Locale) {
		keys, taken = append(keys, slugKey(m.ID, place, e.Slug)), append(taken, &SlugTakenError{e.Slug})
		for _, p := range uniques(m, place, e) {
			keys, taken = append(keys, uniqueRow(p)), append(taken, uniqueTaken(p))
		}
	}
	if len(keys) == 0 {
		return nil
	}
	rows, err := s.table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return err
	}
	for i, row := range rows {
		if row == nil || string(row.Body) == e.ID {
			continue
		}
		holder, err := s.Entry(ctx, m, string(row.Body))
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		if err == nil && m.place(holder.Locale) == m.place(e.Locale) {
			return taken[i]
		}
	}
	return nil
}

// heldUnreserved tells whether another entry has the value of a field, reserved or not.
func (s *Store) heldUnreserved(ctx context.Context, c claim, field string) (bool, error) {
	m, e := c.model, c.entry
	page, err := s.Entries(ctx, m, m.sharing(e.Locale), cms.Statuses, ListQuery{
		Paging:  Paging{Page: 1, PerPage: 2},
		Filters: []cms.Filter{{Path: "data." + field, Op: cms.OpEq, Values: []string{fmt.Sprint(e.Data[field])}}},
	})
	if errors.Is(err, errNotIndexed) {
		return false, nil // a field past those with an index, in a collection too large to look at each: its reservations alone count
	}
	if err != nil {
		return false, err
	}
	for _, item := range page.Items {
		other, err := item.Decoded()
		if err != nil {
			return false, err
		}
		if other.ID != e.ID {
			return true, nil
		}
	}
	return false, nil
}

// earlierPlaces are the places other than the current one where entries that are not moved yet may hold what an entry of a locale reserves.
func (m *Model) earlierPlaces(locale string) []string {
	var places []string
	for _, e := range m.Old {
		for _, p := range e.Places {
			if p != m.place(locale) && (p == sharedPlace || !m.Localized) && !slices.Contains(places, p) {
				places = append(places, p)
			}
		}
	}
	return places
}

// sharing are the locales whose entries compete for slugs and unique values with those of a locale.
func (m *Model) sharing(locale string) []string {
	codes := []string{locale}
	for _, p := range m.earlierPlaces(locale) {
		if p != sharedPlace {
			codes = append(codes, p)
		}
	}
	return codes
}

// unclaimed leaves out the reservations that other entries hold.
func (s *Store) unclaimed(ctx context.Context, partitions []string, id string) ([]string, error) {
	keys := make([]table.Key, len(partitions))
	for i, p := range partitions {
		keys[i] = uniqueRow(p)
	}
	rows, err := s.table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	var free []string
	for i, row := range rows {
		if row == nil || string(row.Body) == id {
			free = append(free, partitions[i])
		}
	}
	return free, nil
}
