package planpages

import (
	"testing"
	"time"
)

func TestCalendar(t *testing.T) {
	from := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) // a Sunday
	monday := from.AddDate(0, 0, 1).Truncate(24 * time.Hour)
	planned := []calendarItem{
		{At: "2026-03-01T13:00:00Z", Text: "First", Href: "/1", when: from.Add(time.Hour)},
		{At: "2026-03-02", Text: "Due", Href: "/2", when: monday},
	}
	weeks := calendar(from, from.AddDate(0, 0, 2), planned)
	if len(weeks) != 2 {
		t.Fatalf("%d weeks", len(weeks))
	}
	first, sunday, next := weeks[0][0], weeks[0][6], weeks[1][0]
	if first.Date.Format(time.DateOnly) != "2026-02-23" || !first.Outside || sunday.Outside ||
		!weeks[1][6].Outside {
		t.Errorf("the first week begins on %v", first)
	}
	if len(sunday.Items) != 1 || sunday.Items[0].Time() != "13:00" {
		t.Errorf("Sunday has %v", sunday.Items)
	}
	if len(next.Items) != 1 || next.Items[0].Time() != "" {
		t.Errorf("Monday has %v", next.Items)
	}
	if got := calendar(from, from.AddDate(10, 0, 0), nil); len(got) != maxWeeks {
		t.Errorf("%d weeks for ten years", len(got))
	}
	if days := plannedDays(planned); len(days) != 2 || days[0].Title.String() != "Sunday, 1 March 2026" {
		t.Errorf("the list is %v", days)
	}
}
