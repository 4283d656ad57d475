package editing

import (
	"context"
	"maps"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/cms/validation"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing/standing"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/slug"
)

var errDuplicateOfSingle = cms.Errorf(cms.CodeConflict, "An entry of a single type cannot be duplicated.")

// Duplicate stores a copy of an entry as a new entry of status draft that belongs to no group
// (extensions §7). It copies the entry as its draft has it if drafted is set, else without its draft.
// The body may hold a title and a locale. Values of unique fields are left out. The copied content
// is not validated until it is published. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND,
// VALIDATION_FAILED, and CONFLICT for single types.
func (s *Entries) Duplicate(ctx context.Context, actor cms.Actor, model, id string, body map[string]any,
	drafted bool) (*cms.Entry, error) {
	title, locale, problems := decodeDuplicate(body)
	var created *cms.Entry
	made, attempts := newID(), -1
	err := s.Change(ctx, model, func(site *site.Site, m *site.Model) (*db.Tx, error) {
		if attempts++; m.Kind == cms.KindSingle {
			return nil, errDuplicateOfSingle
		}
		id, valid := input.CanonicalID(id)
		if !valid {
			return nil, content.ErrEntryNotFound
		}
		source, d, err := s.Store.EntryAndDraft(ctx, m, id)
		if err != nil {
			return nil, content.EntryNotFound(err)
		}
		if drafted {
			source = Lay(m, source, d).Entry
		}
		e := duplicateOf(m, source, title, locale)
		if err := m.Permit(ctx, cms.ActionWrite, nil, e); err != nil {
			return nil, err
		}
		found := maps.Clone(problems)
		found.Merge(validation.Objects(e.Data))
		CheckLocale(found, site, m, e.Locale)
		if err := found.Err(); err != nil {
			return nil, err
		}
		base := slug.Of(e.Title, e.Locale)
		if title == "" {
			base = slug.Short(source.Slug)
		}
		if e.Slug, err = s.freeSlug(ctx, m, e, base, attempts); err != nil {
			return nil, err
		}
		stands, err := standing.Return(ctx, s.Store, m, e)
		if err != nil {
			return nil, err
		}
		tx := s.Store.Begin()
		addEntry(tx, actor, m, made, e)
		stands.Apply(tx)
		created = e
		return tx, nil
	}, func() bool { return true })
	return created, err
}

// decodeDuplicate decodes the body of a duplication. A null value is ignored.
func decodeDuplicate(body map[string]any) (title, locale string, p cms.Problems) {
	p = cms.Problems{}
	for _, key := range slices.Sorted(maps.Keys(body)) {
		text, isText := body[key].(string)
		switch {
		case key != "title" && key != "locale":
			p.Add(key, "is not a known key")
		case body[key] == nil:
		case !isText:
			p.Add(key, "must be a string")
		case text == "":
			p.Add(key, "must not be empty")
		case key == "title":
			title = text
		default:
			locale = text
		}
	}
	if title != "" {
		p.Merge(validation.Title(title))
	}
	return title, locale, p
}

// duplicateOf returns a copy of an entry without a slug. A title or locale of "" means that of the
// source.
func duplicateOf(m *site.Model, source *cms.Entry, title, locale string) *cms.Entry {
	e := &cms.Entry{Title: source.Title, Status: cms.StatusDraft, Locale: source.Locale,
		SEO: source.SEO, Data: maps.Clone(source.Data), Spot: source.Spot}
	if title != "" {
		e.Title = title
	}
	if locale != "" {
		e.Locale = locale
	}
	for i := range m.Fields {
		if m.Fields[i].Unique {
			delete(e.Data, m.Fields[i].Name)
		}
	}
	return e
}
