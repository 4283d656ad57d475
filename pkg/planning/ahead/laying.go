package ahead

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/links/preview"
	"headless/pkg/planning"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/over"
)

// fewChanges are all read at once, from what was written last, and counted exactly. Of more, those are read that a read
// needs. These and all other rows of single entries may lack what was written in the last moment, for half the cost.
// Tests set other values.
var fewChanges = 100

// laying lays the changes of a link over the table when a read first touches them.
type laying struct {
	Previews
	ctx   context.Context
	now   *site.Site
	v     preview.Site
	maker func() (*cms.Permissions, error) // changes are laid of what these permit to read
	store *content.Store                   // from which changes are read
	table *over.Table

	all       []planning.Step
	steps     map[string][]planning.Step // by the id of the model
	models    map[string]string          // ids of models by that of the entry of a step
	undrafted map[string]bool            // ids of entries that are known to have no draft
	below     map[string]bool            // ids of models of which steps change entries below
	together  map[string]bool            // ids of models of which one change may change other entries, also those below
	atOnce    bool                       // all changes are read at the start

	mu      sync.Mutex
	missing map[string]bool                // ids of entries of steps
	loads   map[string]*reading            // by the id of an entry of a step
	grouped map[string]map[string]*reading // of the groups of entries, by the ids of the model and of an entry
	of      map[[2]string]int              // how many planned changes were laid, by model and locale
	planned int                            // all of them
}

// reading is a part of the changes that is being laid over the table.
type reading struct {
	wait   func() (laid, error)
	done   bool
	trails *reading // of the former slugs, nil if it was not started
}

// laid are the entries that were changed, first those that are planned themselves.
type laid struct {
	changes []*change
	planned int
}

func newLaying(ctx context.Context, p Previews, now *site.Site, v preview.Site, found listed) *laying {
	l := &laying{Previews: p, ctx: whole(ctx), now: now, v: v, steps: map[string][]planning.Step{},
		models: map[string]string{}, undrafted: found.undrafted, below: map[string]bool{}, together: map[string]bool{},
		missing: map[string]bool{},
		loads:   map[string]*reading{}, grouped: map[string]map[string]*reading{}, of: map[[2]string]int{}}
	stored := p.Releases.Store.Table
	l.store = p.Releases.Store
	for _, step := range found.steps {
		m := now.ModelByID(step.ModelID)
		if m == nil {
			continue
		}
		if step.At.IsZero() {
			step.At = v.Made
		}
		step.At = cms.At(step.At.Add(step.After))
		l.all = append(l.all, step)
		l.steps[m.ID] = append(l.steps[m.ID], step)
		l.models[step.ID] = m.ID
		l.below[m.ID] = l.below[m.ID] || step.Children() != ""
		l.together[m.ID] = l.below[m.ID] || m.SharesFields()
	}
	// More than there may be are read to find out whether all are changes.
	l.atOnce = len(l.models) <= fewChanges || len(l.models) > maxChanges
	if len(l.models) > fewChanges {
		l.store = l.store.Over(table.Eventually(stored), nil)
		stored = lagging{stored}
	}
	l.table = over.New(stored, l.touch)
	return l
}

// expect starts to lay what changes counters of some spaces.
func (l *laying) expect(spaces ...string) {
	keys := make([]table.Key, len(spaces))
	for i, space := range spaces {
		keys[i].Partition = spacePrefix + space
	}
	l.touch(keys...)
}

// touched says which changes of a model some rows need.
type touched struct {
	all, trails, moves bool
	locales            map[string]bool // parts of keys
	entries            map[string]bool // ids
}

// touch is called before each read of rows; see over.Load.
func (l *laying) touch(keys ...table.Key) (wait func() error, most int) {
	var needed []*reading
	need := func(r *reading) {
		if !l.isLaid(r) && !slices.Contains(needed, r) {
			needed = append(needed, r)
		}
	}
	for model, t := range l.touchedBy(keys) {
		if l.inGroups(t, model) {
			for _, r := range l.loadGroups(model, t.entries) {
				need(r)
			}
		} else {
			var ids []string
			for _, step := range l.steps[model] {
				if l.isNeeded(t, step) {
					ids = append(ids, step.ID)
				}
			}
			for _, r := range l.loadChanges(model, ids, t.trails) {
				need(r)
			}
			most += len(ids)
		}
		if t.moves { // others have been expected
			for _, r := range l.startedOf(model) {
				need(r)
			}
		}
	}
	if len(needed) == 0 {
		most = 0
	}
	return func() error {
		for _, r := range needed {
			if _, err := r.wait(); err != nil {
				return err
			}
		}
		return nil
	}, most
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
		if spot.model == "" {
			spot.model = l.models[spot.entry]
		}
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
	return t.all || t.entries[step.ID] || len(t.locales) > 0 && (step.Locale == "" || m.Building() || t.locales[m.KeyLocale(step.Locale)]) ||
		l.together[step.ModelID] && len(t.locales)+len(t.entries) > 0
}

