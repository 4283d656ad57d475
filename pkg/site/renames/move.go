package renames

import (
	"maps"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/cms/validation"
	"headless/pkg/markdown"
)

// Move changes stored data as renames say, for the present fields of the model. It reports whether anything
// changed. With all set, the data is from before the first rename. Else it may be from after any of them: values of a
// field that the model now has stay in place, even if a former field had the same name.
func Move(fields []cms.Field, data map[string]any, renames []Rename, all bool) bool {
	// Most data has the present names already, and each read of a draft comes here.
	if !slices.ContainsFunc(renames, func(r Rename) bool { return r.startsIn(data) }) {
		return false
	}
	moved, known := false, withFormer(fields, renames)
	for _, r := range moving(fields, renames, all) {
		moved = moveValue(known, data, strings.Split(r.From, "."), r) || moved
	}
	return moved
}

// startsIn reports whether data has a value at the first name of the path before the rename.
func (r Rename) startsIn(data map[string]any) bool {
	name, _, _ := strings.Cut(r.From, ".")
	_, ok := data[name]
	return ok
}

// MoveBlock does the same as Move in the values of a block that is stored outside its entry. path has the
// names of the fields and the types of the blocks that lead to it. It returns the path with their current names.
func MoveBlock(fields []cms.Field, path string, values map[string]any, renames []Rename, all bool) string {
	known := withFormer(fields, renames)
	for _, r := range moving(fields, renames, all) {
		if strings.HasPrefix(r.Was(), path+".") {
			moveValue(fieldsIn(known, path), values, strings.Split(r.From, ".")[strings.Count(path, ".")+1:], r)
		} else {
			path = r.Follow(path)
		}
	}
	return path
}

// MoveBack reverses Move for renames that kept their values. It changes data.
func MoveBack(fields []cms.Field, data map[string]any, renames []Rename) {
	known := withFormer(fields, renames)
	for _, r := range slices.Backward(renames) {
		steps := strings.Split(r.From, ".")
		was := strings.Trim(steps[len(steps)-1], "[]")
		if r.To == "" || r.To == was {
			continue // the index has the ids of relations, whichever models their values name
		}
		to := r.To
		if was != steps[len(steps)-1] {
			to = blockStep(to)
		}
		moveValue(known, data, append(steps[:len(steps)-1], to), Rename{To: was})
	}
}

// moving lists all renames, or those that change values of unknown age: of fields that the model does not have now, of
// other models and types, and of fields that got a name and later their former one again, so that the changes between
// find the values.
func moving(fields []cms.Field, renames []Rename, all bool) (list []Rename) {
	if all {
		return renames
	}
	at := func(path string) string { return path } // where the value of a present field with that path stands now
	for i, r := range renames {
		before, was := at, at(r.Was())
		switch f := FieldAt(fields, was); {
		case f == nil:
		case r.Now() == r.Was():
			if !r.Retyped && f.Type != cms.TypeRelation {
				continue
			}
		case r.To == "" || pathAfter(r.Now(), renames[i+1:]) != was:
			continue
		default:
			at = func(path string) string {
				return before(Rename{From: r.Now(), To: r.Was()[strings.LastIndexByte(r.Was(), '.')+1:]}.Follow(path))
			}
		}
		list = append(list, r)
	}
	return list
}

// pathAfter returns a path of names after some renames.
func pathAfter(path string, renames []Rename) string {
	for _, r := range renames {
		path = r.Follow(path)
	}
	return path
}

// withFormer returns fields with the renamed ones under their former names too.
func withFormer(fields []cms.Field, renames []Rename) []cms.Field {
	for _, r := range slices.Backward(renames) {
		fields = addFormer(fields, strings.Split(r.Was(), "."), r.To)
	}
	return fields
}

// addFormer adds the field with a name under its former name, which is the last of a path. If there is a field of that
// name, which may be the same one, it gets the fields inside.
func addFormer(fields []cms.Field, path []string, to string) []cms.Field {
	name := path[0]
	if len(path) == 1 {
		name = to
	}
	f := cms.FieldNamed(fields, name)
	switch {
	case f == nil || to == path[0] && len(path) == 1:
		return fields
	case len(path) > 1:
		former := *f
		former.Fields = addFormer(f.Fields, path[1:], to)
		fields = slices.Clone(fields)
		*cms.FieldNamed(fields, name) = former
		return fields
	}
	former := *f
	former.Name = path[0]
	return withMissing(fields, []cms.Field{former})
}

