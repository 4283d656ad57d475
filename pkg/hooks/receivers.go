package hooks

import (
	"errors"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// MaxLeases is the number of slots of a subscription: how many attempts may run at a time.
const MaxLeases = 5

// ErrLeaseTaken is returned by a commit if another worker has the slot.
var ErrLeaseTaken = errors.New("hooks: lease taken")

// Receiver counts the failures of a subscription's receiver since its last success. The zero value
// means no failures, and is not stored.
type Receiver struct {
	Since               cms.Time `json:"since"`    // first failure after the last success
	Failures            int      `json:"failures"` // since then
	ConsecutiveFailures int      `json:"in_a_row"` // since then, or since the subscription was resumed
	Events              []string `json:"events"`   // ids of failed events, at most pauseEvents
	version             int64
}

// putReceiver stores the state of a receiver, or removes it if there are no failures.
func putReceiver(t *db.Tx, webhookID string, r Receiver) {
	key := receiverKey(webhookID)
	switch {
	case r.Failures == 0 && r.version == 0:
	case r.Failures == 0:
		t.Remove(key, r.version)
	default:
		t.Save(table.Item{Key: key, Body: db.MustMarshal(r)}, r.version)
	}
}

// forgetReceiver removes the state of a receiver, whatever its version.
func forgetReceiver(t *db.Tx, webhookID string) { t.Delete(receiverKey(webhookID)) }

// Lease is a worker's exclusive right to a delivery for a while.
type Lease struct {
	ID    int64    `json:"id"` // random
	Until cms.Time `json:"until"`
	Slot  int      `json:"slot"` // the slot of its subscription that it occupies, below MaxLeases; -1 if none
}

// Active reports whether a worker holds the lease at now.
func (l Lease) Active(now cms.Time) bool { return l.ID != 0 && now.Before(l.Until.Time) }

// takeSlot occupies the lease's slot. The commit fails with ErrLeaseTaken if another lease has it.
func takeSlot(t *db.Tx, webhookID string, l Lease) {
	if l.Slot < 0 {
		return
	}
	// Rows expire at whole seconds, so a slot may be kept up to a second longer than the lease.
	t.Create(table.Item{Key: slotKey(webhookID, l.Slot), Version: l.ID, Expires: l.Until.Unix() + 1}, ErrLeaseTaken)
}

// leaveSlot frees the lease's slot. The commit fails with ErrLeaseTaken if the lease expired and
// another lease has the slot.
func leaveSlot(t *db.Tx, webhookID string, l Lease) {
	if l.Slot < 0 {
		return
	}
	t.Do(table.Op{
		Kind: table.Delete, Item: table.Item{Key: slotKey(webhookID, l.Slot)}, If: table.VersionIs,
		Version: l.ID,
	}, ErrLeaseTaken)
}
