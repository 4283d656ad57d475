package hooks

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks/webhook"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// DeliveryDays is how long deliveries and their attempts are kept.
const DeliveryDays = 30

// Delivery is the state of one event on its way to one subscription. Messages of the queue hold no
// state; they only wake workers.
type Delivery struct {
	ID        string             `json:"id"`
	WebhookID string             `json:"webhook"`
	EventID   string             `json:"event_id"`
	Event     string             `json:"event"` // kind
	Status    cms.DeliveryStatus `json:"status"`
	CreatedAt cms.Time           `json:"created_at"`
	RequestID string             `json:"request_id,omitempty"` // of the request that raised the event

	Attempts int      `json:"attempts"` // number of logged attempts
	Next     cms.Time `json:"next"`     // when the next attempt is due; zero when finished
	Due      cms.Time `json:"due"`      // when the sweeper checks it; zero when finished
	Wakes    int      `json:"wakes"`    // how many more messages were sent for the next attempt after the first
	Lease    Lease    `json:"lease"`    // of the worker that makes the next attempt
	ParkedAt cms.Time `json:"parked_at"`

	Test    bool `json:"test,omitempty"`   // made by the test route: no retry, no queue
	Manual  bool `json:"manual,omitempty"` // a user requested the next attempt: it waits for no slot
	NoRetry bool `json:"once,omitempty"`   // no retry after the next attempt
	Repeat  bool `json:"again,omitempty"`  // a user requested another attempt while one was running

	version int64
	wasDue  cms.Time
	wasPark bool
}

// Finished reports whether the delivery has a final status.
func (d *Delivery) Finished() bool { return d.Status != cms.DeliveryPending }

func (d *Delivery) expires() int64 { return d.CreatedAt.AddDate(0, 0, DeliveryDays).Unix() }

func decodeDelivery(item *table.Item) (Delivery, error) {
	d := Delivery{version: item.Version}
	err := db.Unmarshal(item.Body, &d)
	d.wasDue, d.wasPark = d.Due, !d.ParkedAt.IsZero()
	return d, err
}

// CreateDelivery adds a new delivery with the body of its requests to a transaction. The commit
// fails with the error exists if the delivery exists already. After the commit, PutDelivery may
// change d without reading it.
func CreateDelivery(t *db.Tx, d *Delivery, body []byte, exists error) {
	t.Create(d.nextItem(), exists)
	t.Put(table.Item{Key: deliveryBodyKey(d.ID), Body: db.PackBytes(body), Expires: d.expires()})
	t.Put(table.Item{Key: deliveryListKey(d.WebhookID, d.CreatedAt.Time, d.ID), Expires: d.expires()})
	putDue(t, d)
	d.wasDue = d.Due
}

// deliveryOps is how many operations CreateDelivery adds.
const deliveryOps = 4

// PutDelivery replaces a delivery that was read, and updates its rows in the due-time index and
// among the parked ones. After the commit, it may be called again without reading d.
func PutDelivery(t *db.Tx, d *Delivery) {
	was := d.version
	t.Replace(d.nextItem(), was)
	if !d.wasDue.Equal(d.Due.Time) {
		if !d.wasDue.IsZero() {
			t.Delete(dueKey(d.wasDue.Time, d.ID))
		}
		putDue(t, d)
	}
	switch parked := !d.ParkedAt.IsZero(); {
	case parked && !d.wasPark:
		t.Put(table.Item{Key: parkKey(d.WebhookID, d.ID), Expires: d.expires()})
	case !parked && d.wasPark:
		t.Delete(parkKey(d.WebhookID, d.ID))
	}
	d.wasDue, d.wasPark = d.Due, !d.ParkedAt.IsZero()
}

// nextItem increases the version and returns the delivery's item.
func (d *Delivery) nextItem() table.Item {
	d.version++
	return table.Item{Key: deliveryKey(d.ID), Version: d.version, Body: db.MustMarshal(d), Expires: d.expires()}
}

// dueRow holds the values of a pending delivery that the sweeper needs without reading the
// delivery.
type dueRow struct {
	WebhookID string   `json:"webhook"`
	CreatedAt cms.Time `json:"created_at"`
	Next      cms.Time `json:"next"`
}

func putDue(t *db.Tx, d *Delivery) {
	if d.Due.IsZero() {
		return
	}
	t.Put(table.Item{Key: dueKey(d.Due.Time, d.ID), Expires: d.expires(),
		Body: db.MustMarshal(dueRow{d.WebhookID, d.CreatedAt, d.Next})})
}

// Delivery reads one delivery; db.ErrNotFound if there is none.
func (s *Store) Delivery(ctx context.Context, id string) (Delivery, error) {
	item, err := s.Get(ctx, deliveryKey(id))
	if err != nil {
		return Delivery{}, err
	}
	return decodeDelivery(item)
}

