package typescript

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"headless/pkg/api/openapi"
	"headless/pkg/cms"
)

//go:embed base.ts
var base string

//go:embed client.ts
var client string

const header = "// Made by cms types. Do not edit: run cms types again after a change of the models.\n" +
	"/* eslint-disable */\n\n"

// suffixes are the suffixes of the names of a model's types. They never collide with the shared
// names in the file: no shared name is a name made from a slug, followed by a suffix.
var suffixes = []string{"Entry", "Write", "Data", "Related", "Filter", "Sort", "Include"}

// model is a model and the prefix of the names of its types.
type model struct {
	*cms.Model
	name string
}

// generator writes the types of the models.
type generator struct {
	bytes.Buffer
	models []model
	names  map[string]string // by slug
}

// OfSchema returns the TypeScript file for the models of a schema document, as GET /admin/schema
// answers or as it is written by hand: models are active unless they say otherwise.
func OfSchema(schema []byte) ([]byte, error) {
	var document struct{ Models []json.RawMessage }
	err := json.Unmarshal(schema, &document)
	models := make([]*cms.Model, len(document.Models))
	for i, raw := range document.Models {
		m := cms.NewModel()
		err = cmp.Or(err, json.Unmarshal(raw, &m))
		m.Normalize()
		models[i] = &m
	}
	if err != nil {
		return nil, fmt.Errorf("the schema cannot be read: %w", err)
	}
	return Generate(models), nil
}

// Generate returns the TypeScript file for some models. Inactive models are left out. The same models
// give the same file.
func Generate(models []*cms.Model) []byte {
	g := &generator{names: map[string]string{}}
	g.nameModels(models)
	g.WriteString(header)
	g.WriteString(base)
	for _, m := range g.models {
		g.writeModel(m)
	}
	g.index()
	g.WriteString(client)
	return g.Bytes()
}

// nameModels gives the active models names, in the order of their slugs.
func (g *generator) nameModels(models []*cms.Model) {
	taken := map[string]bool{"CommonWrite": true, "CommonFilter": true, "CommonSort": true}
	models = slices.Clone(models)
	cms.SortBySlug(models)
	for _, m := range models {
		if !m.IsActive {
			continue
		}
		name := openapi.TypeName(m.Slug, suffixes, taken)
		g.models = append(g.models, model{m, name})
		g.names[m.Slug] = name
	}
}

// line writes one formatted line.
func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(g, format+"\n", args...)
}

// writeModel writes the types of one model.
func (g *generator) writeModel(m model) {
	read, write := shape{names: g.names}, shape{write: true}
	included := "I"
	if len(g.paths(m.Fields, "", maxIncludeDepth)) == 0 {
		included = "_I" // not used; the compiler accepts unused names with _
	}
	form := "T"
	if !showsTexts(m.Fields) {
		form = "_T"
	}
	g.line("\n/** The fields of an entry of %q. %s holds the paths that are included, %s the form of rich texts. */",
		m.Slug, included, form)
	g.line("export interface %sData<%s extends string = never, %s extends TextForm = \"text\"> %s",
		m.name, included, form, read.objectType(m.Fields, included, ""))
	g.line("/** An entry of %q. */", m.Slug)
	g.line("export interface %sEntry<I extends string = never, T extends TextForm = \"text\"> extends CommonKeys {\n"+
		"%s  data: %[1]sData<I, T>;\n}", m.name, m.inTree("  parent: ID | null;\n  position: number;\n"))
	g.line("/** An entry of %q where another one includes it. */", m.Slug)
	g.line("export interface %sRelated<I extends string = never, T extends TextForm = \"text\"> extends RelatedKeys {\n"+
		"  model: %q;\n  data: %[1]sData<I, T>;\n}", m.name, m.Slug)
	g.line("/** What a write to %q takes. */", m.Slug)
	g.line("export interface %sWrite extends CommonWrite {\n%s  data?: %s | null;\n}",
		m.name, m.inTree("  parent?: ID | null;\n  position?: number | null;\n"), write.objectType(m.Fields, "", "  "))
	g.line("export interface %sFilter extends CommonFilter {", m.name)
	g.WriteString(m.inTree("  parent?: WhereText;\n  position?: Where<number>;\n  ancestor?: ID;\n"))
	g.filters(m)
	g.line("}")
	g.line("export type %sSort = %s;", m.name, sorts(m))
	for depth := 1; depth <= maxIncludeDepth; depth++ {
		g.line("export type %s = %s;", includeName(m.name, depth), g.includes(m, depth))
	}
}

// inTree returns the members that only a model with a tree has.
func (m model) inTree(members string) string {
	if !m.Tree {
		return ""
	}
	return members
}

// showsTexts reports whether fields have rich texts, or relations to entries that may have some.
func showsTexts(fields []cms.Field) bool {
	return slices.ContainsFunc(fields, func(f cms.Field) bool {
		return f.Type == cms.TypeRichText || f.Type == cms.TypeRelation || showsTexts(f.Fields)
	})
}

// index writes the types that map slugs to the types of their models.
func (g *generator) index() {
	g.line("\n/** The entries of every model by its slug. */")
	g.line("export interface Entries<I extends string = never, T extends TextForm = \"text\"> {")
	for _, m := range g.models {
		g.line("  %q: %sEntry<I, T>;", m.Slug, m.name)
	}
	g.line("}\n/** What queries and writes of every model take, by its slug. */")
	g.line("export interface Models {")
	for _, m := range g.models {
		g.line("  %q: {\n    kind: %q;\n    include: %[3]sInclude;\n    filter: %[3]sFilter;\n"+
			"    sort: %[3]sSort;\n    write: %[3]sWrite;\n  };", m.Slug, string(m.Kind), m.name)
	}
	g.line("}")
}
