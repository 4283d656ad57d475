package webhook

import (
	"testing"
	"time"

	"headless/pkg/must"
)

func middle() float64 { return 0.5 }

func TestNewSchedule(t *testing.T) {
	many := make([]time.Duration, maxSteps+1)
	for i := range many {
		many[i] = time.Second
	}
	tests := []struct {
		steps    []time.Duration
		attempts int // 0: an error
	}{
		{nil, 10}, {many[:1], 2}, {many[:maxSteps], maxSteps + 1}, {many, 0},
		{[]time.Duration{5 * time.Second, 5 * time.Minute, time.Hour}, 4},
		{[]time.Duration{0}, 0}, {[]time.Duration{-time.Second}, 0}, {[]time.Duration{169 * time.Hour}, 0},
	}
	for _, test := range tests {
		schedule, err := NewSchedule(test.steps...)
		if (err == nil) != (test.attempts > 0) || err == nil && schedule.Attempts() != test.attempts {
			t.Errorf("%v: %d attempts, %v; want %d", test.steps, schedule.Attempts(), err, test.attempts)
		}
	}
}

// TestLadder walks all ten attempts and sees the 75 hours pass, give or take the jitter.
func TestLadder(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for rnd, want := range map[float64]time.Duration{0: -20, 0.5: 0, 1: 20} {
		now, attempt := start, 1
		for {
			next, ok := DefaultSchedule().Next(attempt, Result{Code: 500}, now, func() float64 { return rnd })
			if !ok {
				break
			}
			now, attempt = next, attempt+1
		}
		total := 75*time.Hour + 35*time.Minute + 5*time.Second
		total += total * want / 100
		if got := now.Sub(start); attempt != 10 || (got-total).Abs() > time.Second {
			t.Errorf("rnd %v: %d attempts over %v, want 10 over %v", rnd, attempt, got, total)
		}
	}
}

func TestNext(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	date := func(d time.Duration) string { return now.Add(d).Format("Mon, 02 Jan 2006 15:04:05 GMT") }
	fast, err := NewSchedule(time.Second, time.Second)
	must.Do(t, err)
	const day = 24 * time.Hour
	tests := []struct {
		name     string
		schedule Schedule
		attempt  int
		result   Result
		want     time.Duration // 0: no further attempt
	}{
		{"server error", DefaultSchedule(), 1, Result{Code: 500}, 5 * time.Second},
		{"no answer", DefaultSchedule(), 2, Result{}, 5 * time.Minute},
		{"redirect", DefaultSchedule(), 1, Result{Code: 301}, 5 * time.Second},
		{"last step", DefaultSchedule(), 9, Result{Code: 500}, day},
		{"last attempt", DefaultSchedule(), 10, Result{Code: 500}, 0},
		{"redelivery after the end", DefaultSchedule(), 14, Result{Code: 500}, 0},
		{"no such attempt", DefaultSchedule(), 0, Result{Code: 500}, 0},
		{"success", DefaultSchedule(), 1, Result{Code: 204}, 0},
		{"success cut short by time", DefaultSchedule(), 1, Result{Code: 200, Timeout: true}, time.Minute},
		{"success with a reset body", DefaultSchedule(), 1, Result{Code: 200, Err: "reset"}, 0},
		{"gone", DefaultSchedule(), 1, Result{Code: 410, RetryAfter: "10"}, 0},
		{"refused address", DefaultSchedule(), 1, Result{Terminal: true}, 0},
		{"429", DefaultSchedule(), 1, Result{Code: 429}, time.Minute},
		{"502", DefaultSchedule(), 1, Result{Code: 502}, time.Minute},
		{"503", DefaultSchedule(), 1, Result{Code: 503}, time.Minute},
		{"504", DefaultSchedule(), 1, Result{Code: 504}, time.Minute},
		{"timeout", DefaultSchedule(), 1, Result{Timeout: true}, time.Minute},
		{"503 later", DefaultSchedule(), 3, Result{Code: 503}, 30 * time.Minute},
		{"503, own schedule", fast, 1, Result{Code: 503}, time.Second},
		{"own schedule ends", fast, 3, Result{Code: 503}, 0},
		{"seconds", DefaultSchedule(), 1, Result{Code: 429, RetryAfter: "120"}, 2 * time.Minute},
		{"seconds, own schedule", fast, 1, Result{Code: 429, RetryAfter: " 120 "}, 2 * time.Minute},
		{"fewer seconds than the step", DefaultSchedule(), 4, Result{Code: 429, RetryAfter: "120"},
			2 * time.Hour},
		{"seconds with 500", DefaultSchedule(), 1, Result{Code: 500, RetryAfter: "7"}, 7 * time.Second},
		{"date", DefaultSchedule(), 1, Result{Code: 503, RetryAfter: date(time.Hour)}, time.Hour},
		{"past date", DefaultSchedule(), 1, Result{Code: 503, RetryAfter: date(-time.Hour)}, time.Minute},
		{"zero", DefaultSchedule(), 1, Result{Code: 503, RetryAfter: "0"}, time.Minute},
		{"negative", DefaultSchedule(), 1, Result{Code: 503, RetryAfter: "-5"}, time.Minute},
		{"junk", DefaultSchedule(), 1, Result{Code: 503, RetryAfter: "soon"}, time.Minute},
		{"fraction", DefaultSchedule(), 1, Result{Code: 503, RetryAfter: "90.5"}, time.Minute},
		{"ten years in seconds", DefaultSchedule(), 1, Result{Code: 503, RetryAfter: "315360000"}, day},
		{"more than a number", DefaultSchedule(), 1,
			Result{Code: 503, RetryAfter: "99999999999999999999"}, day},
		{"ten years as a date", DefaultSchedule(), 1, Result{Code: 503, RetryAfter: date(3650 * day)}, day},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			next, ok := test.schedule.Next(test.attempt, test.result, now, middle)
			if ok != (test.want > 0) || ok && next.Sub(now) != test.want {
				t.Errorf("got %v %v, want %v", next.Sub(now), ok, test.want)
			}
		})
	}
}
