package site

import (
	"slices"
	"strings"

	"headless/pkg/site/renames"
)

// A renamed field keeps its values, and a field that a schema removes loses them. The model stores
// both as a renames.Rename. Entries are read under the new definition at once, and Reindex rewrites them in
// the background. Revisions and the trash keep the old names, and are changed when they are
// restored.

// maxRenames is how many renames a model stores for revisions and the trash.
const maxRenames = 100

// RenamesTo returns the path of a field in next for which stored entries may still have values of a
// former field with the same name; "" if there is none.
func (m *Model) RenamesTo(next *Model) string {
	for _, r := range m.PendingRenames() {
		if path := r.Was(); renames.FieldAt(next.Fields, path) != nil && renames.FieldAt(m.Fields, path) == nil {
			return path
		}
	}
	return ""
}

// RenameFields adds renames for the next generation of the model's index. Call it before
// NextGeneration.
func (m *Model) RenameFields(list ...renames.Rename) {
	m.Renames = slices.Concat(m.Renames, list)
	m.Renames = m.Renames[max(0, len(m.Renames)-maxRenames):]
}

// stampRenames sets the generation of the renames that have none. It reports whether there were
// any.
func (m *Model) stampRenames(gen int) bool {
	list, any := slices.Clone(m.Renames), false
	for i := range list {
		if list[i].Gen == 0 {
			list[i].Gen, any = gen, true
		}
	}
	m.Renames = list
	return any
}

// PendingRenames returns the renames that may not have been applied to all entries yet.
func (m *Model) PendingRenames() []renames.Rename {
	var pending []renames.Rename
	for _, r := range m.Renames {
		if m.Former != nil && m.Former.Gen < r.Gen {
			pending = append(pending, r)
		}
	}
	return pending
}

// RenameData moves the values of renamed fields in stored data. It reports whether it moved any.
func (m *Model) RenameData(data map[string]any) bool { return renames.Move(m.Fields, data, m.Renames) }

// RenamedSince returns the present names of a path whose names are of a former generation, "" if the field has lost its
// values since.
func (m *Model) RenamedSince(gen int, path string) string {
	for _, r := range m.Renames {
		switch {
		case r.Gen <= gen:
		case r.To == "" && strings.HasPrefix(path+".", r.Was()+"."):
			return ""
		default:
			path = r.Follow(path)
		}
	}
	return path
}

// RenameBlock does the same as RenameData in the values of a block that is stored outside its entry, and returns the
// current names of the path to it, as renames.MoveBlock says.
func (m *Model) RenameBlock(path string, values map[string]any) string {
	return renames.MoveBlock(m.Fields, path, values, m.Renames)
}
