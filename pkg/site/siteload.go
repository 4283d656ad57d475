package site

import (
	"bytes"
	"context"
	"errors"
	"sort"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/recheck"
	"headless/pkg/table"
)

// The documents of the site have one kind, so that one query reads them all. Change them with
// PutModel and the functions like it.
const siteKind = "site"

// Starts of the ids of models and locales.
const (
	modelPrefix  = "model/"
	localePrefix = "locale/"
)

func models(s *db.DB) db.Docs[Model] {
	return db.Docs[Model]{DB: s, Kind: siteKind, Prefix: modelPrefix}
}

// storedLocale is a locale as it is stored.
type storedLocale struct {
	cms.Locale
	// ClosedUntil is set while the locale is closed for its deletion, which may still be refused.
	ClosedUntil time.Time `json:"closed_until,omitzero"`
	// DefaultSince is the version of the site with which the default locale became that, 0 if it is not known.
	DefaultSince int64 `json:"default_since,omitempty"`
}

func locales(s *db.DB) db.Docs[storedLocale] {
	return db.Docs[storedLocale]{DB: s, Kind: siteKind, Prefix: localePrefix}
}

func settings(s *db.DB) db.Docs[cms.Setting] {
	return db.Docs[cms.Setting]{DB: s, Kind: siteKind, Prefix: "setting/"}
}

func forms(s *db.DB) db.Docs[cms.Form] {
	return db.Docs[cms.Form]{DB: s, Kind: siteKind, Prefix: "form/"}
}

// loadSite reads the whole configuration for a version item that was just read. The item is nil if
// nothing has been configured yet. All parts have the same version: see siteItems.
func (s *Store) loadSite(ctx context.Context, item *table.Item) (*Site, error) {
	item, items, err := s.siteItems(ctx, item)
	if err != nil {
		return nil, err
	}
	var version, fence int64
	if item != nil {
		version, fence = item.Version, item.Count
	}
	models, modelsErr := models(s.DB).Among(items)
	locales, localesErr := locales(s.DB).Among(items)
	settings, settingsErr := settings(s.DB).Among(items)
	forms, formsErr := forms(s.DB).Among(items)
	if err := errors.Join(modelsErr, localesErr, settingsErr, formsErr); err != nil {
		return nil, err
	}
	site := &Site{store: s, Version: version, fence: fence, versions: versionsOf(items),
		Models: map[string]*Model{}, Forms: map[string]*cms.Form{}, docs: siteDocs{
			models: map[string]db.Doc[Model]{}, locales: map[string]db.Doc[storedLocale]{},
			settings: map[string]db.Doc[cms.Setting]{}, forms: map[string]db.Doc[cms.Form]{},
		}}
	for i := range models {
		m := &models[i].Value
		m.prepareIndexes()
		m.site, m.rebuild, m.pace = site, s.Rebuild, s.Pace
		site.Models[m.Slug], site.docs.models[m.Slug] = m, models[i]
	}
	for i := range forms {
		f := &forms[i].Value
		site.Forms[f.Slug], site.docs.forms[f.Slug] = f, forms[i]
	}
	for _, d := range locales {
		if d.Value.IsDefault {
			site.Default = d.Value.Code
		}
		site.Locales = append(site.Locales, d.Value.Locale)
		site.docs.locales[d.ID] = d
	}
	sort.SliceStable(site.Locales,
		func(i, j int) bool { return site.Locales[i].SortOrder < site.Locales[j].SortOrder })
	for _, d := range settings {
		site.Settings = append(site.Settings, d.Value)
		site.docs.settings[d.ID] = d
	}
	return site, nil
}

// PutModel creates or changes a model of the site. was is its current slug, "" for a new model.
func PutModel(t *db.Tx, site *Site, was string, m Model) {
	doc, ok := site.docs.models[was]
	if m.IsActive {
		m.ClosedUntil = time.Time{}
	}
	m.SharedSince = sharedSince(site, &doc.Value, &m)
	if !isSame(shownModel(doc.Value.Model), shownModel(m.Model)) {
		t.Touch(cms.TagSchema)
	}
	if ok {
		if !sameChecks(doc.Value.Model, m.Model) {
			recheck.Model(t, m.ID)
		}
		dropGenerations(t, site, &doc.Value, &m)
	}
	putSiteDoc(t, site, models(t.DB), site.docs.models, was, m.ID, m)
}

// sharedSince returns SharedSince of a model that is stored now; was is the stored one, without an id if there is none.
func sharedSince(site *Site, was, now *Model) int64 {
	switch {
	case now.Localized || was.Localized:
		return 0
	case was.ID == "":
		return site.Version + 1 // that of the change
	}
	return was.SharedSince
}

