package cms

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of a model's definition.
const (
	MaxName        = 255 // characters of a model's name and of a label
	MaxFields      = 200 // all fields of a model, nested ones too
	MaxFieldDepth  = 6   // levels of fields, the top level included
	MaxPerPageCap  = 1000
	MaxUnique      = 10
	MaxIndexes     = 5
	MaxIndexPaths  = 4
	maxOptions     = 1000
	maxDefaultSort = 1000 // characters
)

// reservedModelSlugs are the first path segments that belong to other routes (decisions §2).
const reservedModelSlugs = " upload search i18n forms settings ping openapi admin assets preview create delivery sync redirects sitemap feed schema mcp media "

// laterReserved are reserved too, but for models that have one already (extensions, preamble).
const laterReserved = " delivery sync redirects sitemap feed schema mcp media "

// CheckReserved reports a slug that is new to a model and that belongs to another route. was is its
// slug until now, "" for a new model.
func (m *Model) CheckReserved(p Problems, was string) {
	if m.Slug != was && strings.Contains(laterReserved, " "+m.Slug+" ") {
		p.Add("slug", "is reserved for another route")
	}
}

// NewModel has the defaults of a new model.
func NewModel() Model {
	m := Model{IsActive: true}
	m.Normalize()
	return m
}

// Normalize puts defaults where a definition leaves things out: kind collection, MaxPerPage 100,
// empty lists instead of null. Call it before Validate.
func (m *Model) Normalize() {
	if m.Kind == "" {
		m.Kind = KindCollection
	}
	if m.MaxPerPage == 0 {
		m.MaxPerPage = DefaultMaxPerPage
	}
	m.Fields = normalizeFields(m.Fields, MaxFieldDepth+1)
	m.VisibleFields = orEmpty(m.VisibleFields)
	m.Indexes = orEmpty(m.Indexes)
}

func normalizeFields(fields []Field, depth int) []Field {
	fields = orEmpty(fields)
	if depth == 0 {
		return fields
	}
	for i := range fields {
		f := &fields[i]
		f.Options, f.Mimes = orEmpty(f.Options), orEmpty(f.Mimes)
		f.Fields = normalizeFields(f.Fields, depth-1)
		f.Default = CloneJSON(f.Default)
		if !f.IsShared() {
			f.Translatable = nil
		}
	}
	return fields
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// Validate finds everything wrong with a definition, by dotted paths such as fields.2.options.
// Whether the models of relations exist, and whether the slug is free, is for the service to see.
func (m *Model) Validate() Problems {
	p := Problems{}
	switch {
	case m.Slug == "":
		p.Add("slug", "is required")
	case !ValidSlug(m.Slug):
		p.Add("slug",
			"may hold only lower-case letters a-z, digits and single hyphens between them, at most %d characters",
			MaxSlug)
	case strings.Contains(reservedModelSlugs, " "+m.Slug+" "):
		p.Add("slug", "is reserved for another route")
	}
	if m.Name == "" {
		p.Add("name", "is required")
	}
	checkLength(p, "name", m.Name, MaxName)
	if m.Kind != KindCollection && m.Kind != KindSingle {
		p.Add("kind", "must be collection or single")
	}
	if m.MaxPerPage < 1 || m.MaxPerPage > MaxPerPageCap {
		p.Add("max_per_page", "must be a number from 1 to %d", MaxPerPageCap)
	}
	d := defCheck{p: p}
	d.fields("fields", m.Fields, 1, false)
	if d.count > MaxFields {
		p.Add("fields", "must hold at most %d fields, nested ones included", MaxFields)
	}
	unique := 0
	for i := range m.Fields {
		if m.Fields[i].Unique {
			unique++
		}
	}
	if unique > MaxUnique {
		p.Add("fields", "must hold at most %d unique fields", MaxUnique)
	}
	m.checkVisible(p)
	m.checkURL(p)
	m.checkDefaultSort(p)
	m.checkIndexes(p)
	m.checkPreviewURL(p)
	m.checkMenu(p)
	return p
}

func checkLength(p Problems, path, s string, limit int) {
	if utf8.RuneCountInString(s) > limit {
		p.Add(path, "must have at most %d characters", limit)
	}
}

func (m *Model) checkVisible(p Problems) {
	for i, name := range m.VisibleFields {
		path := "visible_fields." + strconv.Itoa(i)
		if m.Field(name) == nil {
			p.Add(path, "is not a top-level field of this model")
		} else if slices.Contains(m.VisibleFields[:i], name) {
			p.Add(path, "is listed twice")
		}
	}
}

func (m *Model) checkDefaultSort(p Problems) {
	if len(m.DefaultSort) > maxDefaultSort {
		p.Add("default_sort", "must have at most %d characters", maxDefaultSort)
		return
	}
	var e *Error
	if _, err := ParseSort(m, m.DefaultSort); errors.As(err, &e) {
		p.Add("default_sort", "%s", e.Message)
	}
}

func (m *Model) checkIndexes(p Problems) {
	if len(m.Indexes) > MaxIndexes {
		p.Add("indexes", "must hold at most %d indexes", MaxIndexes)
		return
	}
	for i, paths := range m.Indexes {
		at := fmt.Sprintf("indexes.%d", i)
		if len(paths) < 2 || len(paths) > MaxIndexPaths {
			p.Add(at, "must name 2 to %d fields", MaxIndexPaths)
			continue
		}
		for j, path := range paths {
			info, ok := lookup(m.Fields, path)
			if !ok || !info.Scalar() {
				p.Add(fmt.Sprintf("%s.%d", at, j), "is not a field with one plain value")
			} else if slices.Contains(paths[:j], path) {
				p.Add(fmt.Sprintf("%s.%d", at, j), "is listed twice")
			}
		}
		if slices.ContainsFunc(m.Indexes[:i], func(o []string) bool { return slices.Equal(o, paths) }) {
			p.Add(at, "is the same as another index")
		}
	}
}
