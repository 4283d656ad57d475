package cms

import "strings"

// FieldNamed finds a field by its name in a list of fields. It returns nil if there is none.
func FieldNamed(fields []Field, name string) *Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

// TextBlock is a block in the text of a richtext field (extensions §12): the bytes Start to End, fences
// included.
type TextBlock struct {
	Start, End int
	Type       string         // as the text has it
	Values     map[string]any // by the names of the type's fields, and of unknown ones
	Problem    string         // why Values could not be read, "" if they could
}

// TextPart is the type of a part of a text that is Markdown, in its key text.
const TextPart = "text"

// FieldsOf returns the fields of one object inside this field. Of blocks, and of parts of a text, these
// are the fields of the object's block type, or none for an unknown type.
func (f *Field) FieldsOf(object map[string]any) []Field {
	if !f.HasBlockTypes() {
		return f.Fields
	}
	name, _ := object["type"].(string)
	if kind := FieldNamed(f.Fields, name); kind != nil {
		return kind.Fields
	}
	return nil
}

// Field finds a top-level field by its name. It returns nil if there is none.
func (m *Model) Field(name string) *Field { return FieldNamed(m.Fields, name) }

// Visible returns the model for keys without an admin role: only the VisibleFields, or all fields
// if that list is empty. The result shares its parts with m.
func (m *Model) Visible() *Model {
	if len(m.VisibleFields) == 0 {
		return m
	}
	v := *m
	v.Fields = nil
	for _, name := range m.VisibleFields {
		if f := m.Field(name); f != nil && FieldNamed(v.Fields, name) == nil {
			v.Fields = append(v.Fields, *f)
		}
	}
	return &v
}

// PathInfo describes the value at a path of an entry.
type PathInfo struct {
	Kind ValueKind
	// There may be several values: the path is a list or inside one. Below json only the data
	// itself can tell.
	List bool
	// Nil for a column, a path below json and the type of a block. In blocks it is the first of
	// several.
	Field *Field
}

// Scalar reports whether the path has at most one plain value, so that entries can be sorted by it.
func (p PathInfo) Scalar() bool {
	return !p.List && (p.Field == nil && p.Kind != ValueAny || p.Field != nil && p.Field.IsScalar())
}

// Columns lists the paths outside data, in the order of the documentation.
func Columns() []string {
	return []string{"id", "title", "slug", "status", "locale", "created_at", "updated_at", "published_at"}
}

// ColumnHasDraft reports whether an entry has a draft. It is a column only of models made by
// WithDrafts.
const ColumnHasDraft = "has_draft"

// WithDrafts returns the model for readers who may see drafts. It has the column has_draft, for
// filters and sorts, and shares its parts with m.
func (m *Model) WithDrafts() *Model {
	with := *m
	with.drafts = true
	return &with
}

func (m *Model) columns() []string {
	list := Columns()
	if m.drafts {
		list = append(list, ColumnHasDraft)
	}
	if m.Tree {
		list = append(list, ColumnParent, ColumnPosition)
	}
	return list
}

// Lookup resolves a path such as title, published_at or data.author.city. Paths lead through
// groups, lists, blocks (the fields of all block types, and type) and freely below json. ok is
// false for a path that the model does not know.
func (m *Model) Lookup(path string) (info PathInfo, ok bool) {
	switch path {
	case "id":
		return PathInfo{Kind: ValueID}, true
	case "title", "slug", "status", "locale":
		return PathInfo{Kind: ValueText}, true
	case "created_at", "updated_at", "published_at":
		return PathInfo{Kind: ValueTime}, true
	}
	if path == ColumnHasDraft && m.drafts {
		return PathInfo{Kind: ValueBool}, true
	}
	if m.Tree && path == ColumnParent {
		return PathInfo{Kind: ValueID}, true
	}
	if m.Tree && path == ColumnPosition {
		return PathInfo{Kind: ValueNumber}, true
	}
	rest, ok := strings.CutPrefix(path, "data.")
	if !ok {
		return PathInfo{}, false
	}
	return lookup(m.Fields, rest)
}

func lookup(fields []Field, path string) (PathInfo, bool) {
	name, rest, deeper := strings.Cut(path, ".")
	f := FieldNamed(fields, name)
	if f == nil {
		return PathInfo{}, false
	}
	if !deeper {
		return PathInfo{Kind: f.Kind(), List: f.IsList(), Field: f}, true
	}
	switch f.Type {
	case TypeJSON:
		valid := rest != "" && !strings.HasPrefix(rest, ".") && !strings.HasSuffix(rest, ".") &&
			!strings.Contains(rest, "..")
		return PathInfo{Kind: ValueAny}, valid
	case TypeGroup:
		return lookup(f.Fields, rest)
	case TypeList:
		p, ok := lookup(f.Fields, rest)
		p.List = true
		return p, ok
	case TypeBlocks:
		return lookupBlocks(f.Fields, rest)
	}
	return PathInfo{}, false
}

// lookupBlocks searches every block type. A path is known if at least one of them has it.
func lookupBlocks(types []Field, path string) (PathInfo, bool) {
	if path == "type" {
		return PathInfo{Kind: ValueText, List: true}, true
	}
	var found PathInfo
	known := false
	for i := range types {
		p, ok := lookup(types[i].Fields, path)
		switch {
		case !ok:
		case !known:
			found, known = p, true
		case p.Kind != found.Kind:
			found.Kind = ValueAny
		}
	}
	found.List = true
	return found, known
}

// FilterPaths lists the paths that a filter may name, for messages. Paths below json are left out.
func (m *Model) FilterPaths() []string {
	return appendPaths(m.columns(), "data", m.Fields, func(*Field, bool) bool { return true })
}

// SortFields lists the paths that entries can be sorted by.
func (m *Model) SortFields() []string {
	return appendPaths(m.columns()[1:], "data", m.Fields,
		func(f *Field, list bool) bool { return !list && f.IsScalar() })
}

// appendPaths appends the paths of the leaves that keep accepts; list tells keep whether a leaf is
// inside a list.
func appendPaths(paths []string, prefix string, fields []Field, keep func(f *Field, list bool) bool) []string {
	seen := map[string]bool{}
	var walk func(prefix string, fields []Field, list bool)
	walk = func(prefix string, fields []Field, list bool) {
		for i := range fields {
			f := &fields[i]
			path := prefix + "." + f.Name
			switch {
			case f.Type == TypeBlocks:
				for j := range f.Fields {
					walk(path, f.Fields[j].Fields, true)
				}
			case f.HasFields():
				walk(path, f.Fields, list || f.Type == TypeList)
			case keep(f, list) && !seen[path]:
				seen[path] = true
				paths = append(paths, path)
			}
		}
	}
	walk(prefix, fields, false)
	return paths
}
