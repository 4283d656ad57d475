package cms

import (
	"fmt"
	"time"
)

// TimeLayout is the format of every timestamp of the API: ISO 8601, UTC, milliseconds.
const TimeLayout = "2006-01-02T15:04:05.000Z"

// Time is an instant with millisecond precision. The zero Time is null in JSON.
type Time struct{ time.Time }

// At returns t in UTC, truncated to milliseconds.
func At(t time.Time) Time { return Time{t.UTC().Truncate(time.Millisecond)} }

// String returns t in TimeLayout, "" for the zero Time.
func (t Time) String() string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(TimeLayout)
}

// Day returns the day of t in UTC, as 2006-01-31, "" for the zero Time.
func (t Time) Day() string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// MarshalJSON writes t in TimeLayout, or null.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return []byte(`"` + t.String() + `"`), nil
}

// UnmarshalJSON reads RFC 3339 or null.
func (t *Time) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*t = Time{}
		return nil
	}
	if len(b) < 2 || b[0] != '"' {
		return fmt.Errorf("not a timestamp")
	}
	v, ok := ParseDateTime(string(b[1 : len(b)-1]))
	if !ok {
		return fmt.Errorf("not a timestamp: use the form 2026-01-31T12:00:00.000Z")
	}
	*t = At(v)
	return nil
}
