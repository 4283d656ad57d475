package pump

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"
)

// Schedule invokes a function at a rate.
type Schedule struct {
	Every  time.Duration
	Input  []byte // the event; nil: the event of EventBridge
	Invoke Invoke
	Log    *slog.Logger
}

// Rate reads the interval of a rate expression such as "rate(5 minutes)".
func Rate(expression string) (time.Duration, error) {
	inner := strings.TrimSuffix(strings.TrimPrefix(expression, "rate("), ")")
	number, unit, ok := strings.Cut(inner, " ")
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 1 {
		return 0, fmt.Errorf("pump: %q is not a rate", expression)
	}
	switch strings.TrimSuffix(unit, "s") {
	case "minute":
		return time.Duration(n) * time.Minute, nil
	case "hour":
		return time.Duration(n) * time.Hour, nil
	case "day":
		return time.Duration(n) * 24 * time.Hour, nil
	}
	return 0, fmt.Errorf("pump: %q is not a rate", expression)
}

// Run invokes the function until ctx ends.
func (s Schedule) Run(ctx context.Context) {
	tick := time.NewTicker(s.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		event := s.Input
		if event == nil {
			event = Scheduled(time.Now())
		}
		if _, err := s.Invoke(ctx, event); err != nil && ctx.Err() == nil {
			s.Log.Error("schedule", "error", err.Error())
		}
	}
}

// Scheduled returns the event that EventBridge sends.
func Scheduled(now time.Time) []byte {
	event, err := json.Marshal(map[string]any{
		"version": "0", "id": "00000000-0000-0000-0000-000000000000",
		"detail-type": "Scheduled Event", "source": "aws.events",
		"account": "000000000000", "time": now.UTC().Format(time.RFC3339), "region": "us-east-1",
		"resources": []string{}, "detail": map[string]any{},
	})
	if err != nil {
		return nil // cannot fail
	}
	return event
}
