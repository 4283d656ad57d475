package typescript

import (
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/slice"
)

// maxIncludeDepth is the maximum number of names in an include path (decisions §3).
const maxIncludeDepth = 3

// filters writes the members of the filter type of a model: one for each path below data.
func (g *generator) filters(m model) {
	written := map[string]bool{}
	var walk func(prefix string, fields []cms.Field)
	walk = func(prefix string, fields []cms.Field) {
		for i := range fields {
			f := &fields[i]
			path := prefix + "." + f.Name
			if !written[path] {
				written[path] = true
				g.line("  %q?: %s;", path, conditionType(m, path, f))
			}
			switch f.Type {
			case cms.TypeJSON:
				g.line("  [path: `%s.${string}`]: WhereText | Where<number | boolean> | undefined;", path)
			case cms.TypeRichText: // what is in its blocks is not filtered by
			case cms.TypeBlocks:
				g.line("  %q?: WhereText<%s>;", path+".type", blockTypes(f))
				for j := range f.Fields {
					walk(path, f.Fields[j].Fields)
				}
			default:
				walk(path, f.Fields)
			}
		}
	}
	walk("data", m.Fields)
}

// conditionType returns the type of the condition on a path.
func conditionType(m model, path string, f *cms.Field) string {
	info, _ := m.Lookup(path)
	switch info.Kind {
	case cms.ValueNumber:
		return "Where<number>"
	case cms.ValueBool:
		return "Where<boolean>"
	case cms.ValueTime:
		return "WhereTime"
	case cms.ValueObject:
		return "WhereObject"
	case cms.ValueAny:
		return "WhereText | Where<number | boolean>"
	}
	sameType := info.Field == f
	if sameType && (f.Type == cms.TypeSelect || f.Type == cms.TypeMultiSelect) &&
		len(f.Options) > 0 && !strings.Contains(path[len("data."):], ".") {
		return "WhereText<" + union(f.Options) + ">"
	}
	return "WhereText"
}

func blockTypes(f *cms.Field) string {
	return union(slice.Map(f.Fields, func(f cms.Field) string { return f.Name }))
}

// union returns the type of one of some strings, string if there are none.
func union(values []string) string {
	if len(values) == 0 {
		return "string"
	}
	return strings.Join(slice.Map(values, quote), " | ")
}

// sorts returns the sort type of a model.
func sorts(m model) string {
	paths := slices.DeleteFunc(m.SortFields(), func(p string) bool { return slices.Contains(cms.Columns(), p) })
	if len(paths) == 0 {
		return "CommonSort"
	}
	return "CommonSort | " + m.inTree(`"tree" | `) + "Sorted<" + union(paths) + ">"
}

// includeName returns the name of the type of the include paths of a model that have at most depth
// names.
func includeName(name string, depth int) string {
	if depth == maxIncludeDepth {
		return name + "Include"
	}
	return name + "Include" + strconv.Itoa(depth)
}

// includes returns the type of the include paths of a model that have at most depth names.
func (g *generator) includes(m model, depth int) string {
	paths := g.paths(m.Fields, "", depth)
	slices.Sort(paths)
	if paths = slices.Compact(paths); len(paths) == 0 {
		return "never"
	}
	return strings.Join(paths, " | ")
}

// paths returns the types of the include paths that begin with prefix and have at most depth more
// names.
func (g *generator) paths(fields []cms.Field, prefix string, depth int) (paths []string) {
	if depth == 0 {
		return nil
	}
	for i := range fields {
		f := &fields[i]
		path := prefix + f.Name
		switch {
		case f.HasBlockTypes():
			for j := range f.Fields {
				paths = append(paths, g.paths(f.Fields[j].Fields, path+".", depth-1)...)
			}
		case f.HasFields():
			paths = append(paths, g.paths(f.Fields, path+".", depth-1)...)
		case f.IsReference():
			paths = append(paths, quote(path))
			if f.Type != cms.TypeRelation || depth == 1 {
				continue
			}
			for _, slug := range f.Targets() {
				if target, ok := g.names[slug]; ok {
					paths = append(paths, "`"+path+".${"+includeName(target, depth-1)+"}`")
				}
			}
		}
	}
	return paths
}
