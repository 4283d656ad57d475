package webhook

import (
	"fmt"
	"slices"
	"strings"

	"headless/pkg/cms"
)

// AllEvents is what a subscription can name instead of all kinds of events.
const AllEvents = "*"

// Patterns are what a subscription can name instead of the kinds that begin alike (extensions §16).
var Patterns = []string{"entry.*", "media.*", "release.*"}

const entryPrefix = "entry."

// Matches reports whether a subscription to events and models wants e. If models is not empty,
// entry events of other models are excluded; events of other kinds are not affected (decisions §8).
func Matches(events, models []string, e cms.Event) bool {
	isEntry := strings.HasPrefix(e.Kind, entryPrefix)
	area, _, _ := strings.Cut(e.Kind, ".")
	wanted := slices.Contains(events, AllEvents) && e.Kind != cms.EventActivityRecorded ||
		slices.Contains(events, e.Kind) || slices.Contains(Patterns, area+".*") && slices.Contains(events, area+".*")
	if !wanted {
		return false
	}
	return !isEntry || len(models) == 0 || slices.Contains(models, e.Model)
}

// ValidateEvents checks that each of events is a known kind, a pattern such as "entry.*", or "*". An empty list is
// valid: it matches nothing. The error's text may be shown to the user.
func ValidateEvents(events []string) error {
	for _, event := range events {
		if event != AllEvents && !slices.Contains(Patterns, event) && !slices.Contains(cms.EventKinds, event) {
			return fmt.Errorf("%q is not an event: use *, %s or one of %s", event,
				strings.Join(Patterns, ", "), strings.Join(cms.EventKinds, ", "))
		}
	}
	return nil
}
