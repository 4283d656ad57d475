package bulk

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/standing"
	"headless/pkg/groups"
	"headless/pkg/planning"
	"headless/pkg/planning/rehearsal"
	"headless/pkg/site"
)

const (
	maxTried     = 1_000 // entries of a job that are looked at before it begins
	maxRehearsed = 500   // entries whose changes are rehearsed: 10 to 15 rows are read for each, of 16 entries at once
	triedAtOnce  = 100
)

// look calls see with the first entries of a job that would begin, and with their drafts. It returns how many
// entries the job has, and how many were looked at. Errors: those of Create.
func (s *Jobs) look(ctx context.Context, body map[string]any, most int,
	see func(*site.Site, *site.Model, job, *cms.Entry, *content.Draft)) (total, tried int, err error) {
	now, err := s.Store.Site(ctx)
	if err != nil {
		return 0, 0, err
	}
	in, err := s.decodeJob(ctx, now, body)
	if err != nil {
		return 0, 0, err
	}
	m, ids := now.Models[in.Model], in.ids
	w := &jobWork{s: s, job: &in.job}
	for total = len(ids); tried < most; {
		part := ids[min(tried, len(ids)):min(tried+triedAtOnce, len(ids))]
		if in.byFilter {
			page, err := w.nextFound(ctx, triedAtOnce)
			if err != nil {
				return total, tried, onFilter(err)
			}
			if w.job.Cursor == "" {
				total = page.Total
			}
			part, w.job.Cursor = entryIDs(page.Items), page.Next
		}
		tried += len(part)
		if err := s.seeEach(ctx, now, m, part, in.job, see); err != nil || len(part) < triedAtOnce ||
			in.byFilter && w.job.Cursor == "" {
			return total, tried, err
		}
	}
	return total, tried, nil
}

// seeEach calls see with some entries and their drafts.
func (s *Jobs) seeEach(ctx context.Context, now *site.Site, m *site.Model, ids []string, j job,
	see func(*site.Site, *site.Model, job, *cms.Entry, *content.Draft)) error {
	var held []content.Reference
	for _, id := range ids {
		if cms.IsUUID(id) {
			held = append(held, content.Reference{Model: m, ID: id})
		}
	}
	entries, err := s.Store.EntriesByID(ctx, held)
	if err != nil {
		return err
	}
	drafts, err := s.Store.Drafts(ctx, held)
	if err != nil {
		return err
	}
	for i, e := range entries {
		if e != nil {
			see(now, m, j, e, drafts[i])
		}
	}
	return nil
}

// Outlook counts the entries of a job by what readers will see of it. Those that it does not count stay as they are.
type Outlook struct {
	Total   int // entries of the job
	Tried   int // entries that were looked at
	Appear  int // become visible
	Change  int // stay visible, and change
	Pages   int // are not found any more; translations of one another count as one
	With    int // are not found any more either, as translations of these pages
	Waiting int // need an approval first
	Refused int // cannot be changed for another reason, such as a slug that is taken
}

// foreseen is an entry of a job before it begins.
type foreseen struct {
	content.Reference
	item      string // as the job names it
	shown     bool   // readers see its locale
	published bool
	after     bool // it is published after the job
	changed   bool // its content changes
}

// Foresee rehearses the changes of the first 500 entries of a job, in their order, and commits none. Errors: those of
// Create.
func (s *Jobs) Foresee(ctx context.Context, actor cms.Actor, body map[string]any) (o Outlook, err error) {
	w := &jobWork{s: s, job: &job{}}
	var all []foreseen
	o.Total, o.Tried, err = s.look(ctx, body, maxRehearsed, func(now *site.Site, of *site.Model, j job, e *cms.Entry,
		d *content.Draft) {
		w.job = &j
		publish, set, published := j.Action == planning.ActionPublish, j.Action == ActionSet, e.Status == cms.StatusPublished
		all = append(all, foreseen{content.Reference{Model: of, ID: e.ID}, e.ID, now.Shows(of, e.Locale), published,
			publish || set && published, d.Open || set})
	})
	if err != nil {
		return o, err
	}
	if w.job.Actor = actor; string(w.job.Set) == "{}" { // as long as nothing is filled in, any text stands for it
		w.job.Set = []byte(`{"seo":{"description":"` + uuid.NewString() + `"}}`)
	}
	return w.foresee(ctx, o, all)
}

// foresee counts the entries of o by the effect of their changes on readers.
func (w *jobWork) foresee(ctx context.Context, o Outlook, all []foreseen) (Outlook, error) {
	refused, err := w.outcomes(ctx, all)
	if err != nil {
		return o, err
	}
	o.Refused = o.Tried - len(all) // those that are gone
	leaving := map[*site.Model][]string{}
	for i, e := range all {
		switch {
		case cms.CodeOf(refused[i]) == cms.CodeApprovalRequired:
			o.Waiting++
		case refused[i] != nil:
			o.Refused++
		case !e.shown:
		case e.after && !e.published:
			o.Appear++
		case e.after && e.changed:
			o.Change++
		case !e.after && e.published:
			leaving[e.Model] = append(leaving[e.Model], e.ID)
		}
	}
	for m, ids := range leaving {
		found, err := groups.Of(ctx, w.s.Store, m, ids)
		if err != nil {
			return o, err
		}
		known := map[string]bool{}
		for _, g := range found {
			if known[g.ID] {
				o.With++
				continue
			}
			o.Pages++
			known[g.ID] = g.ID != ""
		}
	}
	return o, nil
}

// outcomes says why the changes of entries would be refused; nil for those that would be made.
func (w *jobWork) outcomes(ctx context.Context, all []foreseen) ([]error, error) {
	as := slices.Repeat([]context.Context{ctx}, len(all))
	return rehearsal.Outcomes(ctx, w.s.Store, as, func(i int, on *content.Store) (*db.Tx, error) {
		try := func(ctx context.Context) (*db.Tx, error) {
			return rehearsal.Try(w.s.Entries, on, func(entries *editing.Entries) error {
				return w.changeEntry(ctx, entries, all[i].item)
			})
		}
		made, err := try(ctx)
		if made != nil && w.job.Action == ActionUndoRelease {
			all[i].after = isPublic(made, all[i].published)
		}
		if held, ok := errors.AsType[*standing.Held](err); ok {
			before := rehearsal.Leavers{}
			for j, e := range all {
				if j < i || w.job.Action == ActionUndoRelease {
					before[e.ID] = ""
				}
			}
			take, failed := before.TakeAll(ctx, w.s.Store, held)
			if failed != nil {
				return nil, failed
			}
			if take {
				return try(standing.Free(ctx))
			}
		}
		return made, err
	})
}

// isPublic reports whether an entry is published after a change.
func isPublic(made *db.Tx, before bool) bool {
	for _, e := range made.Events() {
		switch e.Kind {
		case cms.EventEntryPublished:
			return true
		case cms.EventEntryUnpublished:
			return false
		}
	}
	return before
}
