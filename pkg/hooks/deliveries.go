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
	"headless/pkg/table"
)

// deliveryDays is how long deliveries and their attempts are kept.
const deliveryDays = 30

// Delivery is the truth about one event on its way to one subscription; queue messages only say
// that there is something to do.
type Delivery struct {
	ID        string             `json:"id"`
	WebhookID string             `json:"webhook"`
	EventID   string             `json:"event_id"`
	Event     string             `json:"event"` // kind
	Status    cms.DeliveryStatus `json:"status"`
	CreatedAt cms.Time           `json:"created_at"`
	RequestID string             `json:"request_id,omitempty"` // of the request that raised the event

	Attempts int      `json:"attempts"` // made and logged
	Next     cms.Time `json:"next"`     // when the next attempt is due; zero when finished
	Due      cms.Time `json:"due"`      // when the sweeper looks at it; zero when finished
	Wakes    int      `json:"wakes"`    // messages that were sent for the next attempt in addition to the first
	Lease    Lease    `json:"lease"`    // of the worker that makes the next attempt
	ParkedAt cms.Time `json:"parked_at"`

	Test   bool `json:"test,omitempty"`   // made by the test route: no retry, no queue
	Manual bool `json:"manual,omitempty"` // the next attempt was asked for: it waits for no slot
	Once   bool `json:"once,omitempty"`   // no retry after the next attempt
	Again  bool `json:"again,omitempty"`  // one more attempt was asked for while one is running

	version int64
	wasDue  cms.Time
	wasPark bool
}

// Finished reports whether nothing more is to be done.
func (d *Delivery) Finished() bool { return d.Status != cms.DeliveryPending }

func (d *Delivery) expires() int64 { return d.CreatedAt.AddDate(0, 0, deliveryDays).Unix() }

func decodeDelivery(item *table.Item) (Delivery, error) {
	d := Delivery{version: item.Version}
	err := db.Unmarshal(item.Body, &d)
	d.wasDue, d.wasPark = d.Due, !d.ParkedAt.IsZero()
	return d, err
}

// CreateDelivery adds a delivery with the body of its requests. The commit fails with exists when
// it is there already. The delivery may be changed by a later transaction without being read again.
func CreateDelivery(t *db.Tx, d *Delivery, body []byte, exists error) {
	t.Create(d.next(), exists)
	t.Put(table.Item{Key: deliveryBodyKey(d.ID), Body: db.PackBytes(body), Expires: d.expires()})
	t.Put(table.Item{Key: deliveryListKey(d.WebhookID, d.CreatedAt.Time, d.ID), Expires: d.expires()})
	putDue(t, d)
	d.wasDue = d.Due
}

// deliveryOps is how many operations CreateDelivery adds.
const deliveryOps = 4

