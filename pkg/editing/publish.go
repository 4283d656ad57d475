package editing

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing/standing"
	"headless/pkg/input"
	"headless/pkg/markdown"
	"headless/pkg/site"
)

// PublishOptions are options of publishing an entry.
type PublishOptions struct {
	// Force publishes an outdated draft.
	Force bool
}

// DecodePublishOptions decodes the body of a publication, which may hold force. Errors:
// VALIDATION_FAILED.
func DecodePublishOptions(body map[string]any) (PublishOptions, error) {
	var options PublishOptions
	problems := cms.Problems{}
	for key, v := range body {
		if form, ok := v.(input.FormValue); ok {
			v = form.Last() == "true"
		}
		force, ok := v.(bool)
		switch {
		case key != "force":
			problems.Add(key, "is not a known key")
		case !ok && v != nil:
			problems.Add(key, "must be true or false")
		default:
			options.Force = force
		}
	}
	return options, problems.Err()
}

// Publish applies the draft of an entry, if it has one, and sets the status published, in one save
// (extensions §2). The precondition is called with the stored entry, even with Force. Errors:
// MODEL_NOT_FOUND, ENTRY_NOT_FOUND, VALIDATION_FAILED, SLUG_CONFLICT, CONFLICT, PRECONDITION_FAILED
// for an outdated draft, and the error of the precondition.
func (s *Entries) Publish(ctx context.Context, actor cms.Actor, model, id string,
	opts PublishOptions, pre input.Precondition[*cms.Entry]) (*cms.Entry, error) {
	var published *cms.Entry
	slugMade, attempts := false, 0
	ctx = context.WithValue(ctx, publishKey{}, true)
	err := s.Change(ctx, model, func(site *site.Site, m *site.Model) (*db.Tx, error) {
		rec, err := s.forChange(ctx, m, id, pre)
		if err != nil {
			return nil, err
		}
		d, err := s.Store.Draft(ctx, m, rec.Entry.ID)
		if err != nil {
			return nil, err
		}
		e, problems, err := merged(ctx, m, rec.Entry, d, opts)
		if err != nil {
			return nil, err
		}
		// Who saved the draft could read its targets; who publishes it need not.
		targets, all := ctx, site
		if cms.PermissionsOf(ctx) != nil {
			targets = cms.WithPermissions(ctx, nil)
			if all, err = s.Store.Site(targets); err != nil {
				return nil, err
			}
		}
		if err := s.checkReferences(targets, problems, all, m, rec.Entry, e); err != nil {
			return nil, err
		}
		if err := problems.Err(); err != nil {
			return nil, err
		}
		slugMade = e.Slug == ""
		if err := s.makeSlug(ctx, m, e, &attempts); err != nil {
			return nil, err
		}
		rec.Publish(d)
		tx := s.saveEntry(actor, m, rec, e)
		if err := s.ShareChange(ctx, actor, m, tx, rec.Entry, e); err != nil {
			return nil, err
		}
		if d.Open {
			content.EndDraft(tx, m, e.ID, d)
		}
		published = e
		return tx, nil
	}, func() bool { return slugMade })
	return published, err
}

// merged returns the entry as publishing its draft saves it, and the problems of its values.
func merged(ctx context.Context, m *site.Model, live *cms.Entry, d *content.Draft,
	opts PublishOptions) (*cms.Entry, cms.Problems, error) {
	if err := checkOutdated(live, d); err != nil && !opts.Force {
		return nil, nil, err
	}
	next := overlay(m, live, d)
	e := &next
	e.Status = cms.StatusPublished
	if err := m.Permit(ctx, cms.ActionWrite, live, e); err != nil {
		return nil, nil, err
	}
	return e, markdown.Checks.Entry(&m.Model, e, live, true), nil
}

type publishKey struct{}

// IsPublish reports whether Follow was called for a change by Publish. The entry may have been
// published before.
func IsPublish(ctx context.Context) bool { return ctx.Value(publishKey{}) != nil }

// checkOutdated returns PRECONDITION_FAILED if a draft is outdated.
func checkOutdated(live *cms.Entry, d *content.Draft) error {
	if !d.Open || d.Info.BaseVersion == live.Version {
		return nil
	}
	digest, err := ContentDigest(live)
	if err == nil && digest != d.Base {
		err = cms.Errorf(cms.CodePreconditionFailed,
			"The entry has changed since version %d, on which its draft is based.", d.Info.BaseVersion)
	}
	return err
}

// following returns a draft that is not outdated by a save of its entry which is nobody's change. One that was outdated
// before stays so.
func following(d *content.Draft, before, after *cms.Entry) *content.Draft {
	moved := *d
	if digest, err := ContentDigest(after); err == nil && checkOutdated(before, d) == nil {
		moved.Info.BaseVersion, moved.Base = after.Version, digest
	}
	return &moved
}

// Unpublish sets the status of an entry to draft. Its draft, if it has one, does not change.
// Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND, and the error of the precondition.
func (s *Entries) Unpublish(ctx context.Context, actor cms.Actor, model, id string,
	pre input.Precondition[*cms.Entry]) (*cms.Entry, error) {
	var saved *cms.Entry
	err := s.Change(ctx, model, func(_ *site.Site, m *site.Model) (*db.Tx, error) {
		rec, err := s.forChange(ctx, m, id, pre)
		if err != nil {
			return nil, err
		}
		if err := m.Permit(ctx, cms.ActionWrite, rec.Entry, nil); err != nil {
			return nil, err
		}
		e := *rec.Entry
		e.Status, saved = cms.StatusDraft, &e
		stands, err := standing.Change(ctx, s.Store, m, rec.Entry, &e, nil)
		if err != nil {
			return nil, err
		}
		tx := s.saveEntry(actor, m, rec, &e)
		stands.Apply(tx)
		return tx, nil
	}, never)
	return saved, err
}

func never() bool { return false }

// Published returns an entry as publishing it with its draft at a time would save it, whether or not
// that would succeed.
func (s *Entries) Published(ctx context.Context, m *site.Model, live *cms.Entry, d *content.Draft,
	at cms.Time) (*cms.Entry, error) {
	e := overlay(m, live, d)
	if e.Status != cms.StatusPublished {
		e.Status, e.PublishedAt = cms.StatusPublished, at
	}
	e.Version, e.UpdatedAt = live.Version+1, at
	attempts := 0
	return &e, s.makeSlug(ctx, m, &e, &attempts)
}
