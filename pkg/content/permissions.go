package content

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/table"
)

// readable unpacks a stored entry. It returns ErrNotFound if its locale may not be read.
func readable(ctx context.Context, m *site.Model, item *table.Item) ([]byte, error) {
	raw, err := entryJSON(m, item)
	p := cms.PermissionsOf(ctx)
	if err != nil || p == nil {
		return raw, err
	}
	e, err := decodeEntryJSON(raw)
	if err == nil && !p.May(cms.ActionRead, m.Slug, e.Locale) {
		err = db.ErrNotFound
	}
	return raw, err
}

// readableLocales reduces the locales of a list to those that may be read. Entries of a model that
// is not localized are all in one list, so it also adds a filter on locale. No row of the index has the
// locale there, so the filters on it are answered here if all entries have the same.
func readableLocales(ctx context.Context, m *site.Model, locales []string,
	filters []query.Filter) ([]string, []query.Filter) {
	p := cms.PermissionsOf(ctx)
	allowed := p.Locales(cms.ActionRead, m.Slug, locales)
	if m.Localized {
		return allowed, filters
	}
	if len(allowed) < len(locales) {
		filters = append(filters[:len(filters):len(filters)],
			query.Filter{Path: "locale", Op: query.OpIn, Values: allowed})
	}
	if only := m.OnlyLocale(); only != "" {
		of, rest := query.Take(filters, "locale")
		if len(query.Accepted([]string{only}, of...)) == 0 {
			return nil, filters
		}
		return allowed, rest
	}
	return allowed, filters
}

// need makes the commit require the permission for an action on an entry. If the entry is
// published, the commit also requires the permission to publish.
func need(t *db.Tx, action cms.Action, m *site.Model, e *cms.Entry) {
	t.Needs = append(t.Needs, db.Need{Action: action, Model: m.Slug, Locale: e.Locale})
	if e.Status == cms.StatusPublished {
		t.Needs = append(t.Needs, db.Need{Action: cms.ActionPublish, Model: m.Slug, Locale: e.Locale})
	}
}

func needSave(t *db.Tx, m *site.Model, was *EntryRecord, e *cms.Entry) {
	if was != nil && was.Entry != nil {
		need(t, cms.ActionWrite, m, was.Entry)
	}
	need(t, cms.ActionWrite, m, e)
}

// ReadableTrash reports whether an item of the trash may be read. An item whose model no longer
// exists is readable only without any restriction of permissions.
func ReadableTrash(ctx context.Context, site *site.Site, rec *TrashRecord) bool {
	p := cms.PermissionsOf(ctx)
	if p == nil {
		return true
	}
	m := site.ModelByID(rec.ModelID)
	return m != nil && p.May(cms.ActionRead, m.Slug, rec.Entry.Locale)
}
