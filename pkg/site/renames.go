package site

import "slices"

// A field that gets another name takes its values along. The model remembers the rename; what is
// read of an entry that was stored before is shown under the new name at once, and Reindex rewrites
// the entries behind. Revisions and the trash keep the old name and are renamed when they are
// restored.

// Rename is a top-level field of a model that got another name.
type Rename struct {
	From string `json:"from"`
	To   string `json:"to"`
	Gen  int    `json:"gen"` // the first generation of the index whose entries are stored under the new name
}

// maxRenames is how many renames a model remembers for revisions and the trash.
const maxRenames = 100

// Renaming reports whether entries may still be stored under a field's former name.
func (m *Model) Renaming(from string) bool {
	return slices.ContainsFunc(m.PendingRenames(), func(r Rename) bool { return r.From == from })
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
		v, ok := data[r.From]
		if !ok || m.Field(r.From) != nil {
			continue
		}
		delete(data, r.From)
		data[r.To] = v
		moved = true
	}
	return moved
}