// Work holds everything that a worker needs to make an attempt.
type Work struct {
	Delivery Delivery
	Body     []byte   // of the request
	Webhook  *Webhook // nil if the subscription was deleted
	Secrets  webhook.Secrets
	Receiver Receiver
	Taken    [MaxLeases]bool // the slots that other workers occupy
}

// Work reads a delivery, its body, its subscription and the state of the receiver in one round
// trip; db.ErrNotFound if the delivery does not exist.
func (s *Store) Work(ctx context.Context, id, webhookID string) (*Work, error) {
	all, err := s.Works(ctx, webhookID, id)
	if err == nil && all[0] == nil {
		err = db.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// Works reads all about some deliveries of a subscription in one round trip. Deliveries that do not
// exist are nil.
func (s *Store) Works(ctx context.Context, webhookID string, ids ...string) ([]*Work, error) {
	keys := []table.Key{db.DocKey(webhookDocs(s.DB).Kind, webhookID)}
	for _, id := range ids {
		keys = append(keys, deliveryKey(id), deliveryBodyKey(id))
	}
	var shared Work
	var items []*table.Item
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		items, err = s.Table.Get(gctx, table.Strong, keys...)
		return err
	})
	g.Go(func() (err error) { return s.readReceiver(gctx, webhookID, &shared) })
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if items[0] != nil {
		doc, err := webhookDocs(s.DB).Decode(*items[0])
		if err != nil {
			return nil, err
		}
		hook := webhookOf(doc)
		shared.Webhook = &hook
	}
	all := make([]*Work, len(ids))
	for i := range all {
		delivery, body := items[1+2*i], items[2+2*i]
		if delivery == nil || body == nil {
			continue
		}
		w := shared
		var err1, err2 error
		w.Delivery, err1 = decodeDelivery(delivery)
		w.Body, err2 = db.UnpackBytes(body.Body)
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		all[i] = &w
	}
	return all, nil
}

func (s *Store) readReceiver(ctx context.Context, webhookID string, w *Work) error {
	rows, err := s.Table.Query(ctx, table.Range{Partition: receiverPartition(webhookID)})
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.Sort == receiverSort {
			w.Receiver.version = row.Version
			if err := db.Unmarshal(row.Body, &w.Receiver); err != nil {
				return err
			}
			continue
		}
		if slot := int(row.Sort[len(slotPrefix)] - '0'); slot >= 0 && slot < MaxLeases {
			w.Taken[slot] = true
		}
	}
	return nil
}

// DueDelivery is a row of the due-time index, which holds pending deliveries.
type DueDelivery struct {
	ID        string
	WebhookID string
	Due       cms.Time
	CreatedAt cms.Time
	Next      cms.Time // when its next attempt was planned at the time Due was set
	key       table.Key
}

// DueDeliveries lists about limit pending deliveries whose Due is before a time, the earliest of
// each shard first.
func (s *Store) DueDeliveries(ctx context.Context, before time.Time, limit int) ([]DueDelivery, error) {
	parts, err := s.QueryShards(ctx, duePartition,
		table.Range{To: db.TimeBytes(before), Limit: db.ShardLimit(limit)}, db.Shards)
	var list []DueDelivery
	for _, item := range slices.Concat(parts...) {
		var row dueRow
		if err := db.Unmarshal(item.Body, &row); err != nil {
			return nil, err
		}
		list = append(list, DueDelivery{ID: item.Sort[8:], WebhookID: row.WebhookID, CreatedAt: row.CreatedAt,
			Next: row.Next, Due: db.TimeOf(item.Sort), key: item.Key})
	}
	return list, err
}

// Deliveries reads deliveries by their ids, leaving out those that do not exist.
func (s *Store) Deliveries(ctx context.Context, ids ...string) (map[string]Delivery, error) {
	items, err := s.Table.Get(ctx, table.Strong, slice.Map(ids, deliveryKey)...)
	if err != nil {
		return nil, err
	}
	found := make(map[string]Delivery, len(items))
	for _, item := range items {
		if item == nil {
			continue
		}
		d, err := decodeDelivery(item)
		if err != nil {
			return nil, err
		}
		found[d.ID] = d
	}
	return found, nil
}

// Parked lists up to limit deliveries that wait until a subscription is active again.
func (s *Store) Parked(ctx context.Context, webhookID string, limit int) ([]string, error) {
	rows, err := s.Table.Query(ctx, table.Range{Partition: parkPartition(webhookID), Limit: limit})
	return slice.Map(rows, func(row table.Item) string { return row.Sort }), err
}
