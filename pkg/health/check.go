package health

import (
	"context"
	"errors"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/groups"
	"headless/pkg/menus"
	"headless/pkg/recheck"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Checks are the use cases of content health.
type Checks struct{ Store *content.Store }

// Entry checks an entry by its id, whether it exists or not. If it began or ended to be public, a timer
// checks its holders.
func (c Checks) Entry(ctx context.Context, modelID, id string) error {
	return c.entry(ctx, modelID, id, false)
}

// entry is Entry. If follows is set, the caller checks the holders, so there is no timer.
func (c Checks) entry(ctx context.Context, modelID, id string, follows bool) error {
	ctx = cms.WithPermissions(ctx, nil)
	for more := true; more; {
		err := c.Store.Retry(ctx, func() (err error) {
			v, err := c.read(ctx, modelID, id)
			if err != nil {
				return err
			}
			v.followed = follows
			more, err = c.step(ctx, v)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// read reads an entry with its state and group.
func (c Checks) read(ctx context.Context, modelID, id string) (*subject, error) {
	now, err := c.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	v := &subject{now: now, modelID: modelID, id: id, m: now.ModelByID(modelID), group: &groups.Group{}}
	item, err := c.Store.Table.Get(ctx, table.Strong, stateKey(modelID, id))
	if err != nil {
		return nil, err
	}
	if v.state, err = decodeState(item[0]); err != nil || v.m == nil {
		return v, err
	}
	found, err := c.Store.EntryByID(ctx, v.m, id, true)
	if errors.Is(err, db.ErrNotFound) {
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	e, err := found.Decoded()
	if err != nil {
		return nil, err
	}
	if v.exists = true; visible(now, v.m, e.Status, e.Locale) {
		v.e, v.links = e, linksOf(&v.m.Model, e)
	}
	v.hidden = v.e == nil && e.Status == cms.StatusPublished
	v.group, err = groups.Decode(found.Beside)
	return v, err
}

// step makes one transaction of a check; more reports whether others follow.
func (c Checks) step(ctx context.Context, v *subject) (more bool, err error) {
	tx := c.Store.Begin()
	if more = v.state.moveRows(tx, v.modelID, v.id, v.rows()); !more {
		if more, err = c.settle(ctx, tx, v); err != nil {
			return false, err
		}
	}
	expires := int64(0)
	if !v.exists { // ignores wait as long as the entry can come back from the trash
		expires = tx.At().AddDate(0, 0, content.TrashDays+1).Unix()
	}
	if !v.state.put(tx, stateKey(v.modelID, v.id), expires) && len(tx.Ops) == 0 {
		return false, nil
	}
	if v.m != nil {
		site.RequireModel(tx, v.now, v.m)
	}
	return more, c.Store.Commit(ctx, tx)
}

// settle writes the findings of an entry whose other rows are as they should be.
func (c Checks) settle(ctx context.Context, tx *db.Tx, v *subject) (more bool, err error) {
	shared, err := c.shareTexts(ctx, tx, v)
	if err != nil {
		return false, err
	}
	var now []Found
	if v.e != nil {
		if now, err = c.look(ctx, v, shared); err != nil {
			return false, err
		}
		v.state.Ignored = slices.DeleteFunc(v.state.Ignored,
			func(i ignore) bool { return i.Value != v.value(i.Kind, i.Field) })
	}
	for i := range now {
		v.state.keep(&now[i], tx.At())
	}
	if due := v.staleAt(); !due.Equal(v.state.Due.Time) {
		timer := db.Timer{Kind: recheck.Kind, Ref: "e/" + v.modelID + "/" + v.id + "#due"}
		if timer.At = v.state.Due; !timer.At.IsZero() {
			tx.ClearTimer(timer)
		}
		if timer.At = due; due.After(tx.At().Time) {
			tx.SetTimer(timer)
		}
		v.state.Due = due
	}
	if public := v.e != nil; public != v.state.Public {
		if v.state.Public = public; !v.followed {
			recheck.File(tx, v.id)
		}
	}
	v.state.Hidden = v.hidden
	return v.state.moveFindings(tx, v.modelID, v.id, now), nil
}

// keep gives a finding the time since which it stands, and who ignores it.
func (s *state) keep(f *Found, now cms.Time) {
	for _, old := range s.Found {
		if old.Kind == f.Kind && old.Field == f.Field && old.Detail == f.Detail {
			f.Since = old.Since
		}
	}
	if f.Since.IsZero() {
		f.Since = now
	}
	for _, i := range s.Ignored {
		if i.Kind == f.Kind && i.Field == f.Field {
			f.Ignored = &i.By
		}
	}
}

const (
	// textRows is how many entries with the same text are read. Those that are not known to share it are
	// among them: they are new, and are being checked themselves.
	textRows = 200
	alone    = 0 // version of the row of a text that only this entry has
	among    = 1 // of one that others have too
)

// shareTexts returns the partitions of the entry's texts that other entries have too. It makes the
// check of each entry follow that does not know so, or that is alone now.
func (c Checks) shareTexts(ctx context.Context, tx *db.Tx, v *subject) (shared map[string]bool, err error) {
	shared = map[string]bool{}
	own := slices.DeleteFunc(v.rows(), func(p string) bool { return p[:len(textPrefix)] != textPrefix })
	others := slices.DeleteFunc(v.state.Left, func(p string) bool { return slices.Contains(own, p) })
	for _, p := range append(others, own...) {
		rows, err := c.Store.Table.Query(ctx, table.Range{Partition: p, Limit: textRows})
		if err != nil {
			return nil, err
		}
		state := int64(alone)
		if len(rows) > 1 {
			state = among
		}
		shared[p] = state == among
		told := 0
		for _, row := range rows {
			modelID, id := cutHolder(row.Sort)
			switch {
			case row.Version == state:
			case id == v.id:
				tx.Put(table.Item{Key: row.Key, Version: state})
			case told < together:
				told++
				recheck.Entry(tx, modelID, id)
			}
		}
	}
	v.state.Left = nil
	return shared, nil
}

// Menu keeps the references of a menu.
func (c Checks) Menu(ctx context.Context, slug string) error {
	for more := true; more; {
		err := c.Store.Retry(ctx, func() error {
			item, err := c.Store.Table.Get(ctx, table.Strong, stateKey(menusID, slug))
			if err != nil {
				return err
			}
			s, err := decodeState(item[0])
			if err != nil {
				return err
			}
			targets, err := menus.Targets(ctx, c.Store.DB, slug)
			if err != nil {
				return err
			}
			var wanted []string
			for id := range targets {
				wanted = append(wanted, refPartition(id))
			}
			slices.Sort(wanted)
			tx := c.Store.Begin()
			if more = s.moveRows(tx, menusID, slug, wanted); !more {
				return nil
			}
			s.put(tx, stateKey(menusID, slug), 0)
			return c.Store.Commit(ctx, tx)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
