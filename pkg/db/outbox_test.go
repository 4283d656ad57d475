package db

import (
	"bytes"
	"crypto/rand"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/table"
)

// TestEventsShareRow raises events in one transaction and expects all of them in the outbox, in as few
// write units as they need.
func TestEventsShareRow(t *testing.T) {
	for _, c := range []struct{ events, size, units int }{{1, 300, 1}, {2, 300, 1}, {5, 300, 1}, {8, 300, 2},
		{2, 2800, 6}} {
		s := usageStore(t)
		tx := s.Begin()
		for range c.events {
			text := rand.Text() // of which nothing repeats in a large event
			for len(text) < c.size && c.size < maxEvents/2 {
				text += " as before"
			}
			for len(text) < c.size {
				text += rand.Text()
			}
			tx.Event(cms.Actor{}, cms.EventEntryUpdated, "posts", text)
		}
		must.Do(t, s.Commit(t.Context(), tx))
		rows, err := s.Outbox(t.Context(), 1000)
		must.Do(t, err)
		var found []cms.Event
		units := 0
		for _, row := range rows {
			p, err := DecodePendingEvents(row)
			if err != nil || p.Key != row.Key {
				t.Fatal(p.Key, err)
			}
			found, units = append(found, p.Events...), units+(row.Size()+1023)/1024
		}
		if units > c.units {
			t.Errorf("%d events of %d bytes take %d rows and %d units, want %d", c.events, c.size, len(rows), units, c.units)
		}
		if got, want := MustMarshal(found), MustMarshal(tx.Events()); !bytes.Equal(got, want) {
			t.Errorf("the outbox has\n%s\nof\n%s", got, want)
		}
	}
}

// TestRowsOfOutbox reads a row as earlier versions wrote it, and refuses damaged ones by name.
func TestRowsOfOutbox(t *testing.T) {
	key := table.Key{Partition: "OUT#1", Sort: "ab"}
	for body, want := range map[string]int{`{"id": "1"}`: 1, `[{"id": "1"}]`: 1, `[{"id": "1"}, {"id": "2"}]`: 2, `[]`: 0,
		``: 0, `[{]`: 0} {
		p, err := DecodePendingEvents(table.Item{Key: key, Body: []byte(body)})
		if want == 0 && (err == nil || !strings.Contains(err.Error(), "OUT#1/6162")) || want > 0 &&
			(err != nil || len(p.Events) != want || p.Events[0].ID != "1") {
			t.Errorf("%s: %+v, %v", body, p, err)
		}
	}
}
