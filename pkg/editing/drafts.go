package editing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/site"
)

// Drafted is an entry with its draft (extensions §2).
type Drafted struct {
	// With the changes laid over it, its status kept; the stored entry where there is no draft.
	Entry *cms.Entry
	Live  *cms.Entry     // as it is stored
	Info  *cms.DraftInfo // nil where there is no draft

	// Outdated reports whether content or slug of the entry were saved since the draft's base
	// version.
	Outdated bool
}

var errNoDraft = cms.Errorf(cms.CodeNotFound, "This entry has no draft.")

// contentDigest sums up what a draft is laid over.
func contentDigest(e *cms.Entry) (string, error) {
	raw, err := e.Content()
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:12]), err
}

// Lay lays a draft over an entry. Changes to fields that the model does not have any more are
// dropped.
func Lay(m *site.Model, live *cms.Entry, d *content.Draft) *Drafted {
	if !d.Open {
		return &Drafted{Entry: live, Live: live}
	}
	e, info := overlay(m, live, d), d.Info
	if e.Slug == "" {
		e.Slug = live.Slug // until publishing makes one from the title
	}
	return &Drafted{Entry: &e, Live: live, Info: &info,
		Outdated: checkOutdated(live, d, PublishOptions{}) != nil}
}

// overlay is what publishing makes of an entry, its status aside. A slug that the draft clears is
// "".
func overlay(m *site.Model, live *cms.Entry, d *content.Draft) cms.Entry {
	e := *live
	if d.Open {
		d.Changes.ForModel(&m.Model).Apply(&e)
		e.Status, e.Locale = live.Status, live.Locale
	}
	return e
}

// Draft reads an entry with its draft, also of a model that is not active. Errors: MODEL_NOT_FOUND,
// ENTRY_NOT_FOUND, NOT_FOUND where it has no draft.
func (s *Entries) Draft(ctx context.Context, model, id string) (*Drafted, error) {
	d, err := s.DraftOrLive(ctx, model, id)
	if err == nil && d.Info == nil {
		err = errNoDraft
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// DraftOrLive is Draft for an entry that may have no draft.
func (s *Entries) DraftOrLive(ctx context.Context, model, id string) (*Drafted, error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	m, err := AnyModel(site, model)
	if err != nil {
		return nil, err
	}
	id, valid := input.CanonicalID(id)
	if !valid {
		return nil, ErrNotFound
	}
	live, d, err := s.Store.EntryAndDraft(ctx, m, id)
	if err != nil {
		return nil, NotFound(err)
	}
	return Lay(m, live, d), nil
}

// WithDraft lays their drafts over entries of a model, in their order, in one round trip. Those
// without a draft come as they are.
func (s *Entries) WithDraft(ctx context.Context, _ *site.Site, m *site.Model,
	entries ...*cms.Entry) ([]*Drafted, error) {
	refs := make([]content.Reference, len(entries))
	for i, e := range entries {
		refs[i] = content.Reference{Model: m, ID: e.ID}
	}
	drafts, err := s.Store.Drafts(ctx, refs)
	if err != nil {
		return nil, err
	}
	list := make([]*Drafted, len(entries))
	for i, e := range entries {
		list[i] = Lay(m, e, drafts[i])
	}
	return list, nil
}

// DiscardDraft ends the draft of an entry without publishing it. Errors: MODEL_NOT_FOUND,
// ENTRY_NOT_FOUND, NOT_FOUND where it has none, and what the precondition returns.
func (s *Entries) DiscardDraft(ctx context.Context, actor cms.Actor, model, id string,
	pre input.Precondition[*Drafted]) error {
	return s.Store.Retry(ctx, func() error {
		site, err := s.Store.Site(ctx)
		if err != nil {
			return err
		}
		m, err := Model(site, model)
		if err != nil {
			return err
		}
		id, valid := input.CanonicalID(id)
		if !valid {
			return ErrNotFound
		}
		live, was, err := s.Store.EntryAndDraft(ctx, m, id)
		if err != nil {
			return NotFound(err)
		}
		if err := cms.PermissionsOf(ctx).Check(cms.ActionWrite, m.Slug, live.Locale, "entry"); err != nil {
			return err
		}
		if !was.Open {
			return errNoDraft
		}
		if err := pre.Check(Lay(m, live, was)); err != nil {
			return err
		}
		tx := s.Store.Begin()
		content.EndDraft(tx, m, id, was)
		tx.Activity(actor, "entry.draft_discarded", entrySubject(m, live), live.ID)
		return s.Store.Commit(ctx, tx)
	})
}

// draftRevisions are the kept revisions of an entry's drafts, newest first, each laid over the
// entry as it is now.
func (s *Entries) draftRevisions(ctx context.Context, m *site.Model,
	live *cms.Entry) ([]content.Revision, error) {
	list, err := s.Store.DraftRevisions(ctx, m, live.ID)
	if err != nil {
		return nil, err
	}
	revisions := make([]content.Revision, len(list))
	for i, r := range list {
		e := *live
		r.Changes.ForModel(&m.Model).Apply(&e)
		raw, err := cms.Marshal(e.Stored())
		if err != nil {
			return nil, err
		}
		revisions[i] = content.Revision{Version: r.Info.BaseVersion, Actor: r.Actor, Time: r.Time,
			Event: "entry.draft_saved", Entry: raw, Draft: r.Number}
	}
	return revisions, nil
}

// RestoreDraftRevision makes a revision of an entry's drafts its draft again. Errors: NOT_FOUND for
// one that is not kept.
func (s *Entries) RestoreDraftRevision(ctx context.Context, actor cms.Actor, model, id string,
	number int64) (*Drafted, error) {
	return s.changeDraft(ctx, actor, model, id, nil,
		func(m *site.Model, _ *content.Draft, before *Drafted) (draftChange, error) {
			r, err := s.Store.DraftRevision(ctx, m, before.Live.ID, number)
			if errors.Is(err, db.ErrNotFound) {
				err = cms.Errorf(cms.CodeNotFound, "There is no such revision.")
			}
			return draftChange{r.Changes, r.Info.BaseVersion, r.Base}, err
		})
}

// ChangedKeys are the keys that a draft changes, as dotted paths in their order.
func (d *Drafted) ChangedKeys(m *cms.Model) []string {
	var keys []string
	if d.Entry.Title != d.Live.Title {
		keys = append(keys, "title")
	}
	if d.Entry.Slug != d.Live.Slug {
		keys = append(keys, "slug")
	}
	for i := range m.Fields {
		name := m.Fields[i].Name
		if !equalJSON(d.Entry.Data[name], d.Live.Data[name]) {
			keys = append(keys, "data."+name)
		}
	}
	if d.Entry.SEO != d.Live.SEO {
		keys = append(keys, "seo")
	}
	return slices.Clip(keys)
}

func equalJSON(a, b any) bool {
	x, errX := cms.Marshal(a)
	y, errY := cms.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// MarkDrafts sets HasDraft of entries of a model, in one round trip.
func (s *Entries) MarkDrafts(ctx context.Context, m *site.Model, entries ...*cms.Entry) error {
	refs := make([]content.Reference, len(entries))
	for i, e := range entries {
		refs[i] = content.Reference{Model: m, ID: e.ID}
	}
	drafts, err := s.Store.Drafts(ctx, refs)
	for i, d := range drafts {
		entries[i].HasDraft = &d.Open
	}
	return err
}
