package refs

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
)

// MapTexts returns data with each richtext of some fields, at any depth, replaced by what change
// returns for it. path is data.steps.0.body. What changes is copied, data itself never changes.
// Values of other fields stay.
func MapTexts(fields []cms.Field, data map[string]any,
	change func(path, text string) string) map[string]any {
	now, _ := mapTexts("data", fields, data, change)
	return now
}

// mapTexts is MapTexts for an object at a path. It also reports whether the object differs.
func mapTexts(path string, fields []cms.Field, object map[string]any,
	change func(path, text string) string) (now map[string]any, differs bool) {
	now = object
	for i := range fields {
		f := &fields[i]
		v := object[f.Name]
		if v == nil || f.Type != cms.TypeRichText && !f.HasFields() {
			continue
		}
		value, changed := mapValue(path+"."+f.Name, f, v, change)
		if !changed {
			continue
		}
		if !differs {
			now, differs = maps.Clone(object), true
		}
		now[f.Name] = value
	}
	return now, differs
}

// mapValue returns the value of a field after MapTexts, and whether it differs.
func mapValue(path string, f *cms.Field, v any, change func(path, text string) string) (any, bool) {
	switch v := v.(type) {
	case string:
		if f.Type != cms.TypeRichText {
			return v, false
		}
		now := change(path, v)
		return now, now != v
	case map[string]any:
		return mapTexts(path, f.FieldsOf(v), v, change)
	case []any:
		now, differs := v, false
		for i, item := range v {
			object, ok := item.(map[string]any)
			if !ok {
				continue
			}
			if value, changed := mapValue(path+"."+strconv.Itoa(i), f, object, change); changed {
				if !differs {
					now, differs = slices.Clone(v), true
				}
				now[i] = value
			}
		}
		return now, differs
	}
	return v, false
}

// TextTargets returns the distinct targets of the references in a Markdown text, in their order.
func TextTargets(markdown string) []Target {
	var found []Target
	for _, t := range targetsIn(markdown, scheme) {
		if !slices.Contains(found, t) {
			found = append(found, t)
		}
	}
	return found
}

// EntriesIn returns the targets of all references to entries in a Markdown text, in their order.
func EntriesIn(markdown string) []Target { return targetsIn(markdown, entryScheme) }

// targetsIn returns the targets of all references in a text whose destinations have a prefix.
func targetsIn(markdown, prefix string) (found []Target) {
	if !strings.Contains(markdown, prefix) {
		return nil
	}
	for _, d := range Destinations(markdown) {
		destination := markdown[d.Start:d.End]
		if t, _, ok := Parse(destination); ok && strings.HasPrefix(destination, prefix) {
			found = append(found, t)
		}
	}
	return found
}
