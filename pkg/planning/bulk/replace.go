package bulk

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/takeback"
	"headless/pkg/links"
	"headless/pkg/planning/bulk/names"
	"headless/pkg/planning/rehearsal"
)

// ActionReplace is the action of jobs that replace all references to one file or entry by references to
// another (extensions §6).
const ActionReplace = "replace"

// Replace starts a job that replaces every reference to a file by a reference to the file "with" of
// the body. Errors: VALIDATION_FAILED.
func (s *Jobs) Replace(ctx context.Context, actor cms.Actor, fileID string, body map[string]any) (Job, error) {
	r, err := links.DecodeReplacement(ctx, s.Entries, fileID, body)
	if err != nil {
		return Job{}, err
	}
	return s.beginReplacement(ctx, actor, cms.AreaMedia, r)
}

// ReplaceEntry starts a job that replaces every reference to the entry "from" of the body, which may be gone, by a
// reference to the entry "with". Errors: VALIDATION_FAILED.
func (s *Jobs) ReplaceEntry(ctx context.Context, actor cms.Actor, body map[string]any) (Job, error) {
	r, err := links.DecodeEntryReplacement(ctx, s.Entries, body)
	if err != nil {
		return Job{}, err
	}
	return s.beginReplacement(ctx, actor, r.Model, r)
}

// beginReplacement starts a job. Its model is that of the new target, or the area of files.
func (s *Jobs) beginReplacement(ctx context.Context, actor cms.Actor, model string, r links.Replacement) (Job, error) {
	tx := s.Store.Begin()
	j := job{
		ID: uuid.Must(uuid.NewV7()).String(), Status: Running, Action: ActionReplace,
		Names: names.Names{Model: model}, Target: r.From, With: r.To,
		Actor: actor, CreatedAt: tx.At(),
	}
	return s.beginJob(ctx, tx, &j)
}

// replacement returns the replacement that the job makes.
func (w *jobWork) replacement() links.Replacement {
	r := links.Replacement{Entries: w.s.Entries, From: w.job.Target, To: w.job.With}
	if w.job.Model != cms.AreaMedia {
		r.Model = w.job.Model
	}
	return r
}

// recollect starts to collect references to the file or entry that were added since the job collected its
// items.
func (w *jobWork) recollect(ctx context.Context) error {
	next := *w.job
	next.Collected, next.Cursor, next.Known, next.Looks = false, "", next.Total, next.Looks+1
	return w.commit(ctx, w.s.Store.Begin(), &next)
}

// untriedOf returns the items without those that have failed before.
func (w *jobWork) untriedOf(ctx context.Context, items []string) ([]string, error) {
	shown, err := w.s.show(ctx, w.job.Actor, w.job)
	return slices.DeleteFunc(items, func(item string) bool {
		return slices.ContainsFunc(shown.Failed, func(f Failure) bool { return strings.HasSuffix(item, f.ID) })
	}), err
}

// replaceIn replaces the references of an item. A repeat changes nothing.
func (w *jobWork) replaceIn(ctx context.Context, entries *editing.Entries, item string) error {
	var saved takeback.Saved
	entries = w.noting(entries, item, &saved)
	saving := func(now takeback.Saved) { saved = now }
	if name, ok := strings.CutPrefix(item, takeback.Item(cms.AreaSettings, "")); ok {
		return nothing(w.replacement().InSetting(ctx, w.job.Actor, name, saving,
			func(tx *db.Tx) error { return entries.Follow(ctx, nil, tx) }))
	}
	model, id, err := w.entryOf(ctx, item)
	if cms.CodeOf(err) == cms.CodeEntryNotFound {
		return rehearsal.ErrNothingToDo // its model was deleted meanwhile
	}
	if err != nil {
		return err
	}
	return nothing(w.replacement().InEntry(ctx, entries, w.job.Actor, model, id, saving))
}
