package coverage

import (
	"slices"
	"strings"

	"headless/pkg/index"
)

// Coverage is that of an entry of a localized model.
type Coverage struct {
	Locales []string // of the members of its group, sorted; its own alone where it has none
	Default string   // the default locale that Older goes by; "" where the entry has no group
	Older   bool     // the original was changed after the entry
}

// Alone is the coverage of an entry that has no translations.
func Alone(locale string) Coverage { return Coverage{Locales: []string{locale}} }

// Label is what stands for a coverage in the index.
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

// Parse reads a label.
func Parse(label string) (c Coverage) {
	list := label
	if i := strings.IndexAny(label, "<>"); i >= 0 {
		list, c.Older, c.Default = label[:i], label[i] == '<', label[i+1:]
	}
	c.Locales = strings.Split(list, ".")
	return c
}

// Of is the coverage that the index holds of an entry; it has no locales where the model was not
// localized.
func Of(x *index.Indexed) Coverage {
	if label := x.Label(); label != "" {
		return Parse(label)
	}
	return Coverage{}
}

// Set makes it the coverage that the index holds of an entry. Entries without a group are not
// counted: they are the others.
func (c Coverage) Set(x *index.Indexed) { x.SetLabel(c.Label(), c.Default != "") }

// Keep gives what the index holds of an entry now the coverage that it held before; an entry that
// is new, or in another locale than before, has no translations yet.
func Keep(now, before *index.Indexed, locale string) {
	c := Of(before)
	if !c.Has(locale) {
		c = Alone(locale)
	}
	c.Set(now)
}

// Has reports whether the group has a member in a locale.
func (c Coverage) Has(locale string) bool { return slices.Contains(c.Locales, locale) }

// Affected reports whether a save of an entry in a locale changes its coverage or that of others in
// its group: one that was outdated no longer is, and what the original was saved after is.
func (c Coverage) Affected(locale string) bool {
	return c.Default != "" && (c.Older || c.Default == locale)
}
