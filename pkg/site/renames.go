package site

import (
	"slices"
	"strings"

	"headless/pkg/cms"
)

// A renamed field keeps its values, and a field that a schema removes loses them. The model stores
// both as a Rename. Entries are read under the new definition at once, and Reindex rewrites them in
// the background. Revisions and the trash keep the old names, and are changed when they are
// restored.

// Rename is a renamed or removed field of a model.
type Rename struct {
	// From is the path as stored before the rename: "code", "address.town". The type of a block is
	// in brackets: "blocks.[hero].heading".
	From string `json:"from"`
	To   string `json:"to"`  // the new last name of the path; "" for a removed field
	Gen  int    `json:"gen"` // the first generation of the index with the new name
}

// maxRenames is how many renames a model stores for revisions and the trash.
const maxRenames = 100

// BlockStep returns the path element for the type of a block.
func BlockStep(name string) string { return "[" + name + "]" }

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
	for _, r := range renames {
		if FieldAt(m.Fields, plainPath(r.From)) == nil {
			moved = moveValue(data, strings.Split(r.From, "."), r.To) || moved
		}
	}
	return moved
}

// renameBack reverses some renames in data. It changes data.
func renameBack(data map[string]any, renames []Rename) {
	for _, r := range slices.Backward(renames) {
		steps := strings.Split(r.From, ".")
		was := strings.Trim(steps[len(steps)-1], "[]")
		if r.To == "" {
			continue
		}
		to := r.To
		if was != steps[len(steps)-1] {
			to = BlockStep(to)
		}
		moveValue(data, append(steps[:len(steps)-1], to), was)
	}
}

// moveValue changes the last name of the path of a value; "" deletes the value. It reports whether
// there was a value.
func moveValue(data map[string]any, path []string, to string) bool {
	v, ok := data[path[0]]
	switch {
	case !ok:
		return false
	case len(path) > 1:
		next, moved := moveInside(v, path[1:], to)
		data[path[0]] = next
		return moved
	}
	delete(data, path[0])
	if to != "" {
		data[to] = v
	}
	return true
}

// moveInside does the same as moveValue inside a group, list or blocks. It returns the changed
// value.
func moveInside(v any, path []string, to string) (next any, moved bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, moveValue(v, path, to)
	case []any:
		kept := v[:0]
		for _, item := range v {
			of, _ := item.(map[string]any)
			keep, any := moveItem(of, path, to)
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
func moveItem(item map[string]any, path []string, to string) (keep, moved bool) {
	kind, block := strings.CutPrefix(path[0], "[")
	switch {
	case item == nil:
		return true, false
	case !block:
		return true, moveValue(item, path, to)
	case item["type"] != strings.TrimSuffix(kind, "]"):
		return true, false
	case len(path) > 1:
		return true, moveValue(item, path[1:], to)
	case to == "":
		return false, true
	}
	item["type"] = to
	return true, true
}
