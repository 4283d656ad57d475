package redirects

import (
	"context"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/table"
)

// maxFormer is how many former slugs an entry has at most.
const maxFormer = 20

// trail holds the former slugs of an entry, and the slug and locale that it has now.
type trail struct {
	ID     string `json:"i"`
	Locale string `json:"l"`
	Slug   string `json:"s"`
	Day    string `json:"d,omitempty"` // see cms.Place
	Public bool   `json:"p"`           // the entry is published, outside the trash
	// The entry was published with its present slug, or below its present parent.
	SlugShown   bool `json:"ss,omitempty"`
	ParentShown bool `json:"ps,omitempty"`

	Former []former `json:"f"`           // the oldest first
	Days   []string `json:"w,omitempty"` // former days, if they are part of URLs; the oldest first
	// Id of the entry above, and those of former ones, the oldest first; "" is the root.
	Parent  string   `json:"a,omitempty"`
	Parents []string `json:"b,omitempty"`

	version int64 // 0 if not stored
}

// former is a former slug. KeyLocale is the key's part for the locale; it depends on whether the
// model was localized at that time.
type former struct {
	KeyLocale string `json:"p"`
	Locale    string `json:"l"`
	Slug      string `json:"s"`
}

// Follow updates the former slugs of an entry in the transaction that changes the entry. was is nil
// for a new or restored entry, now for one that is deleted or moved to the trash. A save that
// changes neither slug, locale nor publication costs nothing.
func Follow(t *db.Tx, m *site.Model, was, now *cms.Entry) {
	c := change{m, was, now}
	if was != nil && now != nil && c.stays() && public(was) == public(now) {
		return
	}
	c.noteMove(t)
	if m.URL != "" && (public(was) || public(now)) {
		t.Touch(cms.TagPaths)
	} else if m.Tree && m.URL != "" && was != nil && now != nil { // its slug stands in URLs of what is below
		t.Touch(cms.TagPaths, cms.TagEntry(now.ID))
	}
	t.Check(func(ctx context.Context) error { return c.stage(ctx, t) })
}

// noteMove sets the timer for the event paths.updated if the address of the entry changes, or those of what may
// stand below it.
func (c change) noteMove(t *db.Tx) {
	if c.m.URL == "" || c.was == nil || c.now == nil || c.stays() {
		return
	}
	if public(c.was) && public(c.now) || c.m.HasPath() {
		t.SetTimer(db.Timer{At: t.At(), Kind: KindMove,
			Ref: c.m.ID + "/" + c.now.ID + "/" + strconv.FormatInt(c.was.Version, 10)})
	}
}

// Laid is a change of an entry that is laid over the stored ones.
type Laid struct {
	Model    *site.Model
	Was, Now *cms.Entry
}

