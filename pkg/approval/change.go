package approval

import (
	"bytes"
	"context"
	"fmt"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/rights"
	"headless/pkg/site"
)

// Change is the save of an entry, as far as reviews are concerned.
type Change struct {
	Before, After *cms.Entry // Before is nil for a new entry
	Review        *Review    // nil if there is none
	Publishes     bool       // the use case is to publish, with a draft if there is one
	Draft         int64      // number of the draft that is published; 0: none
}

// Require makes the commit of a save fail with APPROVAL_REQUIRED if the save shows the public
// something that is not approved. It is called for every save of an entry except imports and the
// return from the trash.
func (c Change) Require(t *db.Tx, m *site.Model, actor cms.Actor) {
	e := c.After
	if m.Review == 0 || e.Status != cms.StatusPublished {
		return
	}
	same := c.Before != nil && sameContent(c.Before, e)
	if same && c.Before.Status == cms.StatusPublished {
		return
	}
	approvals, state := []Approval{}, None
	if r := c.Review; r != nil {
		state = r.State
		if (same || c.Publishes) && r.IsOf(c.Before.Version, c.Draft) {
			approvals = r.Approvals
		} else if state == Approved {
			state = Requested
		}
	}
	t.Check(func(ctx context.Context) error {
		now, valid, err := Judge(t.DB)(ctx, m, state, approvals)
		if err != nil || valid >= m.Review {
			return err
		}
		may, skipped, err := maySkip(ctx, t.DB, m, e.Locale, actor)
		switch {
		case err != nil:
			return err
		case !may:
			return requiredError(now, m.Review-valid, m.Review)
		case skipped:
			t.Activity(actor, "entry.published_unreviewed", m.Slug+"/"+e.Slug+" ("+e.Locale+")", e.ID)
		}
		return nil
	})
}

// Follow changes the review of an entry with a save. Publishing and archiving end it.
func (c Change) Follow(t *db.Tx, m *site.Model) {
	r, e := c.Review, c.After
	if r == nil {
		return
	}
	if c.Publishes || e.Status != c.Before.Status && e.Status != cms.StatusDraft {
		End(t, m, e.ID, r)
		return
	}
	now := *r
	now.Move(e.Version, r.Draft, !sameContent(c.Before, e) || r.Entry != c.Before.Version)
	Put(t, m, e.ID, &now)
}

// FollowDraft moves the review of an entry to a revision of its draft; 0 if the draft ended.
func (r *Review) FollowDraft(t *db.Tx, m *site.Model, id string, number int64) {
	if r == nil {
		return
	}
	now := *r
	now.Move(now.Entry, number, true)
	Put(t, m, id, &now)
}

func sameContent(a, b *cms.Entry) bool {
	x, errX := a.Content()
	y, errY := b.Content()
	return errX == nil && errY == nil && bytes.Equal(x, y) && a.Locale == b.Locale
}

// Judge returns a function that reports the present state of a review, from the stored one, and how
// many of its approvals count: those of users who are active and may approve the entry now. The
// review is approved if as many count as the model requires, at least one. The function looks up the
// rights of each user once, so it is for one piece of work.
func Judge(d *db.DB) func(ctx context.Context, m *site.Model, state string,
	approvals []Approval) (now string, valid int, err error) {
	type giver struct{ user, model, locale string }
	known := map[giver]bool{}
	return func(ctx context.Context, m *site.Model, state string, approvals []Approval) (string, int, error) {
		valid := 0
		for _, a := range approvals {
			by := giver{a.User, m.Slug, a.Locale}
			counts, found := known[by]
			if !found {
				var err error
				if counts, err = rights.May(ctx, d, a.User, cms.ActionApprove, m.Slug, a.Locale); err != nil {
					return state, 0, err
				}
				known[by] = counts
			}
			if counts {
				valid++
			}
		}
		switch {
		case state != Requested && state != Approved:
		case valid >= max(1, m.Review):
			state = Approved
		default:
			state = Requested
		}
		return state, valid, nil
	}
}

func requiredError(state string, missing, of int) error {
	verb := "are"
	if missing == 1 {
		verb = "is"
	}
	err := cms.Errorf(cms.CodeApprovalRequired, "This version is not approved. Ask for a review first.")
	err.Details = cms.Problems{"review": {state, fmt.Sprintf("%d of %d approvals %s missing", missing, of, verb)}}
	return err
}

// MaySkip reports whether those who cause a change may publish entries of a model in a
// locale without approvals.
func MaySkip(ctx context.Context, d *db.DB, m *site.Model, locale string, actor cms.Actor) (bool, error) {
	if m.Review == 0 {
		return true, nil
	}
	may, _, err := maySkip(ctx, d, m, locale, actor)
	return may, err
}

// maySkip also reports whether one of them needs approvals and may skip them. API keys
// need none unless they say so, and the service itself needs none.
func maySkip(ctx context.Context, d *db.DB, m *site.Model, locale string,
	actor cms.Actor) (may, skips bool, err error) {
	for _, by := range cms.CausesOf(ctx, actor) {
		needs := by.UserID != "" || by.Reviewed
		if by.KeyID != "" && !needs {
			key, err := rights.Key(ctx, d, by.KeyID)
			if err != nil {
				return false, false, err
			}
			needs = key.Review
		}
		if !needs {
			continue
		}
		skips = true
		if by.Reviewed {
			return false, skips, nil
		}
		if may, err := rights.May(ctx, d, by.UserID, cms.ActionSkipReview, m.Slug, locale); err != nil || !may {
			return false, skips, err
		}
	}
	return true, skips, nil
}