// withMissing returns fields with those of others that they do not have, at any depth.
func withMissing(fields, others []cms.Field) []cms.Field {
	fields = slices.Clone(fields)
	for _, other := range others {
		if f := cms.FieldNamed(fields, other.Name); f != nil {
			f.Fields = withMissing(f.Fields, other.Fields)
		} else {
			fields = append(fields, other)
		}
	}
	return fields
}

// moveValue changes the last name of the path of a value, or deletes the value, and changes the models
// that it names. It reports whether anything changed.
func moveValue(fields []cms.Field, data map[string]any, path []string, r Rename) bool {
	v, ok := data[path[0]]
	switch {
	case !ok:
		return false
	case len(path) > 1:
		next, moved := moveInside(fieldsIn(fields, path[0]), v, path[1:], r)
		data[path[0]] = next
		return moved
	}
	if f := cms.FieldNamed(fields, path[0]); r.Retyped && f != nil && v != nil && !validation.Fits(f, v) {
		delete(data, path[0])
		return true
	}
	next, changed := NameModels(v, r.Models)
	if r.To == path[0] {
		data[r.To] = next
		return changed
	}
	delete(data, path[0])
	if r.To != "" {
		data[r.To] = next
	}
	return true
}

// fieldsIn returns the fields inside the field at a dotted path of names, none if there is no such field.
func fieldsIn(fields []cms.Field, path string) []cms.Field {
	if f := FieldAt(fields, path); f != nil {
		return f.Fields
	}
	return nil
}

// NameModels returns a value of a relation, or a list of them, with other models named. v itself stays as it is.
// Where values become ids alone, those of other models are lost.
func NameModels(v any, models map[string]string) (next any, changed bool) {
	if list, ok := v.([]any); ok {
		kept := make([]any, 0, len(list))
		for _, item := range list {
			now, any := NameModels(item, models)
			if changed = changed || any; now != nil {
				kept = append(kept, now)
			}
		}
		return kept, changed
	}
	slug, id := "", v
	if object, ok := v.(map[string]any); ok {
		slug, _ = object["model"].(string)
		id = object["id"]
	} else if _, ok := v.(string); !ok {
		return v, false
	}
	to, ok := models[slug]
	switch {
	case ok && to != "":
		return map[string]any{"model": to, "id": id}, true
	case ok:
		return id, true
	case slug != "" && slices.Contains(slices.Collect(maps.Values(models)), ""):
		return nil, true
	}
	return v, false
}

// moveInside does the same as moveValue inside a group, list, blocks or text with blocks, which has the given
// fields. It returns the changed value.
func moveInside(fields []cms.Field, v any, path []string, r Rename) (next any, moved bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, moveValue(fields, v, path, r)
	case []any:
		kept := v[:0]
		for _, item := range v {
			of, _ := item.(map[string]any)
			keep, any := moveItem(fields, of, path, r)
			if moved = moved || any; keep {
				kept = append(kept, item)
			}
		}
		return kept, moved
	case string:
		return moveInText(fields, v, path, r)
	}
	return v, false
}

// moveItem does the same as moveValue in one item of a list or of blocks. keep is false if the type
// of the block was removed.
func moveItem(fields []cms.Field, item map[string]any, path []string, r Rename) (keep, moved bool) {
	kind, block := strings.CutPrefix(path[0], "[")
	kind = strings.TrimSuffix(kind, "]")
	switch {
	case item == nil:
		return true, false
	case !block:
		return true, moveValue(fields, item, path, r)
	case item["type"] != kind:
		return true, false
	case len(path) > 1:
		return true, moveValue(fieldsIn(fields, kind), item, path[1:], r)
	case r.To == "":
		return false, true
	}
	item["type"] = r.To
	return true, true
}

// moveInText does the same as moveInside in the blocks of a text. A block that cannot be read stays as it is.
func moveInText(fields []cms.Field, text string, path []string, r Rename) (next string, moved bool) {
	if !strings.Contains(text, strings.Trim(path[0], "[]")) {
		return text, false
	}
	var out strings.Builder
	at := 0
	types := append(slices.Clip(fields), cms.Field{}) // a text has no blocks if the last type was removed
	for _, b := range markdown.Blocks(&cms.Field{Type: cms.TypeRichText, Fields: types}, text) {
		block := markdown.Part(b)
		keep, any := moveItem(fields, block, path, r)
		if !any || b.Problem != "" {
			continue
		}
		name, _ := block["type"].(string)
		written := ""
		if kind := cms.FieldNamed(fields, name); keep && kind != nil {
			var err error
			if written, err = markdown.WriteBlock(kind, block); err != nil {
				continue
			}
		}
		out.WriteString(text[at:b.Start])
		out.WriteString(written)
		at = b.End
	}
	out.WriteString(text[at:])
	return out.String(), at > 0
}