// sameChecks reports whether package health finds the same in the entries of two definitions.
func sameChecks(a, b cms.Model) bool {
	checks := func(m cms.Model) []byte {
		return db.MustMarshal([]any{m.Fields, m.Localized, m.IsActive, m.URL != "", m.Home, m.Translate,
			m.StaleAfterMonths})
	}
	return bytes.Equal(checks(a), checks(b))
}

// DeleteModel deletes a model of the site.
func DeleteModel(t *db.Tx, site *Site, slug string) {
	changeSite(t, site)
	doc := site.docs.models[slug]
	if doc.Value.IsActive {
		t.Touch(cms.TagSchema)
	}
	dropGenerations(t, site, &doc.Value, nil)
	models(t.DB).Delete(t, doc)
}

// PutForm creates or changes a form of the site. was is its current slug, "" for a new form.
func PutForm(t *db.Tx, site *Site, was string, f cms.Form) {
	touchForm(t, site.docs.forms[was].Value, f)
	putSiteDoc(t, site, forms(t.DB), site.docs.forms, was, f.ID, f)
}

// DeleteForm deletes a form of the site.
func DeleteForm(t *db.Tx, site *Site, slug string) {
	changeSite(t, site)
	touchForm(t, site.docs.forms[slug].Value, cms.Form{})
	forms(t.DB).Delete(t, site.docs.forms[slug])
}

// PutLocales creates or changes several locales of the site.
func PutLocales(t *db.Tx, site *Site, localesNow ...cms.Locale) {
	putLocales(t, site, time.Time{}, localesNow)
}

// PutOpenLocales does for locales what PutOpen does for a model.
func PutOpenLocales(t *db.Tx, site *Site, open bool, localesNow ...cms.Locale) {
	for i := range localesNow {
		localesNow[i].IsActive = open
	}
	putLocales(t, site, closedUntil(t, open), localesNow)
}

func putLocales(t *db.Tx, site *Site, until time.Time, localesNow []cms.Locale) {
	changeSite(t, site)
	changed := false
	for _, l := range localesNow {
		changed = touchLocale(t, site.docs.locales[l.Code].Value.Locale, l) || changed
	}
	if changed {
		recheck.Site(t)
	}
	for _, l := range localesNow {
		was := site.docs.locales[l.Code].Value
		since := was.DefaultSince
		if l.IsDefault && !was.IsDefault {
			since = site.Version + 1
		}
		putDoc(t, locales(t.DB), site.docs.locales, l.Code, l.Code, storedLocale{l, until, since})
	}
}

// localesChanged purges all responses that depend on the set of locales: lists without a locale,
// and settings in the default locale.
func localesChanged(t *db.Tx) { t.Touch(cms.TagLocales, cms.TagSchema, cms.TagSettings) }

// DeleteLocale deletes a locale of the site.
func DeleteLocale(t *db.Tx, site *Site, code string) {
	changeSite(t, site)
	touchLocale(t, site.docs.locales[code].Value.Locale, cms.Locale{})
	locales(t.DB).Delete(t, site.docs.locales[code])
}

// DeleteSetting deletes a setting of the site. It reports whether there was one.
func DeleteSetting(t *db.Tx, site *Site, group, key string) bool {
	d, ok := site.docs.settings[group+"."+key]
	if ok {
		changeSite(t, site)
		touchSetting(t, d.Value, cms.Setting{})
		settings(t.DB).Delete(t, d)
	}
	return ok
}

// PutSettings creates or changes several settings of the site.
func PutSettings(t *db.Tx, site *Site, settingsNow ...cms.Setting) {
	changeSite(t, site)
	referSettings(t, settingsNow)
	for _, v := range settingsNow {
		id := v.Group + "." + v.Key
		touchSetting(t, site.docs.settings[id].Value, v)
		putDoc(t, settings(t.DB), site.docs.settings, id, id, v)
	}
}

func putSiteDoc[T any](t *db.Tx, site *Site, docs db.Docs[T], known map[string]db.Doc[T], was, id string, value T) {
	changeSite(t, site)
	putDoc(t, docs, known, was, id, value)
}

func putDoc[T any](t *db.Tx, docs db.Docs[T], known map[string]db.Doc[T], was, id string, value T) {
	if doc, ok := known[was]; ok {
		doc.Value = value
		docs.Update(t, doc)
		return
	}
	docs.Create(t, id, value, db.ErrOvertaken)
}
