package bulk

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/links"
	"headless/pkg/planning"
	"headless/pkg/planning/reach"
)

// ActionReplace is the action of jobs that make everything that leads to one file lead to another
// (extensions §6).
const ActionReplace = "replace"

// replaceModel stands for the model of such a job.
const replaceModel = "media"

// Replace begins a job that makes every reference to a file lead to the file that a body names
// under with. Errors: VALIDATION_FAILED.
func (s *Jobs) Replace(ctx context.Context, actor cms.Actor, fileID string,
	body map[string]any) (Job, error) {
	r, err := links.DecodeReplacement(ctx, s.Entries, fileID, body)
	if err != nil {
		return Job{}, err
	}
	tx := s.Store.Begin()
	j := job{
		ID: uuid.Must(uuid.NewV7()).String(), Status: Running, Action: ActionReplace,
		Model: replaceModel, Target: r.From, With: r.To,
		Actor: actor, CreatedAt: tx.At(),
	}
	j.Rules = reach.Rules(ctx)
	return s.begin(ctx, tx, &j)
}

// replacement is what a job of the action replace does.
func (w *jobWork) replacement() links.Replacement {
	return links.Replacement{Entries: w.s.Entries, From: w.job.Target, To: w.job.With}
}

// lookAgain begins to look for what came to refer to the file since the job found what it has.
func (w *jobWork) lookAgain(ctx context.Context) error {
	next := *w.job
	next.Collected, next.Cursor, next.Known, next.Looks = false, "", next.Total, next.Looks+1
	return w.commit(ctx, w.s.Store.Begin(), &next)
}

// untried leaves out what the job could not change before.
func (w *jobWork) untried(ctx context.Context, items []string) ([]string, error) {
	shown, err := w.s.show(ctx, w.job)
	return slices.DeleteFunc(items, func(item string) bool {
		return slices.ContainsFunc(shown.Failed,
			func(f Failure) bool { return strings.HasSuffix(item, f.ID) })
	}), err
}

// replace changes the references of an item. It does nothing when it is repeated.
func (w *jobWork) replace(ctx context.Context, entries *editing.Entries, item string) error {
	err := w.replacement().Apply(ctx, entries, w.job.Actor, item)
	if errors.Is(err, editing.ErrNothingReplaced) {
		return planning.ErrNothingToDo
	}
	return err
}
