package db

import "headless/pkg/cms"

// Trace is what an activity record says beside who did what.
type Trace struct {
	Address   *string `json:"address"`              // of the client; nil where the service did it by itself
	RequestID string  `json:"request_id,omitempty"` // as the client read it in X-Request-Id
	Before    any     `json:"before,omitempty"`     // what was changed, of changes that keep it
	After     any     `json:"after,omitempty"`
}

// Audit records who did what, with what it changed. before and after hold no secret; nil is left
// out.
func (t *Tx) Audit(actor cms.Actor, event, subject, id string, before, after any) {
	t.trace = Trace{Before: before, After: after}
	if id == "" {
		t.Activity(actor, event, subject)
	} else {
		t.Activity(actor, event, subject, id)
	}
	t.trace = Trace{}
}
