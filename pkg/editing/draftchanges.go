package editing

import (
	"context"
	"encoding/json"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/markdown"
	"headless/pkg/site"
)

// SaveDraft adds the changes of a body to the draft of an entry, or creates a draft. Readers of the
// entry do not see them. The precondition is called with the entry and its draft before the change.
// Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND, VALIDATION_FAILED, and the error of the precondition.
func (s *Entries) SaveDraft(ctx context.Context, actor cms.Actor, model, id string,
	body map[string]any, pre input.Precondition[*Drafted]) (*Drafted, error) {
	return s.saveDraft(ctx, actor, model, id, body, true, nil, pre)
}

// SaveRows is like SaveDraft, and keeps the ids that a form gives to rows beside the draft. Readers of
// drafts do not see them.
func (s *Entries) SaveRows(ctx context.Context, actor cms.Actor, model, id string, body map[string]any,
	ids map[string]string, pre input.Precondition[*Drafted]) (*Drafted, error) {
	return s.saveDraft(ctx, actor, model, id, body, true, ids, pre)
}

// ReplaceDraft is like SaveDraft, but replaces all former changes of the draft by those of the
// body.
func (s *Entries) ReplaceDraft(ctx context.Context, actor cms.Actor, model, id string,
	body map[string]any, pre input.Precondition[*Drafted]) (*Drafted, error) {
	return s.saveDraft(ctx, actor, model, id, body, false, nil, pre)
}

// CheckDraft returns the problems of a body as the draft of an entry.
func CheckDraft(m *site.Model, live *cms.Entry, body map[string]any) cms.Problems {
	patch, _, problems := decodeDraftBody(body, live)
	after := *live
	patch.Apply(&after)
	problems.Merge(markdown.Checks.Draft(&m.Model, patch, &after))
	return problems
}

// saveDraft saves a draft. With merge set, former changes of the draft stay unless the body
// overrides them.
func (s *Entries) saveDraft(ctx context.Context, actor cms.Actor, model, id string,
	body map[string]any, merge bool, rowIDs map[string]string, pre input.Precondition[*Drafted]) (*Drafted, error) {
	return s.changeDraft(ctx, actor, model, id, pre,
		func(now *site.Site, m *site.Model, was *content.Draft, before *Drafted) (draftChange, error) {
			patch, base, problems := decodeDraftBody(body, before.Live)
			patch = patch.WithoutRemoved(&m.Model, was.Changes.Data, before.Live.Data)
			var err error
			if patch.Data, err = s.StoreReferences(ctx, now, m, before.Live, patch.Data); err != nil {
				return draftChange{}, err
			}
			change := draftChange{base: base, digest: was.Base, changes: patch, rowIDs: rowIDs}
			merge := merge && was.Open
			if merge {
				change.changes = patch.Over(was.Changes.ForModel(&m.Model))
			}
			after := *before.Live
			change.changes.Apply(&after)
			problems.Merge(markdown.Checks.Draft(&m.Model, patch, &after))
			if !cms.PermissionsOf(ctx).ReadsAll() { // others may refer to what does not exist yet
				added := addedReferences(m, &after, before.Entry, before.Live)
				if err := s.checkTargets(ctx, problems, now, added); err != nil {
					return change, err
				}
			}
			if base == 0 {
				change.base = was.Info.BaseVersion
			}
			if base != 0 || !merge {
				if change.base, change.digest, err = s.draftBase(ctx, m, before.Live, base, change.changes, problems); err != nil {
					return change, err
				}
			}
			return change, problems.Err()
		})
}

// draftChange is the new content of a draft.
type draftChange struct {
	changes cms.EntryPatch
	base    int64
	digest  string
	rowIDs  map[string]string // nil: as they were
}

