package refs

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
)

// MapTexts returns data with each richtext of some fields, at any depth, replaced by what change
// returns for it; of a text in parts, each piece of Markdown. path is data.steps.0.body. What changes
// is copied, data itself never changes. Values of other fields stay.
func MapTexts(fields []cms.Field, data map[string]any, change func(path, text string) string) map[string]any {
	return MapRichTexts(fields, data, textChange(change))
}

// Change returns the new value of a richtext field at a path, and whether it differs from the value
// v, which is a text, or a list of parts.
type Change func(path string, f *cms.Field, v any) (now any, differs bool)

// MapRichTexts is MapTexts for whole values of richtext fields.
func MapRichTexts(fields []cms.Field, data map[string]any, change Change) map[string]any {
	now, _ := MapWriting("data", fields, data, func(path string, f *cms.Field, v any) (any, bool) {
		if f.Type != cms.TypeRichText {
			return v, false
		}
		return change(path, f, v)
	})
	return now
}

// textChange returns the change of the Markdown in richtext fields.
func textChange(change func(path, text string) string) Change {
	var whole Change
	whole = func(path string, f *cms.Field, v any) (any, bool) {
		if f.Type != cms.TypeRichText {
			return v, false
		}
		switch v := v.(type) {
		case string:
			now := change(path, v)
			return now, now != v
		case []any:
			return mapItems(path, v, func(path string, part map[string]any) (map[string]any, bool) {
				text, ok := part["text"].(string)
				if !ok || part["type"] != cms.TextPart {
					return MapWriting(path, f.FieldsOf(part), part, whole)
				}
				now := change(path, text)
				return map[string]any{"type": cms.TextPart, "text": now}, now != text
			})
		}
		return v, false
	}
	return whole
}

// MapWriting applies a change to the text fields of an object at a path, at any depth: one line, several
// lines and richtexts. It also reports whether the object differs.
func MapWriting(path string, fields []cms.Field, object map[string]any,
	change Change) (now map[string]any, differs bool) {
	now = object
	for i := range fields {
		f := &fields[i]
		v := object[f.Name]
		if v == nil || !IsWriting(f) && !f.HasFields() {
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

// IsWriting reports whether a field holds what people write, in contrast to addresses and choices.
func IsWriting(f *cms.Field) bool {
	return f.Type == cms.TypeText || f.Type == cms.TypeTextarea || f.Type == cms.TypeRichText
}

// mapValue returns the value of a field after MapTexts, and whether it differs.
func mapValue(path string, f *cms.Field, v any, change Change) (any, bool) {
	if IsWriting(f) {
		return change(path, f, v)
	}
	switch v := v.(type) {
	case map[string]any:
		return MapWriting(path, f.FieldsOf(v), v, change)
	case []any:
		return mapItems(path, v, func(path string, item map[string]any) (map[string]any, bool) {
			return MapWriting(path, f.FieldsOf(item), item, change)
		})
	}
	return v, false
}

// mapItems returns a list with each object in it replaced by what change returns for it.
func mapItems(path string, list []any,
	change func(path string, item map[string]any) (map[string]any, bool)) (now []any, differs bool) {
	now = list
	for i, item := range list {
		object, ok := item.(map[string]any)
		if !ok {
			continue
		}
		if value, changed := change(path+"."+strconv.Itoa(i), object); changed {
			if !differs {
				now, differs = slices.Clone(list), true
			}
			now[i] = value
		}
	}
	return now, differs
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
