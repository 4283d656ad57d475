package ahead

import (
	"cmp"
	"maps"
	"slices"

	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/planning"
	"headless/pkg/slice"
	"headless/pkg/table"
)

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
	steps := slice.Filter(l.steps[model], func(step planning.Step) bool { return fresh[step.ID] })
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
	left := map[string][]string{}
	for _, c := range all.changes {
		moved = append(moved, content.Laid{Model: c.m, Was: c.was.Entry, Now: c.will})
		left[c.will.ID] = c.left
	}
	ops, err := l.store.LayTrails(l.ctx, moved, left)
	l.table.Lay(ops)
	return all, err
}
