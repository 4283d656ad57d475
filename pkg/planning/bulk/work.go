package bulk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/moving"
	"headless/pkg/editing/takeback"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk/names"
	"headless/pkg/planning/lease"
	"headless/pkg/planning/rehearsal"
	"headless/pkg/rights"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/transfer"
)

// Work continues a job for a while. It is the handler of timers of the kind KindJob.
func (s *Jobs) Work(ctx context.Context, id string) (nextRun cms.Time, err error) {
	j, err := s.readJob(ctx, id)
	if errors.Is(err, errNoJob) || err == nil && j.Status != Running {
		return cms.Time{}, nil
	}
	if err != nil {
		return cms.Time{}, err
	}
	now := s.Store.Now()
	if j.Lease.Held(now) {
		return j.Lease.Until, nil
	}
	j.Lease = lease.New(now)
	if err := s.saveJob(ctx, j); err != nil {
		return lease.RetryAt(s.Store.Now(), err)
	}
	w := &jobWork{s: s, job: j, chunk: -1}
	return lease.Work(ctx, s.Store.Now, w)
}

func (s *Jobs) saveJob(ctx context.Context, j *job) error {
	tx := s.Store.Begin()
	tx.Do(j.putOp(), lease.ErrLost)
	return s.Store.Commit(ctx, tx)
}

// jobWork is a worker that runs a job.
type jobWork struct {
	s     *Jobs
	job   *job
	chunk int // number of the chunk in ids; -1 if none was read
	ids   []string
	rows  []transfer.CSVRow   // those of the chunk, if the job imports a file
	tried *db.Rehearsal       // of the rows, if the job only tries them
	query *content.EntryQuery // the query of the filters; nil until it is needed

	failed bool // the last step
	partly bool // the last undo of an entry left a part that somebody has changed since
}

// Running implements lease.Worker.
func (w *jobWork) Running() bool { return w.job.Status == Running }

// GiveBack implements lease.Worker.
func (w *jobWork) GiveBack(ctx context.Context) {
	was := *w
	if w.reload(ctx) != nil {
		return
	}
	if !was.failed && w.job.version == was.job.version {
		w.job, w.tried = was.job, was.tried
	}
	next := *w.job // with rows since the last commit
	next.Lease = lease.Lease{}
	_ = w.commitTried(ctx, w.s.Store.Begin(), &next)
}

// reload reads the job as it was last stored. Error: lease.ErrLost.
func (w *jobWork) reload(ctx context.Context) error {
	fresh, err := w.s.readJob(ctx, w.job.ID)
	if err == nil && fresh.Lease.ID != w.job.Lease.ID {
		err = lease.ErrLost
	}
	if err == nil {
		w.job, w.chunk, w.tried = fresh, -1, nil
	}
	return err
}

// Step implements lease.Worker.
func (w *jobWork) Step(ctx context.Context) error {
	err := w.step(ctx)
	if errors.Is(err, names.ErrFormer) {
		err = w.reload(ctx) // the next step has the present names
	}
	w.failed = err != nil
	return err
}

// step collects a page of ids, handles one entry, or ends the job.
func (w *jobWork) step(ctx context.Context) error {
	j := w.job
	ctx, err := rights.As(ctx, w.s.Store.DB, j.Actor)
	var refused *cms.Error
	if errors.As(err, &refused) {
		return w.endJob(ctx, Failed, refused)
	}
	if err != nil {
		return err
	}
	if m := j.Changed(w.s.Store.CachedSite()); m != nil {
		var columns []string
		if w.query = nil; j.CSV != nil {
			columns = j.CSV.Columns
		}
		if kept, err := j.Follow(m, columns); err != nil || !kept {
			return cmp.Or(err, w.endJob(ctx, Failed, cms.Errorf(cms.CodeConflict,
				"A field that the job names was removed, or got another type.")))
		}
	}
	switch {
	case !j.Collected && j.Action == ActionReplace:
		return w.collectItems(ctx)
	case !j.Collected && j.Source != "":
		return w.collectChanged(ctx)
	case !j.Collected:
		return w.collectIDs(ctx)
	case j.Done >= j.Total && j.Action == ActionReplace && j.Total > j.Known && j.Looks < maxLooks:
		return w.recollect(ctx)
	case j.Done >= j.Total:
		return w.endJob(ctx, Done, &cms.Error{})
	case j.CSV != nil:
		return w.importRow(ctx)
	}
	id, err := w.idAt(ctx, j.Done)
	if err != nil {
		return err
	}
	next := w.advancedOne()
	w.partly = false
	err = w.changeEntry(ctx, w.storingNext(next, id), id)
	if j.Source != "" && errors.Is(err, rehearsal.ErrNothingToDo) { // that job has changed the entry
		err = takeback.ErrChangedSince
	}
	below := w.leavingBelow(id)
	if held, ok := below.Held(err); ok {
		cleared := below.Clear(ctx, held, moving.AtOnce)
		if cleared == nil {
			return nil // the next step tries it again
		}
		if !errors.Is(cleared, errHolds) {
			err = cleared
		}
	}
	if below.Children == moving.Down && j.Action == ActionDelete && cms.CodeOf(err) == cms.CodeEntryNotFound {
		err = rehearsal.ErrNothingToDo // it went with one above it
	}
	switch {
	case errors.Is(err, errStored):
		return nil
	case err == nil:
		*j = *next
		return nil
	case errors.Is(err, rehearsal.ErrNothingToDo):
		return w.commit(ctx, w.leaving(), w.advancedOne())
	case !errors.As(err, &refused), refused.Code == cms.CodeUnavailable, refused.Code == cms.CodeInternal:
		return err
	}
	return w.fail(ctx, id, refused)
}

