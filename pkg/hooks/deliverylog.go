package hooks

import (
	"context"
	"encoding/json"
	"strings"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// putAttempt adds an attempt to the log of a delivery. It leaves out the payload, which is the body
// stored with the delivery.
func putAttempt(t *db.Tx, d Delivery, a cms.DeliveryAttempt) {
	a.Payload = json.RawMessage("null")
	t.Put(table.Item{Key: attemptKey(d.ID, a.Attempt), Body: db.Pack(a), Expires: d.expires()})
}

// LoggedDelivery is a delivery with its attempts.
type LoggedDelivery struct {
	Delivery
	Log  []cms.DeliveryAttempt // with Payload
	Body []byte
}

// deliveryLog lists up to limit deliveries of a subscription, newest first, from a cursor on; ""
// starts at the newest. next is the cursor of the next page, "" at the end. Errors: BAD_REQUEST for
// an invalid cursor.
func (s *Store) deliveryLog(ctx context.Context, webhookID, cursor string,
	limit int) (list []LoggedDelivery, next string, err error) {
	check := []byte("deliveries of " + webhookID)
	to, err := s.DecodeCursor(ctx, check, cursor)
	if err != nil {
		return nil, "", err
	}
	rows, err := s.Table.Query(ctx, table.Range{
		Partition: deliveryListPartition(webhookID), To: to, Reverse: true, Limit: limit + 1,
	})
	if err != nil {
		return nil, "", err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		if next, err = s.EncodeCursor(ctx, check, rows[limit-1].Sort); err != nil {
			return nil, "", err
		}
	}
	logged := make([]*LoggedDelivery, len(rows))
	g, reading := errgroup.WithContext(ctx)
	g.SetLimit(10)
	for i, row := range rows {
		g.Go(func() error {
			l, err := s.LoggedDelivery(reading, row.Sort[8:])
			if err == nil {
				logged[i] = &l
			}
			return db.Missing(err, nil) // the delivery has expired, but not yet its row of the list
		})
	}
	if err := g.Wait(); err != nil {
		return nil, "", err
	}
	size := 0
	for i, l := range logged {
		if l == nil {
			continue
		}
		if size += l.size(); size > maxLogBytes && len(list) > 0 {
			next, err = s.EncodeCursor(ctx, check, rows[i-1].Sort)
			return list, next, err
		}
		list = append(list, *l)
	}
	return list, next, nil
}

// maxLogBytes is about the maximum size of a page of the log. A Lambda response may have 6 MB, and
// JSON pages indent and escape the bodies.
const maxLogBytes = 2 << 20

func (l *LoggedDelivery) size() int {
	n := 0
	for _, a := range l.Log {
		n += len(a.Payload) + len(a.ResponseBody)
	}
	return n
}

// LoggedDelivery reads a delivery with its body and attempts; db.ErrNotFound if there is none.
func (s *Store) LoggedDelivery(ctx context.Context, id string) (LoggedDelivery, error) {
	var l LoggedDelivery
	items, err := s.Table.Query(ctx, table.Range{Partition: deliveryPartition(id)})
	if err != nil {
		return l, err
	}
	for i := range items {
		switch item := &items[i]; {
		case item.Sort == deliverySort:
			l.Delivery, err = decodeDelivery(item)
		case item.Sort == bodySort:
			l.Body, err = db.UnpackBytes(item.Body)
		case strings.HasPrefix(item.Sort, attemptPrefix):
			var a cms.DeliveryAttempt
			err = db.Unmarshal(item.Body, &a)
			l.Log = append(l.Log, a)
		}
		if err != nil {
			return l, err
		}
	}
	for i := range l.Log {
		l.Log[i].Payload = l.Body
	}
	if l.ID == "" {
		return l, db.ErrNotFound
	}
	return l, nil
}
