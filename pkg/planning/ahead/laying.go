package ahead

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/content/tree"
	"headless/pkg/links/preview"
	"headless/pkg/planning"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/over"
)

// fewChanges are all read at once, and counted exactly. Of more, those of a model are read when a read
// touches it. Tests set other values.
var fewChanges = 100

// laying lays the changes of a link over the table when a read first touches them.
type laying struct {
	Previews
	ctx   context.Context
	now   *site.Site
	v     preview.Site
	maker func() (*cms.Permissions, error) // changes are laid of what these permit to read
	table *over.Table

	all    []planning.Step
	steps  map[string][]planning.Step // by the id of the model
	models map[string]string          // ids of models by that of the entry of a step
	below  map[string]bool            // ids of models of which steps change entries below
	atOnce bool                       // all changes are read at the start

	mu      sync.Mutex
	missing map[string]bool     // ids of entries of steps
	started map[string]*reading // by the id of the model; of former slugs with a word behind it
}

// reading is a part of the changes that is being laid over the table.
type reading struct {
	wait   func() (laid, error)
	trails bool // former slugs
	done   bool
}

// laid are the entries that were changed, first those that are planned themselves.
type laid struct {
	changes []*change
	planned int
}

func newLaying(ctx context.Context, p Previews, now *site.Site, v preview.Site, steps []planning.Step) *laying {
	l := &laying{Previews: p, ctx: whole(ctx), now: now, v: v, steps: map[string][]planning.Step{},
		models: map[string]string{}, below: map[string]bool{}, missing: map[string]bool{}, started: map[string]*reading{}}
	l.table = over.New(p.Releases.Store.Table, l.touch)
	for _, step := range steps {
		if now.ModelByID(step.ModelID) == nil {
			continue
		}
		if step.At.IsZero() {
			step.At = v.Made
		}
		l.all = append(l.all, step)
		l.steps[step.ModelID] = append(l.steps[step.ModelID], step)
		l.models[step.ID] = step.ModelID
		l.below[step.ModelID] = l.below[step.ModelID] || step.Children() != ""
	}
	// More than there may be are read to find out whether all are changes.
	l.atOnce = len(l.models) <= fewChanges || len(l.models) > maxChanges
	return l
}

// touch is called before each read of partitions; see over.Load.
func (l *laying) touch(partitions ...string) (wait func() error, most int) {
	var needed []*reading
	for model, steps := range l.steps {
		touched, trails := false, false
		for _, partition := range partitions {
			if l.touches(model, partition) {
				touched, trails = true, trails || content.IsTrail(partition)
			}
		}
		read := l.load
		if trails {
			read = l.trail
		}
		if touched {
			if r := read(model); !l.isLaid(r) {
				needed, most = append(needed, r), most+len(steps)
			}
		}
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

// touches reports whether changes of a model may change rows of a partition.
func (l *laying) touches(model, partition string) bool {
	m := l.now.ModelByID(model)
	if m == nil {
		return false
	}
	entry := entryIn(partition)
	if entry == "" {
		return strings.Contains(partition, model)
	}
	if of, ok := l.models[entry]; ok {
		return of == model
	}
	// Another entry is changed with the one above it, or shares values with one of the same model.
	return l.below[model] || m.SharesFields() && strings.Contains(partition, model)
}

// entryIn returns the id of the entry of which a partition has the rows, or the address; "" for other partitions.
func entryIn(partition string) string {
	for _, key := range []table.Key{content.MemberKey("", ""), tree.Key("")} {
		if strings.HasPrefix(partition, key.Partition[:strings.IndexByte(key.Partition, '#')+1]) {
			return partition[strings.LastIndexByte(partition, '#')+1:]
		}
	}
	return ""
}

// begin starts to lay all changes if they are to be read at once.
func (l *laying) begin() {
	for model := range l.steps {
		if l.atOnce {
			l.load(model)
		}
	}
}

// load starts to lay the changes of a model, unless that was started before.
func (l *laying) load(model string) *reading {
	return l.start(model, false, func() (all laid, err error) {
		if all, err = l.changes(l.steps[model]); err != nil {
			return all, err
		}
		var ops []table.Op
		for _, c := range all.changes {
			tx := l.Releases.Store.Begin()
			content.LayEntry(tx, c.m, &c.was.EntryRecord, c.will)
			ops = append(ops, tx.Written()...)
		}
		l.lay(ops)
		return all, nil
	})
}

// trail is load, with the former slugs.
func (l *laying) trail(model string) *reading {
	changes := l.load(model)
	return l.start(model+" trails", true, func() (laid, error) {
		all, err := changes.wait()
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
		ops, err := l.Releases.Store.LayTrails(l.ctx, moved)
		l.lay(ops)
		return all, err
	})
}

// start starts a reading, unless it was started before.
func (l *laying) start(key string, trails bool, read func() (laid, error)) *reading {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.started[key]
	if r == nil {
		r = &reading{trails: trails}
		r.wait = meanwhile(func() (laid, error) {
			all, err := read()
			l.mu.Lock()
			defer l.mu.Unlock()
			r.done = err == nil
			return all, err
		})
		l.started[key] = r
	}
	return r
}

func (l *laying) isLaid(r *reading) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return r.done
}

// lay lays operations over the table. What one entry leaves, such as its slug, another one may take.
func (l *laying) lay(ops []table.Op) {
	cms.Sort(ops, func(a, b table.Op) int { return rank(a) - rank(b) })
	l.table.Lay(ops)
}

// rank sorts deletions before everything else.
func rank(op table.Op) int {
	if op.Kind == table.Delete {
		return 0
	}
	return 1
}

// listed counts the entries of steps that may be shown: all, and by model and locale, which is "" where it is not known.
func (l *laying) listed(maker *cms.Permissions) (n int, by map[string]map[string]int) {
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

// count returns how many entries are changed. Many are not all read: of these it counts those that are listed, less
// those that were listed without being changed when the link was made. It waits for all that was started, and reads
// the changes of models of which too many may be changed.
func (l *laying) count() (n int, err error) {
	listed := 0
	maker, err := l.maker()
	if err == nil {
		var by map[string]map[string]int
		listed, by = l.listed(maker)
		for model, of := range by {
			for locale, n := range of {
				if locale != "" && n+of[""] > maxOfOne || n > maxOfOne {
					l.load(model)
				}
			}
		}
	}
	for _, r := range l.started { // which may have failed behind a read that does not say so
		all, failed := r.wait()
		if err = cmp.Or(err, failed); !r.trails {
			n += all.planned
		}
	}
	switch {
	case err != nil || !l.atOnce:
		return max(0, listed-l.v.Unchanged), err
	case n > maxChanges:
		return n, errTooMany
	}
	return n, nil
}

// mayShow reports whether a step is laid, as far as its locale is known.
func (l *laying) mayShow(maker *cms.Permissions, step planning.Step) bool {
	return maker.May(cms.ActionRead, l.now.ModelByID(step.ModelID).Slug, step.Locale) &&
		(l.v.Locales == nil || step.Locale == "" || slices.Contains(l.v.Locales, step.Locale))
}
