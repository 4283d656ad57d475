// Package pace spreads the requests to one receiver evenly over time, so that no second has more
// requests than the subscription allows.
package pace

import "time"

// maxWait is the longest wait for a reserved turn. A caller whose turn would be later must ask
// again.
const maxWait = time.Minute

// Turns is the state of a subscription's requests: when the next turn is free, and how many
// requests were made in the current second.
type Turns struct {
	Next   int64 `json:"next"`   // Unix microseconds
	Second int64 `json:"second"` // Unix
	Made   int   `json:"made"`
}

// Take takes a turn at now if one is free: then wait is 0. Otherwise it reserves a later turn, and
// wait is the time until then. If that would be after maxWait, reserved is false and wait is
// maxWait. limit is in requests per second. own is the caller's reserved turn in Unix microseconds,
// 0 if none.
func (t *Turns) Take(now time.Time, limit int, own int64) (wait time.Duration, reserved bool) {
	if second := now.Unix(); second > t.Second { // the clock of another worker may be fast
		t.Second, t.Made = second, 0
	}
	interval := (time.Second / time.Duration(limit)).Microseconds()
	micros := now.UnixMicro()
	free := t.Next <= micros
	if (free || own != 0 && own <= micros) && t.Made < limit {
		if t.Made++; free {
			t.Next = micros + interval
		}
		return 0, false
	}
	turn := max(t.Next, micros+interval)
	wait = time.Duration(turn-micros) * time.Microsecond
	if wait > maxWait {
		return maxWait, false
	}
	t.Next = turn + interval
	return wait, true
}
