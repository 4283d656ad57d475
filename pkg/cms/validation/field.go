package validation

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/slice"
)

// defCheck collects the problems in field definitions.
type defCheck struct {
	p     cms.Problems
	count int
}

// checkFields checks one level of definitions. With blockTypes, each field is a block type.
func (d *defCheck) checkFields(path string, fields []cms.Field, depth int, blockTypes bool) {
	if depth > cms.MaxFieldDepth {
		d.p.Add(path, "are nested too deeply: at most %d levels", cms.MaxFieldDepth)
		return
	}
	if d.count += len(fields); d.count > cms.MaxFields {
		return // reported once, by Model
	}
	seen := map[string]bool{}
	for i := range fields {
		f := &fields[i]
		at := path + "." + strconv.Itoa(i)
		switch {
		case f.Name == "":
			d.p.Add(at+".name", "is required")
		case !validName(f.Name):
			d.p.Add(at+".name", "must start with a letter and hold only letters, digits and underscores, at most 64")
		case seen[f.Name]:
			d.p.Add(at+".name", "is used twice")
		}
		seen[f.Name] = true
		d.p.LimitLength(at+".label", f.Label, cms.MaxName)
		if blockTypes {
			d.blockType(at, f, depth)
		} else {
			d.checkField(at, f, depth)
		}
		d.layout(at, f, fields, depth)
	}
}

// blockType checks one of the block types of a field.
func (d *defCheck) blockType(at string, f *cms.Field, depth int) {
	if f.Type != cms.TypeGroup {
		d.p.Add(at+".type", "must be group: the fields of a blocks or richtext field are its block types")
		return
	}
	if f.Required || f.Default != nil {
		d.p.Add(at, "is a block type, which cannot be required nor have a default")
	}
	if cms.FieldNamed(f.Fields, "type") != nil {
		d.p.Add(at+".fields", `cannot hold a field named "type": a block keeps its type there`)
	}
	d.checkField(at, &cms.Field{Name: f.Name, Type: f.Type, Unique: f.Unique, Searchable: f.Searchable,
		Min: f.Min, Max: f.Max, Pattern: f.Pattern,
		Options: f.Options, Model: f.Model, Models: f.Models, Many: f.Many, Mimes: f.Mimes, Fields: f.Fields,
		Translatable: f.Translatable}, depth)
}

func (d *defCheck) checkField(at string, f *cms.Field, depth int) {
	if !slices.Contains(cms.FieldTypes(), f.Type) {
		if f.Type == "" {
			d.p.Add(at+".type", "is required")
		} else {
			d.p.Add(at+".type", "is not a field type; known: %s", joinTypes(cms.FieldTypes()))
		}
		return
	}
	before := len(d.p)
	d.flags(at, f, depth)
	d.limits(at, f)
	d.options(at, f)
	d.references(at, f)
	switch {
	case f.HasFields() && len(f.Fields) == 0:
		d.p.Add(at+".fields", "are required for %s", f.Type)
	case f.HasFields() || f.Type == cms.TypeRichText:
		d.checkFields(at+".fields", f.Fields, depth+1, f.HasBlockTypes())
		if f.Type == cms.TypeRichText && cms.FieldNamed(f.Fields, cms.TextPart) != nil {
			d.p.Add(at+".fields", "cannot hold a block type named %q: parts of Markdown have this type", cms.TextPart)
		}
	case len(f.Fields) > 0:
		d.p.Add(at+".fields", "apply to group, list, blocks and richtext only")
	}
	if f.Default != nil && len(d.p) == before { // a broken definition cannot validate a default
		c := dataCheck{p: d.p}
		c.checkValue(at+".default", f, cms.CloneJSON(f.Default))
	}
}

func joinTypes(types []cms.FieldType) string {
	return strings.Join(slice.Map(types, func(t cms.FieldType) string { return string(t) }), ", ")
}

func (d *defCheck) flags(at string, f *cms.Field, depth int) {
	if f.Unique && depth > 1 {
		d.p.Add(at+".unique", "works on top-level fields only")
	} else if f.Unique && !f.IsScalar() {
		d.p.Add(at+".unique", "works on fields with one plain value only, not on %s", describe(f))
	}
	if f.IsShared() && depth > 1 {
		d.p.Add(at+".translatable", "works on top-level fields only")
	}
	if f.Searchable && !f.IsText() && f.Type != cms.TypeSelect && f.Type != cms.TypeMultiSelect {
		d.p.Add(at+".searchable", "applies to texts, select and multiselect only")
	}
	if f.Pattern == "" {
		return
	}
	if !f.IsText() {
		d.p.Add(at+".pattern", "applies to texts only")
	} else if problem := patternProblem(f.Pattern); problem != "" {
		d.p.Add(at+".pattern", "%s", problem)
	}
}

