package tree

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/redirects"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Address is what the address of an entry depends on, its title, and who may see it. It is a small row
// with the id alone as its key, since a reference in a text names no model.
type Address struct {
	ModelID string     `json:"m"`
	Locale  string     `json:"l"`
	Status  cms.Status `json:"s"`
	Slug    string     `json:"g"`
	Title   string     `json:"t,omitempty"`
	Day     string     `json:"d,omitempty"` // see cms.Place
	Parent  string     `json:"p,omitempty"` // id of the entry above it

	version int64  // of the row
	above   string // ids of the entries above it, the root first, with a blank after each; see AddressesAbove
	slugs   string // their slugs, with a slash after each
}

// AddressOf returns the address of an entry.
func AddressOf(m *site.Model, e *cms.Entry) Address {
	return Address{ModelID: m.ID, Locale: e.Locale, Status: e.Status, Slug: e.Slug,
		Title: e.Title, Day: e.PublishedAt.Day(), Parent: e.ParentID()}
}

// TitleIn returns the title of the entry, "" unless it is of a model and the caller may read it.
func (a Address) TitleIn(ctx context.Context, m *site.Model) string {
	if m == nil || m.ID != a.ModelID || !cms.PermissionsOf(ctx).May(cms.ActionRead, m.Slug, a.Locale) {
		return ""
	}
	return a.Title
}

// Place returns the place of the entry with this id, with the slugs of the entries above it
// if AddressesAbove read the address.
func (a Address) Place(id string) cms.Place {
	p := cms.Place{ID: id, Locale: a.Locale, Slug: a.Slug, Day: a.Day, Parent: a.Parent}
	if a.slugs != "" {
		p.Above = strings.Split(strings.TrimSuffix(a.slugs, "/"), "/")
	}
	return p
}

// Above returns the ids of the entries above it, the root first, if AddressesAbove read it.
func (a Address) Above() []string { return strings.Fields(a.above) }

// On returns the address of the entry with this id on the site, as links in texts show it; "" if its
// model does not exist or may not be read.
func (a Address) On(now *site.Site, id string) string {
	if m := now.ModelByID(a.ModelID); m != nil {
		return m.LinkTo(a.Place(id))
	}
	return ""
}

// Item returns the row of the address of an entry.
func Item(m *site.Model, e *cms.Entry) table.Item {
	return table.Item{Key: Key(e.ID), Version: e.Version, Body: db.MustMarshal(AddressOf(m, e))}
}

// requireAddress makes the commit fail with ErrOvertaken if an entry does not have this address any more.
func requireAddress(t *db.Tx, id string, a Address) {
	op := table.Op{Kind: table.Check, Item: table.Item{Key: Key(id)}, If: table.VersionIs, Version: a.version}
	if a.ModelID == "" {
		op.If = table.Absent
	}
	t.Do(op, db.ErrOvertaken)
}

// Addresses reads the addresses of entries in one round trip, by id. Those without an entry are
// missing. It does not check permissions.
func (s *Places) Addresses(ctx context.Context, ids []string) (map[string]Address, error) {
	found := map[string]Address{}
	if len(ids) == 0 {
		return found, nil
	}
	items, err := s.Data.Table.Get(ctx, table.Strong, slice.Map(ids, Key)...)
	if err != nil {
		return nil, err
	}
	for i, item := range items {
		if item == nil {
			continue
		}
		var a Address
		if err := db.Unmarshal(item.Body, &a); err != nil {
			return nil, err
		}
		a.version = item.Version
		found[ids[i]] = a
	}
	s.above.putFound(found)
	return found, nil
}

// Places reads the addresses of entries. It is safe for concurrent use.
type Places struct {
	Data  *db.DB
	above aboveCache
}

// aboveCache stores which entry is above another one, so that all entries above are read in one round
// trip. It is only a guess: their own rows decide.
type aboveCache struct {
	mu  sync.RWMutex
	ids map[string]string
}

const maxCachedParents = 50_000

// guess returns the ids of the entries above one, as far as they are known.
func (c *aboveCache) guess(id string) (above []string) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for len(above) < 2*cms.MaxLevels {
		if id = c.ids[id]; id == "" {
			return above
		}
		above = append(above, id)
	}
	return above
}

func (c *aboveCache) putFound(found map[string]Address) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ids == nil || len(c.ids) > maxCachedParents {
		c.ids = map[string]string{}
	}
	for id, a := range found {
		if a.Parent != "" {
			c.ids[id] = a.Parent
		} else {
			delete(c.ids, id)
		}
	}
}

// WithAbove returns some ids and those of the entries above them, as far as this process knows them.
func (s *Places) WithAbove(ids []string) []string {
	all := slices.Clone(ids)
	for _, id := range ids {
		for _, above := range s.above.guess(id) {
			if !slices.Contains(all, above) {
				all = append(all, above)
			}
		}
	}
	return all
}

// Above holds the addresses of entries and of those above them.
type Above map[string]Address

// AddAbove adds to known the addresses of some entries and of all entries above them and above those in
// known. It takes one round trip if this process has read them before, else up to one for each level.
func (s *Places) AddAbove(ctx context.Context, known Above, ids ...string) error {
	for range 2 * cms.MaxLevels {
		var missing []string
		need := func(id string) {
			if _, ok := known[id]; !ok && id != "" && !slices.Contains(missing, id) {
				missing = append(missing, id)
			}
		}
		for _, id := range ids {
			need(id)
		}
		for _, a := range known {
			need(a.Parent)
		}
		if len(missing) == 0 {
			return nil
		}
		for _, id := range slices.Clone(missing) {
			for _, above := range s.above.guess(id) {
				need(above)
			}
		}
		found, err := s.Addresses(ctx, missing)
		if err != nil {
			return err
		}
		for _, id := range missing {
			known[id] = found[id] // an address without a model for an entry that does not exist
		}
	}
	return nil
}