// endJob ends a job; why says why it failed as a whole.
func (w *jobWork) endJob(ctx context.Context, status Status, why *cms.Error) error {
	next, tx := *w.job, w.s.Store.Begin()
	next.Status, next.Code, next.Message, next.Lease = status, why.Code, why.Describe(), lease.Lease{}
	next.Ended = tx.At()
	if status == Done && next.Action == ActionUndoRelease {
		err := w.s.releases().EndUndo(ctx, tx, next.Actor, next.Target)
		if err != nil && cms.CodeOf(err) != cms.CodeNotFound { // deleted meanwhile
			return err
		}
	}
	return w.commit(ctx, tx, &next)
}

// advancedOne returns the job with one more entry done.
func (w *jobWork) advancedOne() *job {
	next := *w.job
	next.Done++
	next.Lease.Extend(w.s.Store.Now())
	return &next
}

func (w *jobWork) commit(ctx context.Context, tx *db.Tx, next *job) error {
	err := w.store(tx, next)
	if err == nil {
		err = w.s.Store.Commit(ctx, tx)
	}
	if err == nil {
		*w.job = *next
	}
	return err
}

// store adds next to a transaction. Error: names.ErrFormer if the site that the step has read has other names.
func (w *jobWork) store(tx *db.Tx, next *job) error {
	if next.Changed(w.s.Store.CachedSite()) != nil {
		return names.ErrFormer
	}
	next.version = w.job.version // a save that was refused may have increased it
	tx.Do(next.putOp(), lease.ErrLost)
	return nil
}

// leaving returns a transaction that stores that the job leaves the next entry as it is, so that nobody takes back
// an older change of it instead.
func (w *jobWork) leaving() *db.Tx {
	tx := w.s.Store.Begin()
	tx.Put(table.Item{Key: leftKey(w.job.ID, w.job.Done), Expires: w.job.expires()})
	return tx
}

// fail records an entry that the action cannot be applied to.
func (w *jobWork) fail(ctx context.Context, id string, refused *cms.Error) error {
	next, tx := w.advancedOne(), w.leaving()
	w.addFailure(tx, next, id, refused)
	return w.commit(ctx, tx, next)
}

// addFailure adds a failure to a transaction and to the job that it stores.
func (w *jobWork) addFailure(tx *db.Tx, next *job, id string, refused *cms.Error) {
	if next.Failures++; next.Failures <= maxFailures {
		f := failedRow{Failure: Failure{ID: id, Code: refused.Code, Message: refused.Describe()},
			Stays: refused == takeback.ErrChangedSince || refused == errTextChanged}
		if model, entry, several := strings.Cut(id, "/"); several {
			f.ID = entry
			if m := w.s.Store.CachedSite().ModelByID(model); m != nil {
				f.Model = m.Slug
			} else if isArea(model) {
				f.Model = model
			}
		}
		tx.Put(table.Item{Key: failureKey(next.ID, w.job.Done), Body: db.Pack(f), Expires: next.expires()})
	}
}

// idAt returns the id at a position of the job.
func (w *jobWork) idAt(ctx context.Context, position int) (string, error) {
	if n := position / chunkSize; n != w.chunk {
		ids, err := readChunk[string](ctx, w.s, w.job.ID, n)
		if err != nil {
			return "", err
		}
		w.ids, w.chunk = ids, n
	}
	return w.ids[position%chunkSize], nil
}

