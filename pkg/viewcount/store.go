package viewcount

import (
	"context"
	"time"

	"github.com/google/uuid"

	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// days is how many days of UTC count, the present one included.
const days = 30

// Store stores the views of entries. It is safe for concurrent use.
type Store struct {
	Entries *content.Store
	Keys    *apikeys.Store // for Add only
}

// byDay has the views of an entry by day of UTC, such as 2026-11-26.
type byDay map[string]int

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// firstDay returns the first day that counts now.
func (s Store) firstDay() string { return dayOf(s.Entries.Now().AddDate(0, 0, 1-days)) }

// sum returns the views from a day on.
func (b byDay) sum(from string) (n int) {
	for day, views := range b {
		if day >= from {
			n += views
		}
	}
	return n
}

// Mark sets the views of entries of a model if the setting views.enabled is on, in one round trip.
func (s Store) Mark(ctx context.Context, now *site.Site, m *site.Model, entries ...*cms.Entry) error {
	if !now.CountsViews() || len(entries) == 0 {
		return nil
	}
	keys := slice.Map(entries, func(e *cms.Entry) table.Key { return viewsKey(m.ID, e.ID) })
	items, err := s.Entries.Table.Get(ctx, table.Eventual, keys...)
	for i, item := range items {
		var views byDay
		if item != nil {
			if err := db.Unmarshal(item.Body, &views); err != nil {
				return err
			}
		}
		entries[i].Views = &cms.Views{D30: views.sum(s.firstDay())}
	}
	return err
}

// descending is the score of an entry without views in a list that begins with the fewest, so that
// no score is negative.
const descending = 1 << 50

// Order returns the order of a model's entries by views, for lists. Error: QUERY_NOT_INDEXED if
// more than index.MaxCollect entries have views.
func (s Store) Order(ctx context.Context, m *site.Model, desc bool) (*index.Scores, error) {
	items, err := s.Entries.Table.Query(ctx, table.Range{Partition: viewsPartition(m.ID),
		Limit: index.MaxCollect + 1, Eventual: true})
	if err != nil {
		return nil, err
	}
	if len(items) > index.MaxCollect {
		return nil, index.ErrNotIndexed
	}
	views, from := make(map[uuid.UUID]float64, len(items)), s.firstDay()
	for _, item := range items {
		var b byDay
		id, err := uuid.Parse(item.Sort)
		if err == nil {
			err = db.Unmarshal(item.Body, &b)
		}
		if err != nil {
			return nil, err
		}
		views[id] = float64(b.sum(from))
	}
	if desc {
		return &index.Scores{Name: "-" + cms.SortViews, Of: func(id uuid.UUID) float64 { return views[id] }}, nil
	}
	return &index.Scores{Name: cms.SortViews, Of: func(id uuid.UUID) float64 { return descending - views[id] }}, nil
}
