// Package renames says how the stored values of entries change with the fields of their model, and changes
// them: in groups, lists and blocks, and in the blocks of texts (extensions §10, §12).
package renames

import (
	"slices"
	"strings"

	"headless/pkg/cms"
)

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
}

// Was returns the path of names before the rename, as definitions use it.
func (r Rename) Was() string { return plainPath(r.From) }

// Now returns the path of names after the rename, "" for a removed field.
func (r Rename) Now() string {
	if r.To == "" {
		return ""
	}
	return plainPath(r.From[:strings.LastIndexByte(r.From, '.')+1] + r.To)
}

// Follow returns a path after the rename. It has names, and the places of items in lists ("towns.2.name"). It does not
// lead to a field of a block by its place, which does not tell the type of the block.
func (r Rename) Follow(path string) string {
	steps := strings.Split(path, ".")
	if at := r.at(steps); at > 0 && r.To != "" {
		steps[at-1] = r.To
	}
	return strings.Join(steps, ".")
}

// Removes reports whether a path leads to or through a field that was removed.
func (r Rename) Removes(path string) bool { return r.To == "" && r.at(strings.Split(path, ".")) > 0 }

// at returns how many steps of a path lead to the field, 0 if it does not lead there.
func (r Rename) at(steps []string) (at int) {
	for name := range strings.SplitSeq(r.From, ".") {
		if at > 0 && at < len(steps) && isPlace(steps[at]) && name[0] != '[' {
			at++
		}
		if at == len(steps) || steps[at] != strings.Trim(name, "[]") {
			return 0
		}
		at++
	}
	return at
}

func isPlace(step string) bool { return strings.Trim(step, "0123456789") == "" }

// blockStep returns the path element for the type of a block.
func blockStep(name string) string { return "[" + name + "]" }

// plainPath returns a path in the form that definitions use.
func plainPath(path string) string { return strings.NewReplacer("[", "", "]", "").Replace(path) }

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
