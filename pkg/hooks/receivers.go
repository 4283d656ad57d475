package hooks

import (
	"errors"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// MaxLeases is how many deliveries of one subscription are on their way at a time.
const MaxLeases = 5

// ErrLeaseTaken is returned by a commit when another worker took the same slot.
var ErrLeaseTaken = errors.New("store: lease taken")

// Receiver is how a subscription's receiver has been doing since its last success. The zero value
// is a good state, and is not stored.
type Receiver struct {
	Since               cms.Time `json:"since"`    // first failure after the last success
	Failures            int      `json:"failures"` // since then
	ConsecutiveFailures int      `json:"in_a_row"` // since then or since the subscription was resumed
	Events              []string `json:"events"`   // up to two of the events that failed
	version             int64
}

// PutReceiver stores the state of a receiver, or removes one that is good again.
func PutReceiver(t *db.Tx, webhookID string, r Receiver) {
	key := receiverKey(webhookID)
	switch {
	case r.Failures == 0 && r.version == 0:
	case r.Failures == 0:
		t.Remove(key, r.version)
	default:
		body, err := db.Marshal(r)
		if err != nil {
			panic("store: a receiver cannot be encoded: " + err.Error())
		}
		item := table.Item{Key: key, Version: r.version + 1, Body: body}
		if r.version == 0 {
			t.Create(item, db.ErrOvertaken)
		} else {
			t.Replace(item, r.version)
		}
	}
}

// ForgetReceiver removes the state of a receiver, whatever it is.
func ForgetReceiver(t *db.Tx, webhookID string) { t.Delete(receiverKey(webhookID)) }

// Lease is a worker's exclusive right to a delivery for a while.
type Lease struct {
	ID    int64    `json:"id"` // random
	Until cms.Time `json:"until"`
	Slot  int      `json:"slot"` // which of its subscription's MaxLeases slots it occupies; -1: none
}

// Active reports whether a worker holds the lease at now.
func (l Lease) Active(now cms.Time) bool { return l.ID != 0 && now.Before(l.Until.Time) }

// TakeSlot occupies the lease's slot. The commit fails with ErrLeaseTaken when another lease has
// it.
func TakeSlot(t *db.Tx, webhookID string, l Lease) {
	if l.Slot < 0 {
		return
	}
	// The engine's expiry counts whole seconds, so a slot is kept up to a second longer than the
	// lease.
	t.Create(table.Item{Key: slotKey(webhookID, l.Slot), Version: l.ID,
		Expires: l.Until.Unix() + 1}, ErrLeaseTaken)
}

// LeaveSlot frees the lease's slot. The commit fails with ErrLeaseTaken when the lease ran out and
// another took over.
func LeaveSlot(t *db.Tx, webhookID string, l Lease) {
	if l.Slot < 0 {
		return
	}
	t.Do(table.Op{
		Kind: table.Delete, Item: table.Item{Key: slotKey(webhookID, l.Slot)}, If: table.VersionIs,
		Version: l.ID,
	}, ErrLeaseTaken)
}
