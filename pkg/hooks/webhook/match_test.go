package webhook

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
)

func TestMatches(t *testing.T) {
	post := cms.Event{Kind: cms.EventEntryUpdated, Model: "posts"}
	media := cms.Event{Kind: cms.EventMediaUploaded}
	tests := []struct {
		events, models []string
		event          cms.Event
		want           bool
	}{
		{nil, nil, post, false},
		{[]string{"*"}, nil, post, true},
		{[]string{"*"}, nil, media, true},
		{[]string{"entry.*"}, nil, post, true},
		{[]string{"entry.*"}, nil, media, false},
		{[]string{"media.*"}, []string{"pages"}, media, true},
		{[]string{"release.*"}, nil, media, false},
		{[]string{"entry.updated"}, nil, post, true},
		{[]string{"entry.created"}, nil, post, false},
		{[]string{"entry.created", "entry.updated"}, nil, post, true},
		{[]string{"entry.updated"}, []string{"posts"}, post, true},
		{[]string{"entry.updated"}, []string{"pages"}, post, false},
		{[]string{"*"}, []string{"pages"}, post, false},
		{[]string{"*"}, []string{"pages"}, media, true},
		{[]string{"media.uploaded"}, []string{"pages"}, media, true},
		{[]string{"settings.updated"}, nil, cms.Event{Kind: cms.EventSettingsUpdated}, true},
	}
	for _, test := range tests {
		if got := Matches(test.events, test.models, test.event); got != test.want {
			t.Errorf("%v %v %s: got %v", test.events, test.models, test.event.Kind, got)
		}
	}
}

func TestValidateEvents(t *testing.T) {
	for _, event := range append([]string{"*", "entry.*", "media.*", "release.*"}, cms.EventKinds...) {
		if err := ValidateEvents([]string{event}); err != nil {
			t.Error(err)
		}
	}
	for _, event := range []string{"", "user.*", "entry", "entry.renamed", "**", cms.EventWebhookTest} {
		if ValidateEvents([]string{"*", event}) == nil {
			t.Errorf("%q is accepted", event)
		}
	}
	if err := ValidateEvents(nil); err != nil {
		t.Error(err)
	}
}

func TestBody(t *testing.T) {
	at := cms.At(time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC))
	head := `{"event":"entry.created","occurred_at":"2026-01-02T03:04:05.006Z","data":`
	long := func(n int) string { return fmt.Sprintf(`{"id":"e1","title":"%s"}`, strings.Repeat("x", n)) }
	room := MaxBody - len(head) - len(long(0)) - len("}")
	tests := []struct{ name, data, want string }{
		{"plain", `{"id":"e1","title":"<b> & é"}`, `{"id":"e1","title":"<b> & é"}`},
		{"nothing", ``, `{}`},
		{"as large as can be", long(room), long(room)},
		{"a byte too large", long(room + 1), `{"id":"e1","truncated":true}`},
		{"too large without an id", `{"keys":["` + strings.Repeat("x", MaxBody) + `"]}`,
			`{"id":"ev1","truncated":true}`},
		{"broken", `{"id":`, `{"id":"ev1","truncated":true}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := cms.Event{ID: "ev1", Kind: cms.EventEntryCreated, OccurredAt: at,
				Data: json.RawMessage(test.data)}
			if got := string(Body(e)); got != head+test.want+"}" || len(got) > MaxBody {
				t.Errorf("got %d bytes: %.200s", len(got), got)
			}
		})
	}
}
