package presence

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// stay is how long a window counts as open after it last announced itself. Pages do so about every
// 20 seconds.
const stay = 50 * time.Second

// maxWindows is the maximum number of windows of one entry that are read.
const maxWindows = 50

// Window is a browser page that has an entry open. Name is the user's name, Window the id of the
// page. Field is the field being edited, "" if none is.
type Window struct {
	UserID string   `json:"user_id"`
	Name   string   `json:"name"`
	Window string   `json:"window"`
	Field  string   `json:"field"`
	At     cms.Time `json:"at"`
}

// Store keeps the windows. It is safe for concurrent use.
type Store struct{ DB *db.DB }

// Announce records that a window has an entry open and returns the entry's other windows, in one
// round trip.
func (s *Store) Announce(ctx context.Context, entryID string, w Window) ([]Window, error) {
	w.At = s.DB.Now()
	var others []Window
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		return s.DB.Table.Write(ctx, []table.Op{{Kind: table.Put, Item: table.Item{
			Key:  windowKey(entryID, w.UserID, w.Window),
			Body: db.PackBytes(db.MustMarshal(w)), Expires: w.At.Add(stay).Unix(),
		}}})
	})
	g.Go(func() error {
		windows, err := s.List(ctx, entryID)
		for _, other := range windows {
			if other.UserID != w.UserID || other.Window != w.Window {
				others = append(others, other)
			}
		}
		return err
	})
	return others, g.Wait()
}

// List lists the windows that have an entry open.
func (s *Store) List(ctx context.Context, entryID string) ([]Window, error) {
	items, err := s.DB.Table.Query(ctx, table.Range{Partition: herePartition(entryID), Limit: maxWindows})
	windows := make([]Window, 0, len(items))
	for _, item := range items {
		var w Window
		if err := db.Unmarshal(item.Body, &w); err != nil {
			return nil, err
		}
		windows = append(windows, w)
	}
	return windows, err
}

// Leave removes a window that was closed.
func (s *Store) Leave(ctx context.Context, entryID, userID, window string) error {
	return s.DB.Table.Write(ctx,
		[]table.Op{{Kind: table.Delete, Item: table.Item{Key: windowKey(entryID, userID, window)}}})
}
