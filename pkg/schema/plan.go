package schema

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/site"
)

// Risk is the effect of a change on content.
type Risk string

// The risks of a change.
const (
	Safe      Risk = "safe"
	Reindex   Risk = "reindex"    // entries move to a new index in the background
	LosesData Risk = "loses_data" // stored values are lost
)

// Change is one line of a plan.
type Change struct {
	Op      string `json:"op"`   // create, update, delete or rename
	Kind    string `json:"kind"` // model, field, locale, setting, form, folder, webhook, role or redirect
	Path    string `json:"path"` // models.posts.fields.body
	Risk    Risk   `json:"risk"`
	Message string `json:"message"`
}

// Plan lists the changes that applying a schema would make.
type Plan struct {
	ID      string   `json:"plan_id"`
	Changes []Change `json:"changes"`
	Drift   []Drift  `json:"drift"` // changes made in another way since a schema was last applied
}

// work is a plan that is being made, with the functions that carry it out.
type work struct {
	*Schemas
	ctx      context.Context
	actor    cms.Actor // who applies the plan
	st       *state
	in       input
	target   *site.Site // the site after the plan
	problems cms.Problems
	conflict error // why the plan cannot be applied, whatever allow permits
	changes  []Change
	stages   []step
	// creations are apart, since they are dropped again if the plan cannot be carried out.
	creations []creation
	closing   []string // ids of models and codes of locales to be deleted
	// siteChanged means that a commit has changed the site after st was read.
	siteChanged bool
	reindex     bool
	// rewriting means that the conflict ends after entries have been rewritten for an earlier
	// change.
	rewriting bool
}

// Plan compares a schema with the site. VALIDATION_FAILED, with dotted paths in the schema, if it
// could never be applied.
func (s *Schemas) Plan(ctx context.Context, schema map[string]any) (Plan, error) {
	st, err := s.state(ctx)
	if err != nil {
		return Plan{}, err
	}
	w, err := s.plan(ctx, st, schema)
	if err != nil {
		return Plan{}, err
	}
	_, drift, err := s.driftOf(ctx, st.site)
	return Plan{ID: w.planID(schema), Changes: w.changes, Drift: drift}, err
}

func (s *Schemas) plan(ctx context.Context, st *state, schema map[string]any) (*work, error) {
	target := *st.site
	w := &work{Schemas: s, ctx: ctx, st: st, target: &target, problems: cms.Problems{}, changes: []Change{}}
	w.in = decodeInput(schema, w.problems)
	if len(w.problems) > 0 {
		return nil, w.problems.Err()
	}
	for _, step := range []func() error{w.locales, w.models, w.planSettings, w.forms, w.folders,
		w.webhooks, w.roles, w.followers, w.redirects} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	cms.SortBy(w.changes, func(c Change) string { return c.Path })
	return w, w.problems.Err()
}

// planID returns a hash of the configuration, the schema and the changes.
func (w *work) planID(schema map[string]any) string {
	h := sha256.New()
	for _, v := range []any{w.st.document(true), w.st.site.Settings, w.st.site.Forms, schema, w.changes} {
		h.Write(append(mustMarshal(v), '\n'))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func (w *work) addChange(op, kind, path string, risk Risk, message string) {
	w.changes = append(w.changes, Change{Op: op, Kind: kind, Path: path, Risk: risk, Message: message})
}

// listChange adds the line for a part that differs, or is new if was is nil. It reports whether it added one.
func (w *work) listChange(kind, name string, was, now Part, created string) bool {
	if was == nil {
		w.addChange("create", kind, kind+"s."+name, Safe, created)
		return true
	}
	keys := differences(was, now)
	if len(keys) > 0 {
		w.addChange("update", kind, kind+"s."+name, Safe, namedChanges(keys))
	}
	return len(keys) > 0
}

// namedChanges is the message for a part of which some keys change.
func namedChanges(keys []string) string { return "Changes: " + strings.Join(keys, ", ") + "." }

// creation puts a new part. drop removes it again.
type creation struct{ put, drop step }

func (w *work) create(put, drop step) {
	w.creations = append(w.creations, creation{put, drop})
}

func (w *work) stage(do step) { w.stages = append(w.stages, do) }

// addProblems adds the problems of a part, with its path as prefix.
func (w *work) addProblems(at string, p cms.Problems) {
	for path, messages := range p {
		if path != "" {
			path = "." + path
		}
		w.problems[at+path] = append(w.problems[at+path], messages...)
	}
}

// invalid reports the problems of a VALIDATION_FAILED error under a path. It returns other errors.
func (w *work) invalid(at string, err error) error {
	if e, ok := err.(*cms.Error); ok && e.Code == cms.CodeValidationFailed {
		w.addProblems(at, e.Details)
		return nil
	}
	return err
}

// addRefusal records why the plan cannot be applied, and returns the message.
func (w *work) addRefusal(format string, args ...any) string {
	err := cms.Errorf(cms.CodeConflict, format, args...)
	if w.conflict == nil {
		w.conflict = err
	}
	return err.Message
}

// forEachPart calls use for every part of a kind, with its name. It reports names that are used twice.
func (w *work) forEachPart(kind, key string, use func(at, name string, body map[string]any) error) error {
	seen := map[string]bool{}
	for i, body := range w.in.parts[kind] {
		at := kind + "." + strconv.Itoa(i)
		name, ok := body[key].(string)
		switch {
		case !ok || name == "":
			w.problems.Add(at+"."+key, "is required")
			continue
		case seen[name]:
			w.problems.Add(at+"."+key, "is mentioned twice")
			continue
		case slices.Contains(w.in.deletes[kind], name):
			w.problems.Add("deletes."+kind+"."+strconv.Itoa(slices.Index(w.in.deletes[kind], name)),
				"is mentioned in %s too", kind)
		}
		seen[name] = true
		if err := use(at, name, body); err != nil {
			return err
		}
	}
	return nil
}

// partOf returns a stored part, nil if there is none.
func partOf[T any](stored *T) Part {
	if stored == nil {
		return nil
	}
	return part(*stored)
}

// differences lists the keys in which two parts differ, sorted.
func differences(was, now Part, except ...string) []string {
	before, after := objectOf(was), objectOf(now)
	var keys []string
	for key := range after {
		if !slices.Contains(except, key) && !isSame(before[key], after[key]) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

func isSame(a, b any) bool { return bytes.Equal(mustMarshal(a), mustMarshal(b)) }
