package health

import (
	"context"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"headless/pkg/assets"
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

// checkEntries checks some entries by their ids, whether they exist or not. If an entry began or ended to be
// public, a timer checks its holders, unless they are among these: then its value is set.
func (c Checks) checkEntries(ctx context.Context, entries map[target]bool) error {
	for page := range slices.Chunk(slices.Collect(maps.Keys(entries)), readAtOnce) {
		subjects, err := c.readEntries(ctx, page...)
		if err != nil {
			return err
		}
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(parallel)
		for i, at := range page {
			g.Go(func() error { return c.one(ctx, at, subjects[i], entries[at]) })
		}
		if err := g.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// one checks an entry that was read with others. It reads it anew for each further transaction.
func (c Checks) one(ctx context.Context, at target, first *subject, followed bool) error {
	for more := true; more; {
		err := c.Store.Retry(ctx, func() (err error) {
			subjects := []*subject{first}
			if first == nil {
				if subjects, err = c.readEntries(ctx, at); err != nil {
					return err
				}
			}
			first = nil
			subjects[0].followed = followed
			more, err = c.checkOnce(ctx, subjects[0])
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readEntries reads entries with their states and groups. What their links refer to is read for all of them
// when a check first needs it.
func (c Checks) readEntries(ctx context.Context, entries ...target) ([]*subject, error) {
	now, err := c.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	subjects := make([]*subject, len(entries))
	var keys []table.Key // of the state and the group of each entry
	var refs []content.Reference
	for i, at := range entries {
		subjects[i] = &subject{now: now, target: at, m: now.ModelByID(at.modelID), group: &groups.Group{}}
		keys = append(keys, stateKey(at.modelID, at.id), content.MemberKey(at.modelID, at.id))
		if m := subjects[i].m; m != nil {
			refs = append(refs, content.Reference{Model: m, ID: at.id})
		}
	}
	rows, err := c.Store.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	found, err := c.Store.EntriesByID(ctx, refs)
	if err != nil {
		return nil, err
	}
	linked := sync.OnceValues(func() (*linked, error) { return c.readLinked(ctx, subjects) })
	for i, v := range subjects {
		v.linked = linked
		if v.state, err = decodeState(rows[2*i]); err != nil {
			return nil, err
		}
		if v.m == nil {
			continue
		}
		for i := range v.state.Ignored {
			g := &v.state.Ignored[i]
			g.Field, g.Gen = v.fieldNow(g.Field, g.Gen), v.m.Gen
		}
		e := found[0]
		if found = found[1:]; e == nil {
			continue
		}
		if v.exists = true; visible(now, v.m, e.Status, e.Locale) {
			v.e, v.links = e, linksOf(&v.m.Model, e)
		}
		v.hidden = v.e == nil && e.Status == cms.StatusPublished
		if v.group, err = groups.Decode(rows[2*i+1]); err != nil {
			return nil, err
		}
	}
	return subjects, nil
}

// linked is what the links of entries refer to, by id.
type linked struct {
	entries map[string]content.Address
	files   map[string]*assets.Asset
}

func (c Checks) readLinked(ctx context.Context, subjects []*subject) (l *linked, err error) {
	seen := map[string]bool{}
	for _, v := range subjects {
		for _, link := range v.links {
			seen[link.id] = true
		}
	}
	ids := slices.Collect(maps.Keys(seen))
	l = &linked{}
	if l.entries, err = c.Store.Addresses(ctx, ids); err == nil {
		l.files, err = c.Store.Assets.MediaByID(ctx, ids...)
	}
	return l, err
}

// checkOnce makes one transaction of a check; more reports whether others follow.
func (c Checks) checkOnce(ctx context.Context, v *subject) (more bool, err error) {
	tx := c.Store.Begin()
	if more = v.state.moveRows(tx, v.modelID, v.id, v.partitions()); !more {
		if more, err = c.writeFindings(ctx, tx, v); err != nil {
			return false, err
		}
	}
	expires := int64(0)
	if !v.exists { // ignores wait as long as the entry can come back from the trash
		expires = tx.At().AddDate(0, 0, content.TrashDays+1).Unix()
	}
	if !v.state.putIn(tx, stateKey(v.modelID, v.id), expires) && len(tx.Ops) == 0 {
		return false, nil
	}
	if v.m != nil {
		site.RequireFence(tx, v.now)
	}
	return more, c.Store.Commit(ctx, tx)
}

// writeFindings writes the findings of an entry whose other rows are as they should be.
func (c Checks) writeFindings(ctx context.Context, tx *db.Tx, v *subject) (more bool, err error) {
	shared, marked, err := c.shareTexts(ctx, tx, v)
	if err != nil || marked {
		return marked, err
	}
	var now []Found
	if v.e != nil {
		if now, err = c.look(ctx, v, shared); err != nil {
			return false, err
		}
		v.state.Ignored = slices.DeleteFunc(v.state.Ignored,
			func(i ignore) bool { return i.Value != v.valueHash(i.Kind, i.Field) })
	}
	for i := range now {
		v.keepSince(&now[i], tx.At())
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

// keepSince gives a finding the time since which it stands, and who ignores it.
func (v *subject) keepSince(f *Found, now cms.Time) {
	for _, old := range v.state.Found {
		if old.Kind == f.Kind && v.fieldNow(old.Field, old.Gen) == f.Field && old.Detail == f.Detail {
			f.Since = old.Since
		}
	}
	if f.Since.IsZero() {
		f.Since = now
	}
	for _, i := range v.state.Ignored {
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
// check of each entry follow that does not know so, or that is alone now: the version of its row differs
// from how many rows there are.
//
// It reports whether it marks a row of this entry anew. Then the check reads again in another
// transaction: an entry that joined or left since this read saw the former mark, and did not make this
// entry's check follow.
func (c Checks) shareTexts(ctx context.Context, tx *db.Tx, v *subject) (shared map[string]bool, marked bool,
	err error) {
	shared = map[string]bool{}
	own := slices.DeleteFunc(v.partitions(), func(p string) bool { return p[:len(textPrefix)] != textPrefix })
	others := slices.DeleteFunc(v.state.Left, func(p string) bool { return slices.Contains(own, p) })
	for _, p := range append(others, own...) {
		rows, err := c.Store.Table.Query(ctx, table.Range{Partition: p, Limit: textRows})
		if err != nil {
			return nil, false, err
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
				marked = true
			case told < together:
				told++
				recheck.Entry(tx, modelID, id)
			}
		}
	}
	v.state.Left = nil
	return shared, marked, nil
}

// Menu keeps the references of a menu.
func (c Checks) Menu(ctx context.Context, slug string) error {
	for more := true; more; {
		err := c.Store.Retry(ctx, func() error {
			s, err := c.readState(ctx, menusID, slug)
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
			s.putIn(tx, stateKey(menusID, slug), 0)
			return c.Store.Commit(ctx, tx)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
