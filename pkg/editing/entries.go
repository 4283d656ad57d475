package editing

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing/standing"
	"headless/pkg/groups"
	"headless/pkg/input"
	"headless/pkg/markdown"
	"headless/pkg/site"
)

// Entries has the use cases that change entries (specification §2.1, 3; decisions §2).
type Entries struct {
	Store *content.Store
	// MediaTypes returns the MIME types of media files by id. Ids without a file are missing in the
	// result.
	MediaTypes func(ctx context.Context, ids []string) (map[string]string, error)
	// MediaInline returns the objects of included media files by id.
	MediaInline func(ctx context.Context, ids []string) (map[string]any, error)
	Files       Files // nil if texts have no addresses of files
	HTML        markdown.HTML
	// Uses finds the references to entries. Only DeleteUnused needs it.
	Uses assets.Uses
	// Follow, if not nil, is called with the transaction of every change of an entry or of its draft before its
	// commit, and may add to it. The events of the transaction say what changes. An error stops the
	// change.
	Follow func(ctx context.Context, m *site.Model, tx *db.Tx) error
	// Unapproved, if not nil, is called like Follow for every change of an entry's content, or of
	// its draft, by somebody who may not publish the entry. Saves that the service makes of its own
	// accord, of shared fields and moved references, are nobody's change.
	Unapproved func(ctx context.Context, m *site.Model, tx *db.Tx, actor cms.Actor, e *cms.Entry) error
	Inactive   bool // also changes entries of inactive models
	// Rehearsed says that transactions are tried and not committed. They have no limit then, and hold
	// the saves that otherwise follow a commit.
	Rehearsed bool
}

// modelToChange returns the model of a change.
func (s *Entries) modelToChange(now *site.Site, slug string) (*site.Model, error) {
	if s.Inactive {
		return now.Model(slug)
	}
	return now.ActiveModel(slug)
}

// Create stores a new entry from a decoded body. Errors: MODEL_NOT_FOUND, VALIDATION_FAILED with
// every problem, SLUG_CONFLICT, CONFLICT.
func (s *Entries) Create(ctx context.Context, actor cms.Actor, model string,
	body map[string]any) (*cms.Entry, error) {
	return s.create(ctx, actor, model, body, markdown.Checks.Patch)
}

// CreateIncomplete stores a new entry of status draft. Required values may be missing, and values
// may be shorter than min or not match their pattern (extensions §2).
func (s *Entries) CreateIncomplete(ctx context.Context, actor cms.Actor, model string,
	body map[string]any) (*cms.Entry, error) {
	return s.create(ctx, actor, model, body, func(m *cms.Model, p cms.EntryPatch, e, _ *cms.Entry) cms.Problems {
		problems := markdown.Checks.Incomplete(m, p, e)
		if e.Status != cms.StatusDraft && len(problems["status"]) == 0 {
			problems.Add("status", "must be draft")
		}
		return problems
	})
}

func (s *Entries) create(ctx context.Context, actor cms.Actor, model string, body map[string]any,
	check func(*cms.Model, cms.EntryPatch, *cms.Entry, *cms.Entry) cms.Problems) (*cms.Entry, error) {
	patch := cms.DecodeEntryPatch(body)
	var created *cms.Entry
	id, attempts := newID(), 0
	err := s.Change(ctx, model, func(site *site.Site, m *site.Model) (*db.Tx, error) {
		tx := s.Store.Begin()
		e := patch.NewEntry(&m.Model, site.Default)
		if err := m.Permit(ctx, cms.ActionWrite, nil, e); err != nil {
			return nil, err
		}
		wrongGroup := cms.Problems{}
		plan, err := s.planGroup(ctx, m, nil, e, decodeTranslationOf(body, wrongGroup), wrongGroup)
		if err != nil {
			return nil, err
		}
		plan.inheritShared(m, e, body)
		if plan != nil && plan.target != nil {
			if err := standing.Inherit(ctx, s.Store, m, plan.target, e, body); err != nil {
				return nil, err
			}
		}
		if e.Data, err = s.StoreReferences(ctx, site, m, nil, e.Data); err != nil {
			return nil, err
		}
		problems := check(&m.Model, patch, e, nil)
		problems.Merge(wrongGroup)
		CheckLocale(problems, site, m, e.Locale)
		if err := s.checkReferences(ctx, problems, site, m, nil, e); err != nil {
			return nil, err
		}
		stands, err := standing.Change(ctx, s.Store, m, nil, e, problems)
		if err != nil {
			return nil, err
		}
		if err := problems.Err(); err != nil {
			return nil, err
		}
		if err := plan.checkLocale(e); err != nil {
			return nil, err
		}
		if err := s.makeSlug(ctx, m, e, &attempts); err != nil {
			return nil, err
		}
		addEntry(tx, actor, m, id, e)
		stands.Apply(tx)
		if err := s.share(ctx, actor, m, tx, plan, nil, e); err != nil {
			return nil, err
		}
		plan.applyTo(tx, s.Store, m, e)
		created = e
		return tx, nil
	}, func() bool { return patch.Slug == nil || *patch.Slug == "" })
	return created, err
}

