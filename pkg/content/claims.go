package content

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/site"
)

// Slugs, unique values and the one entry of a single-type model are reserved by rows that the
// entry's transaction creates. Entries that were saved before a field became unique have its value
// without such a row. The check of a claim searches for these before the commit.

// claim holds the unique values that an entry is going to reserve.
type claim struct {
	model *site.Model
	entry *cms.Entry
	// Names of unique fields whose value the entry does not hold yet, by the value's partition.
	values map[string]string
}

// addClaim adds a check of the values that an entry reserves, if the model's index is being built
// or entries share a value of a unique field. was is nil for a new entry.
func addClaim(t *db.Tx, m *site.Model, was *EntryRecord, e *cms.Entry) {
	if !m.Building() && !m.Shared {
		return
	}
	c := claim{model: m, entry: e, values: map[string]string{}}
	for i := range m.Fields {
		f := &m.Fields[i]
		if p := uniqueValue(m, m.KeyLocale(e.Locale), f, e); p != "" &&
			(was == nil || !slices.Contains(was.manifest.Uniques, p)) {
			c.values[p] = f.Name
		}
	}
	t.Check(func(ctx context.Context) error { return c.checkFree(ctx, t.DB) })
}

// checkFree returns an error if another entry has one of the claimed values.
func (c claim) checkFree(ctx context.Context, s *db.DB) error {
	for partition, field := range c.values {
		held, err := c.heldUnreserved(ctx, s, field)
		if err != nil {
			return err
		}
		if held {
			return uniqueTaken(partition)
		}
	}
	return nil
}

// heldUnreserved reports whether another entry has the value of a field, reserved or not. The
// commit fails if the model changed in the meantime (see RequireSite).
func (c claim) heldUnreserved(ctx context.Context, s *db.DB, field string) (bool, error) {
	m, e := c.model, c.entry
	page, err := index.List(ctx, s, entries(m), m.Spaces([]string{e.Locale}, cms.Statuses), index.ListQuery{
		Paging:  db.Paging{Page: 1, PerPage: 2},
		Filters: []query.Filter{{Path: "data." + field, Op: query.OpEq, Values: []string{fmt.Sprint(e.Data[field])}}},
	})
	if errors.Is(err, index.ErrNotIndexed) || errors.Is(err, index.ErrReindexing) {
		// The field has no index and there are too many entries to read each of them: only the
		// reservations count.
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for _, other := range page.Items {
		if other.ID.String() != e.ID {
			return true, nil
		}
	}
	return false, nil
}
