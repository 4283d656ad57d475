package menus

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/recheck"
	"headless/pkg/slice"
)

// Menus are the use cases of menus.
type Menus struct{ Store *content.Store }

// Menu is a menu of the site.
type Menu struct {
	Slug      string            `json:"slug"`
	Name      string            `json:"name"`
	Items     map[string][]Item `json:"items"` // by locale
	CreatedAt cms.Time          `json:"created_at"`
	UpdatedAt cms.Time          `json:"updated_at"`
}

// Item is an item of a menu. It has an entry or an href or, as a heading, neither.
type Item struct {
	ID       string `json:"id"`
	Label    string `json:"label,omitempty"` // "": the title of the entry
	Entry    *Ref   `json:"entry,omitempty"`
	Href     string `json:"href,omitempty"`
	Children []Item `json:"children,omitempty"`
	Target   string `json:"target,omitempty"` // "" or _blank
	Rel      string `json:"rel,omitempty"`
}

// Ref names an entry.
type Ref struct {
	Model string `json:"model"`
	ID    string `json:"id"`
}

type doc = db.Doc[Menu]

func docs(d *db.DB) db.Docs[Menu] { return db.Docs[Menu]{DB: d, Kind: "menu"} }

// All lists all menus by slug.
func All(ctx context.Context, d *db.DB) ([]Menu, error) {
	found, err := docs(d).All(ctx)
	list := slice.Map(found, func(f db.Doc[Menu]) Menu { return f.Value })
	cms.Sort(list, func(a, b Menu) int { return strings.Compare(a.Slug, b.Slug) })
	return list, err
}

// List lists all menus by slug.
func (s *Menus) List(ctx context.Context, p db.Paging) (db.Page[Menu], error) {
	if err := input.Permit(ctx, cms.ActionRead, cms.AreaMenus, "menu"); err != nil {
		return db.Page[Menu]{}, err
	}
	all, err := All(ctx, s.Store.DB)
	if err != nil {
		return db.Page[Menu]{}, err
	}
	page := db.PageOf(all, p)
	return page, s.nameModels(ctx, page.Items...)
}

// Get reads a menu; NOT_FOUND if there is none.
func (s *Menus) Get(ctx context.Context, slug string) (Menu, error) {
	if err := input.Permit(ctx, cms.ActionRead, cms.AreaMenus, "menu"); err != nil {
		return Menu{}, err
	}
	d, err := docs(s.Store.DB).Get(ctx, slug)
	if err != nil {
		return Menu{}, input.NotFound(err, "menu")
	}
	return d.Value, s.nameModels(ctx, d.Value)
}

// nameModels replaces slugs that models do not have any more by those that they have.
func (s *Menus) nameModels(ctx context.Context, list ...Menu) error {
	now, err := s.Store.Site(ctx)
	if err != nil {
		return err
	}
	var former []*Ref
	for _, m := range list {
		walk(m, func(_ string, item *Item) {
			if item.Entry != nil && now.Models[item.Entry.Model] == nil {
				former = append(former, item.Entry)
			}
		})
	}
	found, err := s.Store.Addresses(ctx, slice.Distinct(slice.Map(former, func(r *Ref) string { return r.ID })))
	for _, r := range former {
		if m := now.ModelByID(found[r.ID].ModelID); m != nil {
			r.Model = m.Slug
		}
	}
	return err
}

// Create adds a menu. Errors: VALIDATION_FAILED; CONFLICT if another menu has the slug.
func (s *Menus) Create(ctx context.Context, actor cms.Actor, body map[string]any) (Menu, error) {
	return s.saveMenu(ctx, actor, "", body, nil)
}

// Update changes a menu. Errors: those of Create, NOT_FOUND, and the error of the precondition.
func (s *Menus) Update(ctx context.Context, actor cms.Actor, slug string, body map[string]any,
	ok input.Precondition[Menu]) (Menu, error) {
	return s.saveMenu(ctx, actor, slug, body, ok)
}

// saveMenu applies a body to the menu with a slug, or to a new one if slug is "".
func (s *Menus) saveMenu(ctx context.Context, actor cms.Actor, slug string, body map[string]any,
	ok input.Precondition[Menu]) (Menu, error) {
	if err := input.PermitPublic(ctx, cms.ActionWrite, cms.AreaMenus, "menu"); err != nil {
		return Menu{}, err
	}
	var saved Menu
	err := s.Store.Retry(ctx, func() error {
		was := doc{}
		if slug != "" {
			var err error
			if was, err = docs(s.Store.DB).Get(ctx, slug); err != nil {
				return input.NotFound(err, "menu")
			}
			if err := s.nameModels(ctx, was.Value); err != nil {
				return err
			}
			if err := ok.Check(was.Value); err != nil {
				return err
			}
		}
		var err error
		if saved, err = s.checkMenu(ctx, body, was, false); err != nil {
			return err
		}
		before := was.Value
		if saved.Slug != slug {
			before = Menu{} // readers of each locale lose the former address
		}
		if err := input.PermitLocales(ctx, cms.AreaMenus, "menu", changedLocales(before, saved), cms.ActionWrite,
			cms.ActionPublish); err != nil {
			return err
		}
		saved.UpdatedAt = cms.Time{}
		return s.putMenu(ctx, actor, was, &saved)
	})
	return saved, err
}

// checkMenu returns the stored menu with a body applied. With later, its entries may come later. Error:
// VALIDATION_FAILED.
func (s *Menus) checkMenu(ctx context.Context, body map[string]any, was doc, later bool) (Menu, error) {
	m := was.Value
	p := input.Apply(body, &m)
	if m.Items = maps.Clone(m.Items); m.Items == nil {
		m.Items = map[string][]Item{}
	}
	c := check{ctx: ctx, s: s.Store, p: p, later: later}
	if err := c.menu(&m, was.Value); err != nil {
		return Menu{}, err
	}
	return m, p.Err()
}

