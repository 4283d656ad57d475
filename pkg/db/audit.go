package db

import "headless/pkg/cms"

// Trace holds the further details of an activity record, besides who did what.
type Trace struct {
	Address   *string `json:"address"`              // of the client; nil for the service itself
	RequestID string  `json:"request_id,omitempty"` // as the client read it in X-Request-Id
	Program   string  `json:"program,omitempty"`    // that made the change in the name of the actor
	Before    any     `json:"before,omitempty"`     // the changed values, where recorded
	After     any     `json:"after,omitempty"`
}

// Audit records who did what, with the changed values before and after it. They must contain no
// secret; a nil value is left out.
func (t *Tx) Audit(actor cms.Actor, event, subject, id string, before, after any) {
	t.trace = Trace{Before: before, After: after}
	if id == "" {
		t.Activity(actor, event, subject)
	} else {
		t.Activity(actor, event, subject, id)
	}
	t.trace = Trace{}
}
