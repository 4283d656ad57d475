package review

import (
	"context"
	"errors"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/tasks"
)

// Held is a review that a user asked for, or is asked for.
type Held struct {
	Model  string  `json:"model"` // slug
	ID     string  `json:"id"`    // of the entry
	Title  string  `json:"title"`
	Locale string  `json:"locale"`
	State  string  `json:"state"`
	Due    *string `json:"due"`
}

// heldReview is the review of an entry with what a user has in it.
type heldReview struct {
	content.Reference
	*approval.Review
	asked bool       // by the user
	entry *cms.Entry // nil if it was deleted meanwhile, or if the caller may not read it
}

// readTogether is how many models are asked for their reviews at a time.
const readTogether = 16

// heldBy lists the reviews that a user asked for or is asked for.
func (s *Reviews) heldBy(ctx context.Context, userID string) (list []heldReview, err error) {
	now, err := s.Entries.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	slugs := slices.Sorted(maps.Keys(now.Models))
	found := make([][]content.Reference, len(slugs))
	reads, readCtx := errgroup.WithContext(ctx)
	reads.SetLimit(readTogether)
	for i, slug := range slugs {
		reads.Go(func() error {
			m := now.Models[slug]
			ids, err := approval.Entries(readCtx, s.Entries.Store.DB, m,
				[]string{approval.Requested, approval.Approved, approval.Returned})
			for _, id := range ids {
				found[i] = append(found[i], content.Reference{Model: m, ID: id})
			}
			return err
		})
	}
	if err := reads.Wait(); err != nil {
		return nil, err
	}
	all := slices.Concat(found...)
	rows, err := s.Entries.Store.Each(ctx, all, approval.Key)
	if err != nil {
		return nil, err
	}
	var refs []content.Reference
	judge := approval.Judge(s.Entries.Store.DB)
	for i, row := range rows {
		r, err := approval.Decode(row)
		if err != nil {
			return nil, err
		}
		if r == nil || r.RequestedBy != userID && !slices.Contains(r.Reviewers, userID) {
			continue
		}
		if r.State, _, err = judge(ctx, all[i].Model, r.State, r.Approvals); err != nil {
			return nil, err
		}
		refs = append(refs, all[i])
		list = append(list, heldReview{Reference: all[i], Review: r, asked: r.RequestedBy == userID})
	}
	entries, err := s.Entries.Store.EntriesByID(ctx, refs)
	for i := range entries {
		list[i].entry = entries[i]
	}
	return list, err
}

// HeldBy lists the reviews that a user asked for or is asked for, of entries that the caller may
// read.
func (s *Reviews) HeldBy(ctx context.Context, userID string) ([]Held, error) {
	held, err := s.heldBy(ctx, userID)
	list := []Held{}
	for _, r := range held {
		if r.entry != nil {
			list = append(list, Held{r.Model.Slug, r.ID, r.entry.Title, r.entry.Locale, r.State, r.Due})
		}
	}
	return list, err
}

// MayTake returns FORBIDDEN or NOT_FOUND unless the caller may read the entries whose reviews a user has, and
// write those for whose review the user asked.
func (s *Reviews) MayTake(ctx context.Context, userID string) error {
	held, err := s.heldBy(cms.WithPermissions(ctx, nil), userID) // of all models, also of those hidden from the caller
	for _, r := range held {
		if r.entry == nil || err != nil {
			continue
		}
		needed := cms.ActionRead
		if r.asked {
			needed = cms.ActionWrite
		}
		err = cms.PermissionsOf(ctx).Check(needed, r.Model.Slug, r.entry.Locale, "entry")
	}
	return err
}

// Reassign makes what a user has in reviews that of another actor. Who asked before still counts as
// having asked.
func (s *Reviews) Reassign(ctx context.Context, userID string, to cms.Actor) error {
	held, err := s.heldBy(ctx, userID)
	for _, was := range held {
		if err != nil {
			return err
		}
		err = s.Entries.Store.Retry(ctx, func() error {
			v, err := s.readReview(ctx, (*site.Site).Model, was.Model.Slug, was.ID)
			if errors.Is(err, content.ErrEntryNotFound) {
				return nil // deleted meanwhile, which ended the review
			}
			if err != nil {
				return err
			}
			r, tx := v.Review, s.Entries.Store.Begin()
			if r.RequestedBy == userID {
				r.RequestedBy = to.UserID
			}
			r.Reviewers, r.Decided = nil, nil
			for _, id := range v.Review.Reviewers {
				if id == userID {
					id = to.UserID
				}
				r.Reviewers = append(r.Reviewers, id)
			}
			r.Reviewers = slice.Distinct(r.Reviewers)
			for _, kind := range []tasks.Kind{tasks.Review, tasks.Returned} {
				if err := tasks.Move(ctx, tx, userID, to.UserID, approval.Task(v.m, was.ID, kind)); err != nil {
					return err
				}
			}
			if v.Review.Exists() {
				approval.Put(tx, v.m, was.ID, &r)
			}
			return s.Entries.Store.Commit(ctx, tx)
		})
	}
	return err
}
