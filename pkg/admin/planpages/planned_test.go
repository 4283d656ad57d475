package planpages

import (
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/planning"
)

func TestCalendar(t *testing.T) {
	from := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) // a Sunday
	planned := []planning.Planned{
		{At: cms.At(from.Add(time.Hour)), Action: planning.ActionPublish, ID: "1", Model: "posts",
			Title: "First"},
		{At: cms.At(from.AddDate(0, 0, 1)), Action: planning.ActionRelease, ID: "2", Title: "Spring"},
	}
	weeks := calendar(from, from.AddDate(0, 0, 2), planned)
	if len(weeks) != 2 {
		t.Fatalf("%d weeks", len(weeks))
	}
	monday, sunday, next := weeks[0][0], weeks[0][6], weeks[1][0]
	if monday.Date.Format(time.DateOnly) != "2026-02-23" || !monday.Outside || sunday.Outside ||
		!weeks[1][6].Outside {
		t.Errorf("the first week begins on %v", monday)
	}
	if len(sunday.Items) != 1 || sunday.Items[0].Time != "13:00" ||
		sunday.Items[0].Href != "/admin/models/posts/entries/1" {
		t.Errorf("Sunday has %v", sunday.Items)
	}
	if len(next.Items) != 1 || next.Items[0].Href != "/admin/releases/2" {
		t.Errorf("Monday has %v", next.Items)
	}
	if got := calendar(from, from.AddDate(10, 0, 0), nil); len(got) != maxWeeks {
		t.Errorf("%d weeks for ten years", len(got))
	}
	if days := plannedDays(planned); len(days) != 2 || days[0].Title != "Sunday, 1 March 2026" {
		t.Errorf("the list is %v", days)
	}
}
