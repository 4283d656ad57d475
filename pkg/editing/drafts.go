package editing

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// Drafted is an entry with its draft (extensions §2).
type Drafted struct {
	// Entry is the entry with the changes of the draft applied; its status does not change. Without
	// a draft it is the stored entry.
	Entry *cms.Entry
	Live  *cms.Entry     // the stored entry
	Info  *cms.DraftInfo // nil if there is no draft

	Number int64 // of the newest revision of its drafts, 0 if it never had one

	// Outdated reports whether the content or slug of the entry changed after the draft's base
	// version.
	Outdated bool

	// RowIDs are those of the last SaveRows. The content may have changed since.
	RowIDs map[string]string
}

var errNoDraft = cms.Errorf(cms.CodeNotFound, "This entry has no draft.")

// ContentDigest returns a hash of the content that a draft is laid over.
func ContentDigest(e *cms.Entry) (string, error) {
	raw, err := e.Content()
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:12]), err
}

// Lay lays a draft over an entry. It drops changes to fields that the model no longer has.
func Lay(m *site.Model, live *cms.Entry, d *content.Draft) *Drafted {
	if !d.Open {
		return &Drafted{Entry: live, Live: live, RowIDs: d.RowIDs, Number: d.Number}
	}
	e, info := overlay(m, live, d), d.Info
	e.Slug = cmp.Or(e.Slug, live.Slug) // until publishing makes one from the title
	return &Drafted{Entry: &e, Live: live, Info: &info, RowIDs: d.RowIDs, Number: d.Number,
		Outdated: checkOutdated(live, d) != nil}
}

// overlay returns the entry as publishing its draft would save it, except for its status. A slug
// that the draft clears is "".
func overlay(m *site.Model, live *cms.Entry, d *content.Draft) cms.Entry {
	e := *live
	if d.Open {
		d.Changes.ForModel(&m.Model).Apply(&e)
		e.Status, e.Locale = live.Status, live.Locale
	}
	return e
}

// Draft reads an entry with its draft. The model may be inactive. Errors: MODEL_NOT_FOUND,
// ENTRY_NOT_FOUND, and NOT_FOUND if the entry has no draft.
func (s *Entries) Draft(ctx context.Context, model, id string) (*Drafted, error) {
	d, err := s.DraftOrLive(ctx, model, id)
	if err == nil && d.Info == nil {
		return nil, errNoDraft
	}
	return d, err
}

// DraftOrLive is like Draft, but an entry without a draft is no error.
func (s *Entries) DraftOrLive(ctx context.Context, model, id string) (*Drafted, error) {
	m, id, err := s.Locate(ctx, (*site.Site).Model, model, id)
	if err != nil {
		return nil, err
	}
	live, d, err := s.Store.EntryAndDraft(ctx, m, id)
	if err != nil {
		return nil, content.EntryNotFound(err)
	}
	return Lay(m, live, d), nil
}

// WithDraft lays the drafts of some entries of a model over them, in one round trip. The result has
// the order of entries; those without a draft do not change.
func (s *Entries) WithDraft(ctx context.Context, _ *site.Site, m *site.Model,
	entries ...*cms.Entry) ([]*Drafted, error) {
	refs := slice.Map(entries, func(e *cms.Entry) content.Reference { return content.Reference{Model: m, ID: e.ID} })
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

// DiscardDraft removes the draft of an entry without publishing it. Errors: MODEL_NOT_FOUND,
// ENTRY_NOT_FOUND, NOT_FOUND if it has none, and the error of the precondition.
func (s *Entries) DiscardDraft(ctx context.Context, actor cms.Actor, model, id string,
	pre input.Precondition[*Drafted]) error {
	return s.Store.Retry(ctx, func() error {
		m, id, err := s.Locate(ctx, (*site.Site).ActiveModel, model, id)
		if err != nil {
			return err
		}
		live, was, err := s.Store.EntryAndDraft(ctx, m, id)
		if err != nil {
			return content.EntryNotFound(err)
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
		tx.Activity(actor, "entry.draft_discarded", Subject(m, live), live.ID)
		err = cmp.Or(s.callUnapproved(ctx, m, tx, actor, Lay(m, live, was).Entry, live), s.callFollow(ctx, m, tx))
		if err != nil {
			return err
		}
		return s.Store.Commit(ctx, tx)
	})
}

// RestoreDraftRevision makes a former revision of an entry's drafts its current draft. Errors:
// NOT_FOUND if the revision is not stored any more, and the error of the precondition.
func (s *Entries) RestoreDraftRevision(ctx context.Context, actor cms.Actor, model, id string,
	number int64, pre input.Precondition[*Drafted]) (*Drafted, error) {
	return s.changeDraft(ctx, actor, model, id, pre,
		func(_ *site.Site, m *site.Model, _ *content.Draft, before *Drafted) (draftChange, error) {
			r, err := s.Store.DraftRevision(ctx, m, before.Live.ID, number)
			return draftChange{changes: r.Changes, base: r.Info.BaseVersion, digest: r.Base},
				input.NotFound(err, "revision")
		})
}

// ChangedKeys returns the keys that a draft changes, as dotted paths, in the order of the model.
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

// MarkDrafts sets HasDraft of some entries of a model, in one round trip.
func (s *Entries) MarkDrafts(ctx context.Context, m *site.Model, entries ...*cms.Entry) error {
	refs := slice.Map(entries, func(e *cms.Entry) content.Reference { return content.Reference{Model: m, ID: e.ID} })
	drafts, err := s.Store.Drafts(ctx, refs)
	for i, d := range drafts {
		entries[i].HasDraft = &d.Open
	}
	return err
}
