package site

import (
	"headless/pkg/cms"
	"headless/pkg/cms/validation"
	"headless/pkg/input"
)

// These functions let package schema change many parts of the site in one transaction: they change
// and check one part each, and the caller commits. Problems have paths in the body of the part.

// StageModel applies the body of a create or an update to a model.
func StageModel(p cms.Problems, m *cms.Model, body map[string]any) {
	m.Fields = cloneFields(m.Fields)
	p.Merge(input.Apply(body, m))
	m.Normalize()
	p.Merge(validation.Model(m))
}

// StageAmong reports the problems that a model has among the other models of a site.
func StageAmong(p cms.Problems, m *cms.Model, site *Site) {
	checkRelations(p, "fields", m.Fields, site, m.Slug)
	checkTemplate(p, site, m)
	var was []string
	if old := site.Models[m.Slug]; old != nil {
		was = old.Translate
	}
	if m.Translate = site.CheckLocales(p, "translate", m.Translate, was); len(m.Translate) > 0 && !m.Localized {
		p.Add("translate", "needs a localized model")
	}
}

// FollowRename returns fields in which relations to a renamed model have its new slug.
func FollowRename(fields []cms.Field, from, to string) []cms.Field {
	fields = cloneFields(fields)
	renameRelations(fields, from, to)
	return fields
}

// StageLocale applies a body to a locale. site has all locales after the change.
func StageLocale(p cms.Problems, v *cms.Locale, body map[string]any, site *Site) error {
	in, problems := input.Decode[localeInput](body)
	p.Merge(problems)
	if code := input.Given(in.Code, ""); len(p["code"]) == 0 && (!localeCode().MatchString(code) || code == "any") {
		p.Add("code", "must be a language code such as en, de-AT or zh-Hans")
	}
	return in.applyTo(v, p, site)
}

// NewLocale returns a locale with the defaults of a new one.
func NewLocale(code string, site *Site) cms.Locale {
	v := newLocale(site)
	v.Code, v.Direction = code, directionOf(code)
	return v
}
