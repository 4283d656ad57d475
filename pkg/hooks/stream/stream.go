package stream

import (
	"context"
	"errors"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks"
	"headless/pkg/hooks/webhook"
	"headless/pkg/table"
)

const (
	every      = 20 * time.Second // between two looks at the log
	workTime   = 10 * time.Second // how long one call sends
	leaseTime  = 40 * time.Second // longer than workTime and one request, which takes 15 s at most
	readSize   = 100              // records read at a time, about
	storeEvery = 10               // records sent between two writes of the place
	longWait   = 10 * time.Minute // the longest wait after a failure
)

// Streams sends the activity log to the subscriptions that follow it.
type Streams struct{ *hooks.Deliveries }

// place is how far a subscription has got in the log.
type place struct {
	Since    cms.Time `json:"since"`              // FollowsSince of the subscription
	Position []byte   `json:"position"`           // of the last record that was answered
	Sequence int64    `json:"sequence"`           // of the same record
	Failures int      `json:"failures,omitempty"` // since then
	Lease    cms.Time `json:"lease,omitzero"`     // until when a worker sends
	version  int64
}

// record is the data of the event.
type record struct {
	db.Activity
	Sequence int64 `json:"sequence"`
}

// errStopped says that another worker sends the records now.
var errStopped = errors.New("stream: another worker has taken over")

// Work sends the records that a subscription has not had yet. It is the handler of timers of the
// kind hooks.KindStream.
func (s Streams) Work(ctx context.Context, webhookID string) (nextRun cms.Time, err error) {
	hook, err := s.Store.Webhook(ctx, webhookID)
	if errors.Is(err, db.ErrNotFound) {
		return cms.Time{}, s.Store.Table.BatchWrite(ctx, nil, []table.Key{placeKey(webhookID)})
	}
	if err != nil || !hook.IsActive || hook.FollowsSince.IsZero() {
		return cms.Time{}, err // the next save of the subscription sets a timer if it is needed
	}
	p, err := s.readPlace(ctx, hook)
	if err != nil {
		return cms.Time{}, err
	}
	now := s.Store.Now()
	if now.Before(p.Lease.Time) && !s.Store.Abandoned(p.Lease.Add(-leaseTime)) {
		return p.Lease, nil
	}
	more, wait, err := s.sendRecords(ctx, &hook, &p, now.Add(workTime))
	now = s.Store.Now()
	switch {
	case errors.Is(err, errStopped):
		return cms.At(now.Add(every)), nil
	case err != nil:
		return cms.Time{}, err
	case wait > 0:
		return cms.At(now.Add(wait)), nil
	case more:
		return now, nil
	}
	return cms.At(now.Truncate(every).Add(every)), nil // so that several timers become one
}

// sendRecords sends records until there are none left, one fails, or the time is over; then more is true.
// wait is how long to wait after a failure.
func (s Streams) sendRecords(ctx context.Context, hook *hooks.Webhook, p *place,
	end time.Time) (more bool, wait time.Duration, err error) {
	secrets, err := s.Store.Secrets(hook)
	if err != nil {
		return false, 0, err
	}
	for sent := 0; ; {
		records, err := s.Store.ActivityAfter(ctx, string(p.Position), readSize)
		if err != nil {
			return false, 0, err
		}
		if len(records) == 0 {
			if sent > 0 {
				err = s.storePlace(ctx, hook.ID, p, false)
			}
			return false, 0, err
		}
		if sent == 0 {
			if err := s.storePlace(ctx, hook.ID, p, true); err != nil {
				return false, 0, err
			}
		}
		for _, r := range records {
			result, err := s.post(ctx, hook, secrets, r, p)
			if err != nil { // the process stops
				return false, 0, errors.Join(err, s.storePlace(context.WithoutCancel(ctx), hook.ID, p, false))
			}
			if !result.OK() {
				p.Failures++
				s.Log.Info("activity stream", "webhook", hook.ID, "sequence", p.Sequence+1, "code", result.Code)
				return false, min(every<<min(p.Failures-1, 10), longWait), s.storeFailure(ctx, *hook, p, result)
			}
			p.Position, p.Failures = []byte(r.Position), 0
			p.Sequence++
			sent++
			late := !s.Store.Now().Before(end)
			if late || sent%storeEvery == 0 {
				if err := s.storePlace(ctx, hook.ID, p, !late); err != nil || late {
					return late, 0, err
				}
			}
			if err := restBetween(ctx, hook.RequestsPerSecond); err != nil {
				return false, 0, err
			}
		}
	}
}

// restBetween waits between two requests to a receiver with a limit.
func restBetween(ctx context.Context, perSecond int) error {
	if perSecond == 0 {
		return ctx.Err()
	}
	return table.Pause(ctx, time.Second/time.Duration(perSecond))
}

// post sends one record. Its id and body are the same at each attempt.
func (s Streams) post(ctx context.Context, hook *hooks.Webhook, secrets webhook.Secrets,
	r db.ActivityRecord, p *place) (webhook.Result, error) {
	sequence := p.Sequence + 1
	event := cms.Event{ID: r.ID(), Kind: cms.EventActivityRecorded, OccurredAt: r.Time, RequestID: r.RequestID,
		Data: db.MustMarshal(record{r.Activity, sequence}), Sequence: sequence}
	id := hooks.Begin(event, hook.ID, event.OccurredAt).ID
	body := webhook.Fill(hook.Body, webhook.Body(event), event.Kind, id, event.OccurredAt)
	m := webhook.Message{Event: event.Kind, Delivery: id, Attempt: p.Failures + 1, Body: body,
		Extra: hook.Headers, Ed25519: hook.Ed25519,
		Secrets: secrets}
	result := s.Client.Post(ctx, webhook.Request{URL: hook.URL, Header: m.Headers(s.Store.Now().Time), Body: m.Body})
	return result, ctx.Err()
}

// storeFailure stores the place after a failure. A receiver that is gone gets nothing any more.
func (s Streams) storeFailure(ctx context.Context, hook hooks.Webhook, p *place, result webhook.Result) error {
	if err := s.storePlace(ctx, hook.ID, p, false); err != nil || !result.Gone() {
		return err
	}
	tx := s.Store.Begin()
	s.Pause(ctx, tx, hook, cms.Phrased("The receiver answered 410 Gone."))
	return s.Store.Commit(ctx, tx)
}

// readPlace reads the place of a subscription. A new one begins where it began to follow the log.
func (s Streams) readPlace(ctx context.Context, hook hooks.Webhook) (place, error) {
	p, version, err := db.Find[place](ctx, s.Store.DB, placeKey(hook.ID))
	p.version = version
	if !p.Since.Equal(hook.FollowsSince.Time) {
		p.Since, p.Position = hook.FollowsSince, []byte(db.ActivityPosition(hook.FollowsSince))
	}
	return p, err
}

// storePlace stores the place, with or without a lease of this worker. It returns errStopped if another
// worker has stored it since it was read.
func (s Streams) storePlace(ctx context.Context, webhookID string, p *place, lease bool) error {
	if p.Lease = (cms.Time{}); lease {
		p.Lease = cms.At(s.Store.Now().Add(leaseTime))
	}
	op := table.PutNext(table.Item{Key: placeKey(webhookID), Body: db.Pack(p)}, p.version)
	p.version++
	stored, err := table.TryWrite(ctx, s.Store.Table, op)
	if !stored && err == nil {
		err = errStopped
	}
	return err
}
