package contentful

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/scripts/cms/sources"
)

// entry adds an entry for each locale in which it has localized values.
func (c *reader) entry(r *record) {
	source := "entry " + r.Sys.ID
	ct := c.types[r.Sys.ContentType.Sys.ID]
	if ct == nil {
		c.site.Fail(source, "its content type %s is not in the export", r.Sys.ContentType.Sys.ID)
		return
	}
	m := c.site.ModelOf(c.slugOf(ct.Sys.ID))
	locales := []string{c.defaultLocale}
	if there := c.target.Model(m.Slug); m.Localized && (there == nil || there.Localized) {
		locales = c.localesOf(ct, r)
	}
	group := map[string][]*sources.Entry{}
	for _, locale := range locales {
		e := c.entryIn(ct, m, r, locale)
		c.site.Entries = append(c.site.Entries, e)
		group[""] = append(group[""], e)
	}
	c.site.Link(group)
	if r.Sys.PublishedVersion > 0 && r.Sys.Version > r.Sys.PublishedVersion+1 {
		c.site.Note(source, "was changed after it was published; the export has the changed texts only")
	}
}

// localesOf returns the locales in which an entry has localized values, the default one first.
func (c *reader) localesOf(ct *contentType, r *record) []string {
	locales := []string{c.defaultLocale}
	for i := range ct.Fields {
		if !ct.Fields[i].Localized {
			continue
		}
		for _, code := range slices.Sorted(maps.Keys(r.Fields[ct.Fields[i].ID])) {
			if !slices.Contains(locales, code) {
				locales = append(locales, code)
			}
		}
	}
	return locales
}

// id returns the id of an entry in a locale. References name the entry in the default locale, whose
// id is made without a locale.
func (c *reader) id(space, id, locale string) string {
	if locale == c.defaultLocale {
		return sources.MakeID("contentful", space, "entry", id)
	}
	return sources.MakeID("contentful", space, "entry", id, locale)
}

func (c *reader) entryIn(ct *contentType, m *cms.Model, r *record, locale string) *sources.Entry {
	space := r.Sys.Space.Sys.ID
	e := &sources.Entry{
		Source: "entry " + r.Sys.ID, Model: m.Slug, ID: c.id(space, r.Sys.ID, locale),
		Locale: c.locale(locale),
		Status: r.Sys.status(), PublishedAt: r.Sys.FirstPublishedAt, CreatedAt: r.Sys.CreatedAt,
		UpdatedAt: r.Sys.UpdatedAt,
		Data:      map[string]any{},
	}
	if e.Status != string(cms.StatusPublished) {
		e.PublishedAt = time.Time{}
	}
	for i := range ct.Fields {
		f := &ct.Fields[i]
		v, ok := r.Fields[f.ID][locale]
		if !ok && (!f.Localized || f.ID == ct.DisplayField || f.isSlug()) {
			v = c.inDefault(r, f.ID)
		}
		switch {
		case v == nil:
		case f.ID == ct.DisplayField:
			e.Title = fmt.Sprint(v)
		case f.isSlug():
			e.Slug = fmt.Sprint(v)
		default:
			sources.Put(e.Data, sources.FieldName(f.ID), c.value(e, m.Field(sources.FieldName(f.ID)), space, v))
		}
	}
	e.Title = cmp.Or(e.Title, ct.Name+" "+r.Sys.ID)
	return e
}

func (s *sys) status() string {
	switch {
	case s.ArchivedAt != nil:
		return string(cms.StatusArchived)
	case s.PublishedVersion > 0:
		return string(cms.StatusPublished)
	}
	return string(cms.StatusDraft)
}

// value converts a value of Contentful for a field, nil if it is left out.
func (c *reader) value(e *sources.Entry, f *cms.Field, space string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		if v["nodeType"] == "document" {
			return c.richText(e, space, v)
		}
		if id, kind := linkOf(v); id != "" {
			return c.linkedID(e, f, space, id, kind)
		}
	case []any:
		list := []any{}
		for _, item := range v {
			if item = c.value(e, f, space, item); item != nil {
				list = append(list, item)
			}
		}
		return list
	case string:
		if f != nil && f.Type == cms.TypeDateTime && !strings.Contains(v[min(len(v), 10):], ":") {
			return v + "T00:00:00Z"
		}
		if f != nil && f.Type == cms.TypeDateTime && len(v) >= 16 && (len(v) == 16 || v[16] != ':') {
			return v[:16] + ":00" + v[16:]
		}
	}
	return v
}

// linkOf returns the id and type of the target of a link, "" if v is not a link.
func linkOf(v map[string]any) (id, kind string) {
	sys, _ := v["sys"].(map[string]any)
	if sys["type"] != "Link" {
		return "", ""
	}
	id, _ = sys["id"].(string)
	kind, _ = sys["linkType"].(string)
	return id, kind
}

// linkedID returns the id of the file or entry that a link leads to, nil if it is left out.
func (c *reader) linkedID(e *sources.Entry, f *cms.Field, space, id, kind string) any {
	if file := c.files[id]; kind == "Asset" && file != nil {
		return file.ID
	}
	if target := c.entries[id]; kind == "Entry" && target != "" {
		to := c.id(space, id, c.defaultLocale)
		switch slug := c.slugOf(target); {
		case f == nil || f.Type != cms.TypeRelation || f.Model == slug:
			return to
		case slices.Contains(f.Models, slug):
			return map[string]any{"model": slug, "id": to}
		}
		c.site.Note(e.Source, "%s leads to an entry of another type", f.Name)
		return nil
	}
	c.site.Note(e.Source, "leads to the %s %s, which is not in the export", strings.ToLower(kind), id)
	return nil
}
