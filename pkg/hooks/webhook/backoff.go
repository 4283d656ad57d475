package webhook

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	jitter        = 0.2
	busyFloor     = time.Minute    // least wait after an answer that says the receiver is overloaded
	maxRetryAfter = 24 * time.Hour // most that a receiver's Retry-After can ask for
	maxStep       = 7 * 24 * time.Hour
	maxSteps      = 50
)

// Schedule is the waits between the attempts of a delivery.
type Schedule struct {
	steps []time.Duration
	floor time.Duration // least wait after 429, 502, 503, 504 and timeouts
}

// DefaultSchedule makes 10 attempts over about 75 hours.
func DefaultSchedule() Schedule {
	return Schedule{floor: busyFloor, steps: []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	}}
}

// NewSchedule makes a schedule of the operator's waits, one for each retry, at most 50 and each
// above zero and at most 7 days. No waits at all are the default schedule. The minimum of 60 s
// after an overloaded receiver's answer belongs to the default schedule only: whoever writes a
// schedule gets the waits that they wrote.
func NewSchedule(steps ...time.Duration) (Schedule, error) {
	if len(steps) == 0 {
		return DefaultSchedule(), nil
	}
	if len(steps) > maxSteps {
		return Schedule{}, fmt.Errorf("retry schedule: more than %d steps", maxSteps)
	}
	for _, step := range steps {
		if step <= 0 || step > maxStep {
			return Schedule{}, fmt.Errorf("retry schedule: %s is not above zero and up to %s", step, maxStep)
		}
	}
	return Schedule{steps: steps}, nil
}

// Attempts is how many attempts a delivery has in all.
func (s Schedule) Attempts() int { return len(s.steps) + 1 }

// Next is when the attempt after number attempt (counted from 1), which ended with r at now, is
// due. It is false when there is none: r is a success, is final, or was the last attempt. rnd gives
// numbers from 0 up to 1 for the jitter. A valid Retry-After of the receiver counts when it asks
// for longer than the step, up to 24 h.
func (s Schedule) Next(attempt int, r Result, now time.Time, rnd func() float64) (time.Time, bool) {
	if r.OK() || r.Terminal || r.Gone() || attempt < 1 || attempt > len(s.steps) {
		return time.Time{}, false
	}
	factor := 1 - jitter + 2*jitter*rnd()
	wait := time.Duration(float64(s.steps[attempt-1]) * factor)
	if r.busy() {
		wait = max(wait, s.floor)
	}
	return now.Add(max(wait, parseRetryAfter(r.RetryAfter, now))), true
}

// busy reports whether r says that the receiver needs a rest.
func (r Result) busy() bool {
	switch r.Code {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable,
		http.StatusGatewayTimeout:
		return true
	}
	return r.Timeout
}

// parseRetryAfter reads seconds or an HTTP date, at most 24 h; it is 0 for what is past, negative
// or neither.
func parseRetryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0
	}
	if strings.Trim(value, "0123456789") == "" {
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil || seconds > int64(maxRetryAfter/time.Second) { // an error here is a number out of range
			return maxRetryAfter
		}
		return time.Duration(seconds) * time.Second
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(date.Sub(now), 0), maxRetryAfter)
}
