package site

import (
	"maps"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/cms/validation"
)

// A renamed field keeps its values, and a field that a schema removes loses them. The model stores
// both as a Rename. Entries are read under the new definition at once, and Reindex rewrites them in
// the background. Revisions and the trash keep the old names, and are changed when they are
// restored.

// Rename is a renamed or removed field of a model, one of another type than before, or a relation whose
// values name other models than before.
type Rename struct {
	// From is the path as stored before the rename: "code", "address.town". The type of a block is
	// in brackets: "blocks.[hero].heading".
	From string `json:"from"`
	To   string `json:"to"`  // the new last name of the path; "" for a removed field
	Gen  int    `json:"gen"` // the first generation of the index with the new name
	// Models maps slugs of models in the values of a relation to new ones. The slug "" stands for a
	// value that is an id alone (extensions §12). Nil: the values stay as they are.
	Models map[string]string `json:"models,omitempty"`
	// Retyped says that the field has another type. Values that do not fit it are lost.
	Retyped bool `json:"retyped,omitempty"`

	field *cms.Field // that a value of a retyped field must fit
}

// maxRenames is how many renames a model stores for revisions and the trash.
const maxRenames = 100

// blockStep returns the path element for the type of a block.
func blockStep(name string) string { return "[" + name + "]" }

// plainPath returns a path in the form that definitions use.
func plainPath(path string) string { return strings.NewReplacer("[", "", "]", "").Replace(path) }

// newPath returns the path of a renamed field after the rename, "" for a removed field.
func (r Rename) newPath() string {
	if r.To == "" {
		return ""
	}
	return plainPath(r.From[:strings.LastIndexByte(r.From, '.')+1] + r.To)
}

// FieldAt returns the field at a dotted path of names, nil if there is none.
func FieldAt(fields []cms.Field, path string) *cms.Field {
	name, rest, deeper := strings.Cut(path, ".")
	i := slices.IndexFunc(fields, func(f cms.Field) bool { return f.Name == name })
	switch {
	case i < 0:
		return nil
	case deeper:
		return FieldAt(fields[i].Fields, rest)
	}
	return &fields[i]
}

// RenamesTo returns the path of a field in next for which stored entries may still have values of a
// former field with the same name; "" if there is none.
func (m *Model) RenamesTo(next *Model) string {
	for _, r := range m.PendingRenames() {
		if path := plainPath(r.From); FieldAt(next.Fields, path) != nil && FieldAt(m.Fields, path) == nil {
			return path
		}
	}
	return ""
}

// RenameFields adds renames for the next generation of the model's index. Call it before
// NextGeneration.
func (m *Model) RenameFields(renames ...Rename) {
	m.Renames = slices.Concat(m.Renames, renames)
	m.Renames = m.Renames[max(0, len(m.Renames)-maxRenames):]
}

// Renames lists how stored values change between two levels of fields of a model: fields that are
// renamed, those that are removed or get another type if lossy is set, and relations that lead to other
// models than before. The deepest come first, because the stored path of each has the old names of its parents.
func (c FieldChanges) Renames(was, now []cms.Field, lossy bool) []Rename {
	return c.appendRenames(nil, was, now, "", "", lossy, false)
}

// FieldChanges says what the definitions before and after a change do not.
type FieldChanges struct {
	Fields map[string]string // new last names by paths before
	Slugs  map[string]string // new slugs of models by former ones
}

func (c FieldChanges) appendRenames(list []Rename, was, now []cms.Field, path, stored string,
	lossy, block bool) []Rename {
	for i := range was {
		f := &was[i]
		to, ok := c.Fields[path+f.Name]
		if !ok {
			to = f.Name
		}
		step := f.Name
		if block {
			step = blockStep(f.Name)
		}
		next := cms.FieldNamed(now, to)
		if next == nil {
			if lossy {
				list = append(list, Rename{From: stored + step})
			}
			continue
		}
		if f.Type == next.Type {
			list = c.appendRenames(list, f.Fields, next.Fields, path+f.Name+".", stored+step+".", lossy,
				f.Type == cms.TypeBlocks)
		}
		r := Rename{From: stored + step, To: to, Models: c.models(f, next),
			Retyped: lossy && (f.Type != next.Type || f.Many != next.Many)}
		if to != f.Name || r.Models != nil || r.Retyped {
			list = append(list, r)
		}
	}
	return list
}

// models returns how the values of a relation change that leads to several models in place of one, or the
// other way, or to a model with a new slug; nil for other changes.
func (c FieldChanges) models(was, now *cms.Field) map[string]string {
	several := len(was.Models) > 0
	if was.Type != cms.TypeRelation || now.Type != cms.TypeRelation || !several && len(now.Models) == 0 {
		return nil
	}
	var models map[string]string
	for _, from := range was.Targets() {
		to, ok := c.Slugs[from]
		if !ok {
			to = from
		}
		value := from
		if !several {
			value = ""
		}
		after := to
		if len(now.Models) == 0 {
			after = ""
		}
		if slices.Contains(now.Targets(), to) && value != after {
			if models == nil {
				models = map[string]string{}
			}
			models[value] = after
		}
	}
	return models
}