var errTaken = cms.Errorf(cms.CodeConflict, "There is already a menu with this slug.")

// putMenu commits a menu, which keeps the times that it has; was has no id if the menu is new.
func (s *Menus) putMenu(ctx context.Context, actor cms.Actor, was doc, now *Menu) error {
	if was.ID != "" && was.ID == now.Slug && now.Name == was.Value.Name && len(changedLocales(was.Value, *now)) == 0 {
		*now = was.Value
		return nil
	}
	tx := s.Store.Begin()
	for _, at := range []*cms.Time{&now.CreatedAt, &now.UpdatedAt} {
		if at.IsZero() {
			*at = tx.At()
		}
	}
	event := "menu.updated"
	switch {
	case was.ID == "":
		event = "menu.created"
		docs(tx.DB).Create(tx, now.Slug, *now, errTaken)
	case was.ID == now.Slug:
		docs(tx.DB).Update(tx, doc{ID: was.ID, Version: was.Version, Value: *now})
	default:
		docs(tx.DB).Delete(tx, was)
		docs(tx.DB).Create(tx, now.Slug, *now, errTaken)
		tx.Touch(cms.TagMenu(was.ID))
		recheck.Menu(tx, was.ID)
	}
	before := targets(was.Value)
	if was.ID != now.Slug {
		before = nil // other rows name the menu by its slug
	}
	tx.Refer(db.Holder{Kind: db.HolderMenu, ID: now.Slug}, before, targets(*now),
		func(target string) []string { return PathsTo(*now, target) })
	noteChange(tx, actor, event, now.Slug, changedLocales(was.Value, *now))
	return s.Store.Commit(ctx, tx)
}

// noteChange adds the event and the activity record of a change of a menu, and touches its tag if answers may differ.
func noteChange(tx *db.Tx, actor cms.Actor, event, slug string, locales []string) {
	if event == "menu.deleted" || event == "menu.updated" && len(locales) > 0 {
		tx.Touch(cms.TagMenu(slug))
	}
	recheck.Menu(tx, slug)
	tx.Event(actor, cms.EventMenuUpdated, "", struct {
		Slug    string   `json:"slug"`
		Locales []string `json:"locales"`
	}{slug, locales})
	tx.Activity(actor, event, "menu "+slug, slug)
}

// changedLocales returns the locales whose items differ in two versions of a menu.
func changedLocales(a, b Menu) []string {
	codes := map[string]bool{}
	for code := range a.Items {
		codes[code] = true
	}
	for code := range b.Items {
		codes[code] = true
	}
	maps.DeleteFunc(codes, func(code string, _ bool) bool {
		return len(a.Items[code]) == len(b.Items[code]) &&
			bytes.Equal(db.MustMarshal(a.Items[code]), db.MustMarshal(b.Items[code]))
	})
	return append([]string{}, slices.Sorted(maps.Keys(codes))...)
}

// Delete deletes a menu; NOT_FOUND if there is none.
func (s *Menus) Delete(ctx context.Context, actor cms.Actor, slug string) error {
	if err := input.PermitPublic(ctx, cms.ActionDelete, cms.AreaMenus, "menu"); err != nil {
		return err
	}
	return s.Store.Retry(ctx, func() error {
		d, err := docs(s.Store.DB).Get(ctx, slug)
		if err != nil {
			return input.NotFound(err, "menu")
		}
		locales := changedLocales(d.Value, Menu{})
		if err := input.PermitLocales(ctx, cms.AreaMenus, "menu", locales, cms.ActionDelete,
			cms.ActionPublish); err != nil {
			return err
		}
		tx := s.Store.Begin()
		docs(tx.DB).Delete(tx, d)
		noteChange(tx, actor, "menu.deleted", slug, locales)
		return s.Store.Commit(ctx, tx)
	})
}

// targets returns the ids of the entries to which a menu leads.
func targets(m Menu) map[string]bool {
	ids := map[string]bool{}
	walk(m, func(_ string, item *Item) {
		if item.Entry != nil {
			ids[item.Entry.ID] = true
		}
	})
	return ids
}

// Targets returns the ids of the entries to which the menu with a slug leads; none if there is no menu.
func Targets(ctx context.Context, d *db.DB, slug string) (map[string]bool, error) {
	found, err := docs(d).Get(ctx, slug)
	if errors.Is(err, db.ErrNotFound) {
		return nil, nil
	}
	return targets(found.Value), err
}

// PathsTo returns the paths of the items of a menu that lead to an entry.
func PathsTo(m Menu, target string) (paths []string) {
	walk(m, func(path string, item *Item) {
		if item.Entry != nil && item.Entry.ID == target {
			paths = append(paths, path)
		}
	})
	return paths
}

// walk calls visit for every item with its path, such as items.de.0.children.1.
func walk(m Menu, visit func(path string, item *Item)) {
	for _, code := range slices.Sorted(maps.Keys(m.Items)) {
		walkItems("items."+code, m.Items[code], visit)
	}
}

func walkItems(path string, items []Item, visit func(path string, item *Item)) {
	for i := range items {
		at := path + "." + strconv.Itoa(i)
		visit(at, &items[i])
		walkItems(at+".children", items[i].Children, visit)
	}
}

// HeldBy returns the menu with a slug if it leads to a target, with the paths of the items.
func HeldBy(ctx context.Context, d *db.DB, slug, target string) (Menu, []string, error) {
	found, err := docs(d).Get(ctx, slug)
	if errors.Is(err, db.ErrNotFound) {
		return Menu{}, nil, nil
	}
	return found.Value, PathsTo(found.Value, target), err
}
