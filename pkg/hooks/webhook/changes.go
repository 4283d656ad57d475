package webhook

import (
	"slices"
	"strings"

	"headless/pkg/cms"
)

// Change is an event in a bundle (extensions §7 and §16).
type Change struct {
	Event      string   `json:"event"`
	Model      string   `json:"model"` // slug; "" for other events than of entries
	ID         string   `json:"id"`    // of an entry, a file or a release, slug of a menu; "" for other events
	Locale     string   `json:"locale"`
	OccurredAt cms.Time `json:"occurred_at"`

	HasURL bool `json:"-"` // the entry has an address on the site
}

// Bundled reports whether events of a kind wait for others: all but those about people, what they
// sent, and reviews (extensions §16).
func Bundled(kind string) bool {
	if slices.Contains([]string{cms.EventEntryReviewRequested, cms.EventEntryApproved, cms.EventEntryReturned}, kind) {
		return false // nothing that the public sees
	}
	area, _, _ := strings.Cut(kind, ".")
	return !slices.Contains([]string{"user", "form", "activity", "webhook"}, area)
}

// moves are the events with which an address begins or ends. One that changes has paths.updated.
var moves = []string{cms.EventEntryPublished, cms.EventEntryUnpublished, cms.EventEntryDeleted}

// tags returns the cache tags that the change purges.
func (c Change) tags() []string {
	area, _, _ := strings.Cut(c.Event, ".")
	switch area {
	case "entry":
		tags := cms.ChangedEntry(c.Model, c.ID, c.Locale)
		if c.HasURL && slices.Contains(moves, c.Event) {
			tags = append(tags, cms.TagPaths)
		}
		return tags
	case "media":
		if c.Event != cms.EventMediaUploaded { // no answer shows a new file
			return cms.ChangedFile(c.ID)
		}
	case "settings":
		return []string{cms.TagSettings}
	case "locales":
		return []string{cms.TagLocales, cms.TagSchema, cms.TagSettings}
	case "menu":
		return []string{cms.TagMenu(c.ID)}
	case "redirects", "paths":
		return []string{cms.TagPaths}
	case "schema":
		return []string{cms.TagSchema}
	}
	return nil // the entries of a release have events of their own
}

// ChangesBody returns the request body of a bundle: its events, and the sorted cache tags that they
// purge. Its size is not limited.
func ChangesBody(changes []Change) []byte {
	tags := []string{}
	for _, c := range changes {
		tags = append(tags, c.tags()...)
	}
	slices.Sort(tags)
	data := struct {
		Events []Change `json:"events"`
		Tags   []string `json:"tags"`
	}{changes, slices.Compact(tags)}
	body, _ := cms.Marshal(payload{Event: cms.EventChanges,
		OccurredAt: changes[len(changes)-1].OccurredAt, Data: data}) // plain values always encode
	return body
}
