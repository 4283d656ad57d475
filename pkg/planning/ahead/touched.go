package ahead

import (
	"cmp"
	"slices"

	"headless/pkg/planning"
	"headless/pkg/site"
	"headless/pkg/table"
)

// touched says which changes of a model some rows need.
type touched struct {
	all, trails, moves bool
	locales            map[string]bool // parts of keys
	entries            map[string]bool // ids
}

// touchedBy returns by the id of the model what some rows need.
func (l *laying) touchedBy(keys []table.Key) map[string]*touched {
	found := map[string]*touched{}
	of := func(model string) *touched {
		if found[model] == nil {
			found[model] = &touched{locales: map[string]bool{}, entries: map[string]bool{}}
		}
		return found[model]
	}
	for _, key := range keys {
		spot, ok := spotOf(key)
		spot.model = cmp.Or(spot.model, l.models[spot.entry])
		if ok && spot.model == "" { // the address of an entry that may stand below a changed one
			for model, below := range l.below {
				if below {
					of(model).all = true
				}
			}
		}
		if !ok || l.steps[spot.model] == nil {
			continue
		}
		t := of(spot.model)
		t.trails = t.trails || spot.trail
		switch {
		case spot.moves:
			t.moves = true
		case spot.trail && spot.entry != "": // who takes a slug takes it from former holders, too
			t.trailOf(l.steps[spot.model], spot.entry, l.now.ModelByID(spot.model))
		case spot.entry != "":
			t.entries[spot.entry] = true
		case spot.keyLocale != "":
			t.locales[spot.keyLocale] = true
		default:
			t.all = true
		}
	}
	return found
}

// trailOf needs the changes that may change the former slugs of an entry.
func (t *touched) trailOf(steps []planning.Step, id string, m *site.Model) {
	for _, step := range steps {
		if step.ID == id && step.Locale != "" {
			t.locales[m.KeyLocale(step.Locale)] = true
			return
		}
	}
	t.all = true
}

// inGroups reports whether rows need only the changes of the groups of some entries, and these are fewer than all.
func (l *laying) inGroups(t *touched, model string) bool {
	few := len(t.entries)*len(l.now.Codes()) < len(l.steps[model]) && len(t.locales) == 0 && !t.all && !t.trails
	if !few || !l.together[model] || l.below[model] {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.steps[model], func(step planning.Step) bool { return l.loads[step.ID] == nil })
}

// isNeeded reports whether rows need what a step changes.
func (l *laying) isNeeded(t *touched, step planning.Step) bool {
	m := l.now.ModelByID(step.ModelID)
	return t.all || t.entries[step.ID] || len(t.locales) > 0 &&
		(step.Locale == "" || m.Building() || t.locales[m.KeyLocale(step.Locale)]) ||
		l.together[step.ModelID] && len(t.locales)+len(t.entries) > 0
}
