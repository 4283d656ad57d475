package coverage

import (
	"slices"
	"strings"

	"headless/pkg/index"
)

// Coverage says in which locales an entry of a localized model has translations.
type Coverage struct {
	Locales []string // of the members of its group, sorted; only its own if it has no group
	Default string   // the default locale when Older was computed; "" if the entry has no group
	Older   bool     // the original was changed after the entry
}

// Alone returns the coverage of an entry that has no translations.
func Alone(locale string) Coverage { return Coverage{Locales: []string{locale}} }

// Label returns the coverage as the index stores it: the locales joined by ".", then ">" and the
// default locale, or "<" instead of ">" if the entry is older than the original.
func (c Coverage) Label() string {
	label := strings.Join(c.Locales, ".")
	switch {
	case c.Default == "":
		return label
	case c.Older:
		return label + "<" + c.Default
	}
	return label + ">" + c.Default
}

// Parse returns the coverage of a label.
func Parse(label string) (c Coverage) {
	list := label
	if i := strings.IndexAny(label, "<>"); i >= 0 {
		list, c.Older, c.Default = label[:i], label[i] == '<', label[i+1:]
	}
	c.Locales = strings.Split(list, ".")
	return c
}

// Of returns the coverage that the index stores for an entry. It has no locales if the model was
// not localized when the entry was indexed.
func Of(x *index.Indexed) Coverage {
	if label := x.Label(); label != "" {
		return Parse(label)
	}
	return Coverage{}
}

// Set stores the coverage in the index entry x. Entries without a group are not counted: their
// number is the total less those counted.
func (c Coverage) Set(x *index.Indexed) { x.SetLabel(c.Label(), c.Default != "") }

// Keep copies the coverage of an entry from its previous index entry to the new one. An entry that
// is new, or whose locale changed, has no translations yet.
func Keep(now, previous *index.Indexed, locale string) {
	c := Of(previous)
	if !c.Has(locale) {
		c = Alone(locale)
	}
	c.Set(now)
}

// Has reports whether the group has a member in a locale.
func (c Coverage) Has(locale string) bool { return slices.Contains(c.Locales, locale) }

// Affected reports whether a save of the entry, whose locale is given, changes a coverage in its
// group. A save of an outdated translation makes it current, and a save of the original makes the
// translations outdated.
func (c Coverage) Affected(locale string) bool {
	return c.Default != "" && (c.Older || c.Default == locale)
}
