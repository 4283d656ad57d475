package ahead

import (
	"context"
	"slices"
	"sync"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/links/preview"
	"headless/pkg/planning"
	"headless/pkg/site"
	"headless/pkg/slice"
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

func (l *laying) idsOf(model string) []string {
	return slice.Map(l.steps[model], func(s planning.Step) string { return s.ID })
}
