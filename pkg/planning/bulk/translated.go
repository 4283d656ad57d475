package bulk

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/planning/bulk/names"
	"headless/pkg/planning/rehearsal"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/transfer"
)

// ActionTranslate is the action of jobs that keep the saves of a file from translators, so that these can be taken
// back (extensions §3). They have ended when they begin.
const ActionTranslate = "translate"

// Record stores a job that keeps the saves of a file from translators, by the ids of entries, and of files after
// transfer.OfFile.
func (s *Jobs) Record(ctx context.Context, actor cms.Actor, m *site.Model,
	saved map[string]transfer.Saved) (Job, error) {
	tx := s.Store.Begin()
	j := job{ID: uuid.Must(uuid.NewV7()).String(), Status: Done, Action: ActionTranslate,
		Names: names.Names{Model: m.Slug, ModelID: m.ID}, Collected: true, Total: len(saved), Done: len(saved),
		Actor: actor, CreatedAt: tx.At(), Ended: tx.At()}
	var rows []table.Item
	for id, what := range saved {
		rows = append(rows, table.Item{Key: rewrittenKey(j.ID, id), Body: db.Pack(what), Expires: j.expires()})
	}
	if err := s.Store.Table.BatchWrite(ctx, rows, nil); err != nil {
		return Job{}, err
	}
	if err := s.putIDs(ctx, &j, slices.Sorted(maps.Keys(saved))); err != nil {
		return Job{}, err
	}
	tx.Do(j.putOp(), nil)
	tx.Put(j.listRow())
	return j.public(), s.Store.Commit(ctx, tx)
}

// isImport reports whether jobs with an action save a file.
func isImport(action string) bool { return action == ActionTranslate || action == ActionImport }

// savedRows is how many rows of a CSV file were saved.
func (j *job) savedRows() int {
	if j.CSV.DryRun {
		return 0
	}
	return j.CSV.Created + j.CSV.Updated
}

// putBack makes an entry as it was before a CSV file changed it, unless somebody has changed it since.
func (w *jobWork) putBack(ctx context.Context, entries *editing.Entries, id string, saved transfer.Saved) error {
	m, e, ok, err := w.lastMade(ctx, entries, id)
	if err != nil {
		return err
	}
	if e.Version != saved.Version {
		return rehearsal.ErrNothingToDo
	}
	was, err := w.s.Store.Revision(ctx, m, id, saved.Was)
	if err != nil {
		return db.Missing(err, rehearsal.ErrNothingToDo)
	}
	body := contentOf(m, was)
	body["status"], body["locale"] = string(was.Status), was.Locale
	_, err = entries.Update(ctx, w.job.Actor, w.job.Model, id, body, ok)
	return err
}

// deleteCreated moves an entry that an import created to the trash, unless somebody has changed it or begun a draft.
func (w *jobWork) deleteCreated(ctx context.Context, entries *editing.Entries, id string, version int64) error {
	d, err := entries.DraftOrLive(ctx, w.job.Model, id)
	if err != nil {
		return err
	}
	if d.Info != nil {
		return rehearsal.ErrNothingToDo
	}
	return entries.Delete(ctx, w.job.Actor, w.job.Model, id, func(e *cms.Entry) error {
		if e.Version != version {
			return rehearsal.ErrNothingToDo
		}
		return nil
	})
}

// endDraft removes a draft that an import began, unless somebody has saved it since.
func (w *jobWork) endDraft(ctx context.Context, entries *editing.Entries, id string, number int64) error {
	err := entries.DiscardDraft(ctx, w.job.Actor, w.job.Model, id, func(d *editing.Drafted) error {
		if d.Number != number {
			return rehearsal.ErrNothingToDo
		}
		return nil
	})
	if cms.CodeOf(err) == cms.CodeNotFound { // it was published or discarded
		return rehearsal.ErrNothingToDo
	}
	return err
}

// errStored says that a step has stored the job.
var errStored = errors.New("bulk: the job is stored")

func errAltChanged() *cms.Error {
	return cms.Errorf(cms.CodeConflict, "This alternative text has been changed since, so it stays as it is.")
}

// putBackAlt puts the former alternative text of a file back. Then it stores the job: a repeat after a crash changes
// nothing. Error: errStored.
func (w *jobWork) putBackAlt(ctx context.Context, file string, saved transfer.SavedAlt) error {
	err := w.s.SaveAlt(ctx, w.job.Actor, file, saved.Locale, saved.Was, func(now string) error {
		if now != saved.Now && now != saved.Was {
			return errAltChanged()
		}
		return nil
	})
	if err == nil {
		err = w.commit(ctx, w.s.Store.Begin(), w.advancedOne())
	}
	if err == nil {
		err = errStored
	}
	return err
}
