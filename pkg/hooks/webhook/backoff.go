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
	busyFloor     = time.Minute    // minimum wait after an answer that says the receiver is overloaded
	maxRetryAfter = 24 * time.Hour // maximum wait that a receiver's Retry-After can ask for
	maxStep       = 7 * 24 * time.Hour
	maxSteps      = 50
)

// Schedule holds the waits between the attempts of a delivery.
type Schedule struct {
	steps []time.Duration
	floor time.Duration // minimum wait after 429, 502, 503, 504 and timeouts
}

// DefaultSchedule makes 10 attempts over about 75 hours.
func DefaultSchedule() Schedule {
	return Schedule{floor: busyFloor, steps: []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	}}
}

// NewSchedule returns a schedule with the operator's waits, one for each retry: at most 50, each
// above zero and at most 7 days. Without waits it returns the default schedule. Only the default
// schedule has a minimum wait of 60 s after the answer of an overloaded receiver; otherwise the
// operator's waits are used as they are.
func NewSchedule(steps ...time.Duration) (Schedule, error) {
	if len(steps) == 0 {
		return DefaultSchedule(), nil
	}
	if len(steps) > maxSteps {
		return Schedule{}, fmt.Errorf("retry schedule: more than %d steps", maxSteps)
	}
	for _, step := range steps {
		if step <= 0 || step > maxStep {
			return Schedule{}, fmt.Errorf("retry schedule: %s is not above zero and at most %s", step, maxStep)
		}
	}
	return Schedule{steps: steps}, nil
}

// Attempts returns how many attempts a delivery has in all.
func (s Schedule) Attempts() int { return len(s.steps) + 1 }

// Next returns when the next attempt is due after attempt number attempt (counted from 1) ended
// with r at now. It returns false if there is none: r is a success, is final, or was the last
// attempt. rnd returns random numbers in [0, 1) for the jitter. A valid Retry-After of the receiver
// is used if it is longer than the step, up to 24 h.
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

// busy reports whether r says that the receiver is overloaded.
func (r Result) busy() bool {
	switch r.Code {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable,
		http.StatusGatewayTimeout:
		return true
	}
	return r.Timeout
}

// parseRetryAfter returns the wait of a Retry-After header, in seconds or as an HTTP date, at most
// 24 h. It returns 0 for a time in the past and for invalid values.
func parseRetryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0
	}
	if strings.Trim(value, "0123456789") == "" {
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil || seconds > int64(maxRetryAfter/time.Second) { // the error is an overflow
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
