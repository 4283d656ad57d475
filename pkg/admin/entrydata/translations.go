package entrydata

import (
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
)

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
