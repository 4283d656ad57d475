package bulk

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/takeback"
	"headless/pkg/planning"
	"headless/pkg/planning/rehearsal"
	"headless/pkg/planning/undo"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// ActionUndoRelease is the action of jobs that take back the changes of a release, the last change first. The release
// is open again after it.
const ActionUndoRelease = "undo_release"

func (s *Jobs) releases() *planning.Releases {
	return &planning.Releases{Store: s.Store, Entries: s.Entries}
}

// UndoRelease starts a job that takes back the changes of a published release. Errors: those of
// planning.Releases.ToUndo, and CONFLICT while another job does so.
func (s *Jobs) UndoRelease(ctx context.Context, actor cms.Actor, id string) (made Job, err error) {
	err = s.Store.Retry(ctx, func() error {
		made, err = s.undoRelease(ctx, actor, id)
		return err
	})
	return made, err
}

func (s *Jobs) undoRelease(ctx context.Context, actor cms.Actor, id string) (Job, error) {
	u, err := s.releases().ToUndo(ctx, id)
	if err != nil {
		return Job{}, err
	}
	now, err := s.Store.Site(ctx)
	if err != nil {
		return Job{}, err
	}
	former, err := s.readJob(ctx, u.Job)
	if err != nil && !errors.Is(err, errNoJob) {
		return Job{}, err
	}
	if former != nil && former.Status == Running {
		return Job{}, cms.Errorf(cms.CodeConflict, "What this release changed is being taken back.")
	}
	tx := s.Store.Begin()
	j := job{ID: uuid.Must(uuid.NewV7()).String(), Status: Running, Action: ActionUndoRelease, Target: id,
		Collected: true, Total: len(u.Changes), Actor: actor, CreatedAt: tx.At()}
	if err := s.releases().BeginUndo(ctx, tx, u, j.ID); err != nil {
		return Job{}, err
	}
	for _, c := range u.Changes { // jobs are listed by one model
		if m := now.ModelByID(c.ModelID); m != nil {
			j.Model = m.Slug
		}
	}
	items := slice.Map(u.Changes, func(c undo.Change) string { return takeback.Item(c.ModelID, c.ID) })
	if err := s.putIDs(ctx, &j, items); err != nil {
		return Job{}, err
	}
	return s.beginJob(ctx, tx, &j)
}

// undoItem takes back the last change of an entry by the release.
func (w *jobWork) undoItem(ctx context.Context, entries *editing.Entries, id string) error {
	changes, err := undo.Of(ctx, w.s.Store, w.job.Target, id)
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		return rehearsal.ErrNothingToDo
	}
	now, err := w.s.Store.Site(ctx)
	if err != nil {
		return err
	}
	m := now.ModelByID(changes[0].ModelID)
	if m == nil {
		return content.ErrEntryNotFound
	}
	return takeback.Version(ctx, planning.Joining(entries, func(_ *site.Model, tx *db.Tx) error {
		changes[0].Take(tx, rehearsal.ErrNothingToDo)
		return nil
	}), w.job.Actor, m.Slug, id, changes[0].Version)
}

// errHolds says that the job does not take back the publication of an entry below one that leaves the public.
var errHolds = errors.New("bulk: an entry below stays")

// undoBelow takes back the last change of an entry below one that leaves the public. Error: errHolds.
func (w *jobWork) undoBelow(ctx context.Context, entries *editing.Entries, id string) error {
	err := w.undoItem(ctx, entries, id)
	if errors.Is(err, rehearsal.ErrNothingToDo) || err != nil && rehearsal.UnlessRefused(err) == nil {
		return errHolds
	}
	return err
}

// ForeseeUndo is Foresee for the job of UndoRelease. Entries that somebody has changed since count as refused.
func (s *Jobs) ForeseeUndo(ctx context.Context, actor cms.Actor, id string) (o Outlook, err error) {
	u, err := s.releases().ToUndo(ctx, id)
	if err != nil {
		return o, err
	}
	now, err := s.Store.Site(ctx)
	if err != nil {
		return o, err
	}
	changes := u.Changes[:min(len(u.Changes), maxRehearsed)]
	o.Total, o.Tried = len(u.Changes), len(changes)
	var held []content.Reference
	for _, c := range changes {
		if m := now.ModelByID(c.ModelID); m != nil {
			held = append(held, content.Reference{Model: m, ID: c.ID})
		}
	}
	entries, err := s.Store.EntriesByID(ctx, held)
	if err != nil {
		return o, err
	}
	var all []foreseen
	for i, e := range entries {
		if m := held[i].Model; e != nil {
			all = append(all, foreseen{Reference: held[i], item: takeback.Item(m.ID, e.ID), shown: now.Shows(m, e.Locale),
				published: e.Status == cms.StatusPublished, changed: true})
		}
	}
	w := &jobWork{s: s, job: &job{Action: ActionUndoRelease, Target: id, Actor: actor}}
	return w.foresee(ctx, o, all)
}
