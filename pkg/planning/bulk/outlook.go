package bulk

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/groups"
	"headless/pkg/planning"
	"headless/pkg/site"
)

const (
	maxTried    = 1_000 // entries of a job that are looked at before it begins
	triedAtOnce = 100
)

// look calls see with the first 1,000 entries of a job that would begin, and with their drafts. It returns how many
// entries the job has, and how many were looked at. Errors: those of Create.
func (s *Jobs) look(ctx context.Context, body map[string]any,
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
	for total = len(ids); tried < maxTried; {
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
	Refused int // cannot be changed, for example because a required field is empty
}

// Foresee looks at the first 1,000 entries of a job, and changes nothing. Errors: those of Create.
func (s *Jobs) Foresee(ctx context.Context, body map[string]any) (o Outlook, err error) {
	var m *site.Model
	var leaving []string
	action := cms.ActionWrite
	if body["action"] == ActionDelete {
		action = cms.ActionDelete
	}
	o.Total, o.Tried, err = s.look(ctx, body, func(now *site.Site, of *site.Model, j job, e *cms.Entry,
		d *content.Draft) {
		m = of
		l := now.Locale(e.Locale)
		shown := !m.Localized || l != nil && l.IsActive // to readers, if it is published
		visible := shown && e.Status == cms.StatusPublished
		publish := j.Action == planning.ActionPublish
		switch {
		case publish && !editing.MayPublish(ctx, m, e, d), m.Permit(ctx, action, e, nil) != nil:
			o.Refused++
		case publish && shown && !visible:
			o.Appear++
		case publish && visible && d.Open, j.Action == ActionSet && visible:
			o.Change++
		case !publish && visible:
			leaving = append(leaving, e.ID)
		}
	})
	if err != nil || len(leaving) == 0 {
		return o, err
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