// Lay is Follow for changes that are never committed. It returns what they would write, after one round trip, or
// two where a slug passes from one entry to another. left has the ids of the entries below which an entry stood while
// it was published, and stands no more.
func Lay(ctx context.Context, d *db.DB, laid []Laid, left map[string][]string) ([]table.Op, error) {
	var keys []table.Key
	var changes []change
	at := map[table.Key]int{} // in keys, which may not repeat
	for _, l := range laid {
		c := change{l.Model, l.Was, l.Now}
		if c.stays() && (public(l.Was) == public(l.Now) || l.Was.PublishedAt.IsZero()) {
			continue // it has no trail, or keeps it
		}
		changes = append(changes, c)
		for _, key := range c.keys() {
			if _, ok := at[key]; !ok {
				at[key], keys = len(keys), append(keys, key)
			}
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	rows, err := d.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	made := make([][]table.Op, len(changes))
	g, ctx := errgroup.WithContext(ctx)
	for i, c := range changes {
		g.Go(func() error {
			tx, own := d.Begin(), []*table.Item{}
			for _, key := range c.keys() {
				own = append(own, rows[at[key]])
			}
			err := c.writeTrail(ctx, tx, own, left[c.now.ID])
			made[i] = tx.Written()
			return err
		})
	}
	err = g.Wait()
	return slices.Concat(made...), err
}

func public(e *cms.Entry) bool { return e != nil && e.Status == cms.StatusPublished }

// change is a change of an entry; was and now are as in Follow.
type change struct {
	m        *site.Model
	was, now *cms.Entry
}

// carries reports whether the addresses of what stands below the entry change with it. They have its slug, whether
// it is published or not.
func (c change) carries() bool {
	return c.m.HasPath() && c.was != nil && c.now != nil && !c.stays()
}

// stays reports whether the entry keeps its slug, its locale, its day and the entry above it.
func (c change) stays() bool { return !c.moves() && !c.isRedated() && !c.isReparented() }

// moves reports whether the slug or its locale changes.
func (c change) moves() bool {
	return c.was.Slug != c.now.Slug || c.m.KeyLocale(c.was.Locale) != c.m.KeyLocale(c.now.Locale)
}

// isReparented reports whether the entry moves below another one.
func (c change) isReparented() bool { return c.was.ParentID() != c.now.ParentID() }

// isRedated reports whether the day of publication changes that is part of the URL.
func (c change) isRedated() bool {
	return c.m.URLHasDate() && !c.was.PublishedAt.IsZero() && c.was.PublishedAt.Day() != c.now.PublishedAt.Day()
}

// stage reads the trail and the slugs of the change right before the commit and adds their updates.
// Two changes of one entry never commit concurrently, since both replace the entry's row. The
// version of the trail detects a concurrent change of another entry that takes a slug out of it.
func (c change) stage(ctx context.Context, t *db.Tx) error {
	items, err := t.DB.Table.Get(ctx, table.Strong, c.keys()...)
	if err != nil {
		return err
	}
	return c.writeTrail(ctx, t, items, nil)
}

// entryAfter returns the changed entry, as it is after the change if it is not deleted.
func (c change) entryAfter() *cms.Entry {
	if c.now == nil {
		return c.was
	}
	return c.now
}

// freedSlug returns the slug that the entry gives up, taken the one that it gets; zero if none.
func (c change) freedSlug() (f former) {
	if c.now == nil || c.was != nil && c.moves() {
		f = former{c.m.KeyLocale(c.was.Locale), c.was.Locale, c.was.Slug}
	}
	return f
}

func (c change) takenSlug() (f former) {
	if c.was == nil || c.now != nil && c.moves() {
		f = former{c.m.KeyLocale(c.now.Locale), c.now.Locale, c.now.Slug}
	}
	return f
}

// keys returns the keys of the rows that writeTrail takes: the trail, where the slugs led before, and whether
// anything was put below an entry that carries it.
func (c change) keys() []table.Key {
	keys := []table.Key{trailKey(c.m.ID, c.entryAfter().ID)}
	for _, f := range []former{c.freedSlug(), c.takenSlug()} {
		if f != (former{}) {
			keys = append(keys, formerKey(c.m.ID, f.KeyLocale, f.Slug))
		}
	}
	if c.carries() {
		keys = append(keys, BelowKey(c.now.ID))
	}
	return keys
}

// writeTrail adds the updates of the trail and the slugs. left is as in Lay.
func (c change) writeTrail(ctx context.Context, t *db.Tx, items []*table.Item, left []string) error {
	e, freed, taken := c.entryAfter(), c.freedSlug(), c.takenSlug()
	own, err := decodeTrail(items[0])
	if err != nil {
		return err
	}
	own.ID = e.ID
	if own.version == 0 { // it has moved nowhere since its first publication
		own.SlugShown = c.was != nil && !c.was.PublishedAt.IsZero()
		own.ParentShown = own.SlugShown
	}
	stays, above := c.was == nil || c.now == nil, own.Parent // of an entry that is restored
	moves, reparented := !stays && c.moves(), c.was == nil && own.version > 0 && above != e.ParentID()
	if !stays {
		reparented, above = c.isReparented(), c.was.ParentID()
	}
	shown := public(c.was)
	if last := len(items) - 1; c.carries() {
		shown, items = shown || items[last] != nil, items[:last]
	}
	slugShown, parentShown := own.SlugShown || shown, own.ParentShown || shown
	own.ParentShown = parentShown && !reparented || slices.Contains(own.Parents, e.ParentID())
	led := false // a slug led to an entry before
	for _, item := range items[1:] {
		led = led || item != nil
	}
	// Only the trail knows that an entry was published whose first publication is taken back.
	known := own.version > 0 || led || own.SlugShown && e.PublishedAt.IsZero()
	// The former addresses of entries that were below a deleted one lead through it.
	if moves && slugShown || c.now == nil && c.m.HasPath() && !c.was.PublishedAt.IsZero() {
		known = true
		if err := own.addFormer(ctx, t, c.m, freed, items[1]); err != nil {
			return err
		}
	}
	if !stays && c.isRedated() {
		known = true
		own.Days = remember(own.Days, c.was.PublishedAt.Day(), c.now.PublishedAt.Day())
	}
	if reparented && parentShown {
		left = append([]string{above}, left...)
	}
	for _, parent := range left {
		known = true
		own.Parents = remember(own.Parents, parent, c.now.ParentID())
	}
	if !known {
		return nil
	}
	own.Parent = e.ParentID()
	own.SlugShown = own.drop(t, c.m, taken) || slugShown && !moves
	own.Locale, own.Slug, own.Day, own.Public = e.Locale, e.Slug, e.PublishedAt.Day(), public(c.now)
	own.putIn(t, c.m)
	if public(c.was) || own.Public || c.m.HasPath() || led {
		t.Touch(cms.TagModel(c.m.Slug), cms.TagPaths)
	}
	return nil
}

// place returns the present place of the entry.
func (tr *trail) place() cms.Place {
	return cms.Place{ID: tr.ID, Locale: tr.Locale, Slug: tr.Slug, Day: tr.Day, Parent: tr.Parent}
}

// places returns the present and the former places of the entry.
func (tr *trail) places() (list []cms.Place) {
	slugs := append(slices.Clone(tr.Former), former{Locale: tr.Locale, Slug: tr.Slug})
	for _, day := range append(slices.Clone(tr.Days), tr.Day) {
		for _, f := range slugs {
			for _, parent := range append(slices.Clone(tr.Parents), tr.Parent) {
				list = append(list, cms.Place{ID: tr.ID, Locale: f.Locale, Slug: f.Slug, Day: day, Parent: parent})
			}
		}
	}
	return list
}

// remember appends a value to the former values of an entry, without the present one, and keeps the
// last maxFormer.
func remember(former []string, was, now string) []string {
	former = slices.DeleteFunc(former, func(v string) bool { return v == was || v == now })
	if was != now {
		former = append(former, was)
	}
	return former[max(0, len(former)-maxFormer):]
}

// addFormer makes a former slug lead to the entry. had is the row of the entry that it led to before, nil
// if none.
func (tr *trail) addFormer(ctx context.Context, t *db.Tx, m *site.Model, f former, had *table.Item) error {
	if had != nil && string(had.Body) != tr.ID {
		item, err := t.DB.Table.Get(ctx, table.Strong, trailKey(m.ID, string(had.Body)))
		if err != nil {
			return err
		}
		other, err := decodeTrail(item[0])
		if err != nil {
			return err
		}
		other.removeFormer(f)
		other.putIn(t, m)
	}
	tr.removeFormer(f)
	tr.Former = append(tr.Former, f)
	t.Put(table.Item{Key: formerKey(m.ID, f.KeyLocale, f.Slug), Body: []byte(tr.ID)})
	if len(tr.Former) > maxFormer {
		tr.drop(t, m, tr.Former[0])
	}
	return nil
}

// drop removes a former slug of the entry, and reports whether the entry had it.
func (tr *trail) drop(t *db.Tx, m *site.Model, f former) bool {
	removed := tr.removeFormer(f)
	if removed {
		t.Delete(formerKey(m.ID, f.KeyLocale, f.Slug))
	}
	return removed
}

func (tr *trail) removeFormer(f former) bool {
	n := len(tr.Former)
	tr.Former = slices.DeleteFunc(tr.Former, func(g former) bool {
		return g.KeyLocale == f.KeyLocale && g.Slug == f.Slug
	})
	return len(tr.Former) < n
}

// putIn stores a trail, or deletes it if it has no former URLs and the entry itself tells that it was published.
func (tr *trail) putIn(t *db.Tx, m *site.Model) {
	key := trailKey(m.ID, tr.ID)
	empty := len(tr.Former)+len(tr.Days)+len(tr.Parents) == 0 && (tr.Day != "" || !tr.SlugShown)
	switch {
	case empty && tr.version > 0:
		t.Remove(key, tr.version)
	case !empty:
		t.Save(table.Item{Key: key, Body: db.MustMarshal(tr)}, tr.version)
	}
}

// decodeTrail decodes a trail. A nil item gives an empty trail.
func decodeTrail(item *table.Item) (trail, error) {
	if item == nil {
		return trail{}, nil
	}
	tr := trail{version: item.Version}
	return tr, db.Unmarshal(item.Body, &tr)
}

// Forget removes the trail of an entry that is deleted for good. It purges nothing: the former slugs
// led nowhere while the entry was in the trash.
func Forget(t *db.Tx, modelID, entryID string) {
	t.Check(func(ctx context.Context) error {
		items, err := t.DB.Table.Get(ctx, table.Strong, trailKey(modelID, entryID))
		if err != nil {
			return err
		}
		tr, err := decodeTrail(items[0])
		if err != nil || tr.version == 0 {
			return err
		}
		for _, f := range tr.Former {
			t.Delete(formerKey(modelID, f.KeyLocale, f.Slug))
		}
		t.Remove(trailKey(modelID, entryID), tr.version)
		return nil
	})
}

// Former returns the ids of the entries that last gave up a slug in some locales, in the order of
// locales. It does not check whether another entry has the slug now.
func Former(ctx context.Context, d *db.DB, m *site.Model, slug string, locales ...string) ([]string, error) {
	var keys []table.Key
	for _, l := range locales {
		for _, keyLocale := range []string{l, site.SharedLocale} {
			if key := formerKey(m.ID, keyLocale, slug); !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	items, err := d.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, item := range items {
		if item != nil && !slices.Contains(ids, string(item.Body)) {
			ids = append(ids, string(item.Body))
		}
	}
	return ids, nil
}
