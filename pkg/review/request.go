package review

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/rights"
	"headless/pkg/site"
	"headless/pkg/tasks"
)

// request is the body of a request for review.
type request struct {
	Reviewers *[]string `json:"reviewers"`
	Due       *string   `json:"due"`
	Note      *string   `json:"note"`
}

// Ask asks for a review of the present version of an entry. If somebody asked before, it replaces
// reviewers, due and note, and keeps the approvals. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND,
// FORBIDDEN without the right to write, VALIDATION_FAILED.
func (s *Reviews) Ask(ctx context.Context, actor cms.Actor, model, id string, body map[string]any) (Review, error) {
	in, malformed := input.Decode[request](body)
	return s.changeReview(ctx, actor, model, id, cms.ActionWrite,
		func(v subject, r *approval.Review, now cms.Time) (string, error) {
			p := cms.Problems{}
			p.Merge(malformed)
			r.Reviewers = []string{}
			for i, given := range input.Given(in.Reviewers, nil) {
				id, err := s.reviewer(ctx, p, "reviewers."+strconv.Itoa(i), v, given)
				if err != nil {
					return "", err
				}
				if !slices.Contains(r.Reviewers, id) {
					r.Reviewers = append(r.Reviewers, id)
				}
			}
			if len(r.Reviewers) > maxReviewers {
				p.Add("reviewers", "must hold at most %d users", maxReviewers)
			}
			r.Due, r.Note = Due(p, in.Due), noteOf(p, in.Note)
			if err := p.Err(); err != nil {
				return "", err
			}
			if r.State == approval.None || r.State == approval.Returned {
				r.RequestedBy, r.RequestedAt = actor.UserID, now
			}
			if !slices.Contains(r.Askers, actor.UserID) {
				r.Askers = append(slices.Clone(r.Askers), actor.UserID)
			}
			return cms.EventEntryReviewRequested, s.settleState(ctx, v, r)
		})
}

// reviewer returns the id of a user who is asked for a review, and adds a problem unless the user is
// active and may read the entry.
func (s *Reviews) reviewer(ctx context.Context, p cms.Problems, at string, v subject, given string) (string, error) {
	id, _ := input.CanonicalID(given)
	may, err := rights.May(ctx, s.Entries.Store.DB, id, cms.ActionRead, v.m.Slug, v.Entry.Locale)
	if err == nil && !may {
		p.Add(at, "must be the id of an active user who may read this entry")
	}
	return id, err
}

// Due returns the stored form of a date or time until when something is due; nil for none. It adds
// a problem for other texts.
func Due(p cms.Problems, given *string) *string {
	if given == nil || *given == "" {
		return nil
	}
	due := *given
	if at, ok := cms.ParseDateTime(due); ok {
		due = cms.At(at).String()
	} else if _, ok := cms.ParseDate(due); !ok {
		p.Add("due", "must be a date or a timestamp of the form 2026-01-31T12:00:00Z")
	}
	return &due
}

func noteOf(p cms.Problems, given *string) *string {
	if given == nil || strings.TrimSpace(*given) == "" {
		return nil
	}
	p.LimitLength("note", *given, maxNote)
	return given
}

// Withdraw ends the review of an entry if ok permits it. Errors: those of Ask and of ok, and NOT_FOUND if nobody asked.
func (s *Reviews) Withdraw(ctx context.Context, actor cms.Actor, model, id string,
	ok input.Precondition[*approval.Review]) error {
	return s.Entries.Store.Retry(ctx, func() error {
		v, err := s.readReview(ctx, (*site.Site).ActiveModel, model, id)
		if err != nil {
			return err
		}
		if err := s.permit(ctx, actor, cms.ActionWrite, v); err != nil {
			return err
		}
		if !v.Review.Exists() {
			return errNotAsked
		}
		if err := ok.Check(&v.Review); err != nil {
			return err
		}
		tx := s.Entries.Store.Begin()
		approval.End(tx, v.m, v.Entry.ID, &v.Review)
		tx.Activity(actor, "entry.review_withdrawn", editing.Subject(v.m, v.Entry), v.Entry.ID)
		return s.Entries.Store.Commit(ctx, tx)
	})
}

// wrote reports whether a user saved the present version, or asked for its review.
func (s *Reviews) wrote(ctx context.Context, v subject, r *approval.Review, userID string) (bool, error) {
	authors, err := s.Entries.Store.Authors(ctx, v.m, v.Reviewed)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return false, err
	}
	return slices.Contains(authors, userID) || slices.Contains(r.Askers, userID), nil
}

// IsAuthor reports whether a user cannot approve the present version of an entry, because the user
// saved it or asked for its review. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND.
func (s *Reviews) IsAuthor(ctx context.Context, userID, model, id string) (bool, error) {
	v, err := s.readReview(ctx, (*site.Site).Model, model, id)
	if err != nil {
		return false, err
	}
	return s.wrote(ctx, v, &v.Review, userID)
}

