package bulk

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/takeback"
	"headless/pkg/input"
	"headless/pkg/planning"
	"headless/pkg/planning/reach"
	"headless/pkg/planning/rehearsal"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// takingBack returns the action that takes back jobs with another one, "" if none does.
func takingBack(action string) string {
	switch action {
	case planning.ActionPublish, planning.ActionUnpublish, ActionArchive, ActionSet, ActionReplaceText, ActionReplace,
		ActionRevert, ActionTranslate, ActionImport:
		return ActionRevert
	case ActionDelete:
		return ActionRestore
	case ActionRestore:
		return ActionDelete
	}
	return ""
}

func errNoTakeBack() error {
	return cms.Errorf(cms.CodeConflict, "Only an ended job of this model can be taken back.")
}

func errTakenBack() error {
	return cms.Errorf(cms.CodeConflict, "This job is being taken back, or was taken back.")
}

// MayTakeBack returns an error if a job that takes back all of another one would be refused: CONFLICT for a job that
// runs, has no such action or was taken back, NOT_FOUND, and FORBIDDEN.
func (s *Jobs) MayTakeBack(ctx context.Context, actor cms.Actor, id string) error {
	of, err := s.openJob(ctx, actor, id)
	if err == nil {
		err = s.takeBackAction(ctx, actor, of, &jobInput{})
	}
	return err
}

// LastUndo returns the last job that takes back all of another one, and how many entries the undos before it left for
// good; nil if there is none, or none that the caller may read.
func (s *Jobs) LastUndo(ctx context.Context, actor cms.Actor, id string) (undo *Job, left int, err error) {
	of, err := s.openJob(ctx, actor, id)
	if err != nil || of.TakenBackBy == "" {
		return nil, 0, err
	}
	j, err := s.openJob(ctx, actor, of.TakenBackBy)
	if errors.Is(err, errNoJob) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	shown, err := s.show(ctx, actor, j)
	return &shown, j.Left, err
}

// takeBackAction sets in a new job the action that takes back another one, if the caller may do it. If a former job
// could not take back some entries, it also sets their ids and the number of those left for good.
func (s *Jobs) takeBackAction(ctx context.Context, actor cms.Actor, of *job, in *jobInput) error {
	in.Action = takingBack(of.Action)
	if in.Action == "" || of.Status == Running {
		return errNoTakeBack()
	}
	if of.TakenBackBy != "" {
		former, err := s.readJob(ctx, of.TakenBackBy)
		switch {
		case err != nil && !errors.Is(err, errNoJob):
			return err
		case err == nil && former.Status == Running:
			return errTakenBack()
		case err == nil && former.Status == Done && former.Failures <= maxFailures:
			failed, err := s.failures(ctx, former.ID)
			if err != nil {
				return err
			}
			now, err := s.Store.Site(ctx)
			if err != nil {
				return err
			}
			for _, f := range failed {
				switch m := now.Models[f.Model]; {
				case f.Stays:
				case m != nil:
					in.ids = append(in.ids, takeback.Item(m.ID, f.ID))
				case f.Model != "":
					in.ids = append(in.ids, takeback.Item(f.Model, f.ID))
				default:
					in.ids = append(in.ids, f.ID)
				}
			}
			if in.ids == nil {
				return errTakenBack()
			}
			in.Left = former.Left + len(failed) - len(in.ids)
		}
	}
	as := *of
	as.Action = in.Action
	err := s.mayStop(ctx, actor, &as)
	if err == nil && of.Model == cms.AreaRedirects { // which the public sees at once
		err = reach.Check(ctx, []cms.Action{cms.ActionPublish}, reach.Target{Model: of.Model})
	}
	return err
}

// takeBackJob makes in a job that takes back what the job in.Of saved: in the given entries, else in all that it
// changed and that no former job took back. It is then noted in the row of that job, in the transaction that begins in.
func (s *Jobs) takeBackJob(ctx context.Context, actor cms.Actor, tx *db.Tx, in *jobInput) error {
	of, err := s.openJob(ctx, actor, in.Of)
	if err != nil {
		return err
	}
	if of.Model != in.Model || of.Status == Running {
		return errNoTakeBack()
	}
	in.Until, in.Starter, in.Undoes = of.Ended, of.Actor.UserID, of.Action
	if !notes(of.Action) && of.Of == "" {
		in.Of = ""
	}
	if in.ids != nil || in.byFilter {
		return nil
	}
	if err := s.takeBackAction(ctx, actor, of, in); err != nil {
		return err
	}
	in.Source, in.Total, of.TakenBackBy = of.ID, of.Done+of.Below, in.ID
	if of.CSV != nil {
		in.Total = of.savedRows()
	}
	tx.Do(of.putOp(), errTakenBack())
	return nil
}

