package replay

import (
	"context"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks"
	"headless/pkg/input"
	"headless/pkg/table"
)

// KindReplay is the kind of the timers of replays. Their ref is the id of the subscription.
const KindReplay = "replay"

// days is how long deliveries, and the latest replay, are kept.
const days = 30

// Status is the state of a replay.
type Status string

// The states of a replay.
const (
	Running Status = "running"
	Done    Status = "done"
	Stopped Status = "stopped"
)

// Replay is the public form of a replay.
type Replay struct {
	ID         string   `json:"id"`
	Status     Status   `json:"status"`
	OnlyFailed bool     `json:"only_failed"`
	From       cms.Time `json:"from"` // deliveries made from this time on…
	To         cms.Time `json:"to"`   // …and before this one
	LookedAt   int      `json:"looked_at"`
	SentAgain  int      `json:"sent_again"`
	CreatedAt  cms.Time `json:"created_at"`
	FinishedAt cms.Time `json:"finished_at"` // zero while it runs
}

// record is the stored form of a replay.
type record struct {
	Replay
	Position []byte   `json:"position"` // of the next delivery in the log
	Waiting  []string `json:"waiting"`  // the last delivery of each step that may be unfinished, oldest first
	version  int64
}

// Replays starts, runs and stops replays.
type Replays struct{ hooks.Webhooks }

// request is the body that starts a replay.
type request struct {
	OnlyFailed *bool     `json:"only_failed"`
	From       *cms.Time `json:"from"`
	To         *cms.Time `json:"to"`
}

// decodeReplay returns the replay that a body asks for. Without from it begins with the oldest delivery,
// without to it ends now.
func decodeReplay(body map[string]any, now cms.Time) (Replay, error) {
	in, problems := input.Decode[request](body)
	r := Replay{Status: Running, CreatedAt: now, OnlyFailed: input.Given(in.OnlyFailed, false),
		From: input.Given(in.From, cms.Time{}), To: input.Given(in.To, cms.Time{})}
	if r.From.IsZero() && !r.OnlyFailed && len(problems) == 0 {
		problems.Add("from", "is required unless only_failed is true")
	}
	if r.From.IsZero() {
		r.From = cms.At(now.AddDate(0, 0, -days))
	}
	if r.To.IsZero() || r.To.After(now.Time) {
		r.To = now
	}
	if !r.From.Before(r.To.Time) && len(problems) == 0 {
		problems.Add("from", "must be before the end, and in the past")
	}
	return r, problems.Err()
}

// Start starts a replay. Errors: VALIDATION_FAILED, NOT_FOUND, and CONFLICT while another replay
// runs or the subscription is paused.
func (s *Replays) Start(ctx context.Context, actor cms.Actor, webhookID string, body map[string]any) (Replay, error) {
	var started Replay
	err := s.Store.Retry(ctx, func() error {
		hook, err := s.Get(ctx, webhookID)
		if err != nil {
			return err
		}
		last, err := s.readRecord(ctx, webhookID)
		if err != nil {
			return err
		}
		switch {
		case !hook.IsActive:
			return cms.Errorf(cms.CodeConflict, "The webhook is paused. Resume it first.")
		case last.Status == Running:
			return cms.Errorf(cms.CodeConflict, "Another replay of this webhook is running. Wait until it ends, or stop it.")
		}
		tx := s.Store.Begin()
		r := record{version: last.version}
		if r.Replay, err = decodeReplay(body, tx.At()); err != nil {
			return err
		}
		r.ID = uuid.Must(uuid.NewV7()).String()
		r.Position = []byte(hooks.Position(r.From))
		r.putIn(tx, webhookID)
		tx.SetTimer(db.Timer{At: tx.At(), Kind: KindReplay, Ref: webhookID})
		tx.Audit(actor, "webhook.replayed", hooks.Subject(hook), hook.ID, nil, map[string]any{
			"only_failed": r.OnlyFailed, "from": r.From, "to": r.To})
		started = r.Replay
		return s.Store.Commit(ctx, tx)
	})
	return started, err
}

var errNone = cms.Errorf(cms.CodeNotFound, "There was no replay of this webhook in the last 30 days.")

// Latest returns the latest replay of a subscription; NOT_FOUND if there was none in the last 30
// days.
func (s *Replays) Latest(ctx context.Context, webhookID string) (Replay, error) {
	if _, err := s.Get(ctx, webhookID); err != nil {
		return Replay{}, err
	}
	r, err := s.readRecord(ctx, webhookID)
	if err == nil && r.ID == "" {
		err = errNone
	}
	return r.Replay, err
}

// Stop ends a running replay. Deliveries that it made due are still sent. Errors: NOT_FOUND, and
// CONFLICT if the replay is finished.
func (s *Replays) Stop(ctx context.Context, actor cms.Actor, webhookID string) error {
	return s.Store.Retry(ctx, func() error {
		hook, err := s.Get(ctx, webhookID)
		if err != nil {
			return err
		}
		r, err := s.readRecord(ctx, webhookID)
		switch {
		case err != nil:
			return err
		case r.ID == "":
			return errNone
		case r.Status != Running:
			return cms.Errorf(cms.CodeConflict, "This replay has already ended.")
		}
		tx := s.Store.Begin()
		r.finishAs(Stopped, tx.At())
		r.putIn(tx, webhookID)
		tx.Activity(actor, "webhook.replay_stopped", hooks.Subject(hook), hook.ID)
		return s.Store.Commit(ctx, tx)
	})
}

// readRecord reads the latest replay; the zero record if there is none.
func (s *Replays) readRecord(ctx context.Context, webhookID string) (record, error) {
	r, version, err := db.Find[record](ctx, s.Store.DB, replayKey(webhookID))
	r.version = version
	return r, err
}

// putIn stores the record. The commit fails if the stored record changed after it was read.
func (r *record) putIn(tx *db.Tx, webhookID string) {
	item := table.Item{Key: replayKey(webhookID), Body: db.Pack(r), Expires: r.CreatedAt.AddDate(0, 0, days).Unix()}
	tx.Save(item, r.version)
	r.version++
}

func (r *record) finishAs(s Status, now cms.Time) {
	r.Status, r.FinishedAt, r.Waiting = s, now, nil
}
