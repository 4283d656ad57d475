package site

import (
	"bytes"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// The functions below return the part of a definition that cached answers depend on. A change of
// the rest purges nothing: TagSchema removes almost every answer, and each tag costs money
// (extensions §8).

// shownModel leaves out what only the admin area uses. No answer depends on an inactive model.
func shownModel(m cms.Model) cms.Model {
	if !m.IsActive {
		return cms.Model{}
	}
	m.UpdatedAt, m.Version = cms.Time{}, 0
	m.PreviewURL, m.Menu, m.Review, m.Translate, m.StaleAfterMonths = "", cms.ModelMenu{}, 0, nil, 0
	m.Fields = shownFields(m.Fields)
	return m
}

// shownFields returns fields without the properties that only the form of an entry uses.
func shownFields(fields []cms.Field) []cms.Field {
	shown := slices.Clone(fields)
	for i := range shown {
		f := &shown[i]
		f.Label, f.Help, f.Tab, f.Column, f.ShownIf, f.ShownFor = "", "", "", "", "", nil
		f.Fields = shownFields(f.Fields)
	}
	return shown
}

// touchForm purges the answer with the schema of a form, if it differs now. Without an active form, there is none.
func touchForm(t *db.Tx, was, now cms.Form) {
	shown := func(f cms.Form) cms.Form {
		return cms.Form{Name: f.Name, Slug: f.Slug, Fields: f.Fields, SuccessMessage: f.SuccessMessage,
			IsActive: f.IsActive}
	}
	if was.IsActive && !isSame(shown(was), shown(now)) {
		t.Touch(cms.TagSchema)
	}
}

// touchLocale purges the answers that depend on a locale, and reports whether it changes. Names are
// in lists of locales only, and an inactive locale is in no answer.
func touchLocale(t *db.Tx, was, now cms.Locale) bool {
	unnamed := func(l cms.Locale) cms.Locale {
		l.Name, l.NativeName, l.Direction = "", "", ""
		return l
	}
	switch {
	case isSame(was, now):
		return false
	case !was.IsActive && !now.IsActive:
	case isSame(unnamed(was), unnamed(now)):
		t.Touch(cms.TagLocales)
	default:
		localesChanged(t)
	}
	return true
}

// touchSetting purges the answers that show a setting. Private ones are in none, but site.url begins
// addresses.
func touchSetting(t *db.Tx, was, now cms.Setting) {
	shown := func(v cms.Setting) cms.Setting {
		if v.IsPublic || v.Group == "site" && v.Key == "url" {
			return v
		}
		return cms.Setting{}
	}
	if !isSame(shown(was), shown(now)) {
		t.Touch(cms.TagSettings)
	}
}

// isSame reports whether two definitions are stored alike.
func isSame[T any](a, b T) bool { return bytes.Equal(db.MustMarshal(a), db.MustMarshal(b)) }
