package bulk

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/takeback"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk/names"
	"headless/pkg/planning/rehearsal"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// ActionTranslate is the action of jobs that keep the saves of a file from translators, so that these can be taken
// back (extensions §3). They have ended when they begin.
const ActionTranslate = "translate"

// Record stores a job that has ended and keeps the saves of a file, so that they can be taken back: ids has their
// names in the order of the file. model is the slug of a model, or an area.
func (s *Jobs) Record(ctx context.Context, actor cms.Actor, action, model string, ids []string,
	saved map[string]takeback.Saved) (Job, error) {
	tx := s.Store.Begin()
	j := job{ID: uuid.Must(uuid.NewV7()).String(), Status: Done, Action: action, Names: names.Names{Model: model},
		Collected: true, Total: len(ids), Done: len(ids), Actor: actor, CreatedAt: tx.At(), Ended: tx.At()}
	now, err := s.Store.Site(ctx)
	if err != nil {
		return Job{}, err
	}
	if m := now.Models[model]; m != nil {
		j.ModelID = m.ID
	}
	rows := slice.Map(ids, func(id string) table.Item { return j.note(id, saved[id]) })
	if err := s.Store.Table.BatchWrite(ctx, rows, nil); err != nil {
		return Job{}, err
	}
	if err := s.putIDs(ctx, &j, ids); err != nil {
		return Job{}, err
	}
	tx.Do(j.putOp(), nil)
	tx.Put(j.listRow())
	return j.public(), s.Store.Commit(ctx, tx)
}

// notes reports whether jobs with an action note each of their saves.
func notes(action string) bool {
	return slices.Contains([]string{ActionReplace, ActionReplaceText, ActionTranslate, ActionImport}, action)
}

// note returns the row that describes the save of an item.
func (j *job) note(item string, saved takeback.Saved) table.Item {
	return table.Item{Key: rewrittenKey(j.ID, item), Body: db.Pack(saved), Expires: j.expires()}
}

// noting returns entries whose commits store saved as a note.
func (w *jobWork) noting(entries *editing.Entries, item string, saved *takeback.Saved) *editing.Entries {
	return planning.Joining(entries, func(_ *site.Model, tx *db.Tx) error {
		tx.Put(w.job.note(item, *saved))
		return nil
	})
}

// nothing returns the error of a step that found nothing to do for that of a save.
func nothing(err error) error {
	if errors.Is(err, editing.ErrNothingReplaced) {
		return rehearsal.ErrNothingToDo
	}
	return err
}

// entryOf returns the slug of the model and the id of an entry among the ids of the job.
func (w *jobWork) entryOf(ctx context.Context, item string) (model, id string, err error) {
	modelID, id, several := strings.Cut(item, "/")
	if !several {
		return w.job.Model, item, nil
	}
	now, err := w.s.Store.Site(ctx)
	if err != nil {
		return "", "", err
	}
	if m := now.ModelByID(modelID); m != nil {
		return m.Slug, id, nil
	}
	return "", "", content.ErrEntryNotFound
}

// takeBack takes back the saves of the job Of in an entry and its draft, or in a text without versions. Later saves
// stay. If only the entry or only the draft is taken back, the other one is a failure.
func (w *jobWork) takeBack(ctx context.Context, entries *editing.Entries, item string) error {
	saved, _, missing := db.Read[takeback.Saved](ctx, w.s.Store.DB, rewrittenKey(w.job.Of, item))
	switch {
	case db.Missing(missing, nil) != nil:
		return missing
	case saved.Text != nil:
		return w.putBackText(ctx, item, *saved.Text)
	}
	model, id, err := w.entryOf(ctx, item)
	switch {
	case err != nil:
		return err
	case !cms.IsUUID(id):
		return content.ErrEntryNotFound
	case missing != nil:
		return rehearsal.ErrNothingToDo
	}
	if w.job.Undoes == ActionReplace { // which may name an entry twice
		if _, _, err := db.Read[takeback.Saved](ctx, w.s.Store.DB, rewrittenKey(w.job.ID, item)); err == nil {
			return cmp.Or(w.commit(ctx, w.leaving(), w.advancedOne()), errStored)
		} else if db.Missing(err, nil) != nil {
			return err
		}
	}
	var back takeback.Saved
	return nothing(saved.Back(ctx, w.noting(entries, item, &back), w.job.Actor, model, id,
		func(now takeback.Saved, all bool) { back, w.partly = now, !all }))
}

// savedRows is how many rows of a CSV file were saved.
func (j *job) savedRows() int {
	if j.CSV.DryRun {
		return 0
	}
	return j.CSV.Created + j.CSV.Updated
}

// errStored says that a step has stored the job.
var errStored = errors.New("bulk: the job is stored")

var errTextChanged = cms.Errorf(cms.CodeConflict, "This has been changed since, so it stays as it is.")

// putBackText puts a former text back. Then it stores the job: a repeat after a crash changes nothing. Error:
// errStored.
func (w *jobWork) putBackText(ctx context.Context, item string, saved takeback.Text) error {
	area, id, _ := strings.Cut(item, "/")
	err := w.s.Texts[area](ctx, w.job.Actor, id, saved.Locale, saved.Was, func(now string) error {
		if now != saved.Now && now != saved.Was {
			return errTextChanged
		}
		return nil
	})
	if err == nil {
		tx := w.s.Store.Begin()
		tx.Put(w.job.note(item, saved.Back()))
		err = w.commit(ctx, tx, w.advancedOne())
	}
	if err == nil {
		err = errStored
	}
	return err
}
