package bundle

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks"
	"headless/pkg/hooks/webhook"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// KindBundle is the kind of the timers that end windows; they name the subscription.
const KindBundle = "bundle"

// maxEvents is how many events one delivery holds.
const maxEvents = 1000

// window is the time in which events are gathered; its row exists while it is open.
type window struct {
	Closes cms.Time `json:"closes"`
}

// stored is the row of an event that waits for the end of its window.
type stored struct {
	webhook.Change
	HasURL bool `json:"has_url,omitempty"`
}

// fence orders the deliveries of bundles: each is made under the version of the fence, and names
// the rows that it took.
type fence struct {
	Taken []string `json:"taken"` // ids of events
}

// Gather stores an event for each active subscription that wants it in a bundle, and opens their
// windows. It may be repeated.
func (b Bundles) Gather(ctx context.Context, e cms.Event, subscriptions []hooks.Webhook) error {
	for _, h := range subscriptions {
		if !h.Wants(e) || !h.Bundles(e) {
			continue
		}
		if err := b.gather(ctx, h, e); err != nil {
			return err
		}
	}
	return nil
}

// gather writes the row of an event before it looks for the window. Flush removes the window before
// it reads the rows, so it misses none.
func (b Bundles) gather(ctx context.Context, h hooks.Webhook, e cms.Event) error {
	s := b.Store
	var about struct{ ID, Slug, Locale, URL string }
	if err := json.Unmarshal(e.Data, &about); err != nil {
		return err
	}
	if e.Kind == cms.EventMenuUpdated {
		about.ID = about.Slug
	}
	row := stored{Change: webhook.Change{Event: e.Kind, Model: e.Model, ID: about.ID, Locale: about.Locale,
		OccurredAt: e.OccurredAt}, HasURL: about.URL != ""}
	event := table.Item{Key: eventKey(h.ID, e.ID), Body: db.Pack(row)}
	if err := s.Table.BatchWrite(ctx, []table.Item{event}, nil); err != nil {
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
	_, err = table.TryWrite(ctx, s.Table, op) // if it does not write, another event opened it
	return err
}

// Flush makes deliveries of the bundled events of a subscription whose window is over. It is the
// handler of timers of the kind KindBundle.
func (b Bundles) Flush(ctx context.Context, webhookID string) (nextRun cms.Time, err error) {
	s := b.Store
	w, version, err := db.Read[window](ctx, s.DB, windowKey(webhookID))
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return cms.Time{}, err
	}
	if s.Now().Before(w.Closes.Time) {
		return w.Closes, nil // a later window, or a second event set this timer
	}
	if err == nil {
		op := table.Op{Kind: table.Delete, Item: table.Item{Key: windowKey(webhookID)},
			If: table.VersionIs, Version: version}
		if _, err := table.TryWrite(ctx, s.Table, op); err != nil {
			return cms.Time{}, err
		}
	}
	for more := true; more; {
		err := s.Retry(ctx, func() (err error) { // another worker may make a delivery of the same events
			more, err = b.flush(ctx, webhookID)
			return err
		})
		if err != nil {
			return cms.Time{}, err
		}
	}
	return cms.Time{}, nil
}

// errSent says that there is a delivery that begins with an event: the event was dispatched again after that.
var errSent = errors.New("bundle: the event was sent before")

// flush makes one delivery of the oldest events; more reports whether there may be others that the window
// gathered. Events that come meanwhile open a window of their own.
func (b Bundles) flush(ctx context.Context, webhookID string) (more bool, err error) {
	s := b.Store
	was, version, err := b.fence(ctx, webhookID)
	if err != nil {
		return false, err
	}
	if err := b.drop(ctx, webhookID, was.Taken); err != nil {
		return false, err
	}
	rows, err := s.Table.Query(ctx, table.Range{Partition: partition(webhookID),
		Prefix: eventPrefix, Limit: maxEvents})
	if err != nil || len(rows) == 0 {
		return false, err
	}
	ids, changes := make([]string, len(rows)), make([]webhook.Change, len(rows))
	for i, row := range rows {
		ids[i] = strings.TrimPrefix(row.Sort, eventPrefix)
		var event stored
		if err := db.Unpack(row.Body, &event); err != nil {
			return false, err
		}
		changes[i], changes[i].HasURL = event.Change, event.HasURL
	}
	hook, err := s.Webhook(ctx, webhookID)
	if errors.Is(err, db.ErrNotFound) {
		return true, b.drop(ctx, webhookID, ids)
	} else if err != nil {
		return false, err
	}
	dl := hooks.Begin(cms.Event{ID: ids[0], Kind: cms.EventChanges}, webhookID, s.Now())
	dl.ID = deliveryID(ids[0], webhookID)
	tx := s.Begin()
	last := changes[len(changes)-1].OccurredAt
	body := webhook.Fill(hook.Body, webhook.ChangesBody(changes), dl.Event, dl.ID, last)
	hooks.CreateDelivery(tx, &dl, body, errSent)
	tx.Save(table.Item{Key: fenceKey(webhookID), Body: db.Pack(fence{ids})}, version)
	if err := s.Commit(ctx, tx); errors.Is(err, errSent) {
		return true, b.drop(ctx, webhookID, ids[:1])
	} else if err != nil {
		return false, err
	}
	b.Wake(ctx, dl)
	return len(rows) == maxEvents, b.drop(ctx, webhookID, ids)
}

// deliveryID is the id of the delivery of a bundle, made from the id of its first event.
func deliveryID(eventID, webhookID string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("bundle/"+webhookID+"/"+eventID)).String()
}

func (b Bundles) fence(ctx context.Context, webhookID string) (f fence, version int64, err error) {
	return db.Find[fence](ctx, b.Store.DB, fenceKey(webhookID))
}

// drop removes the rows of events that are in a delivery.
func (b Bundles) drop(ctx context.Context, webhookID string, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	keys := slice.Map(ids, func(id string) table.Key { return eventKey(webhookID, id) })
	return b.Store.Table.BatchWrite(ctx, nil, keys)
}
