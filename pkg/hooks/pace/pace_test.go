package pace

import (
	"testing"
	"time"
)

// TestTurns: whoever asks, and however late reserved turns are taken, no second has more requests
// than the limit.
func TestTurns(t *testing.T) {
	const limit = 4
	start := time.Unix(1_800_000_000, 0)
	var row Turns
	type waiting struct {
		at  time.Time
		own int64
	}
	queue := make([]waiting, 30) // all at once
	for i := range queue {
		queue[i].at = start
	}
	made := map[int64]int{}
	for step := 0; len(queue) > 0; step++ {
		if step > 1000 {
			t.Fatalf("%d never had a turn", len(queue))
		}
		first := 0
		for i := range queue {
			if queue[i].at.Before(queue[first].at) {
				first = i
			}
		}
		w := queue[first]
		queue = append(queue[:first], queue[first+1:]...)
		if step == 40 || step == 41 { // messages that come late
			queue = append(queue, waiting{w.at.Add(1500 * time.Millisecond), w.own})
			continue
		}
		wait, reserved := row.Take(w.at, limit, w.own)
		if wait == 0 {
			made[w.at.Unix()]++
			continue
		}
		next := waiting{at: w.at.Add(wait)}
		if reserved {
			next.own = next.at.UnixMicro()
		}
		queue = append(queue, next)
	}
	total := 0
	for second, n := range made {
		if total += n; n > limit {
			t.Errorf("%d requests in second %d", n, second)
		}
	}
	if total != 30 || len(made) > 12 {
		t.Errorf("%d requests in %d seconds", total, len(made))
	}
}

func TestTurnsFarAhead(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	row := Turns{Next: now.Add(2 * time.Minute).UnixMicro()}
	if wait, reserved := row.Take(now, 1, 0); wait != maxWait || reserved {
		t.Errorf("waits %s, reserved %v", wait, reserved)
	}
}
