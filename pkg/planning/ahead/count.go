package ahead

import (
	"cmp"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/planning"
)

// countListed counts the entries of steps that may be shown: all, and by model and locale, which is "" where it is
// not known.
func (l *laying) countListed(maker *cms.Permissions) (n int, by map[string]map[string]int) {
	by, counted := map[string]map[string]int{}, map[string]bool{}
	for model, steps := range l.steps {
		by[model] = map[string]int{}
		for _, step := range steps {
			if l.mayShow(maker, step) && !counted[step.ID] {
				counted[step.ID] = true
				by[model][step.Locale]++
			}
		}
	}
	return len(counted), by
}

// countChanges returns how many entries are changed. Many are not all read: of these it counts those that are
// listed, less those that were listed without being changed when the link was made. It waits for all that was
// started, and reads the changes of models of which too many may be changed.
func (l *laying) countChanges() (n int, err error) {
	listed := 0
	maker, err := l.maker()
	if err == nil {
		var by map[string]map[string]int
		listed, by = l.countListed(maker)
		for model, of := range by {
			for locale, n := range of {
				if locale != "" && n+of[""] > maxOfOne || n > maxOfOne {
					l.loadChanges(model, l.idsOf(model), false)
				}
			}
		}
	}
	for model := range l.steps { // what was started may have failed behind a read that does not say so
		for _, r := range l.startedOf(model) {
			_, failed := r.wait()
			if r.trails != nil {
				_, ofTrails := r.trails.wait()
				failed = cmp.Or(failed, ofTrails)
			}
			err = cmp.Or(err, failed)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil || len(l.loads) < len(l.models):
		return max(0, listed-l.v.Unchanged), err
	case l.planned > maxChanges:
		return l.planned, errTooMany
	}
	return l.planned, nil
}

// mayShow reports whether a step is laid, as far as its locale is known.
func (l *laying) mayShow(maker *cms.Permissions, step planning.Step) bool {
	return maker.May(cms.ActionRead, l.now.ModelByID(step.ModelID).Slug, step.Locale) &&
		(l.v.Locales == nil || step.Locale == "" || slices.Contains(l.v.Locales, step.Locale))
}
