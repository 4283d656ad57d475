package menus

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/input"
	"headless/pkg/site"
)

// MaxLevels is how many levels of items a menu has.
const MaxLevels = 4

// Limits of a menu.
const (
	maxItems  = 500 // of a locale
	maxText   = 255 // characters of a label and of rel
	maxItemID = 100 // characters
	maxHref   = 2000
)

// check collects the problems of a menu.
type check struct {
	ctx context.Context
	s   *content.Store
	p   cms.Problems

	later  bool // the entries may come later
	all    *site.Site
	now    *site.Site      // what the caller may see of it
	stood  map[string]bool // ids of the entries of the stored menu, of which only the model is checked again
	wanted []wantedEntry
	seen   map[string]bool // ids of the items of the locale
	count  int             // of the items of the locale
}

// wantedEntry is an entry that must exist, and the path of the item that leads to it.
type wantedEntry struct {
	path string
	ref  *Ref
}

// menu checks a menu and normalizes it; was is the stored one. Only reading can fail.
func (c *check) menu(m *Menu, was Menu) (err error) {
	if c.all, err = c.s.Site(cms.WithPermissions(c.ctx, nil)); err != nil {
		return err
	}
	c.now = c.all.Visible(cms.PermissionsOf(c.ctx))
	c.stood = targets(was)
	switch {
	case len(c.p["slug"]) > 0:
	case m.Slug == "":
		c.p.Add("slug", "is required")
	case !cms.ValidSlug(m.Slug):
		c.p.Add("slug", "may hold only lower-case letters a-z, digits and single hyphens between them, at most %d characters",
			cms.MaxSlug)
	}
	m.Name = cmp.Or(m.Name, m.Slug)
	c.p.LimitLength("name", m.Name, input.MaxName)
	changed := changedLocales(was, *m) // items of a locale that was deleted may stay as they are
	for code, items := range m.Items {
		path := "items." + code
		if c.now.Locale(code) == nil && (was.Items[code] == nil || slices.Contains(changed, code)) {
			c.p.Add(path, "is not a locale")
			continue
		}
		c.seen, c.count = map[string]bool{}, 0
		m.Items[code] = c.items(path, items, 1)
		if c.count > maxItems {
			c.p.Add(path, "must hold at most %d items, those below others included", maxItems)
		}
	}
	return c.entries()
}

// items checks the items of one level and returns them with ids.
func (c *check) items(path string, items []Item, level int) []Item {
	if level > MaxLevels && len(items) > 0 {
		c.p.Add(path, "must have at most %d levels", MaxLevels)
		return items
	}
	out := slices.Clone(items)
	for i := range out {
		at := path + "." + strconv.Itoa(i)
		c.checkItem(at, &out[i])
		out[i].Children = c.items(at+".children", out[i].Children, level+1)
	}
	if out == nil {
		out = []Item{}
	}
	return out
}

func (c *check) checkItem(path string, item *Item) {
	c.count++
	if item.ID == "" {
		item.ID = uuid.Must(uuid.NewV7()).String()
	}
	switch {
	case utf8.RuneCountInString(item.ID) > maxItemID || !input.IsPlain(item.ID):
		c.p.Add(path+".id", "must have at most %d characters, without spaces", maxItemID)
	case c.seen[item.ID]:
		c.p.Add(path+".id", "is the id of another item")
	}
	c.seen[item.ID] = true
	if item.Entry != nil && *item.Entry == (Ref{}) && len(c.p[path+".entry"]) == 0 {
		item.Entry = nil
	}
	if item.Entry != nil && item.Href != "" {
		c.p.Add(path+".href", "cannot stand beside entry")
	}
	c.p.LimitLength(path+".label", item.Label, maxText)
	c.p.LimitLength(path+".rel", item.Rel, maxText)
	if item.Target != "" && item.Target != "_blank" {
		c.p.Add(path+".target", "must be _blank, or left out")
	}
	if item.Href != "" && !validHref(item.Href) {
		c.p.Add(path+".href", "must be a path that begins with one /, a fragment, or an http, https, mailto or tel address")
	}
	if item.Entry != nil {
		c.wanted = append(c.wanted, wantedEntry{path + ".entry", item.Entry})
	}
}

// validHref reports whether an item can lead to an address.
func validHref(href string) bool {
	u, err := url.Parse(href)
	if err != nil || len(href) > maxHref || !input.IsPlain(href) || strings.Contains(href, "\\") {
		return false
	}
	switch u.Scheme {
	case "":
		return strings.HasPrefix(href, "/") && !strings.HasPrefix(href, "//") || strings.HasPrefix(href, "#")
	case "http", "https":
		return u.Hostname() != ""
	}
	return (u.Scheme == "mailto" || u.Scheme == "tel") && u.Opaque != ""
}

// entries checks that the entries exist and that the caller may read them.
func (c *check) entries() error {
	var ids []string
	for _, w := range c.wanted {
		if id, ok := input.CanonicalID(w.ref.ID); ok {
			w.ref.ID = id
			if c.later {
				c.stood[id] = true
			} else if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	found, err := c.s.Addresses(c.ctx, ids)
	for _, w := range c.wanted {
		m := c.now.Models[w.ref.Model]
		a, ok := found[w.ref.ID]
		switch {
		case c.stood[w.ref.ID]:
			if m := c.all.Models[w.ref.Model]; ok && (m == nil || m.ID != a.ModelID) {
				c.p.Add(w.path+".model", "is not the model of the entry")
			}
		case m == nil:
			c.p.Add(w.path+".model", "there is no such model")
		case !ok || a.ModelID != m.ID || !cms.PermissionsOf(c.ctx).May(cms.ActionRead, m.Slug, a.Locale):
			c.p.Add(w.path+".id", "there is no such entry")
		}
	}
	return err
}
