package cms

import (
	"maps"
	"slices"
	"strings"
)

// MaxTags is the maximum number of tags on a response (extensions §8).
const MaxTags = 50

// Tags of responses that are not about one entry, file, model or key (extensions §8).
const (
	TagSchema   = "schema"   // all responses about models and forms
	TagSettings = "settings" // responses that show settings
	TagLocales  = "locales"  // responses that show locales
	// TagPaths is on responses about where URLs lead: the redirects, and NOT_FOUND responses for paths.
	TagPaths   = "paths"
	TagFiles   = "files"   // responses with too many files to name each
	TagEntries = "entries" // entries of too many models to name each; not cached, and never purged
)

// TagKey is the tag of all responses to a key.
func TagKey(id string) string { return "k." + id }

// TagEntry is the tag of responses that show an entry, or would show it if it were published.
func TagEntry(id string) string { return "e." + id }

// TagFile is the tag of responses that show a media file.
func TagFile(id string) string { return "f." + id }

// TagMenu is the tag of responses that show a menu.
func TagMenu(slug string) string { return "menu." + slug }

// TagList is the tag of responses that list a model's entries of a locale.
func TagList(model, locale string) string { return "l." + model + "." + locale }

// TagModel is the tag of responses with too many entries of a model to name each, and of NOT_FOUND
// responses for its entries.
func TagModel(model string) string { return "m." + model }

// NewEntry lists the tags to purge when a new entry is public. Nothing can refer to it yet, so no
// answer has its own tag.
func NewEntry(model, locale string) []string {
	return []string{TagModel(model), TagList(model, locale)}
}

// ChangedEntry lists the tags to purge when the public part of an entry changed. locale is one in
// which it is or was listed.
func ChangedEntry(model, id, locale string) []string {
	return append(NewEntry(model, locale), TagEntry(id))
}

// ChangedFile lists the tags to purge when a media file changed.
func ChangedFile(id string) []string { return []string{TagFile(id), TagFiles} }

// Tags collects the tags of the things that a response shows. A nil *Tags collects nothing.
type Tags struct {
	// groups maps each tag to the tag that replaces it when there are too many, "" if it is never
	// replaced.
	groups map[string]string
}

// NewTags makes an empty collection.
func NewTags() *Tags { return &Tags{groups: map[string]string{}} }

// Add adds tags that are never replaced.
func (t *Tags) Add(tags ...string) {
	for _, tag := range tags {
		t.addTag(tag, "")
	}
}

// Entry adds an entry of a model.
func (t *Tags) Entry(model, id string) { t.addTag(TagEntry(id), TagModel(model)) }

// Unknown adds an entry that does not exist, so its model is not known.
func (t *Tags) Unknown(id string) { t.addTag(TagEntry(id), TagEntries) }

// File adds a media file.
func (t *Tags) File(id string) { t.addTag(TagFile(id), TagFiles) }

// List adds lists of a model's entries in some locales.
func (t *Tags) List(model string, locales ...string) {
	for _, l := range locales {
		t.addTag(TagList(model, l), TagModel(model))
	}
}

// Model adds the tag of everything in a model.
func (t *Tags) Model(model string) { t.addTag(TagModel(model), TagEntries) }

func (t *Tags) addTag(tag, group string) {
	if t != nil {
		t.groups[tag] = group
	}
}

// Names returns the tags in order. To have at most limit, it replaces tags by their groups: first
// the largest group of entries or files, then lists, then models.
func (t *Tags) Names(limit int) []string {
	if t == nil {
		return nil
	}
	groups := maps.Clone(t.groups)
	for _, kind := range []string{"e.f.", "l.", "m."} {
		for len(groups) > limit && collapseLargest(groups, kind) {
		}
	}
	return slices.Sorted(maps.Keys(groups))
}

// collapseLargest replaces the tags of the largest group of some kinds by the group's tag. It
// reports whether there was a group.
func collapseLargest(groups map[string]string, kinds string) bool {
	sizes := map[string]int{}
	for tag, group := range groups {
		if group != "" && strings.Contains(kinds, tag[:2]) {
			sizes[group]++
		}
	}
	largest := ""
	for group, n := range sizes {
		if n > sizes[largest] || n == sizes[largest] && group < largest {
			largest = group
		}
	}
	if largest == "" {
		return false
	}
	maps.DeleteFunc(groups, func(tag, group string) bool {
		return group == largest && strings.Contains(kinds, tag[:2])
	})
	groups[largest] = ""
	if strings.HasPrefix(largest, "m.") {
		groups[largest] = TagEntries
	}
	return true
}
