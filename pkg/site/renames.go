package site

import (
	"slices"
	"strings"

	"headless/pkg/site/renames"
)

// A renamed field keeps its values, and a field that a schema removes loses them. The model stores both as a
// renames.Rename. A field that the admin area removes keeps its values in the rows of entries, until a schema gives its
// name to another field. Entries are read under the new definition at once, and Reindex rewrites them in the
// background. Drafts, revisions, the trash and presets keep the names of their time, and the generation of the model
// whose names these are. They are read under the present names.

// maxRenames is how many renames a model stores for such rows: the last 100 of schemas, each with the removal of values
// of a former field.
const maxRenames = 200

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
	if m.Former == nil {
		return nil
	}
	return m.renamesSince(m.Former.Gen)
}

// renamesSince returns the renames after a generation, all of them for 0.
func (m *Model) renamesSince(gen int) []renames.Rename {
	i := slices.IndexFunc(m.Renames, func(r renames.Rename) bool { return r.Gen > gen || gen == 0 })
	if i < 0 {
		return nil
	}
	return m.Renames[i:]
}

// RenameData gives stored data the present names of fields. gen is the generation of the names that it has, 0 if that
// is not known, as in rows of former versions of the service. It reports whether it changed any.
func (m *Model) RenameData(gen int, data map[string]any) bool {
	return renames.Move(m.Fields, data, m.renamesSince(gen), gen > 0)
}

// RenameEntry does the same as RenameData with the data of an entry while entries are being rewritten.
func (m *Model) RenameEntry(gen int, data map[string]any) bool {
	if m.Former == nil {
		return false
	}
	return renames.Move(m.Fields, data, m.renamesSince(max(gen, m.Former.Gen)), gen > 0)
}

// RenamedSince returns the present names of a path whose names are of a former generation, "" if the field has lost its
// values since.
func (m *Model) RenamedSince(gen int, path string) string {
	for _, r := range m.renamesSince(gen) {
		if r.Removes(path) {
			return ""
		}
		path = r.Follow(path)
	}
	return path
}

// PathSince returns the present path of a value, as answers name it ("data.body"), for one of a former generation; 0 if
// that is not known. It returns nil if the field was removed and another one has its name.
func (m *Model) PathSince(gen int, path *string) *string {
	if path == nil || gen == 0 {
		return path
	}
	name, ok := strings.CutPrefix(*path, "data.")
	if !ok {
		return path
	}
	if now := m.RenamedSince(gen, name); now != "" {
		now = "data." + now
		return &now
	}
	if top, _, _ := strings.Cut(name, "."); renames.FieldAt(m.Fields, top) != nil {
		return nil
	}
	return path
}

// RenameNames gives paths of values, as answers name them, and data the present names of fields. gen is the generation
// whose names they have. It reports false if they name a field that has lost its values since.
func (m *Model) RenameNames(gen int, paths []*string, data map[string]any) (kept bool) {
	before := len(data)
	m.RenameData(gen, data)
	kept = len(data) == before
	for _, path := range paths {
		now := m.PathSince(gen, path)
		if now == nil {
			return false
		}
		*path = *now
	}
	return kept
}

// RenameBlock does the same as RenameData in the values of a block that is stored outside its entry, and returns the
// current names of the path to it, as renames.MoveBlock says.
func (m *Model) RenameBlock(gen int, path string, values map[string]any) string {
	return renames.MoveBlock(m.Fields, path, values, m.renamesSince(gen), gen > 0)
}
