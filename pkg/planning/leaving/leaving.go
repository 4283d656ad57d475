// Package leaving shows and hands over what users have under way when they leave (extensions §11).
// What is not handed over stops by itself: its steps are permitted by the account of who caused
// them.
package leaving

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/comments"
	"headless/pkg/links/preview"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk"
	"headless/pkg/review"
	"headless/pkg/rights"
)

// Work has the use cases of everything that users can have under way.
type Work struct {
	Schedules *planning.Schedules
	Releases  *planning.Releases
	Jobs      *bulk.Jobs
	Reviews   *review.Reviews
	Comments  *comments.Comments
	Links     preview.Links
}

// Open is what a user has under way.
type Open struct {
	Plans    []planning.Planned     `json:"plans"`
	Releases []planning.HeldRelease `json:"releases"`
	Jobs     []bulk.Job             `json:"jobs"`
	Reviews  []review.Held          `json:"reviews"`
	Comments []comments.Held        `json:"comments"`
}

// Open lists what a user has under way and the caller may read.
func (w Work) Open(ctx context.Context, userID string) (open Open, err error) {
	if open.Plans, err = w.Schedules.PlannedBy(ctx, userID); err != nil {
		return open, err
	}
	if open.Releases, err = w.Releases.HeldBy(ctx, userID); err != nil {
		return open, err
	}
	if open.Jobs, err = w.Jobs.RunningBy(ctx, userID); err != nil {
		return open, err
	}
	if open.Reviews, err = w.Reviews.HeldBy(ctx, userID); err != nil {
		return open, err
	}
	open.Comments, err = w.Comments.HeldBy(ctx, userID)
	return open, err
}

// Leave hands the plans, releases, jobs, reviews and comments of a user over to another one, unless
// to is nil, and ends the preview links of the user. Nothing changes if to may not do all of it: VALIDATION_FAILED.
func (w Work) Leave(ctx context.Context, _ cms.Actor, userID string, to *cms.Actor) error {
	if to != nil {
		if err := w.handOver(ctx, userID, *to); err != nil {
			return err
		}
	}
	return w.Links.EndByUser(ctx, userID)
}

func (w Work) handOver(ctx context.Context, userID string, to cms.Actor) error {
	as, err := rights.As(ctx, w.Schedules.Store.DB, to)
	for _, mayTake := range []func(context.Context, string) error{w.Schedules.MayTake, w.Releases.MayTake, w.Jobs.MayTake,
		w.Reviews.MayTake, w.Comments.MayTake} {
		if err == nil {
			err = mayTake(as, userID)
		}
	}
	if code := cms.CodeOf(err); code == cms.CodeForbidden || code == cms.CodeNotFound {
		return cms.Problems{"reassign": {"may not do all that this user has planned and started"}}.Err()
	}
	for _, reassign := range []func(context.Context, string, cms.Actor) error{w.Schedules.Reassign, w.Releases.Reassign,
		w.Jobs.Reassign, w.Reviews.Reassign, w.Comments.Reassign} {
		if err == nil {
			err = reassign(ctx, userID, to)
		}
	}
	return err
}
