package frame

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// menu lists the pages of the menu, each with the lowest role whose menu shows it. Some pages can
// be opened by lower roles too.
var menu = []struct {
	title say.Text
	items []menuLine
}{
	{"", []menuLine{{"Home", "/{$}", cms.RoleViewer}, {"Tasks", "/tasks", cms.RoleViewer}}},
	{"Content", []menuLine{
		{"Media", "/media", cms.RoleViewer}, {"Forms", "/forms", cms.RoleViewer},
		{"Planned", "/planned", cms.RoleViewer}, {"Health", "/health", cms.RoleViewer},
		{"Menus", "/menus", cms.RoleEditor}, {"Redirects", "/redirects", cms.RoleEditor}, {"Trash", "/trash", cms.RoleViewer},
	}},
	{"Set-up", []menuLine{{"Models", "/models", cms.RoleUserAdmin},
		{"Languages", "/locales", cms.RoleUserAdmin}, {"Settings", "/settings", cms.RoleEditor}}},
	{"Connect", []menuLine{{"API keys", "/keys", cms.RoleUserAdmin},
		{"Webhooks", "/webhooks", cms.RoleUserAdmin}, {"Targets", "/targets", cms.RoleUserAdmin}}},
	{"Manage", []menuLine{
		{"Users", "/users", cms.RoleUserAdmin}, {"Invitations", "/invitations", cms.RoleUserAdmin},
		{"People", "/people", cms.RoleUserAdmin},
		{"Roles", "/roles", cms.RoleUserAdmin},
		{"Activity", "/activity", cms.RoleViewer}, {"Requests", "/requests", cms.RoleUserAdmin},
		{"Your profile", "/profile", cms.RoleViewer},
	}},
}

// menuLine is a page of the menu. pattern is the pattern of its route.
type menuLine struct {
	text    say.Text
	pattern string
	least   cms.UserRole
}

// guides are the guides to pages, by the first part of their path, as paths below /docs.
var guides = map[string]string{
	"tasks": "review#tasks", "media": "images", "forms": "api#forms", "planned": "planning", "health": "health",
	"menus": "map#menus", "redirects": "redirects", "models": "schema", "schema": "schema", "locales": "translations",
	"settings": "api#settings-and-locales", "keys": "access#roles-and-keys", "webhooks": "webhooks",
	"targets": "targets", "users": "access", "invitations": "access", "roles": "access#roles-and-keys",
	"people": "access#people", "activity": "access#the-record", "jobs": "jobs",
}

// guideTo returns the path below /docs of the guide to a page, "" if there is none.
func guideTo(page string) string {
	if inEntries(page) {
		return "editors#write-and-publish"
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(page, ui.Base+"/"), "/")
	return guides[name]
}

// contentGroup is the title of the group for models that name no other group.
const contentGroup say.Text = "Content"

// menu returns the menu of the user: the pages of the area and, after Content, the groups that
// models name.
func (c *Call) menu() []ui.MenuGroup {
	models := c.modelMenu()
	var groups []ui.MenuGroup
	for _, g := range menu {
		group := ui.MenuGroup{Title: g.title}
		if g.title == contentGroup && len(models) > 0 && models[0].Title == contentGroup {
			group.Items, models = models[0].Items, models[1:]
		}
		for _, item := range g.items {
			if c.User != nil &&
				(c.mayUse(http.MethodGet,
					Route{Pattern: item.pattern, Role: cms.RoleViewer}) != nil || !c.May(item.least)) {
				continue
			}
			href := ui.Base + strings.TrimSuffix(item.pattern, "{$}")
			here := c.R.URL.Path == href || item.pattern != "/{$}" &&
				strings.HasPrefix(c.R.URL.Path, href+"/") && !inEntries(c.R.URL.Path)
			line := ui.MenuItem{Link: ui.Link{Text: item.text, Href: href}, Icon: string(item.text), Here: here}
			switch item.pattern {
			case "/forms":
				line.Count, line.Counts = c.unread(), "unread"
			case "/tasks":
				line.Count, line.Counts = c.openTasks(), "open"
			}
			group.Items = append(group.Items, line)
		}
		if len(group.Items) > 0 {
			groups = append(groups, group)
		}
		if g.title == contentGroup {
			groups = append(groups, models...)
		}
	}
	return groups
}

