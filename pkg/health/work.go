package health

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

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
)

// Work is the handler of timers of the kind recheck.Kind; see there for the references.
func (c Checks) Work(ctx context.Context, ref string) (nextRun cms.Time, err error) {
	ctx = cms.WithPermissions(ctx, nil)
	what, rest, _ := strings.Cut(recheck.Named(ref), "/")
	first, id, _ := strings.Cut(rest, "/")
	switch what {
	case "e":
		err = c.Entry(ctx, first, id)
	case "v":
		if err = c.entry(ctx, first, id, true); err == nil {
			err = c.holders(ctx, id, "")
		}
		if err == nil {
			err = c.members(ctx, first, id)
		}
	case "g":
		for _, id := range strings.Split(id, ",") {
			if err := c.Entry(ctx, first, id); err != nil {
				return cms.Time{}, err
			}
			if err := c.members(ctx, first, id); err != nil {
				return cms.Time{}, err
			}
		}
	case "t":
		err = c.targets(ctx, strings.Split(rest, ","))
	case "x":
		err = c.holders(ctx, first, id)
	case "m":
		err = c.Menu(ctx, rest)
	case "w":
		err = c.model(ctx, first, id)
	case "s":
		err = c.site(ctx, rest)
	}
	return cms.Time{}, err
}

// members checks the other members of an entry's group.
func (c Checks) members(ctx context.Context, modelID, id string) error {
	now, err := c.Store.Site(ctx)
	if err != nil {
		return err
	}
	m := now.ModelByID(modelID)
	if m == nil {
		return nil
	}
	g, err := groups.ForChange(ctx, c.Store, m, id)
	if err != nil {
		return err
	}
	var ids [][2]string
	for _, member := range g.Without(id) {
		ids = append(ids, [2]string{modelID, member})
	}
	return c.each(ctx, ids)
}

// targets checks the entries among some ids.
func (c Checks) targets(ctx context.Context, ids []string) error {
	found, err := c.Store.Addresses(ctx, ids)
	if err != nil {
		return err
	}
	var list [][2]string
	for id, a := range found {
		list = append(list, [2]string{a.ModelID, id})
	}
	return c.each(ctx, list)
}

// holders checks the holders of a target, from one on.
func (c Checks) holders(ctx context.Context, target, from string) error {
	rows, err := c.Store.Table.Query(ctx, table.Range{Partition: refPartition(target), From: from, Limit: pageRows})
	if err != nil {
		return err
	}
	var ids [][2]string
	for _, row := range rows {
		if modelID, id := cutHolder(row.Sort); modelID != menusID {
			ids = append(ids, [2]string{modelID, id})
		}
	}
	return c.page(ctx, ids, rows, "x/"+target+"/")
}

// model checks the entries of a model, from one on. It first makes sure that no check by the former
// definition commits any more.
func (c Checks) model(ctx context.Context, modelID, from string) error {
	if from == "" {
		now, err := c.Store.Site(ctx)
		if err != nil {
			return err
		}
		if m := now.ModelByID(modelID); m != nil {
			if err := site.ConfirmFence(ctx, c.Store.DB, now.FenceOf(m)); err != nil {
				return err
			}
		}
	}
	return c.modelPage(ctx, modelID, from)
}

// modelPage checks the entries of a page of a model, then sets the timer of the next page.
func (c Checks) modelPage(ctx context.Context, modelID, from string) error {
	rows, err := c.Store.Table.Query(ctx, table.Range{Partition: statePartition(modelID), From: from, Limit: pageRows})
	if err != nil {
		return err
	}
	ids := make([][2]string, len(rows))
	for i, row := range rows {
		ids[i] = [2]string{modelID, row.Sort}
	}
	return c.page(ctx, ids, rows, "w/"+modelID+"/")
}

// site checks the first page of each model, from a model on. Timers check the other pages, and the
// models behind a group of them. Most sites have few models with entries, so one timer for each
// model would be more work than the checks.
func (c Checks) site(ctx context.Context, from string) error {
	now, err := c.Store.Site(ctx)
	if err != nil {
		return err
	}
	if from == "" {
		if err := site.ConfirmFence(ctx, c.Store.DB, now.FenceOfLocales()); err != nil {
			return err
		}
	}
	var ids []string
	for _, m := range now.Models {
		if m.ID >= from {
			ids = append(ids, m.ID)
		}
	}
	slices.Sort(ids)
	for _, id := range ids[:min(len(ids), siteModels)] {
		if err := c.modelPage(ctx, id, ""); err != nil {
			return err
		}
	}
	if len(ids) <= siteModels {
		return nil
	}
	return c.Store.MoveTimers(ctx, nil, []db.Timer{c.timer("s/" + ids[siteModels])})
}

// page checks the entries of a page of rows, then sets the timer of the next page.
func (c Checks) page(ctx context.Context, ids [][2]string, rows []table.Item, next string) error {
	if err := c.each(ctx, ids); err != nil || len(rows) < pageRows {
		return err
	}
	return c.Store.MoveTimers(ctx, nil, []db.Timer{c.timer(next + rows[len(rows)-1].Sort + "0")})
}

func (c Checks) timer(ref string) db.Timer {
	return db.Timer{At: c.Store.Now(), Kind: recheck.Kind, Ref: recheck.Unique(ref)}
}

// each checks some entries, by the ids of their models and their own.
func (c Checks) each(ctx context.Context, ids [][2]string) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(parallel)
	for _, id := range ids {
		g.Go(func() error {
			return c.Entry(ctx, id[0], id[1])
		})
	}
	return g.Wait()
}
