package content

import (
	"context"
	"strconv"

	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
)

// Reviewed is an entry with its draft and its review.
type Reviewed struct {
	Entry  *cms.Entry
	Draft  *Draft
	Review approval.Review // without a row if nobody asked
}

// Reviewed reads an entry with its draft and review in one round trip; ErrNotFound if there is no
// entry.
func (s *Store) Reviewed(ctx context.Context, m *site.Model, id string) (Reviewed, error) {
	e, d, err := s.EntryAndDraft(ctx, m, id)
	if err != nil {
		return Reviewed{}, err
	}
	v := Reviewed{Entry: e, Draft: d, Review: approval.Review{State: approval.None}}
	if d.review != nil {
		v.Review = *d.review
		if !v.Review.IsOf(e.Version, d.openNumber()) {
			v.Review.Move(e.Version, d.openNumber(), true)
		}
	}
	return v, nil
}

// Version returns the present version of the entry, such as "12", or of its draft, such as "d7".
func (v Reviewed) Version() string {
	if v.Draft.Open {
		return "d" + strconv.FormatInt(v.Draft.Number, 10)
	}
	return strconv.FormatInt(v.Entry.Version, 10)
}

// Number returns the number of the draft's revision, 0 without a draft.
func (v Reviewed) Number() int64 { return v.Draft.openNumber() }

// openNumber returns the number of an open draft, else 0.
func (d *Draft) openNumber() int64 {
	if d == nil || !d.Open {
		return 0
	}
	return d.Number
}

// RequireVersion makes the commit fail if the entry or its draft changed since it was read.
func (v Reviewed) RequireVersion(t *db.Tx, m *site.Model) {
	RequireUnchanged(t, m, v.Entry)
	v.Draft.Require(t, m, v.Entry.ID)
}

// Require makes the commit fail with ErrOvertaken if the draft of an entry, or that it has none, changed since d was
// read.
func (d *Draft) Require(t *db.Tx, m *site.Model, id string) { t.Require(draftKey(m.ID, id), d.version) }

// Authors returns the ids of the users who may not approve the version: who saved the draft or,
// without a draft, who saved the entry last. Saves of shared values do not count.
func (s *Store) Authors(ctx context.Context, m *site.Model, v Reviewed) ([]string, error) {
	if v.Draft.Open {
		return v.Draft.Authors, nil
	}
	for version := v.Entry.Version; ; version-- {
		item, err := s.Get(ctx, revisionKey(m.ID, v.Entry.ID, version))
		if err != nil {
			return nil, err
		}
		var last Revision
		if err := db.Unmarshal(item.Body, &last); err != nil || !last.Sharing {
			return []string{last.UserID}, err
		}
	}
}

// Publish says that the change of rec publishes the entry, with a draft if it is open.
func (rec *EntryRecord) Publish(d *Draft) { rec.publishing, rec.draft = true, d }

// Drafted gives a draft the review of its entry, for a change of the draft alone.
func (rec *EntryRecord) Drafted(d *Draft) { d.review = rec.review }

// changeTo returns the save of an entry as package approval needs it.
func (rec *EntryRecord) changeTo(e *cms.Entry) approval.Change {
	if rec == nil {
		return approval.Change{After: e}
	}
	return approval.Change{Before: rec.Entry, After: e, Review: rec.review, Publishes: rec.publishing,
		Draft: rec.draft.openNumber()}
}