// readChunk reads a chunk of the ids of a job, or of its rows if it imports a file.
func readChunk[T any](ctx context.Context, s *Jobs, id string, chunk int) ([]T, error) {
	list, _, err := db.Read[[]T](ctx, s.Store.DB, chunkKey(id, chunk))
	return list, db.Missing(err, errNoChunk)
}

var errNoChunk = errors.New("bulk: a chunk of a job is missing")

// storingNext returns entries whose changes store next in their transactions. id is that of the item.
func (w *jobWork) storingNext(next *job, id string) *editing.Entries {
	return planning.Joining(w.s.Entries, func(_ *site.Model, tx *db.Tx) error {
		next.Failures = w.job.Failures // a try before this one may have increased it
		if w.partly {
			w.addFailure(tx, next, id, takeback.ErrChangedSince)
		}
		return w.store(tx, next)
	})
}

// changeEntry applies the action to an entry.
func (w *jobWork) changeEntry(ctx context.Context, entries *editing.Entries, id string) error {
	j := w.job
	switch j.Action {
	case planning.ActionPublish, planning.ActionUnpublish:
		return planning.Apply(ctx, entries, j.Actor, j.Model, id, j.Action, j.Force)
	case ActionArchive:
		_, err := entries.Update(ctx, j.Actor, j.Model, id,
			map[string]any{"status": string(cms.StatusArchived)}, func(e *cms.Entry) error {
				if e.Status == cms.StatusArchived {
					return rehearsal.ErrNothingToDo // such as one that was archived with one above it
				}
				return nil
			})
		return err
	case ActionDelete:
		return w.deleteEntry(ctx, entries, id)
	case ActionRestore:
		return w.restore(ctx, entries, id)
	case ActionReplaceText:
		return w.replaceText(ctx, entries, id)
	case ActionRevert:
		if w.job.Of != "" {
			return w.takeBack(ctx, entries, id)
		}
		return w.revert(ctx, entries, id)
	case ActionReplace:
		return w.replaceIn(ctx, entries, id)
	case ActionUndoRelease:
		_, id, _ = strings.Cut(id, "/")
		return w.undoItem(ctx, entries, id)
	}
	body, err := cms.DecodeObject(j.Set)
	if err != nil {
		return err
	}
	_, err = entries.Update(ctx, j.Actor, j.Model, id, body, nil)
	return err
}

// revert takes back the last change of an entry. Content that a job published from a draft becomes a draft again. An
// entry that a change took out of the public comes back with its time of publication, and without an approval, since it
// was public before. A change that somebody else made since stays, and so does any change after the end of the job that
// is taken back.
func (w *jobWork) revert(ctx context.Context, entries *editing.Entries, id string) error {
	m, e, ok, err := w.lastMade(ctx, entries, id)
	if err != nil {
		return err
	}
	if w.job.Undoes == planning.ActionPublish {
		return takeback.Version(ctx, entries, w.job.Actor, w.job.Model, id, e.Version)
	}
	was, saved, err := w.s.Store.Around(ctx, m, id, e.Version)
	if err != nil {
		return db.Missing(err, rehearsal.ErrNothingToDo)
	}
	if was.Status != e.Status && takeback.SameContent(was, e) {
		return takeback.Version(ctx, entries, w.job.Actor, w.job.Model, id, e.Version)
	}
	body := map[string]any{"status": string(was.Status)}
	if e.Status != cms.StatusPublished || was.Status == e.Status || w.job.Undoes == ActionSet {
		maps.Copy(body, takeback.Content(m, was))
	}
	if m.Tree && !was.StandsAs(saved) {
		body["parent"], body["position"] = nil, json.Number(strconv.FormatFloat(was.TreePosition(), 'g', -1, 64))
		if was.ParentID() != "" {
			body["parent"] = was.ParentID()
		}
	}
	_, err = entries.Update(ctx, w.job.Actor, w.job.Model, id, body, ok)
	return err
}

// restore restores an entry of the job's model from the trash.
func (w *jobWork) restore(ctx context.Context, entries *editing.Entries, id string) error {
	site, err := w.s.Store.Site(ctx)
	if err != nil {
		return err
	}
	rec, err := w.s.Store.FromTrash(ctx, site, id)
	if m := site.Models[w.job.Model]; errors.Is(err, db.ErrNotFound) || err == nil &&
		(m == nil || m.ID != rec.ModelID) {
		return cms.Errorf(cms.CodeNotFound, "There is no such entry in the trash.")
	}
	if err != nil {
		return err
	}
	if w.isLater(rec.DeletedAt) {
		return rehearsal.ErrNothingToDo
	}
	_, err = entries.RestoreFromTrash(ctx, w.job.Actor, id)
	return err
}