// newID makes the id of an entry. All tries of a creation have the same id, since each writes rows for the
// references of the entry.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

// addEntry gives a new entry its id and adds it to a transaction, with its events.
func addEntry(tx *db.Tx, actor cms.Actor, m *site.Model, id string, e *cms.Entry) {
	e.ID, e.Version = id, 1
	e.CreatedAt, e.UpdatedAt = tx.At(), tx.At()
	events := []string{cms.EventEntryCreated}
	if e.Status == cms.StatusPublished {
		e.PublishedAt = tx.At()
		events = append(events, cms.EventEntryPublished)
	}
	content.SaveEntry(tx, m, nil, e, actor, cms.EventEntryCreated)
	tx.Made = e
	Record(tx, actor, m, e, events...)
}

// Update changes the fields of an entry that the body holds. Errors: those of Create,
// ENTRY_NOT_FOUND, and the error of the precondition.
func (s *Entries) Update(ctx context.Context, actor cms.Actor, model, id string,
	body map[string]any, ok input.Precondition[*cms.Entry]) (*cms.Entry, error) {
	patch := cms.DecodeEntryPatch(body)
	var updated *cms.Entry
	attempts := 0
	err := s.Change(ctx, model, func(site *site.Site, m *site.Model) (*db.Tx, error) {
		rec, err := s.forChange(ctx, m, id, ok)
		if err != nil {
			return nil, err
		}
		before, e := rec.Entry, *rec.Entry
		patch.Apply(&e)
		if err := m.Permit(ctx, cms.ActionWrite, before, &e); err != nil {
			return nil, err
		}
		wrongGroup := cms.Problems{}
		plan, err := s.planGroup(ctx, m, before, &e, decodeTranslationOf(body, wrongGroup), wrongGroup)
		if err != nil {
			return nil, err
		}
		plan.inheritShared(m, &e, body)
		if e.Data, err = s.StoreReferences(ctx, site, m, before, e.Data); err != nil {
			return nil, err
		}
		problems := markdown.Checks.Patch(&m.Model, patch, &e, before)
		problems.Merge(wrongGroup)
		if e.Locale != before.Locale {
			CheckLocale(problems, site, m, e.Locale)
		}
		if err := s.checkReferences(ctx, problems, site, m, before, &e); err != nil {
			return nil, err
		}
		stands, err := standing.Change(ctx, s.Store, m, before, &e, problems)
		if err != nil {
			return nil, err
		}
		if err := problems.Err(); err != nil {
			return nil, err
		}
		if err := plan.checkLocale(&e); err != nil {
			return nil, err
		}
		if err := s.makeSlug(ctx, m, &e, &attempts); err != nil {
			return nil, err
		}
		updated = &e
		tx := s.saveEntry(actor, m, rec, &e)
		stands.Apply(tx)
		if err := s.share(ctx, actor, m, tx, plan, before, &e); err != nil {
			return nil, err
		}
		plan.applyTo(tx, s.Store, m, &e)
		return tx, s.callUnapproved(ctx, m, tx, actor, before, &e)
	}, func() bool { return patch.Slug != nil && *patch.Slug == "" })
	return updated, err
}

