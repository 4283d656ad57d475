package entryforms

import (
	"iter"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/site"
)

// Version is an entry as somebody saved it. Actor is nil for an anonymous one.
type Version struct {
	Actor *string
	Entry *cms.Entry
}

// Authors returns who made the stored value of each conflict, by the versions of the entry, newest first. It is
// the last other person who changed the field, unless a save of me made the value. The last save says little: a
// save of me joins my changes with those of others. Nil stands for somebody unknown. Versions are read until all
// authors are known, and two are looked at together.
func Authors(m *site.Model, conflicts []Conflict, versions iter.Seq2[Version, error], me string) ([]*string, error) {
	authors, open := slices.Repeat([]*string{&me}, len(conflicts)), make([]int, len(conflicts))
	for i := range open {
		open[i] = i
	}
	var now map[string]string // JSON of the fields of a version, which actor saved
	var actor *string
	compare := func(before map[string]string) {
		mine := actor != nil && *actor == me
		open = slices.DeleteFunc(open, func(i int) bool {
			c, key := conflicts[i], TopKey(conflicts[i].Key)
			made := strings.Contains(now[key], jsonOf(c.Theirs)) && !strings.Contains(before[key], jsonOf(c.Theirs))
			if mine && (!made || isLongText(c.Field)) || !mine && now[key] == before[key] {
				return false
			}
			authors[i] = actor
			return true
		})
	}
	for v, err := range versions {
		if err != nil {
			return nil, err
		}
		values, before := storedValues(m, v.Entry), map[string]string{}
		for _, i := range open {
			if key := TopKey(conflicts[i].Key); before[key] == "" {
				before[key] = jsonOf(canonical(FieldOf(m, key), values[key]))
			}
		}
		if now != nil {
			compare(before)
		}
		if now, actor = before, v.Actor; len(open) == 0 {
			break
		}
	}
	if now != nil {
		compare(nil) // with what no version has
	}
	return authors, nil
}
