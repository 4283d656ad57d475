package schema

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/redirects"
	"headless/pkg/site"
)

// maxParts is how many existing parts one schema may change, since they commit in one transaction.
const maxParts = 80

// How long Apply waits until entries have been rewritten for an earlier change, and how often it
// checks.
const (
	rewriteWait = 3 * time.Second
	rewriteTick = 50 * time.Millisecond
)

// Apply carries out a plan, completely or not at all. guard, if not nil, may refuse its changes.
// Errors: PRECONDITION_FAILED if planID is not the plan of this schema and the current
// configuration, VALIDATION_FAILED on allow if the plan has a risk that allow does not include,
// CONFLICT for something that cannot be deleted.
func (s *Schemas) Apply(ctx context.Context, actor cms.Actor, schema map[string]any, planID string,
	allow []string, guard func([]Change) error) (Plan, error) {
	var applied *work
	deadline := time.Now().Add(rewriteWait)
	err := s.Store.Retry(ctx, func() error {
		st, err := s.state(ctx)
		if err != nil {
			return err
		}
		w, err := s.plan(ctx, st, schema)
		for ; err == nil && w.rewriting && time.Now().Before(deadline) && ctx.Err() == nil; time.Sleep(rewriteTick) {
			if st, err = s.state(ctx); err == nil {
				w, err = s.plan(ctx, st, schema)
			}
		}
		if err != nil {
			return err
		}
		if w.id(schema) != planID {
			return cms.Errorf(cms.CodePreconditionFailed,
				"The plan is unknown, out of date, or for another schema. Make a new plan.")
		}
		if err := w.permitted(allow); err != nil {
			return err
		}
		if guard != nil {
			if err := guard(w.changes); err != nil {
				return err
			}
		}
		applied, w.actor = w, actor
		return s.commit(ctx, actor, w)
	})
	if err != nil {
		return Plan{}, err
	}
	if applied.reindex && s.Models.OnReindex != nil {
		s.Models.OnReindex()
	}
	return Plan{ID: planID, Changes: applied.changes, Drift: []Drift{}}, nil
}

// permitted returns why a plan may not be applied, nil if it may.
func (w *work) permitted(allow []string) error {
	p := cms.Problems{}
	for _, risk := range allow {
		if risk != string(LosesData) && risk != string(Reindex) && risk != string(Safe) {
			p.Add("allow", "%q is not a risk; known: safe, reindex, loses_data", risk)
		}
	}
	if len(p) > 0 {
		return p.Err()
	}
	if w.conflict != nil {
		return w.conflict
	}
	if len(w.stages) > maxParts {
		p.Add("schema", "changes %d parts; at most %d can be changed at once", len(w.stages), maxParts)
	}
	var lossy []string
	for _, c := range w.changes {
		if c.Risk == LosesData {
			lossy = append(lossy, c.Path)
		}
	}
	if len(lossy) > 0 && !slices.Contains(allow, string(LosesData)) {
		p.Add("allow", "must include loses_data: %s", shortened(lossy))
	}
	return p.Err()
}

func shortened(names []string) string {
	const few = 10
	if len(names) > few {
		names = append(slices.Clone(names[:few]), "…")
	}
	return strings.Join(names, ", ")
}

// commit stores all changes in one transaction, together with the state from which Drift is
// computed. It first closes the models to be deleted, so that no entry is saved between the check
// and the commit, and makes new parts for which the transaction has no room. If the commit fails,
// it takes both back.
func (s *Schemas) commit(ctx context.Context, actor cms.Actor, w *work) error {
	closed, err := s.closeModels(ctx, w)
	if err != nil {
		return err
	}
	made, err := s.createFirst(ctx, w)
	if err == nil {
		err = s.commitRest(ctx, actor, w, made)
	}
	if err != nil {
		ctx := context.WithoutCancel(ctx)
		return errors.Join(s.drop(ctx, w, made), s.setActive(ctx, closed, true), err)
	}
	return nil
}

// commitRest stores all changes but the first new parts.
func (s *Schemas) commitRest(ctx context.Context, actor cms.Actor, w *work, made int) error {
	tx := s.Store.Begin()
	w.addTo(tx, made)
	putApplied(tx, w.target)
	if len(w.changes) > 0 {
		tx.Activity(actor, "schema.applied", "schema: "+summary(w.changes))
		w.note(tx, actor)
	}
	return s.Store.Commit(ctx, tx)
}

// note raises one event for all models and forms, one for the locales and one for the redirects
// that change. The settings have theirs.
func (w *work) note(tx *db.Tx, actor cms.Actor) {
	changed := map[string][]string{}
	for _, c := range w.changes {
		section, name, _ := strings.Cut(c.Path, ".")
		if section == "models" {
			name, _, _ = strings.Cut(name, ".")
		}
		if !slices.Contains(changed[section], name) {
			changed[section] = append(changed[section], name)
		}
	}
	if len(changed["models"])+len(changed["forms"]) > 0 {
		site.NoteSchema(tx, actor, changed["models"], changed["forms"])
	}
	if codes := changed["locales"]; len(codes) > 0 {
		site.NoteLocales(tx, actor, codes...)
	}
	if from := changed["redirects"]; len(from) > 0 {
		redirects.Note(tx, actor, from...)
	}
}

func summary(changes []Change) string {
	paths := make([]string, len(changes))
	for i, c := range changes {
		paths[i] = c.Op + " " + c.Path
	}
	return shortened(paths)
}

// closeModels deactivates the models to be deleted, which then accept no entries, and checks again
// that they are empty. The plan continues from the resulting site.
func (s *Schemas) closeModels(ctx context.Context, w *work) (closed []string, err error) {
	for _, id := range w.closing {
		if m := w.st.site.ModelByID(id); m != nil && m.IsActive {
			closed = append(closed, id)
		}
	}
	if len(closed) == 0 {
		return nil, nil
	}
	version := w.st.site.Version
	if err := s.setActive(ctx, closed, false); err != nil {
		return nil, err
	}
	reopen := func(err error) ([]string, error) {
		return nil, errors.Join(s.setActive(context.WithoutCancel(ctx), closed, true), err)
	}
	site, err := s.Store.Site.Site(ctx)
	if err != nil {
		return reopen(err)
	}
	if site.Version != version+1 {
		return reopen(db.ErrOvertaken)
	}
	for _, id := range closed {
		m := site.ModelByID(id)
		n, err := s.Store.Site.CountEntries(ctx, m, site.Codes())
		if err != nil {
			return reopen(err)
		}
		if n > 0 {
			return reopen(cms.Errorf(cms.CodeConflict,
				"The model %q has %d entries: it cannot be deleted.", m.Slug, n))
		}
	}
	w.st.site = site
	return closed, nil
}

// setActive opens or closes the models that still exist for entries.
func (s *Schemas) setActive(ctx context.Context, ids []string, active bool) error {
	if len(ids) == 0 {
		return nil
	}
	return s.Store.Retry(ctx, func() error {
		siteNow, err := s.Store.Site.Site(ctx)
		if err != nil {
			return err
		}
		tx := s.Store.Begin()
		for _, id := range ids {
			if m := siteNow.ModelByID(id); m != nil {
				next := *m
				next.IsActive = active
				site.PutModel(tx, siteNow, next.Slug, next)
			}
		}
		return s.Store.Commit(ctx, tx)
	})
}
