package service

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// Entries are the entries of all models (specification §2.1, 3; decisions §2).
type Entries struct {
	Store *store.Store
	// MediaTypes tells the MIME types of those of the ids that are media files.
	MediaTypes func(ctx context.Context, ids []string) (map[string]string, error)
	// MediaInline gives the objects that stand for media files where they are included.
	MediaInline func(ctx context.Context, ids []string) (map[string]any, error)
}

// Model finds an active model by its slug; MODEL_NOT_FOUND when there is none.
func Model(site *store.Site, slug string) (*store.Model, error) {
	if m := site.Models[slug]; m != nil && m.IsActive {
		return m, nil
	}
	return nil, cms.Errorf(cms.CodeModelNotFound, "There is no model %q.", shorten(slug))
}

var errEntryNotFound = cms.Errorf(cms.CodeEntryNotFound, "There is no such entry in this model and locale.")

// entryNotFound gives a missing document its name.
func entryNotFound(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return errEntryNotFound
	}
	return err
}

// Create stores a new entry from a decoded body. Errors: MODEL_NOT_FOUND, VALIDATION_FAILED with every problem, SLUG_CONFLICT, CONFLICT.
func (s *Entries) Create(ctx context.Context, actor cms.Actor, model string, body map[string]any) (*cms.Entry, error) {
	patch := cms.DecodeEntryPatch(body)
	var created *cms.Entry
	err := s.change(ctx, model, func(site *store.Site, m *store.Model) (*store.Tx, error) {
		tx := s.Store.Begin()
		e := patch.NewEntry(&m.Model, site.Default)
		problems := patch.Check(&m.Model, e, nil)
		checkLocale(problems, site, m, e.Locale)
		if err := s.checkReferences(ctx, problems, site, m, nil, e); err != nil {
			return nil, err
		}
		if err := problems.Err(); err != nil {
			return nil, err
		}
		if err := s.makeSlug(ctx, m, e); err != nil {
			return nil, err
		}
		e.ID, e.Version = uuid.Must(uuid.NewV7()).String(), 1
		e.CreatedAt, e.UpdatedAt = tx.At(), tx.At()
		events := []string{cms.EventEntryCreated}
		if e.Status == cms.StatusPublished {
			e.PublishedAt = tx.At()
			events = append(events, cms.EventEntryPublished)
		}
		tx.SaveEntry(m, nil, e, actor, cms.EventEntryCreated)
		record(tx, actor, m, e, events...)
		created = e
		return tx, nil
	}, patch.Slug == nil || *patch.Slug == "")
	return created, err
}

// Update changes an entry in part. Errors: those of Create, ENTRY_NOT_FOUND, and what the precondition returns.
func (s *Entries) Update(ctx context.Context, actor cms.Actor, model, id string, body map[string]any, ok Precondition[*cms.Entry]) (*cms.Entry, error) {
	patch := cms.DecodeEntryPatch(body)
	var updated *cms.Entry
	err := s.change(ctx, model, func(site *store.Site, m *store.Model) (*store.Tx, error) {
		rec, err := s.forChange(ctx, m, id, ok)
		if err != nil {
			return nil, err
		}
		before, e := rec.Entry, *rec.Entry
		patch.Apply(&e)
		problems := patch.Check(&m.Model, &e, before)
		if e.Locale != before.Locale {
			checkLocale(problems, site, m, e.Locale)
		}
		if err := s.checkReferences(ctx, problems, site, m, before, &e); err != nil {
			return nil, err
		}
		if err := problems.Err(); err != nil {
			return nil, err
		}
		if e.Slug == "" && e.Locale == before.Locale && slugOf(e.Title) == before.Slug {
			e.Slug = before.Slug // its own place is not taken
		}
		if err := s.makeSlug(ctx, m, &e); err != nil {
			return nil, err
		}
		updated = &e
		return s.save(actor, m, rec, &e, cms.EventEntryUpdated), nil
	}, patch.Slug != nil && *patch.Slug == "")
	return updated, err
}

// save makes the transaction of a change to an entry, with the events of its transition.
func (s *Entries) save(actor cms.Actor, m *store.Model, rec *store.EntryRecord, e *cms.Entry, event string) *store.Tx {
	tx := s.Store.Begin()
	before := rec.Entry
	e.Version, e.UpdatedAt = before.Version+1, tx.At()
	events := []string{event}
	switch was, is := before.Status == cms.StatusPublished, e.Status == cms.StatusPublished; {
	case is && !was:
		e.PublishedAt = tx.At()
		events = append(events, cms.EventEntryPublished)
	case was && !is:
		events = append(events, cms.EventEntryUnpublished)
	}
	tx.SaveEntry(m, rec, e, actor, event)
	record(tx, actor, m, e, events...)
	return tx
}

