package bulk

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/editing/takeback"
	"headless/pkg/links"
	"headless/pkg/site"
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
	var saved takeback.Saved
	err := w.noting(entries, id, &saved).Rewrite(ctx, w.job.Actor, w.job.Model, id, false,
		func(m *site.Model, e *cms.Entry, d *content.Draft) (*cms.Entry, cms.EntryPatch, error) {
			now, changes, err := links.ReplaceText(m, e, d, w.job.Find, w.job.Put, nil)
			saved = takeback.Saving(e, now, d)
			return now, changes, err
		})
	return nothing(err)
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
