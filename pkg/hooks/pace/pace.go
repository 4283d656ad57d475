// Package pace spreads the requests to one receiver evenly, so that no second has more of them than
// its subscription allows.
package pace

import "time"

// Ahead is how far ahead turns are reserved; who comes later asks again.
const Ahead = time.Minute

// Turns are the requests of a subscription: when the next one is free, and how many were made in
// the current second.
type Turns struct {
	Next   int64 `json:"next"`   // Unix microseconds
	Second int64 `json:"second"` // Unix
	Made   int   `json:"made"`
}

// Take gives a turn at now (wait 0), or reserves one (ahead true) and says when it comes. own is a
// turn that was reserved before, Unix microseconds; 0: none.
func (t *Turns) Take(now time.Time, limit int, own int64) (wait time.Duration, ahead bool) {
	if second := now.Unix(); second > t.Second { // the clock of another worker may be ahead
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
	if wait > Ahead {
		return Ahead, false
	}
	t.Next = turn + interval
	return wait, true
}
