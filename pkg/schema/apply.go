package schema

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/redirects"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// How long Apply waits until entries have been rewritten for an earlier change, and how often it
// checks.
const (
	rewriteWait = 3 * time.Second
	rewriteTick = 50 * time.Millisecond
)

// application is one call of Apply.
type application struct {
	*Schemas
	actor  cms.Actor
	schema map[string]any
	planID string
	allow  []string
	guard  func([]Change) error

	approved []Change // all changes of the plan
	partly   bool     // changes of existing parts were committed, others were not
	reindex  bool
}

// Apply carries out a plan. guard, if not nil, may refuse its changes. What fits into one
// transaction is applied completely or not at all; see commit for larger plans.
// Errors: PRECONDITION_FAILED if planID is not the plan of this schema and the current
// configuration, VALIDATION_FAILED on allow if the plan has a risk that allow does not include,
// CONFLICT for something that cannot be deleted. A large plan that stopped says so in its message.
func (s *Schemas) Apply(ctx context.Context, actor cms.Actor, schema map[string]any, planID string,
	allow []string, guard func([]Change) error) (Plan, error) {
	a := &application{Schemas: s, actor: actor, schema: schema, planID: planID, allow: allow, guard: guard}
	err := s.Store.Retry(ctx, func() error {
		w, err := a.planNow(ctx)
		if err != nil {
			return err
		}
		if err := a.checkPermitted(w); err != nil {
			return err
		}
		w.actor = actor
		a.reindex = a.reindex || w.reindex
		return a.commit(ctx, w)
	})
	if a.reindex && (err == nil || a.partly) && s.Models.OnReindex != nil {
		s.Models.OnReindex()
	}
	if err != nil && a.partly {
		err = a.recordStopped(context.WithoutCancel(ctx), err)
	}
	if err != nil {
		return Plan{}, err
	}
	return Plan{ID: planID, Changes: a.approved, Drift: []Drift{}}, nil
}

// planNow plans the schema for the current configuration. It waits for entries that are being
// rewritten. Renames that this application has made already are left out.
func (a *application) planNow(ctx context.Context) (*work, error) {
	for deadline := time.Now().Add(rewriteWait); ; time.Sleep(rewriteTick) {
		st, err := a.state(ctx)
		if err != nil {
			return nil, err
		}
		schema, made := st.withoutMadeRenames(a.schema)
		if len(made) > 0 && !a.partly {
			return nil, cms.Errorf(cms.CodePreconditionFailed, "The plan is out of date: %s was made already. "+
				"Take it out of the schema, and make a new plan.", shortenList(made))
		}
		w, err := a.plan(ctx, st, schema)
		if err != nil || !w.rewriting || time.Now().After(deadline) || ctx.Err() != nil {
			return w, err
		}
	}
}

// checkPermitted returns why a plan may not be applied, nil if it may. After a part of the plan was
// committed, its other changes may be made as long as they are among those that were approved.
func (a *application) checkPermitted(w *work) error {
	if !a.partly {
		if w.planID(a.schema) != a.planID {
			return cms.Errorf(cms.CodePreconditionFailed,
				"The plan is unknown, out of date, or for another schema. Make a new plan.")
		}
		if err := w.checkPermitted(a.allow); err != nil {
			return err
		}
		a.approved = w.changes
		if a.guard != nil {
			return a.guard(w.changes)
		}
		return nil
	}
	for _, c := range w.changes {
		known := func(was Change) bool { return was.Path == c.Path && (was.Risk == c.Risk || c.Risk == Safe) }
		if !slices.ContainsFunc(a.approved, known) {
			return cms.Errorf(cms.CodeConflict, "%s was changed by others.", c.Path)
		}
	}
	return w.checkPermitted(a.allow)
}

// checkPermitted returns why a plan may not be applied with these risks allowed, nil if it may.
func (w *work) checkPermitted(allow []string) error {
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
	var lossy []string
	for _, c := range w.changes {
		if c.Risk == LosesData {
			lossy = append(lossy, c.Path)
		}
	}
	if len(lossy) > 0 && !slices.Contains(allow, string(LosesData)) {
		p.Add("allow", "must include loses_data: %s", shortenList(lossy))
	}
	return p.Err()
}

func shortenList(names []string) string {
	const few = 10
	if len(names) > few {
		names = append(slices.Clone(names[:few]), "…")
	}
	return strings.Join(names, ", ")
}

// recordStopped records the changes of an application that stopped halfway, and adds their number to the
// message of the reason.
func (a *application) recordStopped(ctx context.Context, reason error) error {
	w, err := a.planNow(ctx)
	if err != nil {
		return errors.Join(reason, err)
	}
	made := slices.DeleteFunc(slices.Clone(a.approved), func(c Change) bool {
		return slices.ContainsFunc(w.changes, func(left Change) bool { return left.Path == c.Path })
	})
	tx := a.Store.Begin()
	noteApplied(tx, a.actor, made)
	if err := a.Store.Commit(ctx, tx); err != nil {
		return errors.Join(reason, err)
	}
	told := cms.Error{Code: cms.CodeUnavailable, Message: "The store did not answer."}
	var known *cms.Error
	switch {
	case errors.As(reason, &known):
		told = *known
	case !errors.Is(reason, table.ErrUnavailable):
		return reason
	}
	told.Message = fmt.Sprintf("%d of %d changes were made; make a new plan for the others. %s",
		len(made), len(a.approved), told.Message)
	return errors.Join(&told, reason)
}

// noteApplied records that changes were applied. It raises one event for all models and forms, one for the
// locales and one for the redirects that change. The settings have theirs.
func noteApplied(tx *db.Tx, actor cms.Actor, changes []Change) {
	if len(changes) == 0 {
		return
	}
	lines := slice.Map(changes, func(c Change) string { return c.Op + " " + c.Path })
	tx.Activity(actor, "schema.applied", "schema: "+shortenList(lines))
	changed := map[string][]string{}
	for _, c := range changes {
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