// collectChanged stores ids of entries that the job Source changed, the last one first: at most two chunks in a step.
// The cursor is the key of the last one, as padded makes it.
func (w *jobWork) collectChanged(ctx context.Context) error {
	of, err := w.s.readJob(ctx, w.job.Source)
	if errors.Is(err, errNoJob) {
		return w.endJob(ctx, Failed, errNoJob)
	}
	if err != nil {
		return err
	}
	if of.CSV != nil {
		return w.collectNoted(ctx, of.ID)
	}
	end := cmp.Or(w.job.Cursor, padded(of.Done))
	last, err := strconv.Atoi(end[:len(padded(0))])
	if err != nil {
		return err
	}
	if end == padded(last) {
		last-- // all of that position is stored
	}
	if last < 0 {
		return w.storeCollected(ctx, nil, "")
	}
	first := last / chunkSize * chunkSize
	left, err := w.s.leftOf(ctx, of.ID, first, last+1) // before the ids: all rows of a job expire together
	if err != nil {
		return err
	}
	below, err := w.s.Store.Table.Query(ctx, table.Range{Partition: jobPartition(of.ID), Reverse: true,
		From: belowPrefix + padded(first), To: belowPrefix + end, Limit: chunkSize})
	if err != nil {
		return err
	}
	ids, err := readChunk[string](ctx, w.s, of.ID, first/chunkSize)
	if errors.Is(err, errNoChunk) {
		return w.endJob(ctx, Failed, errNoJob)
	}
	if err != nil {
		return err
	}
	begin := padded(first)
	changed := map[string]string{}
	for _, row := range below {
		changed[row.Sort[len(belowPrefix):]] = string(row.Body)
	}
	if len(below) == chunkSize { // there may be more before these
		begin = below[chunkSize-1].Sort[len(belowPrefix):]
	}
	for i, id := range ids {
		at := padded(first+i) + afterBelow
		if at >= begin && at < end && !left[leftKey(of.ID, first+i)] {
			changed[at] = id
		}
	}
	found := make([]string, 0, len(changed))
	for _, at := range slices.Backward(slices.Sorted(maps.Keys(changed))) {
		found = append(found, changed[at])
	}
	if begin == padded(0) {
		begin = ""
	}
	return w.storeCollected(ctx, found, begin)
}

// collectNoted stores the ids of entries from the notes of an import. The cursor is the last one.
func (w *jobWork) collectNoted(ctx context.Context, of string) error {
	noted := rewrittenKey(of, "").Sort
	rows, err := w.s.Store.Table.Query(ctx, table.Range{Partition: jobPartition(of), Reverse: true, From: noted,
		To: noted + cmp.Or(w.job.Cursor, afterBelow), Limit: chunkSize})
	if err != nil {
		return err
	}
	ids := slice.Map(rows, func(row table.Item) string { return strings.TrimPrefix(row.Sort, noted) })
	cursor := ""
	if len(rows) == chunkSize {
		cursor = ids[chunkSize-1]
	}
	return w.storeCollected(ctx, ids, cursor)
}

// leftOf returns the keys of the entries that a job left as they were, from one position to before another.
func (s *Jobs) leftOf(ctx context.Context, id string, from, to int) (map[table.Key]bool, error) {
	rows, err := s.Store.Table.Query(ctx, table.Range{Partition: jobPartition(id), From: leftKey(id, from).Sort,
		To: leftKey(id, to).Sort})
	left := map[table.Key]bool{}
	for _, row := range rows {
		left[row.Key] = true
	}
	return left, err
}

// lastMade reads an entry whose last change is one that the job takes back: by the job of which it is, or else by its
// own user. It returns rehearsal.ErrNothingToDo for another entry, as ok does after another change.
func (w *jobWork) lastMade(ctx context.Context, entries *editing.Entries, id string) (m *site.Model, e *cms.Entry,
	ok input.Precondition[*cms.Entry], err error) {
	now, err := w.s.Store.Site(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	if m, err = now.ActiveModel(w.job.Model); err != nil {
		return nil, nil, nil, err
	}
	if e, err = w.s.Store.Entry(ctx, m, id); err != nil {
		return nil, nil, nil, content.EntryNotFound(err)
	}
	_, each, err := entries.Revisions(ctx, m.Slug, id)
	if err != nil {
		return nil, nil, nil, err
	}
	var last content.Revision
	for last, err = range each {
		break
	}
	if err != nil {
		return nil, nil, nil, err
	}
	by := w.job.Actor.UserID
	if !w.job.Until.IsZero() {
		by = w.job.Starter
	}
	if last.Version != e.Version || last.UserID != by || w.isLater(last.Time) {
		return nil, nil, nil, rehearsal.ErrNothingToDo
	}
	return m, e, func(now *cms.Entry) error {
		if now.Version != e.Version {
			return rehearsal.ErrNothingToDo
		}
		return nil
	}, nil
}

// isLater reports whether a time is after the end of the job that is taken back.
func (w *jobWork) isLater(t cms.Time) bool { return !w.job.Until.IsZero() && t.After(w.job.Until.Time) }

// deleteEntry moves an entry to the trash. A job that takes back a restoration leaves those that somebody has saved
// since.
func (w *jobWork) deleteEntry(ctx context.Context, entries *editing.Entries, id string) error {
	var ok input.Precondition[*cms.Entry]
	if w.job.Source != "" {
		var err error
		if _, _, ok, err = w.lastMade(ctx, entries, id); err != nil {
			return err
		}
	}
	return entries.Delete(ctx, w.job.Actor, w.job.Model, id, ok)
}