// PutDelivery changes a delivery that was read before, and where it is looked for. Once that is
// committed, the delivery may be changed again without being read.
func PutDelivery(t *db.Tx, d *Delivery) {
	was := d.version
	t.Replace(d.next(), was)
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

// next is the item of the delivery's next version.
func (d *Delivery) next() table.Item {
	d.version++
	body, err := db.Marshal(d)
	if err != nil {
		panic("store: a delivery cannot be encoded: " + err.Error())
	}
	return table.Item{Key: deliveryKey(d.ID), Version: d.version, Body: body, Expires: d.expires()}
}

// dueRow is what the sweeper wants to know of a pending delivery without reading it.
type dueRow struct {
	WebhookID string   `json:"webhook"`
	CreatedAt cms.Time `json:"created_at"`
	Next      cms.Time `json:"next"`
}

func putDue(t *db.Tx, d *Delivery) {
	if d.Due.IsZero() {
		return
	}
	body, err := db.Marshal(dueRow{d.WebhookID, d.CreatedAt, d.Next})
	if err != nil {
		panic("store: a due row cannot be encoded: " + err.Error())
	}
	t.Put(table.Item{Key: dueKey(d.Due.Time, d.ID), Body: body, Expires: d.expires()})
}

// Delivery reads one delivery; ErrNotFound when there is none.
func (s *Store) Delivery(ctx context.Context, id string) (Delivery, error) {
	item, err := s.Get(ctx, deliveryKey(id))
	if err != nil {
		return Delivery{}, err
	}
	return decodeDelivery(item)
}

// Work is what a worker needs to know to make an attempt.
type Work struct {
	Delivery Delivery
	Body     []byte   // of the request
	Webhook  *Webhook // nil: the subscription is gone
	Secrets  webhook.Secrets
	Receiver Receiver
	Taken    [MaxLeases]bool // the slots that other workers occupy
}

// Work reads all about a delivery in one round trip; ErrNotFound when the delivery does not exist.
func (s *Store) Work(ctx context.Context, id, webhookID string) (*Work, error) {
	var w Work
	var items []*table.Item
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		items, err = s.Table.Get(gctx, table.Strong, deliveryKey(id), deliveryBodyKey(id),
			db.DocKey(webhookDocs(s.DB).Kind, webhookID))
		return err
	})
	g.Go(func() (err error) { return s.readReceiver(gctx, webhookID, &w) })
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if items[0] == nil || items[1] == nil {
		return nil, db.ErrNotFound
	}
	var err1, err2 error
	w.Delivery, err1 = decodeDelivery(items[0])
	w.Body, err2 = db.UnpackBytes(items[1].Body)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if items[2] != nil {
		doc, err := webhookDocs(s.DB).Decode(*items[2])
		if err != nil {
			return nil, err
		}
		hook := webhookOf(doc)
		w.Webhook = &hook
	}
	return &w, nil
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

// DueDelivery is a pending delivery as the due-time index shows it.
type DueDelivery struct {
	ID        string
	WebhookID string
	Due       cms.Time
	CreatedAt cms.Time
	Next      cms.Time // when its next attempt was to be made, as of when Due was set
	key       table.Key
}

// DueDeliveries lists up to limit pending deliveries that are to be looked at before a time, the
// earliest of each shard first.
func (s *Store) DueDeliveries(ctx context.Context, before time.Time, limit int) ([]DueDelivery, error) {
	var parts [db.Shards][]DueDelivery
	g, ctx := errgroup.WithContext(ctx)
	for shard := range db.Shards {
		g.Go(func() error {
			items, err := s.Table.Query(ctx, table.Range{
				Partition: duePartition(shard), To: db.TimeBytes(before),
				Limit: (limit + db.Shards - 1) / db.Shards,
			})
			for _, item := range items {
				var row dueRow
				if err := db.Unmarshal(item.Body, &row); err != nil {
					return err
				}
				parts[shard] = append(parts[shard], DueDelivery{
					ID: item.Sort[8:], WebhookID: row.WebhookID, CreatedAt: row.CreatedAt,
					Next: row.Next, Due: db.TimeOf(item.Sort), key: item.Key,
				})
			}
			return err
		})
	}
	err := g.Wait()
	return slices.Concat(parts[:]...), err
}

// DropDue removes a row of the due-time index whose delivery does not need it.
func (s *Store) DropDue(ctx context.Context, d DueDelivery) error {
	return s.Table.BatchWrite(ctx, nil, []table.Key{d.key})
}

// Deliveries reads deliveries by their ids, leaving out those that do not exist.
func (s *Store) Deliveries(ctx context.Context, ids ...string) (map[string]Delivery, error) {
	keys := make([]table.Key, len(ids))
	for i, id := range ids {
		keys[i] = deliveryKey(id)
	}
	items, err := s.Table.Get(ctx, table.Strong, keys...)
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
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.Sort
	}
	return ids, err
}

// Unpark removes the mark of a delivery that does not wait, such as one that is gone.
func (s *Store) Unpark(ctx context.Context, webhookID, id string) error {
	return s.Table.BatchWrite(ctx, nil, []table.Key{parkKey(webhookID, id)})
}
