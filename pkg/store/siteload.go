package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"sort"

	"headless/pkg/cms"
	"headless/pkg/table"
)

func randomShard() int { return rand.IntN(shards) }

// The documents of the site are parts of one kind, so that all of them are one read. Change them by PutModel and its like.
const siteKind = "site"

func (s *Store) models() Docs[Model]         { return Docs[Model]{s, siteKind, "model/"} }
func (s *Store) locales() Docs[cms.Locale]   { return Docs[cms.Locale]{s, siteKind, "locale/"} }
func (s *Store) settings() Docs[cms.Setting] { return Docs[cms.Setting]{s, siteKind, "setting/"} }
func (s *Store) forms() Docs[cms.Form]       { return Docs[cms.Form]{s, siteKind, "form/"} }

// loadSite reads the whole configuration. A change that commits meanwhile has another version, so what mixes two is never used for longer
// than the request that read it, and no write that depends on it commits.
func (s *Store) loadSite(ctx context.Context, version int64) (*Site, error) {
	items, err := s.table.Query(ctx, table.Range{Partition: docPartition(siteKind)})
	if err != nil {
		return nil, err
	}
	models, modelsErr := s.models().among(items)
	locales, localesErr := s.locales().among(items)
	settings, settingsErr := s.settings().among(items)
	forms, formsErr := s.forms().among(items)
	if err := errors.Join(modelsErr, localesErr, settingsErr, formsErr); err != nil {
		return nil, err
	}
	site := &Site{Version: version, Models: map[string]*Model{}, Forms: map[string]*cms.Form{}, docs: siteDocs{
		models: map[string]Doc[Model]{}, locales: map[string]Doc[cms.Locale]{},
		settings: map[string]Doc[cms.Setting]{}, forms: map[string]Doc[cms.Form]{},
	}}
	for i := range models {
		m := &models[i].Value
		m.index = entrySpec(&m.Model)
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
		site.Locales = append(site.Locales, d.Value)
		site.docs.locales[d.ID] = d
	}
	sort.SliceStable(site.Locales, func(i, j int) bool { return site.Locales[i].SortOrder < site.Locales[j].SortOrder })
	for _, d := range settings {
		site.Settings = append(site.Settings, d.Value)
		site.docs.settings[d.ID] = d
	}
	return site, nil
}

// PutModel creates or changes a model of the site; was is its slug before the change, "" for a new one.
func (t *Tx) PutModel(site *Site, was string, m Model) {
	putSiteDoc(t, site, t.s.models(), site.docs.models, was, m.ID, m)
}

// DeleteModel removes a model from the site.
func (t *Tx) DeleteModel(site *Site, slug string) {
	t.changeSite(site)
	t.s.models().Delete(t, site.docs.models[slug])
}

// PutForm creates or changes a form of the site; was is its slug before the change, "" for a new one.
func (t *Tx) PutForm(site *Site, was string, f cms.Form) {
	putSiteDoc(t, site, t.s.forms(), site.docs.forms, was, f.ID, f)
}

// DeleteForm removes a form from the site.
func (t *Tx) DeleteForm(site *Site, slug string) {
	t.changeSite(site)
	t.s.forms().Delete(t, site.docs.forms[slug])
}

// PutLocales creates or changes locales of the site together.
func (t *Tx) PutLocales(site *Site, locales ...cms.Locale) {
	t.changeSite(site)
	for _, l := range locales {
		putDoc(t, t.s.locales(), site.docs.locales, l.Code, l.Code, l)
	}
}

// DeleteLocale removes a locale from the site.
func (t *Tx) DeleteLocale(site *Site, code string) {
	t.changeSite(site)
	t.s.locales().Delete(t, site.docs.locales[code])
}

// DeleteSetting removes a setting of the site; false where it has none of this name.
func (t *Tx) DeleteSetting(site *Site, group, key string) bool {
	d, ok := site.docs.settings[group+"."+key]
	if ok {
		t.changeSite(site)
		t.s.settings().Delete(t, d)
	}
	return ok
}

// PutSettings creates or changes settings of the site together.
func (t *Tx) PutSettings(site *Site, settings ...cms.Setting) {
	t.changeSite(site)
	for _, v := range settings {
		id := v.Group + "." + v.Key
		putDoc(t, t.s.settings(), site.docs.settings, id, id, v)
	}
}

func putSiteDoc[T any](t *Tx, site *Site, docs Docs[T], known map[string]Doc[T], was, id string, value T) {
	t.changeSite(site)
	putDoc(t, docs, known, was, id, value)
}

func putDoc[T any](t *Tx, docs Docs[T], known map[string]Doc[T], was, id string, value T) {
	if doc, ok := known[was]; ok {
		doc.Value = value
		docs.Update(t, doc)
		return
	}
	docs.Create(t, id, value, ErrOvertaken)
}