// stampRenames sets the generation of the renames that have none. It reports whether there were
// any.
func (m *Model) stampRenames(gen int) bool {
	renames, any := slices.Clone(m.Renames), false
	for i := range renames {
		if renames[i].Gen == 0 {
			renames[i].Gen, any = gen, true
		}
	}
	m.Renames = renames
	return any
}

// PendingRenames returns the renames that may not have been applied to all entries yet.
func (m *Model) PendingRenames() []Rename {
	var pending []Rename
	for _, r := range m.Renames {
		if m.Former != nil && m.Former.Gen < r.Gen {
			pending = append(pending, r)
		}
	}
	return pending
}

// RenameData moves the values of renamed fields in stored data. It reports whether it moved any.
// Values of a field that the model now has stay in place, even if a former field had the same name.
func (m *Model) RenameData(data map[string]any) bool { return m.MoveRenamed(data, m.Renames) }

func (m *Model) MoveRenamed(data map[string]any, renames []Rename) bool {
	moved := false
	for i, r := range renames {
		if m.moves(r) {
			r.field = m.retyped(r, renames[i+1:])
			moved = moveValue(data, strings.Split(r.From, "."), r) || moved
		}
	}
	return moved
}

// retyped returns the present field of a rename, nil if that has the type that it had.
func (m *Model) retyped(r Rename, later []Rename) *cms.Field {
	if !r.Retyped {
		return nil
	}
	path := r.newPath()
	for _, next := range later {
		if FieldAt(m.Fields, path) == nil {
			path = next.follow(path)
		}
	}
	return FieldAt(m.Fields, path)
}

// follow returns a path of names after the rename.
func (r Rename) follow(path string) string {
	if from := plainPath(r.From); r.To != "" && strings.HasPrefix(path+".", from+".") {
		return r.newPath() + path[len(from):]
	}
	return path
}

// moves reports whether a rename changes stored values, because the model has no field of the former name now,
// or one of another type.
func (m *Model) moves(r Rename) bool {
	f := FieldAt(m.Fields, plainPath(r.From))
	return f == nil || r.Models != nil && f.Type == cms.TypeRelation || r.Retyped && r.newPath() == plainPath(r.From)
}

// RenameBlock does the same as RenameData in the values of a block that is stored outside its entry. path has the
// names of the fields and the types of the blocks that lead to it. It returns the path with their current names.
func (m *Model) RenameBlock(path string, values map[string]any) string {
	for i, r := range m.Renames {
		switch {
		case !m.moves(r):
		case strings.HasPrefix(plainPath(r.From), path+"."):
			r.field = m.retyped(r, m.Renames[i+1:])
			moveValue(values, strings.Split(r.From, ".")[strings.Count(path, ".")+1:], r)
		default:
			path = r.follow(path)
		}
	}
	return path
}

// renameBack reverses some renames in data. It changes data.
func renameBack(data map[string]any, renames []Rename) {
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
		moveValue(data, append(steps[:len(steps)-1], to), Rename{To: was})
	}
}

// moveValue changes the last name of the path of a value, or deletes the value, and changes the models
// that it names. It reports whether anything changed.
func moveValue(data map[string]any, path []string, r Rename) bool {
	v, ok := data[path[0]]
	switch {
	case !ok:
		return false
	case len(path) > 1:
		next, moved := moveInside(v, path[1:], r)
		data[path[0]] = next
		return moved
	}
	if r.field != nil && v != nil && !validation.Fits(r.field, v) {
		delete(data, path[0])
		return true
	}
	next, changed := nameModels(v, r.Models)
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

// nameModels returns a value of a relation, or a list of them, with other models named. v itself stays as it is.
// Where values become ids alone, those of other models are lost.
func nameModels(v any, models map[string]string) (next any, changed bool) {
	if list, ok := v.([]any); ok {
		kept := make([]any, 0, len(list))
		for _, item := range list {
			now, any := nameModels(item, models)
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

// moveInside does the same as moveValue inside a group, list or blocks. It returns the changed
// value.
func moveInside(v any, path []string, r Rename) (next any, moved bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, moveValue(v, path, r)
	case []any:
		kept := v[:0]
		for _, item := range v {
			of, _ := item.(map[string]any)
			keep, any := moveItem(of, path, r)
			if moved = moved || any; keep {
				kept = append(kept, item)
			}
		}
		return kept, moved
	}
	return v, false
}

// moveItem does the same as moveValue in one item of a list or of blocks. keep is false if the type
// of the block was removed.
func moveItem(item map[string]any, path []string, r Rename) (keep, moved bool) {
	kind, block := strings.CutPrefix(path[0], "[")
	switch {
	case item == nil:
		return true, false
	case !block:
		return true, moveValue(item, path, r)
	case item["type"] != strings.TrimSuffix(kind, "]"):
		return true, false
	case len(path) > 1:
		return true, moveValue(item, path[1:], r)
	case r.To == "":
		return false, true
	}
	item["type"] = r.To
	return true, true
}
