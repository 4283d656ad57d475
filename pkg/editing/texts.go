package editing

import (
	"context"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing/shown"
	"headless/pkg/groups"
	"headless/pkg/refs"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// Files knows the addresses of this service's files.
type Files interface {
	// Own returns the addresses below which files are or were served.
	Own(ctx context.Context) (refs.Own, error)
	// RememberOwn stores the present addresses, so that Own knows them later.
	RememberOwn(ctx context.Context) error
}

// Own returns the addresses below which files are or were served.
func (s *Entries) Own(ctx context.Context) (refs.Own, error) {
	if s.Files == nil {
		return nil, nil
	}
	return s.Files.Own(ctx)
}

// savedTexts are the texts of an entry that is saved.
type savedTexts struct {
	s    *Entries
	now  *site.Site
	m    *site.Model
	live *cms.Entry // nil for a new entry
}

// StoreReferences returns data in its stored form: without nulls below the top level, with ids in lower
// case, and with references in place of the addresses in its texts (extensions §12). These are the addresses of this
// service's files, and those that a read shows for a reference in the stored entry live or in its
// draft. live is nil for a new entry.
func (s *Entries) StoreReferences(ctx context.Context, now *site.Site, m *site.Model, live *cms.Entry,
	data map[string]any) (map[string]any, error) {
	t := savedTexts{s: s, now: now, m: m, live: live}
	data, err := t.storeFiles(ctx, refs.WithStoredIDs(m.Fields, m.WithoutNulls(data)))
	if err == nil && live != nil {
		data, err = t.storeLinks(ctx, data)
	}
	if err != nil {
		return nil, err
	}
	return data, t.findGained(ctx, data)
}

// findGained makes sure that the addresses of entries to which the texts newly refer can be read.
func (t *savedTexts) findGained(ctx context.Context, data map[string]any) error {
	var gained []string
	stored := map[string]bool{}
	collect := func(use func(id string)) func(path, text string) string {
		return func(_, text string) string {
			for _, target := range refs.EntriesIn(text) {
				use(target.ID)
			}
			return text
		}
	}
	if t.live != nil {
		refs.MapTexts(t.m.Fields, t.live.Data, collect(func(id string) { stored[id] = true }))
	}
	refs.MapTexts(t.m.Fields, data, collect(func(id string) {
		if !stored[id] && len(gained) < maxGained {
			stored[id], gained = true, append(gained, id)
		}
	}))
	if len(gained) == 0 {
		return nil
	}
	return t.s.Store.AddMissingAddresses(ctx, t.now, gained)
}

// maxGained is how many new targets findGained looks at.
const maxGained = 400

// storeFiles replaces the addresses of files that exist.
func (t *savedTexts) storeFiles(ctx context.Context, data map[string]any) (map[string]any, error) {
	if t.s.Files == nil {
		return data, nil
	}
	if err := t.s.Files.RememberOwn(ctx); err != nil {
		return nil, err
	}
	own, err := t.s.Files.Own(ctx)
	if err != nil {
		return nil, err
	}
	var ids []string
	refs.MapTexts(t.m.Fields, data, func(_, text string) string {
		if !own.MayRefer(text) {
			return text
		}
		return refs.Rewrite(text, func(destination string) (string, bool) {
			if target, _, ok := own.Parse(destination); ok {
				ids = append(ids, target.ID)
			}
			return "", false
		})
	})
	if len(ids) == 0 {
		return data, nil
	}
	types, err := t.s.MediaTypes(ctx, slice.Distinct(ids))
	if err != nil {
		return nil, err
	}
	return refs.MapTexts(t.m.Fields, data, func(_, text string) string {
		if !own.MayRefer(text) {
			return text
		}
		return refs.Rewrite(text, func(destination string) (string, bool) {
			target, rest, ok := own.Parse(destination)
			return target.String() + rest, ok && types[target.ID] != ""
		})
	}), nil
}

// storeLinks replaces the addresses that a read shows for stored references to entries.
func (t *savedTexts) storeLinks(ctx context.Context, data map[string]any) (map[string]any, error) {
	if !t.hasNewLinks(data) {
		return data, nil
	}
	d, err := t.s.Store.Draft(ctx, t.m, t.live.ID)
	if err != nil {
		return nil, err
	}
	before := []map[string]any{t.live.Data}
	if d.Open {
		before = append(before, overlay(t.m, t.live, d).Data)
	}
	links, err := shown.Read(ctx, t.s.Store, t.now, t.m, before)
	if err != nil || links == nil {
		return data, err
	}
	return refs.MapTexts(t.m.Fields, data, func(path, text string) string {
		if !strings.Contains(text, "/") {
			return text
		}
		return links.Restore(path, text)
	}), nil
}

// hasNewLinks reports whether a text that is not stored yet has a link that may be an address of an
// entry.
func (t *savedTexts) hasNewLinks(data map[string]any) bool {
	stored := map[string]string{}
	refs.MapTexts(t.m.Fields, t.live.Data, func(path, text string) string {
		stored[path] = text
		return text
	})
	found := false
	refs.MapTexts(t.m.Fields, data, func(path, text string) string {
		if found || text == stored[path] || !strings.Contains(text, "/") {
			return text
		}
		return refs.Rewrite(text, func(destination string) (string, bool) {
			if _, _, isReference := refs.Parse(destination); !isReference {
				found = true
			}
			return "", false
		})
	})
	return found
}

// TranslateReferences returns data with the references to entries in its texts replaced by references
// to their translations in a locale, where there are such (extensions §12).
func (s *Entries) TranslateReferences(ctx context.Context, now *site.Site, m *site.Model,
	data map[string]any, locale string) (map[string]any, error) {
	var ids []string
	refs.MapTexts(m.Fields, data, func(_, text string) string {
		for _, target := range refs.EntriesIn(text) {
			ids = append(ids, target.ID)
		}
		return text
	})
	ids = slice.Distinct(ids)
	addresses, err := s.Store.Addresses(ctx, ids)
	if err != nil {
		return nil, err
	}
	var localized []content.Reference
	for _, id := range ids {
		if target := now.ModelByID(addresses[id].ModelID); target != nil && target.Localized {
			localized = append(localized, content.Reference{Model: target, ID: id})
		}
	}
	found, err := groups.OfEach(ctx, s.Store, localized)
	if err != nil {
		return nil, err
	}
	translation := map[string]string{}
	for i, g := range found {
		translation[localized[i].ID] = g.Members[locale]
	}
	return refs.MapTexts(m.Fields, data, func(_, text string) string {
		if len(refs.EntriesIn(text)) == 0 {
			return text
		}
		return refs.Rewrite(text, func(destination string) (string, bool) {
			target, rest, ok := refs.Parse(destination)
			id := translation[target.ID]
			return refs.Target{ID: id}.String() + rest, ok && id != ""
		})
	}), nil
}
