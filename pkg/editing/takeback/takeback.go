// Package takeback takes back changes of entries that are known by the versions that they saved.
package takeback

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/standing"
	"headless/pkg/groups"
	"headless/pkg/markdown"
	"headless/pkg/site"
)

// ErrChangedSince is the CONFLICT of an entry that somebody changed after the change that is taken back.
var ErrChangedSince = cms.Errorf(cms.CodeConflict, "This entry has been changed since, so it stays as it is.")

// Version takes back the change that saved a version of an entry: content, status and time of publication are those
// of the version before, and so is the place in the tree if the change moved the entry. Content that the change
// published becomes a draft again. It needs no approval, since content that becomes public was public before. Errors:
// MODEL_NOT_FOUND, ENTRY_NOT_FOUND, FORBIDDEN, SLUG_CONFLICT, VALIDATION_FAILED if the content does not fit the model
// any more, and CONFLICT if the entry or its draft was changed since.
func Version(ctx context.Context, s *editing.Entries, actor cms.Actor, model, id string, version int64) error {
	return s.Change(ctx, model, func(_ *site.Site, m *site.Model) (*db.Tx, error) {
		rec, err := s.Store.EntryForChange(ctx, m, id)
		if err != nil {
			return nil, content.EntryNotFound(err)
		}
		before, e := rec.Entry, *rec.Entry
		d, err := s.Store.Draft(ctx, m, e.ID)
		if err != nil {
			return nil, err
		}
		was, saved, err := s.Store.Around(ctx, m, e.ID, version)
		if err != nil {
			return nil, db.Missing(err, ErrChangedSince) // a revision is not kept any more
		}
		if !isAsSaved(before, saved, d) {
			return nil, ErrChangedSince
		}
		e.Title, e.Slug, e.Data, e.SEO, e.Status, e.PublishedAt = was.Title, was.Slug, was.Data, was.SEO, was.Status,
			was.PublishedAt
		if !saved.StandsAs(was) {
			if !before.StandsAs(saved) {
				return nil, ErrChangedSince
			}
			e.Stand(was.ParentID(), was.TreePosition())
		}
		if err := m.Permit(ctx, cms.ActionWrite, before, &e); err != nil {
			return nil, err
		}
		problems := markdown.Checks.Entry(&m.Model, &e, was, e.Status == cms.StatusPublished)
		stands, err := standing.Change(ctx, s.Store, m, before, &e, problems)
		if err := cmp.Or(err, problems.Err()); err != nil {
			return nil, err
		}
		tx := s.Store.Begin()
		e.Version, e.UpdatedAt = before.Version+1, tx.At()
		content.ImportEntry(tx, m, rec, &e, actor, cms.EventEntryUpdated)
		groups.Saved(tx, s.Store, m, rec)
		events := []string{cms.EventEntryUpdated}
		if public := e.Status == cms.StatusPublished; public != (before.Status == cms.StatusPublished) {
			events = append(events, map[bool]string{true: cms.EventEntryPublished, false: cms.EventEntryUnpublished}[public])
		}
		editing.Record(tx, actor, m, &e, events...)
		stands.Apply(tx)
		if err := s.ShareChange(ctx, actor, m, tx, before, &e); err != nil {
			return nil, err
		}
		return tx, redraft(tx, m, d, &e, saved, actor)
	}, func() bool { return false })
}

// isAsSaved reports whether an entry is as a save left it: with the same content and status, and without a later
// draft. A save that changed nothing, and shared fields that are as they were, are no change.
func isAsSaved(now, saved *cms.Entry, d *content.Draft) bool {
	return SameContent(now, saved) && now.Status == saved.Status &&
		now.Locale == saved.Locale && !(d.Open && d.Info.UpdatedAt.After(saved.UpdatedAt.Time))
}

// SameContent reports whether two versions of an entry have the same content.
func SameContent(a, b *cms.Entry) bool {
	one, errOne := a.Content()
	other, errOther := b.Content()
	return errOne == nil && errOther == nil && bytes.Equal(one, other)
}

// redraft makes the content of a save that is taken back the draft of the entry e. The review follows the save of the
// entry in the same transaction.
func redraft(tx *db.Tx, m *site.Model, d *content.Draft, e, saved *cms.Entry, actor cms.Actor) error {
	body, data := map[string]any{}, map[string]any{}
	for _, key := range (&editing.Drafted{Entry: saved, Live: e}).ChangedKeys(&m.Model) {
		switch key {
		case "title":
			body[key] = saved.Title
		case "slug":
			body[key] = saved.Slug
		case "seo":
			body[key] = map[string]any{"title": saved.SEO.Title, "description": saved.SEO.Description,
				"noindex": saved.SEO.Noindex}
		default:
			name := strings.TrimPrefix(key, "data.")
			data[name] = saved.Data[name]
		}
	}
	if len(data) > 0 {
		body["data"] = data
	}
	if len(body) == 0 {
		return nil
	}
	digest, err := editing.ContentDigest(e)
	content.SaveDraft(tx, m, e, d, cms.DecodeEntryPatch(body), d.RowIDs, e.Version, digest, actor)
	return err
}
