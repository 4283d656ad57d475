package entryforms

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// BaseKey is the name of the hidden input with the values that the form showed: the JSON of a Base.
const BaseKey = "_base"

// Base describes the values that a form showed, by field key. A value is the digest of a field, the
// digests of the lines of a text, or a tree of them for groups and rows. The keys are title, slug,
// seo.title, seo.description, seo.noindex and data.<name>; seriesKey has the series of ids of a field.
type Base map[string]any

// BaseOf describes the values of an entry.
func BaseOf(m *site.Model, stored Stored) Base {
	base := Base{}
	for key, v := range stored.Values {
		base[key] = treeOf(FieldOf(m, key), v)
	}
	for key, series := range stored.series {
		base[seriesKey(key)] = series
	}
	return base
}

// seriesKey returns the key in a Base of the series of ids that the rows of a field have.
func seriesKey(key string) string { return key + "#" }

// ReadBase reads the base from a form. It is empty if the form has none: then the form counts as
// changed by its user alone. If a browser restored former values in the form, all that differ from the
// stored ones count as changed by both.
func ReadBase(form url.Values) Base {
	var base Base
	if json.Unmarshal([]byte(form.Get(BaseKey)), &base) != nil || base == nil { // invalid JSON and null describe nothing
		base = Base{}
	}
	if ui.IsRestored(form) {
		base[ui.SeenKey] = "restored" // the form does not tell the values that the typed ones replaced
	}
	return base
}

// String returns the base as the JSON value of the hidden input.
func (b Base) String() string { return jsonOf(b) }

// FieldOf returns the definition of a field of an entry by its key.
func FieldOf(m *site.Model, key string) *cms.Field {
	if name, ok := strings.CutPrefix(key, "data."); ok {
		return m.Field(name)
	}
	if key == "seo.noindex" {
		return &cms.Field{Type: cms.TypeBoolean}
	}
	return &cms.Field{Type: cms.TypeText}
}

// Conflict is a value that both the form and somebody else changed, to different values.
type Conflict struct {
	Key    string // path of its input in the form that was sent
	Shown  string // path of its input in a form that shows the changes of both
	Field  *cms.Field
	Mine   any
	Theirs any
}

// Choice resolves a conflict: the value of the form is kept, or the stored one is taken. The zero
// Choice resolves none.
type Choice struct {
	Key  string
	Take bool
}

// EntryMerge joins the changes of a form with those that somebody else stored since it was opened.
// Values are merged field by field, rows of lists and blocks one by one, and texts by their lines.
type EntryMerge struct {
	Mine      map[string]any // fields that the form changed, with the changes of both
	Others    map[string]any // fields that the form does not show as it should, with what it should show
	Conflicts []Conflict     // not in Mine
	Sent      Base           // for a form that still shows what it sent, once Mine is stored
	Shown     Base           // for a form that shows Others, while Mine is not stored
}

// MergeEntry compares the values that a form sent with the stored ones and with the base of the
// form.
func MergeEntry(m *site.Model, base Base, sent map[string]any, stored Stored, choice Choice) EntryMerge {
	end, restored := time.Now().Add(mergePatience), base[ui.SeenKey] != nil
	// Fields that the model lost keep their base: the page still has inputs for them.
	all := EntryMerge{Mine: map[string]any{}, Others: map[string]any{}, Sent: maps.Clone(base), Shown: maps.Clone(base)}
	delete(all.Shown, ui.SeenKey)
	for _, key := range slices.Sorted(maps.Keys(stored.Values)) {
		f, theirs := FieldOf(m, key), stored.Values[key]
		mine, given := sent[key]
		series := base[seriesKey(key)]
		if hasRows(f) {
			all.Sent[seriesKey(key)], all.Shown[seriesKey(key)] = series, stored.series[key]
		}
		if !given {
			tree := base[key]
			if weightOf(f, theirs) <= maxListBytes {
				tree = treeOf(f, theirs)
			}
			all.Sent[key], all.Shown[key] = tree, tree
			continue
		}
		one := merger{choice, series == stored.series[key], restored, end}.mergeValue(f, key, base[key], mine, theirs)
		all.Sent[key], all.Shown[key] = one.sent, one.base
		if Digest(f, one.store) != Digest(f, theirs) || hasRows(f) && digestOfRows(f, one.store) != digestOfRows(f, theirs) {
			all.Mine[key] = one.store
		}
		if len(one.conflicts) > 0 || jsonOf(treeOf(f, one.shown)) != jsonOf(treeOf(f, mine)) {
			all.Others[key] = one.shown
		}
		for _, c := range one.conflicts {
			c.Shown = key + c.Shown
			all.Conflicts = append(all.Conflicts, c)
		}
	}
	return all
}

// merged is the result of comparing three versions of a value.
type merged struct {
	store any // the changes of both; what is stored where they conflict
	shown any // the changes of both; what the form sent where they conflict
	sent  any // base of a form that shows what it sent, once store is stored
	base  any // base of a form that shows shown, while store is not stored
	// The paths in Shown start below the value.
	conflicts []Conflict
}

