package webhook

import (
	"fmt"
	"slices"
	"strings"

	"headless/pkg/cms"
)

// Patterns that a subscription can name instead of a kind of event.
const (
	AllEvents      = "*"
	AllEntryEvents = "entry.*"
)

const entryPrefix = "entry."

// Matches reports whether a subscription to events and models wants e. If models is not empty,
// entry events of other models are excluded; events of other kinds are not affected (decisions §8).
func Matches(events, models []string, e cms.Event) bool {
	isEntry := strings.HasPrefix(e.Kind, entryPrefix)
	wanted := slices.Contains(events, AllEvents) && e.Kind != cms.EventActivityRecorded || slices.Contains(events, e.Kind) ||
		isEntry && slices.Contains(events, AllEntryEvents)
	if !wanted {
		return false
	}
	return !isEntry || len(models) == 0 || slices.Contains(models, e.Model)
}

// ValidateEvents checks that each of events is a known kind, "entry.*" or "*". An empty list is
// valid: it matches nothing. The error's text may be shown to the user.
func ValidateEvents(events []string) error {
	for _, event := range events {
		if event != AllEvents && event != AllEntryEvents && !slices.Contains(cms.EventKinds, event) {
			return fmt.Errorf("%q is not an event: use *, entry.* or one of %s", event,
				strings.Join(cms.EventKinds, ", "))
		}
	}
	return nil
}
