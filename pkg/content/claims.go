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

// A slug, a unique value and the place of a single-type model's entry are reserved by rows that are
// created in the entry's transaction. Entries from before a field was unique hold its value without
// such a row. Commit looks for these.

// claim is what an entry is about to reserve.
type claim struct {
	model *site.Model
	entry *cms.Entry
	// Names of unique fields whose value is new to the entry, by the value's partition.
	values map[string]string
}

// addClaim notes what an entry reserves, where the model was changed since its first definition.
// was is nil for a new entry.
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
	t.Check(func(ctx context.Context) error { return c.check(ctx, t.DB) })
}

// check finds out whether another entry holds what is claimed.
func (c claim) check(ctx context.Context, s *db.DB) error {
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

// heldUnreserved reports whether another entry has the value of a field, reserved or not. That the
// model is still this one is a condition of the commit (see RequireSite).
func (c claim) heldUnreserved(ctx context.Context, s *db.DB, field string) (bool, error) {
	m, e := c.model, c.entry
	page, err := index.List(ctx, s, entriesOf(m), m.Spaces([]string{e.Locale}, cms.Statuses), index.ListQuery{
		Paging: db.Paging{Page: 1, PerPage: 2},
		Filters: []query.Filter{{Path: "data." + field, Op: query.OpEq,
			Values: []string{fmt.Sprint(e.Data[field])}}},
	})
	if errors.Is(err, index.ErrNotIndexed) || errors.Is(err, index.ErrReindexing) {
		// The field has no index and the collection is too large to look at each entry: the
		// reservations alone count.
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