// modelMenu returns the links to the entries of each model, in the groups that the models name. The
// Content group is the first.
func (c *Call) modelMenu() []ui.MenuGroup {
	models := SortedModels(c.A.cachedSite().Visible(cms.PermissionsOf(c.R.Context()))) // also on the pages of errors
	cms.Sort(models, func(a, b cms.Model) int { return cmp.Compare(a.Menu.Order, b.Menu.Order) })
	slug, area := modelArea(c.R.URL.Path)
	var groups []ui.MenuGroup
	for _, m := range models {
		href := ui.Base + ui.EntriesPath(m.Slug)
		item := ui.MenuItem{Link: ui.Link{Text: say.Data(m.Name), Href: href}, Icon: ui.ModelIcon(&m),
			Here: slug == m.Slug && area == "entries"}
		if c.MayMake(m) {
			item.New = href + "/create"
		}
		title := cmp.Or(menuGroup(m.Menu.Group), contentGroup)
		at := slices.IndexFunc(groups, func(g ui.MenuGroup) bool { return g.Title == title })
		if at < 0 {
			at = len(groups)
			groups = append(groups, ui.MenuGroup{Title: title})
		}
		groups[at].Items = append(groups[at].Items, item)
		if m.Tree {
			tree := ui.Base + ui.ModelPath(m.Slug) + "/tree"
			groups[at].Items = append(groups[at].Items, ui.MenuItem{Link: ui.Link{Text: say.F("Site: {1}", m.Name),
				Href: tree},
				Icon: "Models", Here: strings.HasPrefix(c.R.URL.Path+"/", tree+"/")})
		}
	}
	cms.Sort(groups, func(a, b ui.MenuGroup) int { return cmp.Compare(first(a), first(b)) })
	return groups
}

// siteName returns the name of the site, or that of the product if it has none. Pages show it to people who have not
// signed in.
func siteName(now *site.Site) string { return cmp.Or(site.Name(now), "Headless") }

// LocaleName returns the name of a locale, as ui.LocaleName does.
func (c *Call) LocaleName(code string) say.Text { return ui.LocaleName(c.A.cachedSite(), code) }

// cachedSite returns the site as it was last read, an empty one before that.
func (a *Admin) cachedSite() *site.Site {
	if now := a.on.Site.CachedSite(); now != nil {
		return now
	}
	return &site.Site{}
}

// menuGroup returns the title of a group that a model names. Content is a group of ours.
func menuGroup(name string) say.Text {
	if name == string(contentGroup) {
		return contentGroup
	}
	return say.Data(name)
}

// OfProfile returns the link that stands before the titles of the pages that one's own profile leads to.
func OfProfile() []ui.Link { return []ui.Link{{Text: "Your profile", Href: ui.Base + "/profile"}} }

// first is the sort key of a group: 0 for Content, which comes before the others.
func first(g ui.MenuGroup) int {
	if g.Title == contentGroup {
		return 0
	}
	return 1
}

func inEntries(page string) bool {
	_, area := modelArea(page)
	return area == "entries" || area == "tree"
}

// modelArea returns the slug of the model that a page belongs to, and "tree", or "entries" for the pages of its
// entries and of files with them.
func modelArea(page string) (slug, area string) {
	slug, rest, _ := strings.Cut(strings.TrimPrefix(page, ui.Base+"/models/"), "/")
	area, _, _ = strings.Cut(rest, "/")
	if area, _, _ = strings.Cut(area, "."); area == "import" || area == "presets" || area == "xliff" {
		area = "entries"
	}
	return slug, area
}
