package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks/webhook"
	"headless/pkg/table"
)

// A subscription with bundle_seconds gets the entry events of a window in one delivery (extensions
// §7). Events are stored as rows until their delivery exists. The first event opens the window; a
// timer closes it.

// KindBundle is the kind of the timers that close windows. Their ref is the id of the subscription.
const KindBundle = "bundle"

// maxBundled is the maximum number of events in one delivery.
const maxBundled = 1000

// window is the time in which events are gathered; its row exists while it is open.
type window struct {
	Closes cms.Time `json:"closes"`
}

// fence serializes the deliveries of bundles: the transaction that creates one replaces the fence.
// Taken names the rows of that delivery, so that the next flush can remove them after a crash.
type fence struct {
	Taken []string `json:"taken"` // ids of events
}

// bundles reports whether a subscription gets an event in a bundle.
func bundles(h Webhook, e cms.Event) bool {
	return h.BundleSeconds > 0 && strings.HasPrefix(e.Kind, "entry.")
}

// Bundle stores an event for each active subscription that gets it in a bundle, and opens their
// windows. It may be repeated.
func (d *Deliveries) Bundle(ctx context.Context, e cms.Event, hooks []Webhook) error {
	for _, h := range hooks {
		if !h.IsActive || !bundles(h, e) || !webhook.Matches(h.Events, h.Models, e) {
			continue
		}
		if err := d.Store.bundle(ctx, h, e); err != nil {
			return err
		}
	}
	return nil
}

// bundle writes the row of the event before it reads the window. Flush removes the window before it
// reads the rows. So no event is missed.
func (s *Store) bundle(ctx context.Context, h Webhook, e cms.Event) error {
	var about struct{ ID, Locale string }
	if err := json.Unmarshal(e.Data, &about); err != nil {
		return err
	}
	row := webhook.Change{Event: e.Kind, Model: e.Model, ID: about.ID, Locale: about.Locale,
		OccurredAt: e.OccurredAt}
	if err := s.Table.BatchWrite(ctx, []table.Item{{Key: bundledKey(h.ID, e.ID), Body: db.Pack(row)}}, nil); err != nil {
		return err
	}
	open, err := s.Table.Get(ctx, table.Strong, windowKey(h.ID))
	if err != nil || open[0] != nil {
		return err
	}
	closes := cms.At(s.Now().Add(time.Duration(h.BundleSeconds) * time.Second))
	if err := s.MoveTimers(ctx, nil, []db.Timer{{At: closes, Kind: KindBundle, Ref: h.ID}}); err != nil {
		return err
	}
	op := table.Op{Kind: table.Put,
		Item: table.Item{Key: windowKey(h.ID), Version: closes.UnixMilli(),
			Body: db.Pack(window{closes})}, If: table.Absent}
	err = s.Table.Write(ctx, []table.Op{op})
	if taken := (*table.ConditionError)(nil); errors.As(err, &taken) {
		return nil // another event opened it
	}
	return err
}

// Flush makes deliveries of the bundled events of a subscription whose window has closed. It is the handler of timers of the kind KindBundle.
func (d *Deliveries) Flush(ctx context.Context, webhookID string) (nextRun cms.Time, err error) {
	s := d.Store
	rows, err := s.Table.Get(ctx, table.Strong, windowKey(webhookID))
	if err != nil {
		return cms.Time{}, err
	}
	if rows[0] != nil {
		var w window
		if err := db.Unpack(rows[0].Body, &w); err != nil {
			return cms.Time{}, err
		}
		if s.Now().Before(w.Closes.Time) {
			return w.Closes, nil // a later window, or the timer of an event that did not open the window
		}
		op := table.Op{Kind: table.Delete, Item: table.Item{Key: windowKey(webhookID)},
			If: table.VersionIs, Version: rows[0].Version}
		err := s.Table.Write(ctx, []table.Op{op})
		if taken := (*table.ConditionError)(nil); err != nil && !errors.As(err, &taken) {
			return cms.Time{}, err
		}
	}
	for more := true; more; {
		if more, err = d.flush(ctx, webhookID); err != nil {
			return cms.Time{}, err
		}
	}
	return cms.Time{}, nil
}

