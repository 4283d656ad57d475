package menus

import (
	"cmp"
	"context"
	"slices"

	"headless/pkg/site"
)

// Page is an entry that gets an item in a menu. Above has the ids of the entries above it, the root first.
type Page struct {
	Model, ID string
	Above     []string
}

// WithPages returns items with one for each page, at the end of those below the item with an id or, without such
// an item, at the end of all. The item of a page stands below that of another page above it, if levels allow it.
// Pages that have an item already get no other one.
func WithPages(items []Item, below string, pages []Page) []Item {
	root := Item{Children: items}
	added := map[string]bool{}
	for _, page := range pages {
		added[page.ID] = true
	}
	for _, page := range pages {
		if item, _ := itemOf(root.Children, 1, page.ID); item != nil {
			continue
		}
		into := &root
		isParent := func(item *Item) bool { return item.ID == below && below != "" }
		if item, _ := findItem(root.Children, 1, isParent); item != nil {
			into = item
		}
		for _, above := range page.Above { // the nearest wins
			if item, level := itemOf(root.Children, 1, above); item != nil && level < MaxLevels && added[above] {
				into = item
			}
		}
		into.Children = append(into.Children, Item{Entry: &Ref{Model: page.Model, ID: page.ID}})
	}
	return root.Children
}

// ItemTo returns the id of the first item that leads to an entry, "" if there is none.
func ItemTo(items []Item, entry string) string {
	if item, _ := itemOf(items, 1, entry); item != nil {
		return item.ID
	}
	return ""
}

// ItemWith returns the item of a menu with an id, nil if there is none.
func ItemWith(m Menu, id string) (found *Item) {
	walk(m, func(_ string, item *Item) {
		if item.ID == id && found == nil {
			found = item
		}
	})
	return found
}

// Added lists the ids of the items that a menu did not have before.
func Added(before, after Menu) (ids []string) {
	walk(after, func(_ string, item *Item) {
		if ItemWith(before, item.ID) == nil {
			ids = append(ids, item.ID)
		}
	})
	return ids
}

// Without returns the items of a menu without those with some ids. One below which others stand stays.
func Without(m Menu, ids []string) map[string][]Item {
	var rest func(items []Item) []Item
	rest = func(items []Item) (kept []Item) {
		for _, item := range items {
			item.Children = rest(item.Children)
			if len(item.Children) > 0 || !slices.Contains(ids, item.ID) {
				kept = append(kept, item)
			}
		}
		return kept
	}
	items := map[string][]Item{}
	for locale, list := range m.Items {
		items[locale] = rest(list)
	}
	return items
}

// Label names an item. Level counts from 1.
type Label struct {
	Item
	Name  string
	Title string // of the entry, "" if the caller may not read it
	Level int
}

// Labels lists items and those below them. Those without a label have the title of their entry, or its id if the
// caller may not read it. now is the site as the caller sees it.
func (s *Menus) Labels(ctx context.Context, now *site.Site, items []Item) (list []Label, err error) {
	var ids []string
	walkItems("", items, func(_ string, item *Item) {
		if item.Entry != nil {
			ids = append(ids, item.Entry.ID)
		}
	})
	found, err := s.Store.Addresses(ctx, ids)
	var add func(items []Item, level int)
	add = func(items []Item, level int) {
		for _, item := range items {
			title, id := "", ""
			if item.Entry != nil {
				id = item.Entry.ID
				a := found[id]
				title = a.TitleIn(ctx, now.ModelByID(a.ModelID))
			}
			list = append(list, Label{item, cmp.Or(item.Label, title, id, item.Href), title, level})
			add(item.Children, level+1)
		}
	}
	add(items, 1)
	return list, err
}

func itemOf(items []Item, level int, entry string) (*Item, int) {
	return findItem(items, level, func(item *Item) bool { return item.Entry != nil && item.Entry.ID == entry })
}

// findItem returns the first item that fits, and its level; level is that of items.
func findItem(items []Item, level int, fits func(*Item) bool) (*Item, int) {
	for i := range items {
		if fits(&items[i]) {
			return &items[i], level
		}
		if item, at := findItem(items[i].Children, level+1, fits); item != nil {
			return item, at
		}
	}
	return nil, 0
}
