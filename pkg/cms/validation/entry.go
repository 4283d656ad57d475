package validation

import (
	"slices"
	"unicode/utf8"

	"headless/pkg/cms"
)

// Limits of an entry's texts, in characters.
const (
	MaxTitle          = 255
	maxSEOTitle       = 255
	maxSEODescription = 1000
)

// Checks finds the problems of entries.
type Checks struct {
	// Blocks reads the blocks in a text of a richtext field. Nil checks no blocks.
	Blocks func(f *cms.Field, text string) []cms.TextBlock
}

// Entry checks a whole entry against its model: title, slug (an empty one will be made from the
// title), status, locale, seo and data. before is the stored entry, nil on create: keys that were
// removed from the model are accepted if their value is unchanged. requireAll reports missing
// required fields. The use case checks that the locale is active, that the slug and unique values
// are free, and that references exist.
func (c Checks) Entry(m *cms.Model, e, before *cms.Entry, requireAll bool) cms.Problems {
	return c.validateEntry(m, e, before, rules{required: requireAll})
}

// Values checks the values of the fields of a group, whose path is before the paths of problems.
func (c Checks) Values(path string, fields []cms.Field, values map[string]any) cms.Problems {
	d := dataCheck{Checks: c, p: cms.Problems{}, rules: rules{required: true}}
	d.checkObject(path, fields, values, "")
	return d.p
}

// Fits reports whether a value that is not null is one of the type of a field. It may be below min, above max
// and not match the pattern, and may lack required values.
func Fits(f *cms.Field, v any) bool {
	d := dataCheck{p: cms.Problems{}, rules: draftRules}
	d.checkValue("", f, v)
	return len(d.p) == 0
}

// Title finds what is wrong with a title.
func Title(title string) cms.Problems {
	p := cms.Problems{}
	if title == "" {
		p.Add("title", "is required")
	}
	p.LimitLength("title", title, MaxTitle)
	if !utf8.ValidString(title) {
		p.Add("title", "must be valid UTF-8")
	}
	return p
}

func (c Checks) validateEntry(m *cms.Model, e, before *cms.Entry, r rules) cms.Problems {
	var old map[string]any
	if before != nil {
		old = before.Data
	}
	p := c.validateData(m, e.Data, old, r)
	p.Merge(Title(e.Title))
	if e.Slug != "" {
		if message := cms.SlugProblem(e.Slug); message != "" {
			p.Add("slug", "%s", message)
		} else if m.ReservesSlug(e.Slug) {
			p.Add("slug", "is reserved for the route of the tree")
		}
	}
	if !slices.Contains(cms.Statuses, e.Status) {
		p.Add("status", "must be one of: draft, published, archived")
	}
	if e.Locale == "" {
		p.Add("locale", "is required")
	}
	p.LimitLength("seo.title", e.SEO.Title, maxSEOTitle)
	p.LimitLength("seo.description", e.SEO.Description, maxSEODescription)
	for path, s := range map[string]string{"seo.title": e.SEO.Title, "seo.description": e.SEO.Description} {
		if !utf8.ValidString(s) {
			p.Add(path, "must be valid UTF-8")
		}
	}
	return p
}