// beginAll starts to lay all changes if they are to be read at once.
func (l *laying) beginAll() {
	for model := range l.steps {
		if l.atOnce {
			l.loadChanges(model, l.idsOf(model), false)
		}
	}
}

func (l *laying) idsOf(model string) (ids []string) {
	for _, step := range l.steps[model] {
		ids = append(ids, step.ID)
	}
	return ids
}

// startedOf returns what was started of a model.
func (l *laying) startedOf(model string) (list []*reading) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, r := range l.loads {
		if l.models[id] == model && !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	for _, r := range l.grouped[model] {
		if !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	return list
}

// loadChanges starts to lay the changes of some entries of a model, and their former slugs if trails is set, unless
// that was started before.
func (l *laying) loadChanges(model string, ids []string, trails bool) (list []*reading) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fresh := map[string]bool{}
	for _, id := range ids {
		fresh[id] = l.loads[id] == nil
	}
	var steps []planning.Step
	for _, step := range l.steps[model] {
		if fresh[step.ID] {
			steps = append(steps, step)
		}
	}
	if len(steps) > 0 {
		r := l.startReading(func() (laid, error) { return l.layChanges(steps) })
		for _, step := range steps {
			l.loads[step.ID] = r
		}
	}
	for _, id := range ids {
		r := l.loads[id]
		if trails && r.trails == nil {
			r.trails = l.startReading(func() (laid, error) { return l.layTrails(r) })
		}
		needed := r
		if trails {
			needed = r.trails
		}
		if !slices.Contains(list, needed) {
			list = append(list, needed)
		}
	}
	return list
}

// loadGroups starts to lay the changes of the groups of some entries, unless that was started before. All changes of a
// group are laid together, since they may change values that its members share.
func (l *laying) loadGroups(model string, ids map[string]bool) (list []*reading) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.grouped[model] == nil {
		l.grouped[model] = map[string]*reading{}
	}
	of, fresh := l.grouped[model], []content.Reference{}
	for id := range ids {
		if of[id] == nil {
			fresh = append(fresh, content.Reference{Model: l.now.ModelByID(model), ID: id})
		}
	}
	if len(fresh) > 0 {
		r := l.startReading(func() (laid, error) { return laid{}, l.layGroups(model, fresh) })
		for _, ref := range fresh {
			of[ref.ID] = r
		}
	}
	for id := range ids {
		if r := of[id]; !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	return list
}

// layGroups lays the changes of the groups of some entries of a model. It reads the groups as written last: changes of
// one group that were read apart would hide each other.
func (l *laying) layGroups(model string, refs []content.Reference) error {
	found, err := groups.OfEach(l.ctx, l.Releases.Store, refs)
	if err != nil {
		return err
	}
	var ids []string
	for i, g := range found {
		for _, id := range append(slices.Collect(maps.Values(g.Members)), refs[i].ID) {
			if l.models[id] == model {
				ids = append(ids, id)
			}
		}
	}
	for _, r := range l.loadChanges(model, ids, false) {
		_, failed := r.wait()
		err = cmp.Or(err, failed)
	}
	return err
}

// startReading starts a reading. It is called with l.mu held.
func (l *laying) startReading(read func() (laid, error)) *reading {
	r := &reading{}
	r.wait = meanwhile(func() (laid, error) {
		all, err := read()
		l.mu.Lock()
		defer l.mu.Unlock()
		r.done = err == nil
		return all, err
	})
	return r
}

func (l *laying) isLaid(r *reading) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return r.done
}

// layChanges lays what some steps change.
func (l *laying) layChanges(steps []planning.Step) (all laid, err error) {
	if all, err = l.changes(steps); err != nil {
		return all, err
	}
	var ops []table.Op
	for _, c := range all.changes {
		tx := l.Releases.Store.Begin()
		content.LayEntry(tx, c.m, &c.was.EntryRecord, c.will)
		ops = append(ops, tx.Written()...)
	}
	l.table.Lay(ops)
	return all, nil
}

// layTrails lays the former slugs of a reading.
func (l *laying) layTrails(r *reading) (laid, error) {
	all, err := r.wait()
	if err != nil {
		return all, err
	}
	var moved []content.Laid
	for _, c := range all.changes {
		was := *c.was.Entry
		if c.moved != "" { // only a published entry leaves a former slug
			was.Status = c.moved
		}
		moved = append(moved, content.Laid{Model: c.m, Was: &was, Now: c.will})
	}
	ops, err := l.store.LayTrails(l.ctx, moved)
	l.table.Lay(ops)
	return all, err
}

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
