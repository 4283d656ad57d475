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
	in, err := decodeJob(now, body)
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
			if part = nil; w.job.Cursor == "" {
				total = page.Total
			}
			for _, item := range page.Items {
				e, err := item.Decoded()
				if err != nil {
					return total, tried, err
				}
				part = append(part, e.ID)
			}
			w.job.Cursor = page.Next
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
	id        string
	shown     bool // readers see its locale
	published bool
	changed   bool // it has a draft
}

// Foresee rehearses the changes of the first 500 entries of a job, in their order, and commits none. Errors: those of
// Create.
func (s *Jobs) Foresee(ctx context.Context, actor cms.Actor, body map[string]any) (o Outlook, err error) {
	w := &jobWork{s: s, job: &job{}}
	var m *site.Model
	var all []foreseen
	o.Total, o.Tried, err = s.look(ctx, body, maxRehearsed, func(now *site.Site, of *site.Model, j job, e *cms.Entry,
		d *content.Draft) {
		m, w.job = of, &j
		all = append(all, foreseen{e.ID, now.Shows(of, e.Locale), e.Status == cms.StatusPublished, d.Open})
	})
	if err != nil {
		return o, err
	}
	if w.job.Actor = actor; string(w.job.Set) == "{}" { // as long as nothing is filled in, any text stands for it
		w.job.Set = []byte(`{"seo":{"description":"` + uuid.NewString() + `"}}`)
	}
	refused, err := w.outcomes(ctx, all)
	if err != nil {
		return o, err
	}
	o.Refused = o.Tried - len(all) // those that are gone
	var leaving []string
	publish := w.job.Action == planning.ActionPublish
	for i, e := range all {
		visible := e.shown && e.published
		switch {
		case cms.CodeOf(refused[i]) == cms.CodeApprovalRequired:
			o.Waiting++
		case refused[i] != nil:
			o.Refused++
		case publish && e.shown && !e.published:
			o.Appear++
		case visible && (publish && e.changed || w.job.Action == ActionSet):
			o.Change++
		case !publish && visible:
			leaving = append(leaving, e.id)
		}
	}
	if len(leaving) == 0 {
		return o, nil
	}
	found, err := groups.Of(ctx, s.Store, m, leaving)
	known := map[string]bool{}
	for _, g := range found {
		if known[g.ID] {
			o.With++
			continue
		}
		o.Pages++
		known[g.ID] = g.ID != ""
	}
	return o, err
}

// outcomes says why the changes of entries would be refused; nil for those that would be made.
func (w *jobWork) outcomes(ctx context.Context, all []foreseen) ([]error, error) {
	as := slices.Repeat([]context.Context{ctx}, len(all))
	return rehearsal.Outcomes(ctx, w.s.Store, as, func(i int) (*db.Tx, error) {
		try := func(ctx context.Context) (*db.Tx, error) {
			return rehearsal.Try(w.s.Entries, func(entries *editing.Entries) error {
				return w.changeEntry(ctx, entries, all[i].id)
			})
		}
		made, err := try(ctx)
		var held *standing.Held
		if errors.As(err, &held) {
			before := rehearsal.Leavers{}
			for _, e := range all[:i] {
				before[e.id] = true
			}
			if before.TakeAll(held) {
				return try(standing.Free(ctx))
			}
		}
		return made, err
	})
}
