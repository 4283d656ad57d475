package entryforms

import (
	"strings"

	"headless/pkg/cms"
	"headless/pkg/site"
)

// Version is an entry as somebody saved it. Actor is nil for an anonymous one.
type Version struct {
	Actor *string
	Entry *cms.Entry
}

// Author returns who made the stored value of a conflict, by the versions of the entry, newest first. It is
// the last other person who changed the field, unless a save of me made the value. The last save says little: a
// save of me joins my changes with those of others. Nil stands for somebody unknown.
func (c Conflict) Author(m *site.Model, versions []Version, me string) *string {
	key := TopKey(c.Key)
	value := func(i int) (text string, has bool) {
		if i == len(versions) {
			return "", false
		}
		text = jsonOf(EntryValues(m, versions[i].Entry)[key])
		return text, strings.Contains(text, jsonOf(c.Theirs))
	}
	for i, v := range versions {
		now, has := value(i)
		before, had := value(i + 1)
		mine := v.Actor != nil && *v.Actor == me
		if mine && has && !had && !isLongText(c.Field) || !mine && now != before {
			return v.Actor
		}
	}
	return &me
}
