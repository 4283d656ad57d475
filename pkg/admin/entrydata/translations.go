package entrydata

import (
	"context"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/site"
)

// Members returns the translations of each of some entries of a model by locale, with the entry itself, as far as the
// user may read them. It takes two round trips.
func (h EntryHandlers) Members(ctx context.Context, m *site.Model,
	entries ...*cms.Entry) ([]map[string]*cms.Entry, error) {
	ids, byID := make([]string, len(entries)), map[string]*cms.Entry{}
	for i, e := range entries {
		ids[i], byID[e.ID] = e.ID, e
	}
	of, err := groups.Of(ctx, h.Entries.Store, m, ids)
	if err != nil {
		return nil, err
	}
	var refs []content.Reference
	for _, g := range of {
		for _, id := range g.Members {
			if byID[id] == nil {
				refs = append(refs, content.Reference{Model: m, ID: id})
			}
		}
	}
	found, err := h.Entries.Store.EntriesByID(ctx, refs)
	if err != nil {
		return nil, err
	}
	for _, e := range found {
		if e != nil {
			byID[e.ID] = e
		}
	}
	members := make([]map[string]*cms.Entry, len(entries))
	for i, own := range entries {
		members[i] = map[string]*cms.Entry{}
		for _, id := range of[i].Members {
			if e := byID[id]; e != nil {
				members[i][e.Locale] = e
			}
		}
		members[i][own.Locale] = own
	}
	return members, nil
}

// IsChanged reports whether an entry has been published or archived and has changes in a draft.
func IsChanged(e *cms.Entry) bool {
	return e.HasDraft != nil && *e.HasDraft && e.Status != cms.StatusDraft
}

// StateCell shows the status of an entry, and whether a draft changes it.
func StateCell(e *cms.Entry) ui.Cell {
	if IsChanged(e) {
		return ui.Cell{Text: say.F("{1}, changed", say.Known(string(e.Status))), Kind: "warn"}
	}
	return ui.StatusBadge(e.Status)
}

// Outdated reports whether a translation was last changed before its original, the member in the default locale.
func Outdated(e, original *cms.Entry) bool {
	return original != nil && original.ID != e.ID && e.UpdatedAt.Before(original.UpdatedAt.Time)
}

// Translatable returns the active locales without a member in which the user may write one.
func (h EntryHandlers) Translatable(c *frame.Call, m *site.Model, members map[string]*cms.Entry) (list []cms.Locale) {
	for _, l := range c.Site.Locales {
		if l.IsActive && members[l.Code] == nil && h.MayWrite(c, m, &cms.Entry{Locale: l.Code}) {
			list = append(list, l)
		}
	}
	return list
}