// saveEntry returns a transaction that replaces the entry of rec by e, with the events of an update and of a
// change of status.
func (s *Entries) saveEntry(actor cms.Actor, m *site.Model, rec *content.EntryRecord, e *cms.Entry) *db.Tx {
	tx := s.Store.Begin()
	before := rec.Entry
	e.Version, e.UpdatedAt = before.Version+1, tx.At()
	events := []string{cms.EventEntryUpdated}
	switch was, is := before.Status == cms.StatusPublished, e.Status == cms.StatusPublished; {
	case is && !was:
		e.PublishedAt = tx.At()
		events = append(events, cms.EventEntryPublished)
	case was && !is:
		events = append(events, cms.EventEntryUnpublished)
	}
	content.SaveEntry(tx, m, rec, e, actor, cms.EventEntryUpdated)
	groups.Saved(tx, s.Store, m, rec)
	tx.Made = e
	Record(tx, actor, m, e, events...)
	return tx
}

// Change calls use with the site and a model, and commits the returned transaction. The commit
// fails if the model changed meanwhile; then use is called again. A taken slug is SLUG_CONFLICT,
// unless slugMade, called after use, reports that the slug was generated from the title: then use
// is called again too.
func (s *Entries) Change(ctx context.Context, model string,
	use func(*site.Site, *site.Model) (*db.Tx, error), slugMade func() bool) error {
	return s.Store.Retry(ctx, func() error {
		siteNow, err := s.Store.Site(ctx)
		if err != nil {
			return err
		}
		m, err := s.modelToChange(siteNow, model)
		if err != nil {
			return err
		}
		tx, err := use(siteNow, m)
		if err != nil {
			return err
		}
		if err = s.callFollow(ctx, m, tx); err == nil {
			site.RequireFence(tx, siteNow)
			err = s.Store.Commit(ctx, tx)
		}
		return slugConflict(err, slugMade())
	})
}

// callUnapproved calls Unapproved if it is set, the content of an entry differs, and the caller may not
// publish the entry.
func (s *Entries) callUnapproved(ctx context.Context, m *site.Model, tx *db.Tx, actor cms.Actor,
	before, e *cms.Entry) error {
	if s.Unapproved == nil || cms.PermissionsOf(ctx).May(cms.ActionPublish, m.Slug, e.Locale) {
		return nil
	}
	was, err := ContentDigest(before)
	if err != nil {
		return err
	}
	is, err := ContentDigest(e)
	if err != nil || was == is {
		return err
	}
	return s.Unapproved(ctx, m, tx, actor, e)
}

// callFollow calls Follow if it is set.
func (s *Entries) callFollow(ctx context.Context, m *site.Model, tx *db.Tx) error {
	if s.Follow == nil {
		return nil
	}
	return s.Follow(ctx, m, tx)
}

// Refusal returns the error of a commit in the form that the use cases return.
func Refusal(err error) error { return slugConflict(err, false) }

func slugConflict(err error, slugMade bool) error {
	var taken *content.SlugTakenError
	if !errors.As(err, &taken) {
		return err
	}
	if slugMade {
		return db.ErrOvertaken
	}
	return cms.Errorf(cms.CodeSlugConflict, "Another entry of this model and locale has the slug %q.", taken.Slug)
}

func (s *Entries) forChange(ctx context.Context, m *site.Model, id string,
	ok input.Precondition[*cms.Entry]) (*content.EntryRecord, error) {
	id, valid := input.CanonicalID(id)
	if !valid {
		return nil, content.ErrEntryNotFound
	}
	rec, err := s.Store.EntryForChange(ctx, m, id)
	if err != nil {
		return nil, content.EntryNotFound(err)
	}
	return rec, ok.Check(rec.Entry)
}

// CheckChanges returns the problems of the body of an update that do not depend on the entry.
func (s *Entries) CheckChanges(ctx context.Context, site *site.Site, m *site.Model,
	body map[string]any) (cms.Problems, error) {
	patch := cms.DecodeEntryPatch(body)
	after := &cms.Entry{Title: "-", Status: cms.StatusDraft, Locale: site.Default}
	patch.Apply(after)
	p := markdown.Checks.Update(&m.Model, patch, after)
	CheckLocale(p, site, m, after.Locale)
	return p, s.checkReferences(ctx, p, site, m, nil, after)
}

// CheckLocale adds a problem if an entry may not be saved in a locale, unless there is one already.
func CheckLocale(p cms.Problems, site *site.Site, m *site.Model, code string) {
	switch l := site.Locale(code); {
	case len(p["locale"]) > 0:
	case l == nil:
		p.Add("locale", "is not a locale of this site")
	case !l.IsActive:
		p.Add("locale", "is not an active locale")
	case !m.Localized && code != site.Default:
		p.Add("locale", "must be %q: this model is not localized", site.Default)
	}
}
