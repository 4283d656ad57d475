package bulk

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/links"
	"headless/pkg/planning"
	"headless/pkg/planning/rehearsal"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/transfer"
)

// ActionReplaceText is the action of jobs that replace a text in titles and text fields (extensions §7).
const ActionReplaceText = "replace_text"

const (
	maxWording  = 500 // characters of the text, and of the new one
	maxExamples = 5
)

// decodeWording decodes the text that the action replace_text finds, and the one that it puts there.
func (in *jobInput) decodeWording(p cms.Problems, body map[string]any) {
	for key, text := range map[string]*string{"find": &in.Find, "replace": &in.Put} {
		v, given := body[key]
		if in.Action != ActionReplaceText {
			if v != nil {
				p.Add(key, "is only for the action %s", ActionReplaceText)
			}
			continue
		}
		s, ok := v.(string)
		switch *text = s; {
		case !given:
			p.Add(key, "is required")
		case !ok:
			p.Add(key, "must be a string")
		case utf8.RuneCountInString(s) > maxWording:
			p.Add(key, "must have at most %d characters", maxWording)
		}
	}
	switch {
	case in.Action != ActionReplaceText || len(p["find"]) > 0 || len(p["replace"]) > 0:
	case strings.TrimSpace(in.Find) == "":
		p.Add("find", "must not be blank")
	case in.Find == in.Put:
		p.Add("replace", "must differ from find")
	}
}

// replaceText replaces the text in an entry and its draft.
func (w *jobWork) replaceText(ctx context.Context, entries *editing.Entries, id string) error {
	return rewrite(ctx, entries, w.job, id, func(m *site.Model, e *cms.Entry, d *content.Draft) (*cms.Entry,
		cms.EntryPatch, error) {
		return links.ReplaceText(m, e, d, w.job.Find, w.job.Put, nil)
	})
}

// takeBack takes back what the job Of saved in an entry and its draft. Later saves stay.
func (w *jobWork) takeBack(ctx context.Context, entries *editing.Entries, id string) error {
	file, ofFile := strings.CutPrefix(id, transfer.OfFile)
	if !ofFile && !cms.IsUUID(id) {
		return content.ErrEntryNotFound
	}
	saved, _, err := db.Read[transfer.Saved](ctx, w.s.Store.DB, rewrittenKey(w.job.Of, id))
	switch {
	case err != nil:
		return db.Missing(err, rehearsal.ErrNothingToDo)
	case saved.Alt != nil:
		return w.putBackAlt(ctx, file, *saved.Alt)
	case saved.Created:
		return w.deleteCreated(ctx, entries, id, saved.Version)
	case saved.Version > 0 && saved.Was > 0:
		return w.putBack(ctx, entries, id, saved)
	case saved.First:
		return w.endDraft(ctx, entries, id, saved.Draft)
	}
	return rewrite(ctx, entries, w.job, id, func(m *site.Model, e *cms.Entry, d *content.Draft) (*cms.Entry,
		cms.EntryPatch, error) {
		edited, changes, differs := e, d.Changes.ForModel(&m.Model), false
		if e.Version == saved.Version {
			was, err := w.s.Store.Revision(ctx, m, id, e.Version-1)
			if err != nil {
				return nil, changes, err
			}
			now := *e
			now.Title, now.Data, now.SEO = was.Title, was.Data, was.SEO
			edited, differs = &now, true
		}
		if d.Open && d.Number == saved.Draft {
			was, err := w.s.Store.DraftRevision(ctx, m, id, cmp.Or(saved.Was, d.Number-1))
			if err != nil {
				return nil, changes, err
			}
			changes, differs = was.Changes.ForModel(&m.Model), true
		}
		if !differs {
			return nil, changes, editing.ErrNothingReplaced
		}
		return edited, changes, nil
	})
}

// rewrite is Entries.Rewrite for a step of a job. It stores the versions that it saves. A revision that is not kept
// any more is nothing to do.
func rewrite(ctx context.Context, entries *editing.Entries, j *job, id string,
	edit func(*site.Model, *cms.Entry, *content.Draft) (*cms.Entry, cms.EntryPatch, error)) error {
	var saved transfer.Saved
	entries = planning.Joining(entries, func(_ *site.Model, tx *db.Tx) error {
		tx.Put(table.Item{Key: rewrittenKey(j.ID, id), Body: db.Pack(saved), Expires: j.expires()})
		return nil
	})
	err := entries.Rewrite(ctx, j.Actor, j.Model, id, func(m *site.Model, e *cms.Entry, d *content.Draft) (*cms.Entry,
		cms.EntryPatch, error) {
		edited, changes, err := edit(m, e, d)
		if saved = (transfer.Saved{}); edited != e {
			saved.Version = e.Version + 1
		}
		if d.Open {
			saved.Draft = d.Number + 1
		}
		return edited, changes, err
	})
	if errors.Is(err, editing.ErrNothingReplaced) || errors.Is(err, db.ErrNotFound) {
		return rehearsal.ErrNothingToDo
	}
	return err
}

// Rehearsal has the changes that a job with the action replace_text would make.
type Rehearsal struct {
	Total    int // entries of the job
	Tried    int // entries that were looked at
	Changes  int // those of them that would change
	Refused  int // those that have the text and cannot be changed, among the first 500 that have it
	Examples []Example
}

// Example is a text that a job would change.
type Example struct {
	ID, Title, Locale string
	Before, After     string
}

// Rehearse looks at the first 1,000 entries of a job with the action replace_text, and changes nothing. Errors: those
// of Create.
func (s *Jobs) Rehearse(ctx context.Context, actor cms.Actor, body map[string]any) (r Rehearsal, err error) {
	w := &jobWork{s: s, job: &job{}}
	var all []foreseen
	r.Total, r.Tried, err = s.look(ctx, body, maxTried, func(_ *site.Site, m *site.Model, j job, e *cms.Entry,
		d *content.Draft) {
		found := Example{ID: e.ID, Title: e.Title, Locale: e.Locale}
		_, _, err := links.ReplaceText(m, e, d, j.Find, j.Put, func(before, after string) {
			if found.Before == "" {
				found.Before, found.After = before, after
			}
		})
		if errors.Is(err, editing.ErrNothingReplaced) {
			return
		}
		if w.job = &j; len(all) < maxRehearsed {
			all = append(all, foreseen{Reference: content.Reference{Model: m, ID: e.ID}, item: e.ID})
		}
		if r.Changes++; len(r.Examples) < maxExamples {
			r.Examples = append(r.Examples, found)
		}
	})
	if err != nil {
		return r, err
	}
	w.job.Actor = actor
	outcomes, err := w.outcomes(ctx, all)
	for _, refused := range outcomes {
		if refused != nil {
			r.Refused++
			r.Changes--
		}
	}
	return r, err
}