type merger struct {
	choice Choice
	byID   bool // the ids of the form and the stored ones are of one series
	// The base is newer than the values of the form: they are conflicts if they differ from the stored ones.
	restored bool
	end      time.Time
}

// mergePatience limits the time in which the texts of an entry are merged by their lines.
const mergePatience = 10 * ui.Patience

// mergeValue merges one value. key is its path in the form, was the tree that describes what the form
// showed, nil if that is unknown.
func (g merger) mergeValue(f *cms.Field, key string, was, mine, theirs any) merged {
	if w, ok := mine.(Window); ok {
		return g.mergeWindow(f, key, was, w, theirs)
	}
	now, new := treeOf(f, theirs), treeOf(f, mine)
	if was == nil {
		was = now
	}
	if g.restored && !f.HasFields() {
		was = "?" // unlike all values
	}
	object, isObject := mine.(map[string]any)
	rows, isList := mine.([]any)
	switch {
	case !g.restored && equalTrees(now, was) && (g.byID || !hasRows(f)):
		return merged{store: mine, shown: mine, sent: new, base: was}
	case f.Type == cms.TypeGroup && f.HasFields() && (isObject || mine == nil):
		before, _ := was.(map[string]any)
		stored, _ := theirs.(map[string]any)
		return g.mergeFields(f.Fields, key, before, object, stored)
	case f.Type != cms.TypeGroup && f.HasFields() && (isList || mine == nil):
		return g.mergeRows(f, key, was, rows, theirs)
	case equalTrees(new, now), equalTrees(new, was):
		return merged{store: theirs, shown: theirs, sent: new, base: now}
	case isLongText(f):
		if result, ok := g.mergeText(f, key, was, mine, theirs); ok {
			return result
		}
	}
	if key == g.choice.Key {
		if g.choice.Take {
			mine = theirs
		}
		return merged{store: mine, shown: mine, sent: new, base: now}
	}
	return merged{store: theirs, shown: mine, sent: was, base: was,
		conflicts: []Conflict{{Key: key, Field: f, Mine: mine, Theirs: withoutIDs(f, theirs)}}}
}

// mergeFields merges the fields of a group or of a row.
func (g merger) mergeFields(fields []cms.Field, key string, base, mine, theirs map[string]any) merged {
	store, shown := map[string]any{}, map[string]any{}
	sent, after := map[string]any{}, map[string]any{}
	var conflicts []Conflict
	for i := range fields {
		f, name := &fields[i], fields[i].Name
		v, given := mine[name]
		if !given { // the form does not show it
			if v = theirs[name]; v != nil {
				store[name], shown[name] = v, v
			}
			sent[name] = treeOf(f, v)
			after[name] = sent[name]
			continue
		}
		one := g.mergeValue(f, key+"."+name, base[name], v, theirs[name])
		store[name], shown[name], sent[name], after[name] = one.store, one.shown, one.sent, one.base
		for _, c := range one.conflicts {
			c.Shown = "." + name + c.Shown
			conflicts = append(conflicts, c)
		}
	}
	return merged{store: compact(store), shown: compact(shown), sent: sent, base: after, conflicts: conflicts}
}

// compact returns a group without its empty values, nil if none is left.
func compact(object map[string]any) any {
	maps.DeleteFunc(object, func(_ string, v any) bool { return v == nil })
	if len(object) == 0 {
		return nil
	}
	return object
}

// TopKey returns the key of the field of an entry that contains a path.
func TopKey(path string) string {
	outer, rest, deeper := strings.Cut(path, ".")
	if inner, _, _ := strings.Cut(rest, "."); deeper {
		return outer + "." + inner
	}
	return outer
}

// Nest returns values by field key as the body of a request.
func Nest(values map[string]any) map[string]any {
	body := map[string]any{}
	for key, v := range values {
		outer, inner, deeper := strings.Cut(key, ".")
		if !deeper {
			body[key] = v
			continue
		}
		into, ok := body[outer].(map[string]any)
		if !ok {
			into = map[string]any{}
			body[outer] = into
		}
		into[inner] = v
	}
	return body
}

// Only returns a body with only the given field keys.
func Only(body map[string]any, keys []string) map[string]any {
	kept := map[string]any{}
	for _, key := range keys {
		outer, inner, deeper := strings.Cut(key, ".")
		if !deeper {
			kept[key] = body[key]
			continue
		}
		from, _ := body[outer].(map[string]any)
		into, ok := kept[outer].(map[string]any)
		if !ok {
			into = map[string]any{}
			kept[outer] = into
		}
		into[inner] = from[inner]
	}
	return kept
}

// DropField removes the field that contains path from a body.
func DropField(body map[string]any, path string) {
	outer, rest, deeper := strings.Cut(path, ".")
	inner, ok := body[outer].(map[string]any)
	if !deeper || !ok {
		delete(body, outer)
		return
	}
	name, _, _ := strings.Cut(rest, ".")
	if delete(inner, name); len(inner) == 0 {
		delete(body, outer)
	}
}

// Forget removes a field and all inputs inside it from a form.
func Forget(form url.Values, key string) {
	for name := range form {
		if name == key || ui.Within(name, key) {
			delete(form, name)
		}
	}
}