// flush makes one delivery of the oldest events; more is false if there were none.
func (d *Deliveries) flush(ctx context.Context, webhookID string) (more bool, err error) {
	s := d.Store
	was, version, err := s.fence(ctx, webhookID)
	if err != nil {
		return false, err
	}
	if err := s.dropBundled(ctx, webhookID, was.Taken); err != nil {
		return false, err
	}
	rows, err := s.Table.Query(ctx, table.Range{Partition: bundlePartition(webhookID),
		Prefix: bundledPrefix, Limit: maxBundled})
	if err != nil || len(rows) == 0 {
		return false, err
	}
	ids, changes := make([]string, len(rows)), make([]webhook.Change, len(rows))
	for i, row := range rows {
		ids[i] = strings.TrimPrefix(row.Sort, bundledPrefix)
		if err := db.Unpack(row.Body, &changes[i]); err != nil {
			return false, err
		}
	}
	if _, err := s.Webhook(ctx, webhookID); errors.Is(err, db.ErrNotFound) {
		return true, s.dropBundled(ctx, webhookID, ids)
	} else if err != nil {
		return false, err
	}
	dl := newDelivery(cms.Event{ID: ids[0], Kind: cms.EventChanges}, webhookID, s.Now())
	dl.ID = bundleID(ids[0], webhookID)
	tx := s.Begin()
	CreateDelivery(tx, &dl, webhook.ChangesBody(changes), db.ErrOvertaken)
	op := table.Op{Kind: table.Put, Item: table.Item{Key: fenceKey(webhookID), Version: version + 1,
		Body: db.Pack(fence{ids})}, If: table.Absent}
	if version > 0 {
		op.If, op.Version = table.VersionIs, version
	}
	tx.Do(op, db.ErrOvertaken)
	if err := s.Commit(ctx, tx); err != nil {
		if errors.Is(err, db.ErrOvertaken) {
			err = errBundleOvertaken
		}
		return false, err
	}
	d.sendWakes(ctx, wakeFor(dl, s.Now()))
	return true, nil
}

// errBundleOvertaken says that another worker made a delivery of the same events. The timer is
// called again after this error.
var errBundleOvertaken = errors.New("hooks: another worker flushed this bundle")

// bundleID returns the id of the delivery of a bundle, which depends on its first event.
func bundleID(eventID, webhookID string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("bundle/"+webhookID+"/"+eventID)).String()
}

func (s *Store) fence(ctx context.Context, webhookID string) (f fence, version int64, err error) {
	rows, err := s.Table.Get(ctx, table.Strong, fenceKey(webhookID))
	if err != nil || rows[0] == nil {
		return f, 0, err
	}
	return f, rows[0].Version, db.Unpack(rows[0].Body, &f)
}

// dropBundled removes the rows of events that are in a delivery.
func (s *Store) dropBundled(ctx context.Context, webhookID string, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	keys := make([]table.Key, len(ids))
	for i, id := range ids {
		keys[i] = bundledKey(webhookID, id)
	}
	return s.Table.BatchWrite(ctx, nil, slices.Clip(keys))
}

func bundlePartition(webhookID string) string { return "BUNDLE#" + webhookID }

const bundledPrefix = "e"

func bundledKey(webhookID, eventID string) table.Key {
	return table.Key{Partition: bundlePartition(webhookID), Sort: bundledPrefix + eventID}
}

func windowKey(webhookID string) table.Key {
	return table.Key{Partition: bundlePartition(webhookID), Sort: "w"}
}

func fenceKey(webhookID string) table.Key {
	return table.Key{Partition: bundlePartition(webhookID), Sort: "f"}
}
