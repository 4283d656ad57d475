package delivery

import (
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/site"
)

// alternates finds the published translations of entries, themselves included, in the order of the
// locales: one list for each entry.
func (m *making) alternates(model *site.Model, entries []*cms.Entry) ([][]*cms.Entry, error) {
	ids := make([]string, len(entries))
	known := map[string]*cms.Entry{}
	for i, e := range entries {
		ids[i], known[e.ID] = e.ID, e
	}
	if !model.Localized {
		return alone(entries), nil
	}
	of, err := groups.Of(m.ctx, m.h.Entries.Store, model, ids)
	if err != nil {
		return nil, err
	}
	locales := m.open.Key.Permissions().Locales(cms.ActionRead, model.Slug, activeCodes(m.open.Site))
	if err := m.readMembers(model, of, locales, known); err != nil {
		return nil, err
	}
	lists := alone(entries)
	for i, e := range entries {
		members := of[i].Members
		if members[e.Locale] != e.ID {
			continue
		}
		lists[i] = nil
		for _, code := range locales {
			if other := known[members[code]]; other != nil && other.Status == cms.StatusPublished &&
				other.Locale == code {
				lists[i] = append(lists[i], other)
			}
		}
	}
	return lists, nil
}

// readMembers adds those members of groups to the known entries that are not among them.
func (m *making) readMembers(model *site.Model, of []*groups.Group, locales []string,
	known map[string]*cms.Entry) error {
	var refs []content.Reference
	for _, g := range of {
		for code, id := range g.Members {
			if _, ok := known[id]; !ok && slices.Contains(locales, code) {
				known[id] = nil
				refs = append(refs, content.Reference{Model: model, ID: id})
			}
		}
	}
	found, err := m.h.Entries.Store.EntriesByID(m.ctx, refs)
	for i, e := range found {
		known[refs[i].ID] = e
	}
	return err
}

func alone(entries []*cms.Entry) [][]*cms.Entry {
	lists := make([][]*cms.Entry, len(entries))
	for i, e := range entries {
		lists[i] = []*cms.Entry{e}
	}
	return lists
}