// changeDraft saves a draft in a transaction of its own; use returns its new content. The commit
// does not check that the model is unchanged: changes to removed fields are dropped when the draft
// is read.
func (s *Entries) changeDraft(ctx context.Context, actor cms.Actor, model, id string,
	pre input.Precondition[*Drafted],
	use func(*site.Site, *site.Model, *content.Draft, *Drafted) (draftChange, error)) (saved *Drafted, err error) {
	id, valid := input.CanonicalID(id)
	err = s.Store.Retry(ctx, func() error {
		site, err := s.Store.Site(ctx)
		if err != nil {
			return err
		}
		m, err := s.modelToChange(site, model)
		if err != nil {
			return err
		}
		if !valid {
			return content.ErrEntryNotFound
		}
		live, was, err := s.Store.EntryAndDraft(ctx, m, id)
		if err != nil {
			return content.EntryNotFound(err)
		}
		if err := cms.PermissionsOf(ctx).Check(cms.ActionWrite, m.Slug, live.Locale, "entry"); err != nil {
			return err
		}
		before := Lay(m, live, was)
		if err := pre.Check(before); err != nil {
			return err
		}
		change, err := use(site, m, was, before)
		if err != nil {
			return err
		}
		tx := s.Store.Begin()
		if was.Open {
			content.RequireEntry(tx, m, id)
		} else {
			content.RequireUnchanged(tx, m, live)
		}
		if change.rowIDs == nil {
			change.rowIDs = was.RowIDs
		}
		d, first := content.SaveDraft(tx, m, live, was, change.changes, change.rowIDs, change.base, change.digest, actor)
		if first {
			tx.Activity(actor, "entry.draft_saved", Subject(m, live), live.ID)
		}
		saved = Lay(m, live, d)
		if err := s.callUnapproved(ctx, m, tx, actor, before.Entry, saved.Entry); err != nil {
			return err
		}
		if err := s.callFollow(ctx, m, tx); err != nil {
			return err
		}
		return content.EntryNotFound(s.Store.Commit(ctx, tx))
	})
	return saved, err
}

// decodeDraftBody decodes the body of a draft. base is its base_version, 0 if it has none.
func decodeDraftBody(body map[string]any, live *cms.Entry) (patch cms.EntryPatch, base int64, problems cms.Problems) {
	problems = cms.Problems{}
	rest := make(map[string]any, len(body))
	for key, v := range body {
		switch key {
		case "status":
		case "base_version":
			if n, ok := cms.WholeNumber(v); ok && n > 0 {
				base = n
			} else {
				problems.Add(key, "must be the version of the entry that you edited")
			}
		case "locale", "translation_of", cms.ColumnParent, cms.ColumnPosition:
			if !sentBack(live, key, v) {
				problems.Add(key, "cannot be changed by a draft")
			}
		default:
			rest[key] = v
		}
	}
	return cms.DecodeEntryPatch(rest), base, problems
}

// sentBack reports whether a key of the body of a draft has the value of the entry itself.
func sentBack(live *cms.Entry, key string, v any) bool {
	switch {
	case key == "locale":
		return v == live.Locale
	case live.Spot == nil:
		return false
	case key == cms.ColumnParent:
		parent, _ := v.(string)
		return strings.EqualFold(parent, live.ParentID())
	}
	n, _ := v.(json.Number)
	position, err := n.Float64()
	return key == cms.ColumnPosition && err == nil && position == live.TreePosition()
}

// draftBase returns the version that a draft of some changes is based on, with a digest of its content. A base of 0
// means the current version. So does one since which only translations have changed the entry, in shared fields that
// the draft does not change.
func (s *Entries) draftBase(ctx context.Context, m *site.Model, live *cms.Entry, base int64, changes cms.EntryPatch,
	p cms.Problems) (int64, string, error) {
	e := live
	switch {
	case base > live.Version:
		p.Add("base_version", "is newer than the entry")
		return base, "", nil
	case base != 0 && base != live.Version:
		old, err := s.Store.Revision(ctx, m, live.ID, base)
		if err != nil {
			return base, "", db.Missing(err, nil)
		}
		only, err := s.onlySharedSince(ctx, m, old, live, changes)
		if err != nil {
			return base, "", err
		}
		if !only {
			e = old
		}
	}
	digest, err := ContentDigest(e)
	return e.Version, digest, err
}