// Approve approves the present version of an entry, which the body names. Approving it again changes
// nothing. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND, VALIDATION_FAILED, FORBIDDEN for who may not
// approve or wrote it, CONFLICT if nobody asked, PRECONDITION_FAILED for another version or an
// outdated draft.
func (s *Reviews) Approve(ctx context.Context, actor cms.Actor, model, id string, body map[string]any) (Review, error) {
	return s.changeReview(ctx, actor, model, id, cms.ActionApprove,
		func(v subject, r *approval.Review, now cms.Time) (string, error) {
			if _, err := decide(body, v, r, false); err != nil {
				return "", err
			}
			if editing.Lay(v.m, v.Entry, v.Draft).Outdated {
				return "", errOutdated
			}
			own, err := s.wrote(ctx, v, r, actor.UserID)
			if err == nil && own {
				err = errAuthor
			}
			if err != nil {
				return "", err
			}
			if slices.ContainsFunc(r.Approvals, func(a approval.Approval) bool { return a.User == actor.UserID }) {
				return "", nil
			}
			r.Decided = decidedBy(actor, v, now)
			r.Approvals = append(slices.Clone(r.Approvals),
				approval.Approval{User: actor.UserID, At: now, Locale: v.Entry.Locale})
			if err = s.settleState(ctx, v, r); r.State == approval.Approved {
				r.Last = &approval.Version{Entry: v.Entry.Version, Draft: v.Number()}
			}
			return cms.EventEntryApproved, err
		})
}

// Return sends the present version of an entry back with a note, which drops its approvals. Errors:
// those of Approve, but authors may do it, too, and a draft may be outdated.
func (s *Reviews) Return(ctx context.Context, actor cms.Actor, model, id string, body map[string]any) (Review, error) {
	return s.changeReview(ctx, actor, model, id, cms.ActionApprove,
		func(v subject, r *approval.Review, now cms.Time) (string, error) {
			note, err := decide(body, v, r, true)
			if err != nil {
				return "", err
			}
			r.Decided = decidedBy(actor, v, now)
			r.State, r.Note, r.Approvals = approval.Returned, note, nil
			return cms.EventEntryReturned, nil
		})
}

// decidedBy returns a decision on the review of v as it is.
func decidedBy(actor cms.Actor, v subject, now cms.Time) *approval.Decision {
	was := v.Review
	was.Decided = nil
	return &approval.Decision{By: actor.UserID, At: now, Was: &was}
}

// TakeBack takes back the approval or return that the caller made last, if ok permits it. Errors: those of Approve and
// of ok, and CONFLICT if the review has changed since.
func (s *Reviews) TakeBack(ctx context.Context, actor cms.Actor, model, id string,
	ok input.Precondition[*approval.Review]) error {
	return s.Entries.Store.Retry(ctx, func() error {
		v, err := s.readReview(ctx, (*site.Site).ActiveModel, model, id)
		if err == nil {
			err = s.permit(ctx, actor, cms.ActionApprove, v)
		}
		if err == nil {
			err = ok.Check(&v.Review)
		}
		if err != nil {
			return err
		}
		if d := v.Review.Decided; d == nil || d.By != actor.UserID {
			return errNoDecision
		}
		tx := s.Entries.Store.Begin()
		v.RequireVersion(tx, v.m)
		approval.Put(tx, v.m, v.Entry.ID, v.Review.Before())
		if v.Review.State == approval.Returned {
			tasks.End(tx, v.Review.RequestedBy, approval.Task(v.m, v.Entry.ID, tasks.Returned))
		}
		tx.Activity(actor, "entry.decision_withdrawn", editing.Subject(v.m, v.Entry), v.Entry.ID)
		return s.Entries.Store.Commit(ctx, tx)
	})
}

// decide decodes the body of an approval or a return and returns its note. It returns an error unless
// the body names the present version and somebody asked for its review.
func decide(body map[string]any, v subject, r *approval.Review, needsNote bool) (*string, error) {
	rest := map[string]any{}
	for key, value := range body {
		if key == "version" {
			key = "present" // Decode ignores version in other bodies
		}
		rest[key] = value
	}
	in, p := input.Decode[struct {
		Version *string `json:"present"`
		Note    *string `json:"note"`
	}](rest)
	if problems := p["present"]; problems != nil {
		p["version"] = problems
		delete(p, "present")
	}
	p.Require("version", input.Given(in.Version, ""))
	text := noteOf(p, in.Note)
	if needsNote {
		p.Require("note", input.Given(text, ""))
	}
	err := p.Err()
	switch {
	case err != nil:
	case r.State != approval.Requested && r.State != approval.Approved:
		err = errNoRequest
	case *in.Version != v.Version():
		err = errOther
	}
	return text, err
}
