package site

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/cms/validation"
	"headless/pkg/input"
)

// What follows serves changes of many parts of the site in one transaction (package schema): each
// part is changed and checked here, and committed there. Problems are reported by the paths of the
// part's own body.

// StageModel applies the body of a create or an update to a model.
func StageModel(p cms.Problems, m *cms.Model, body map[string]any) {
	var in modelInput
	input.Decode(body, &in, p)
	m.Fields = cloneFields(m.Fields)
	in.apply(m)
	m.Normalize()
	p.Merge(validation.Model(m))
}

// StageRelations reports the relations of a model that lead to no model of the site.
func StageRelations(p cms.Problems, m *cms.Model, site *Site) {
	checkRelations(p, "fields", m.Fields, site, m.Slug)
}

// StageIndex begins a new generation of a model's index where the change needs one.
// VALIDATION_FAILED where its entries rule the change out.
func (m *Models) StageIndex(ctx context.Context, site *Site, was string, model *Model) error {
	return m.prepareIndex(ctx, site, was, model)
}

// NewModelID makes the id of a new model.
func NewModelID() string { return newModelID() }

// FollowRename gives the relations of fields a model's new slug.
func FollowRename(fields []cms.Field, from, to string) []cms.Field {
	fields = cloneFields(fields)
	renameRelations(fields, from, to)
	return fields
}

// RelatesTo reports whether fields have a relation to a model.
func RelatesTo(fields []cms.Field, slug string) bool { return relatesTo(fields, slug) }

// StageLocale applies a body to a locale; site holds all locales as they will be.
func StageLocale(p cms.Problems, v *cms.Locale, body map[string]any, site *Site) error {
	var in localeInput
	input.Decode(body, &in, p)
	if code := input.Given(in.Code, ""); len(p["code"]) == 0 &&
		(!localeCode().MatchString(code) || code == "any") {
		p.Add("code", "must be a language code such as en, de-AT or zh-Hans")
	}
	return in.apply(v, p, site)
}

// NewLocale is a locale with the defaults of a new one.
func NewLocale(code string, site *Site) cms.Locale {
	v := newLocale(site)
	v.Code, v.Direction = code, directionOf(code)
	return v
}