// Chain returns the ids of the entries above one, the root first.
func (k Above) Chain(id string) (ids []string) {
	for at := k[id].Parent; at != "" && len(ids) < 2*cms.MaxLevels && k[at].ModelID != ""; at = k[at].Parent {
		ids = append(ids, at)
	}
	slices.Reverse(ids)
	return ids
}

// Of returns the address of an entry, with what is above it.
func (k Above) Of(id string) Address {
	a := k[id]
	a.above, a.slugs = "", ""
	for _, at := range k.Chain(id) {
		a.above, a.slugs = a.above+at+" ", a.slugs+k[at].Slug+"/"
	}
	return a
}

// AddressesAbove is Addresses, with what is above the entries. It takes one round trip more if entries
// stand below others; see AddAbove.
func (s *Places) AddressesAbove(ctx context.Context, ids []string) (map[string]Address, error) {
	found, err := s.Addresses(ctx, ids)
	if err != nil {
		return nil, err
	}
	known := Above(maps.Clone(found))
	if err := s.AddAbove(ctx, known); err != nil {
		return nil, err
	}
	for id := range found {
		found[id] = known.Of(id)
	}
	return found, nil
}

// SetAbove adds to places the slugs of the entries above, and calls tag, if it is not nil, with the ids of
// these entries. It reads nothing if no place is below an entry; else see AddAbove.
func (s *Places) SetAbove(ctx context.Context, tag func(id string), places ...*cms.Place) error {
	known := Above{}
	var ids []string
	for _, p := range places {
		if p.Parent != "" {
			ids = append(ids, p.Parent)
		}
	}
	if err := s.AddAbove(ctx, known, ids...); err != nil {
		return err
	}
	for _, p := range places {
		if known[p.Parent].ModelID == "" {
			continue
		}
		p.Above = nil
		for _, id := range append(known.Chain(p.Parent), p.Parent) {
			p.Above = append(p.Above, known[id].Slug)
			if tag != nil {
				tag(id)
			}
		}
	}
	return nil
}

// Adopt makes the commit of every deletion of the entry above fail that has not seen the entry below it
// (see Childless).
func Adopt(t *db.Tx, parent string) {
	t.Put(table.Item{Key: redirects.BelowKey(parent), Version: rand.Int64()})
}

// TouchBelow touches the tags of lists if a change of an unpublished entry moves the entries below it: in the order of
// a tree, or out of or into the lists of an ancestor.
func TouchBelow(t *db.Tx, was, now *cms.Entry, tags ...string) {
	if was.StandsAs(now) && was.Title == now.Title {
		return
	}
	t.Check(func(ctx context.Context) error {
		items, err := t.DB.Table.Get(ctx, table.Strong, redirects.BelowKey(now.ID))
		if err == nil && items[0] != nil {
			t.Touch(tags...)
		}
		return err
	})
}

// Fence is the state of the entries below one when it was read.
type Fence struct {
	id   string
	item *table.Item
}

// ReadFence reads which entries were put below one. Read it before the entries below.
func (s *Places) ReadFence(ctx context.Context, id string) (Fence, error) {
	items, err := s.Data.Table.Get(ctx, table.Strong, redirects.BelowKey(id))
	if err != nil {
		return Fence{}, err
	}
	return Fence{id, items[0]}, nil
}

// HadBelow returns those of some entries below which another one was ever put. It takes one round trip.
func (s *Places) HadBelow(ctx context.Context, ids []string) (map[string]bool, error) {
	items, err := s.Data.Table.Get(ctx, table.Strong, slice.Map(ids, redirects.BelowKey)...)
	had := map[string]bool{}
	for i, item := range items {
		had[ids[i]] = item != nil
	}
	return had, err
}

// HadBelow reports whether an entry was ever put below.
func (f Fence) HadBelow() bool { return f.item != nil }

// Require makes the commit fail with ErrOvertaken if another entry was put below since then.
func (f Fence) Require(t *db.Tx) {
	op := table.Op{Kind: table.Check, Item: table.Item{Key: redirects.BelowKey(f.id)}, If: table.Absent}
	if f.item != nil {
		op.If, op.Version = table.VersionIs, f.item.Version
	}
	t.Do(op, db.ErrOvertaken)
}

// RequireAt makes the commit fail with ErrOvertaken if one of some entries was moved, renamed, deleted
// or otherwise changed in its address after these addresses were read.
func (k Above) RequireAt(t *db.Tx, ids ...string) {
	for _, id := range ids {
		requireAddress(t, id, k[id])
	}
}

// Slugs returns the slugs of entries.
func (k Above) Slugs(ids []string) (slugs []string) {
	for _, id := range ids {
		slugs = append(slugs, k[id].Slug)
	}
	return slugs
}

// SetAboveOf sets the slugs above an entry that is read for a change.
func (s *Places) SetAboveOf(ctx context.Context, e *cms.Entry) error {
	if e.ParentID() == "" {
		return nil
	}
	p := e.Place()
	err := s.SetAbove(ctx, nil, &p)
	spot := *e.Spot
	spot.Above, e.Spot = p.Above, &spot
	return err
}