// Delete moves an entry to the trash. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND, and what the precondition returns.
func (s *Entries) Delete(ctx context.Context, actor cms.Actor, model, id string, ok Precondition[*cms.Entry]) error {
	return s.change(ctx, model, func(_ *store.Site, m *store.Model) (*store.Tx, error) {
		rec, err := s.forChange(ctx, m, id, ok)
		if err != nil {
			return nil, err
		}
		tx := s.Store.Begin()
		e := *rec.Entry
		e.Version, e.UpdatedAt = e.Version+1, tx.At()
		tx.TrashEntry(m, rec, &e, actor, cms.EventEntryDeleted)
		record(tx, actor, m, &e, cms.EventEntryDeleted)
		return tx, nil
	}, false)
}

// change runs a use case on a model and commits its transaction, under the configuration that it saw. A taken slug is an error, or a reason to
// try again where the slug was made from the title.
func (s *Entries) change(ctx context.Context, model string, use func(*store.Site, *store.Model) (*store.Tx, error), slugMade bool) error {
	return s.Store.Retry(ctx, func() error {
		site, err := s.Store.Site(ctx)
		if err != nil {
			return err
		}
		m, err := Model(site, model)
		if err != nil {
			return err
		}
		tx, err := use(site, m)
		if err != nil {
			return err
		}
		tx.HoldSite(site)
		return slugConflict(s.Store.Commit(ctx, tx), slugMade)
	})
}

func slugConflict(err error, slugMade bool) error {
	var taken *store.SlugTakenError
	if !errors.As(err, &taken) {
		return err
	}
	if slugMade {
		return store.ErrOvertaken
	}
	return cms.Errorf(cms.CodeSlugConflict, "Another entry of this model and locale has the slug %q.", taken.Slug)
}

func (s *Entries) forChange(ctx context.Context, m *store.Model, id string, ok Precondition[*cms.Entry]) (*store.EntryRecord, error) {
	id, valid := canonicalID(id)
	if !valid {
		return nil, errEntryNotFound
	}
	rec, err := s.Store.EntryForChange(ctx, m, id)
	if err != nil {
		return nil, entryNotFound(err)
	}
	return rec, ok.check(rec.Entry)
}

// canonicalID is an id as it is stored; false for what is no UUID in its usual form.
func canonicalID(id string) (string, bool) {
	parsed, err := uuid.Parse(id)
	return parsed.String(), err == nil && len(id) == 36
}

// record raises the events of a change and leaves its activity records.
func record(tx *store.Tx, actor cms.Actor, m *store.Model, e *cms.Entry, events ...string) {
	for _, kind := range events {
		tx.Event(kind, m.Slug, cms.EntryEventData{
			ID: e.ID, ModelSlug: m.Slug, Title: e.Title, Slug: e.Slug, Locale: e.Locale, Status: string(e.Status), PublishedAt: e.PublishedAt.String(),
		})
	}
	tx.Activity(actor, events[len(events)-1], m.Slug+"/"+e.Slug+" ("+e.Locale+")")
}

// checkLocale finds out whether an entry may be saved in a locale.
func checkLocale(p cms.Problems, site *store.Site, m *store.Model, code string) {
	switch l := site.Locale(code); {
	case l == nil:
		p.Add("locale", "is not a locale of this site")
	case !l.IsActive:
		p.Add("locale", "is not an active locale")
	case !m.Localized && code != site.Default:
		p.Add("locale", "must be %q: this model is not localized", site.Default)
	}
}

// checkReferences finds references that lead nowhere; those that the entry held before may stay.
func (s *Entries) checkReferences(ctx context.Context, p cms.Problems, site *store.Site, m *store.Model, before, e *cms.Entry) error {
	known := map[string]bool{}
	if before != nil {
		for _, r := range cms.References(&m.Model, before.Data) {
			known[r.ID] = true
		}
	}
	refs := slices.DeleteFunc(cms.References(&m.Model, e.Data), func(r cms.Reference) bool { return known[r.ID] })
	var media []string
	var entries []store.Reference
	var paths []string
	for _, r := range refs {
		if r.Kind == cms.TypeMedia {
			media = append(media, r.ID)
			continue
		}
		target := site.Models[r.Model]
		if target == nil {
			p.Add(r.Path, "relates to a model that no longer exists")
			continue
		}
		id, _ := canonicalID(r.ID)
		entries, paths = append(entries, store.Reference{Model: target, ID: id}), append(paths, r.Path)
	}
	found, err := s.Store.EntriesByID(ctx, entries)
	if err != nil {
		return err
	}
	for i, e := range found {
		if e == nil {
			p.Add(paths[i], "there is no such entry")
		}
	}
	return s.checkMedia(ctx, p, refs, media)
}

func (s *Entries) checkMedia(ctx context.Context, p cms.Problems, refs []cms.Reference, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	types, err := s.MediaTypes(ctx, ids)
	if err != nil {
		return err
	}
	for _, r := range refs {
		if r.Kind != cms.TypeMedia {
			continue
		}
		mime, ok := types[r.ID]
		switch {
		case !ok:
			p.Add(r.Path, "there is no such file")
		case len(r.Mimes) > 0 && !cms.MatchMime(r.Mimes, mime):
			p.Add(r.Path, "must be of type %s, not %s", joined(r.Mimes), mime)
		}
	}
	return nil
}
