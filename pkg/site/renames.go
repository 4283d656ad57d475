package site

import (
	"slices"
	"strings"

	"headless/pkg/cms"
)

// A field that gets another name takes its values along, and one that a schema removes loses them.
// The model remembers both; what is read of an entry that was stored before is shown by the new
// definition at once, and Reindex rewrites the entries behind. Revisions and the trash keep the old
// names and are changed when they are restored.

// Rename is a field of a model that got another name or was removed.
type Rename struct {
	// From is the path of its names, as stored when the rename was made: "code", "address.town".
	// The type of a block stands in brackets: "blocks.[hero].heading".
	From string `json:"from"`
	To   string `json:"to"`  // the last name of the path from then on; "" for a field that was removed
	Gen  int    `json:"gen"` // the first generation of the index whose entries are stored so
}

// maxRenames is how many renames a model remembers for revisions and the trash.
const maxRenames = 100

// BlockStep is the step of a path that stands for the type of a block.
func BlockStep(name string) string { return "[" + name + "]" }

// plainPath is a path as definitions know it.
func plainPath(path string) string { return strings.NewReplacer("[", "", "]", "").Replace(path) }

// newPath is the path of a renamed field from then on, "" for one that was removed.
func (r Rename) newPath() string {
	if r.To == "" {
		return ""
	}
	return plainPath(r.From[:strings.LastIndexByte(r.From, '.')+1] + r.To)
}

// FieldAt is the field at a dotted path of names, nil where there is none.
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

// RenamesTo is the path of a field that the model gets while entries may still be stored with
// values of a former field there; "" where there is none.
func (m *Model) RenamesTo(next *Model) string {
	for _, r := range m.PendingRenames() {
		if path := plainPath(r.From); FieldAt(next.Fields, path) != nil && FieldAt(m.Fields, path) == nil {
			return path
		}
	}
	return ""
}

// RenameFields notes renames for the next generation of the model's index; call it before
// NextGeneration.
func (m *Model) RenameFields(renames ...Rename) {
	m.Renames = slices.Concat(m.Renames, renames)
	m.Renames = m.Renames[max(0, len(m.Renames)-maxRenames):]
}

// stampRenames gives the renames without a generation the one that the model has now; it reports
// whether there were any.
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

// PendingRenames are the renames that entries may not have been rewritten for.
func (m *Model) PendingRenames() []Rename {
	var pending []Rename
	for _, r := range m.Renames {
		if m.Former != nil && m.Former.Gen < r.Gen {
			pending = append(pending, r)
		}
	}
	return pending
}

// RenameData moves the values of renamed fields in data that was stored before; it reports whether
// anything was moved. A field of the model keeps its values, whatever its name was before.
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

// renameBack gives data the names that its fields had before some renames. It changes data.
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

// moveValue moves what is at a path to another last name, or drops it where that is ""; it reports
// whether there was anything.
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

// moveInside is moveValue in the value of a group, list or blocks; it returns what the value is
// from then on.
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

// moveItem is moveValue in one item of a list or of blocks; keep is false for a block whose type
// was removed.
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
