package delivery

import (
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// alternates returns, for each entry, the list of its published translations, with the entry
// itself, in the order of the site's locales.
func (m *making) alternates(model *site.Model, entries []*cms.Entry) ([][]*cms.Entry, error) {
	ids := make([]string, len(entries))
	known := map[string]*cms.Entry{}
	for i, e := range entries {
		ids[i], known[e.ID] = e.ID, e
	}
	if !model.Localized {
		return alone(entries), nil
	}
	found, err := groups.Of(m.ctx, m.entries.Store, model, ids)
	if err != nil {
		return nil, err
	}
	locales := m.open.Key.Permissions().Locales(cms.ActionRead, model.Slug, m.open.Site.ActiveCodes())
	if err := m.readMembers(model, found, locales, known); err != nil {
		return nil, err
	}
	lists := alone(entries)
	for i, e := range entries {
		members := found[i].Members
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

// readMembers reads the members of some groups that are not in known, and adds them to it.
func (m *making) readMembers(model *site.Model, list []*groups.Group, locales []string,
	known map[string]*cms.Entry) error {
	var refs []content.Reference
	for _, g := range list {
		for code, id := range g.Members {
			if _, ok := known[id]; !ok && slices.Contains(locales, code) {
				known[id] = nil
				refs = append(refs, content.Reference{Model: model, ID: id})
			}
		}
	}
	found, err := m.entries.Store.EntriesByID(m.ctx, refs)
	for i, e := range found {
		known[refs[i].ID] = e
	}
	return err
}

// alone returns a list for each entry that holds only the entry itself.
func alone(entries []*cms.Entry) [][]*cms.Entry {
	return slice.Map(entries, func(e *cms.Entry) []*cms.Entry { return []*cms.Entry{e} })
}
