package health

import (
	"context"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/groups"
	"headless/pkg/recheck"
	"headless/pkg/site"
	"headless/pkg/table"
)

const (
	pageRows   = 100 // entries that one timer checks of a model
	siteModels = 50  // models of which one timer checks the first page
	parallel   = 8
	readAtOnce = 25 // entries that are in memory together
)

// target is an entry to be checked, by its ids.
type target struct{ modelID, id string }

// work is what the timers that are handled together ask for.
type work struct {
	Checks
	now *site.Site
	// entries has the entries to be checked. The value is set for one whose holders are among them.
	entries map[target]bool
	next    []db.Timer // set when all are checked
}

// Work is the handler of timers of the kind recheck.Kind; see there for the references. It checks each
// entry once that they name.
func (c Checks) Work(ctx context.Context, refs []string) error {
	ctx = cms.WithPermissions(ctx, nil)
	now, err := c.Store.Site(ctx)
	if err != nil {
		return err
	}
	w := &work{Checks: c, now: now, entries: map[target]bool{}}
	for _, ref := range refs {
		if err := w.addReference(ctx, ref); err != nil {
			return err
		}
	}
	if err := c.checkEntries(ctx, w.entries); err != nil || len(w.next) == 0 {
		return err
	}
	return c.Store.MoveTimers(ctx, nil, w.next)
}

// addReference adds what a reference names.
func (w *work) addReference(ctx context.Context, ref string) error {
	what, rest, _ := strings.Cut(ref, "/")
	first, id, _ := strings.Cut(rest, "/")
	switch what {
	case "e":
		w.addEntry(first, id)
	case "v":
		w.entries[target{first, id}] = true
		if err := w.holders(ctx, id, ""); err != nil {
			return err
		}
		return w.members(ctx, first, id)
	case "g":
		ids := strings.Split(id, ",")
		for _, id := range ids {
			w.addEntry(first, id)
		}
		return w.members(ctx, first, ids...)
	case "t":
		return w.targets(ctx, strings.Split(rest, ","))
	case "x":
		return w.holders(ctx, first, id)
	case "m":
		return w.Menu(ctx, rest)
	case "w":
		return w.addModel(ctx, first, id)
	case "s":
		return w.site(ctx, rest)
	}
	return nil
}

func (w *work) addEntry(modelID, id string) {
	if _, known := w.entries[target{modelID, id}]; !known {
		w.entries[target{modelID, id}] = false
	}
}

// members adds the members of the groups of some entries.
func (w *work) members(ctx context.Context, modelID string, ids ...string) error {
	m := w.now.ModelByID(modelID)
	if m == nil {
		return nil
	}
	for _, id := range ids {
		g, err := groups.ForChange(ctx, w.Store, m, id)
		if err != nil {
			return err
		}
		for _, member := range g.Without(id) {
			w.addEntry(modelID, member)
		}
	}
	return nil
}

// targets adds the entries among some ids.
func (w *work) targets(ctx context.Context, ids []string) error {
	found, err := w.Store.Addresses(ctx, ids)
	for id, a := range found {
		w.addEntry(a.ModelID, id)
	}
	return err
}

// holders adds the holders of a target, from one on.
func (w *work) holders(ctx context.Context, target, from string) error {
	rows, err := w.Store.Table.Query(ctx, table.Range{Partition: refPartition(target), From: from, Limit: pageRows})
	for _, row := range rows {
		if modelID, id := cutHolder(row.Sort); modelID != menusID {
			w.addEntry(modelID, id)
		}
	}
	w.page(rows, "x/"+target+"/")
	return err
}

// addModel adds the entries of a model, from one on. It first makes sure that no check by the former
// definition commits any more.
func (w *work) addModel(ctx context.Context, modelID, from string) error {
	if from == "" {
		if err := w.now.ConfirmFence(ctx); err != nil {
			return err
		}
	}
	return w.modelPage(ctx, modelID, from)
}

// modelPage adds the entries of a page of a model.
func (w *work) modelPage(ctx context.Context, modelID, from string) error {
	rows, err := w.Store.Table.Query(ctx, table.Range{Partition: statePartition(modelID), From: from, Limit: pageRows})
	for _, row := range rows {
		w.addEntry(modelID, row.Sort)
	}
	w.page(rows, "w/"+modelID+"/")
	return err
}

// site adds the first page of each model, from a model on. Timers check the other pages, and the models
// behind a group of them. Most sites have few models with entries, so one timer for each model would be
// more work than the checks.
func (w *work) site(ctx context.Context, from string) error {
	if from == "" {
		if err := w.now.ConfirmFence(ctx); err != nil {
			return err
		}
	}
	var ids []string
	for _, m := range w.now.Models {
		if m.ID >= from {
			ids = append(ids, m.ID)
		}
	}
	slices.Sort(ids)
	for _, id := range ids[:min(len(ids), siteModels)] {
		if err := w.modelPage(ctx, id, ""); err != nil {
			return err
		}
	}
	if len(ids) > siteModels {
		w.next = append(w.next, w.timer("s/"+ids[siteModels]))
	}
	return nil
}

// page sets the timer of the page after some rows, if there may be one.
func (w *work) page(rows []table.Item, next string) {
	if len(rows) == pageRows {
		w.next = append(w.next, w.timer(next+rows[len(rows)-1].Sort+"0"))
	}
}

func (c Checks) timer(ref string) db.Timer {
	return db.Timer{At: c.Store.Now(), Kind: recheck.Kind, Ref: recheck.Unique(ref)}
}
