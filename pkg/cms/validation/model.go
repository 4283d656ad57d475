package validation

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
)

// Limits of a definition in addition to those of package cms.
const (
	maxOptions     = 1000
	maxDefaultSort = 1000 // characters
)

// reservedModelSlugs are the first path segments of other routes (decisions §2).
const reservedModelSlugs = " upload search i18n forms settings ping openapi admin assets preview " +
	"create delivery sync redirects sitemap feed schema mcp media resolve menus health seen "

// Model finds all problems in a definition, by dotted paths such as fields.2.options. The use case
// checks that the models of relations exist and that the slug is free.
func Model(m *cms.Model) cms.Problems {
	p := cms.Problems{}
	switch {
	case m.Slug == "":
		p.Add("slug", "is required")
	case !cms.ValidSlug(m.Slug):
		p.Add("slug",
			"may hold only lower-case letters a-z, digits and single hyphens between them, at most %d characters",
			cms.MaxSlug)
	case strings.Contains(reservedModelSlugs, " "+m.Slug+" "):
		p.Add("slug", "is reserved for another route")
	}
	if m.Name == "" {
		p.Add("name", "is required")
	}
	p.LimitLength("name", m.Name, cms.MaxName)
	if m.Kind != cms.KindCollection && m.Kind != cms.KindSingle {
		p.Add("kind", "must be collection or single")
	}
	if m.MaxPerPage < 1 || m.MaxPerPage > cms.MaxPerPageCap {
		p.Add("max_per_page", "must be a number from 1 to %d", cms.MaxPerPageCap)
	}
	if m.Review < 0 || m.Review > cms.MaxReview {
		p.Add("review", "must be 0, 1 or 2")
	}
	if m.StaleAfterMonths < 0 || m.StaleAfterMonths > cms.MaxStale {
		p.Add("stale_after_months", "must be a number from 0 to %d", cms.MaxStale)
	}
	d := defCheck{p: p}
	d.checkFields("fields", m.Fields, 1, false)
	if d.count > cms.MaxFields {
		p.Add("fields", "must hold at most %d fields, nested ones included", cms.MaxFields)
	}
	unique := 0
	for i := range m.Fields {
		if m.Fields[i].Unique {
			unique++
		}
	}
	if unique > cms.MaxUnique {
		p.Add("fields", "must hold at most %d unique fields", cms.MaxUnique)
	}
	checkVisible(p, m)
	checkURL(p, m)
	checkDefaultSort(p, m)
	checkIndexes(p, m)
	checkPreviewURL(p, m)
	checkMenu(p, m)
	return p
}

func checkVisible(p cms.Problems, m *cms.Model) {
	for i, name := range m.VisibleFields {
		path := "visible_fields." + strconv.Itoa(i)
		if m.Field(name) == nil {
			p.Add(path, "is not a top-level field of this model")
		} else if slices.Contains(m.VisibleFields[:i], name) {
			p.Add(path, "is listed twice")
		}
	}
}

func checkDefaultSort(p cms.Problems, m *cms.Model) {
	if len(m.DefaultSort) > maxDefaultSort {
		p.Add("default_sort", "must have at most %d characters", maxDefaultSort)
		return
	}
	var e *cms.Error
	if m.DefaultSort == cms.SortTree {
		p.Add("default_sort", "cannot be %s: ask for it in each list", cms.SortTree)
	} else if _, err := query.ParseSort(m, m.DefaultSort); errors.As(err, &e) {
		p.Add("default_sort", "%s", e.Message)
	}
}

func checkIndexes(p cms.Problems, m *cms.Model) {
	if len(m.Indexes) > cms.MaxIndexes {
		p.Add("indexes", "must hold at most %d indexes", cms.MaxIndexes)
		return
	}
	for i, paths := range m.Indexes {
		at := fmt.Sprintf("indexes.%d", i)
		if len(paths) < 2 || len(paths) > cms.MaxIndexPaths {
			p.Add(at, "must name 2 to %d fields", cms.MaxIndexPaths)
			continue
		}
		for j, path := range paths {
			info, ok := m.Lookup("data." + path)
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