func describe(f *cms.Field) string {
	if f.IsReference() {
		return string(f.Type) + " with many"
	}
	return string(f.Type)
}

// limits checks min and max: any number for a number, else a count.
func (d *defCheck) limits(at string, f *cms.Field) {
	counts := f.IsText() || f.IsList()
	for _, l := range []struct {
		name  string
		value *float64
	}{{".min", f.Min}, {".max", f.Max}} {
		switch {
		case l.value == nil:
		case !counts && f.Type != cms.TypeNumber:
			d.p.Add(at+l.name, "applies to numbers, texts and lists only")
		case math.IsNaN(*l.value) || math.IsInf(*l.value, 0):
			d.p.Add(at+l.name, "must be a finite number")
		case counts && (*l.value < 0 || *l.value != math.Trunc(*l.value)):
			d.p.Add(at+l.name, "must be a whole number of 0 or more")
		}
	}
	if f.Min != nil && f.Max != nil && *f.Min > *f.Max {
		d.p.Add(at+".min", "must not exceed the maximum")
	}
}

func (d *defCheck) options(at string, f *cms.Field) {
	choice := f.Type == cms.TypeSelect || f.Type == cms.TypeMultiSelect
	switch {
	case !choice && len(f.Options) > 0:
		d.p.Add(at+".options", "apply to select and multiselect only")
	case choice && len(f.Options) == 0:
		d.p.Add(at+".options", "are required for %s", f.Type)
	case len(f.Options) > maxOptions:
		d.p.Add(at+".options", "must hold at most %d options", maxOptions)
	default:
		seen := map[string]bool{}
		for i, o := range f.Options {
			path := at + ".options." + strconv.Itoa(i)
			if o == "" {
				d.p.Add(path, "must not be empty")
			} else if seen[o] {
				d.p.Add(path, "is listed twice")
			}
			d.p.LimitLength(path, o, cms.MaxName)
			seen[o] = true
		}
	}
}

// references checks model, many and mimes.
func (d *defCheck) references(at string, f *cms.Field) {
	switch {
	case f.Type != cms.TypeRelation && len(f.Models) > 0:
		d.p.Add(at+".models", "applies to relation only")
	case f.Model != "" && len(f.Models) > 0:
		d.p.Add(at+".models", "cannot be given beside model")
	case len(f.Models) > 0:
		d.models(at+".models", f.Models)
	case f.Type == cms.TypeRelation && f.Model == "":
		d.p.Add(at+".model", "is required for relation")
	case f.Type == cms.TypeRelation && !cms.ValidSlug(f.Model):
		d.p.Add(at+".model", "is not the slug of a model")
	case f.Type != cms.TypeRelation && f.Model != "":
		d.p.Add(at+".model", "applies to relation only")
	}
	if f.Many && !f.IsReference() {
		d.p.Add(at+".many", "applies to media and relation only")
	}
	if len(f.Mimes) > 0 && f.Type != cms.TypeMedia {
		d.p.Add(at+".mimes", "apply to media only")
		return
	}
	for i, m := range f.Mimes {
		if !cms.ValidMimePattern(m) {
			d.p.Add(at+".mimes."+strconv.Itoa(i), "must be a type such as image/png or image/*")
		}
	}
}

// maxModels is how many models a relation may lead to (extensions §12).
const maxModels = 20

// models checks the models of a relation to several.
func (d *defCheck) models(at string, slugs []string) {
	if len(slugs) < 2 || len(slugs) > maxModels {
		d.p.Add(at, "must hold 2 to %d models", maxModels)
	}
	for i, slug := range slugs[:min(len(slugs), maxModels)] {
		if !cms.ValidSlug(slug) {
			d.p.Add(at, "must hold slugs of models, not %q", cms.Shorten(slug))
		} else if slices.Contains(slugs[:i], slug) {
			d.p.Add(at, "must not hold %q twice", slug)
		}
	}
}

// validName reports whether s can name a field: a letter, then letters, digits and underscores, at
// most 64.
func validName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return true
}
