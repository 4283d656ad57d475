package admin

import (
	"headless/pkg/cms"
	"headless/pkg/service"
	"headless/pkg/store"
)

// settingRoutes are the routes of the settings, which are read and changed as one list.
func settingRoutes(settings *service.Settings, st *store.Store) []Route {
	h := settingHandlers{settings, st}
	return []Route{
		{Method: "GET", Pattern: "/settings", Role: cms.RoleViewer, Handle: h.list},
		{Method: "PUT", Pattern: "/settings", Role: cms.RoleUserAdmin, Handle: h.update},
	}
}

type settingHandlers struct {
	settings *service.Settings
	store    *store.Store
}

// list shows all settings to admins; others do not see the private ones, which hold credentials.
func (h settingHandlers) list(c *Call) (Result, error) {
	all, err := h.settings.List(c.R.Context())
	if err != nil {
		return Result{}, err
	}
	if !c.May(cms.RoleUserAdmin) {
		public := all[:0:0]
		for _, v := range all {
			if v.IsPublic {
				public = append(public, v)
			}
		}
		all = public
	}
	return h.result(c, all)
}

func (h settingHandlers) result(c *Call, all []cms.Setting) (Result, error) {
	n := len(all)
	result := Result{Data: all, Meta: meta(store.Page[cms.Setting]{Paging: store.Paging{Page: 1, PerPage: n}, Total: n})}
	if c.JSON {
		return result, nil
	}
	site, err := h.store.Site(c.R.Context())
	if err != nil {
		return Result{}, err
	}
	result.Page = &Page{Title: "Settings", Template: "settings", Custom: settingsView(all, site, c.May(cms.RoleUserAdmin))}
	return result, nil
}

// settingGroup is a titled part of the settings page.
type settingGroup struct {
	Name     string
	Settings []settingView
}

type settingView struct {
	cms.Setting
	Name    string // of the field: group.key
	Long    bool
	Locales []settingText
}

type settingText struct{ Code, Value string }

type settingsPage struct {
	Groups  []settingGroup
	MayEdit bool
}

func settingsView(all []cms.Setting, site *store.Site, mayEdit bool) settingsPage {
	page := settingsPage{MayEdit: mayEdit}
	for _, v := range all {
		if n := len(page.Groups); n == 0 || page.Groups[n-1].Name != v.Group {
			page.Groups = append(page.Groups, settingGroup{Name: v.Group})
		}
		group := &page.Groups[len(page.Groups)-1]
		view := settingView{Setting: v, Name: v.Group + "." + v.Key, Long: len(v.Value) > 80}
		for _, l := range site.Locales {
			if v.IsTranslatable && l.Code != site.Default {
				view.Locales = append(view.Locales, settingText{l.Code, v.Translations[l.Code]})
			}
		}
		group.Settings = append(group.Settings, view)
	}
	return page
}

// update takes the list of JSON, or the fields of the page: <group>.<key> and <group>.<key>.<locale>.
func (h settingHandlers) update(c *Call) (Result, error) {
	list, err := h.body(c)
	if err != nil {
		return Result{}, err
	}
	all, err := h.settings.Update(c.R.Context(), c.Actor(), list)
	if err != nil {
		return Result{}, err
	}
	result, err := h.result(c, all)
	result.Redirect = "/settings?ok=saved"
	return result, err
}

func (h settingHandlers) body(c *Call) ([]any, error) {
	if !c.isForm {
		return c.List()
	}
	all, err := h.settings.List(c.R.Context())
	if err != nil {
		return nil, err
	}
	site, err := h.store.Site(c.R.Context())
	if err != nil {
		return nil, err
	}
	var list []any
	for _, v := range all {
		name := v.Group + "." + v.Key
		if !c.form.Has(name) {
			continue
		}
		item := map[string]any{"group": v.Group, "key": v.Key, "value": c.form.Get(name)}
		texts, changed := map[string]any{}, c.form.Get(name) != v.Value
		for code, text := range v.Translations {
			texts[code] = text
		}
		for _, l := range site.Locales {
			if field := name + "." + l.Code; c.form.Has(field) {
				changed = changed || c.form.Get(field) != v.Translations[l.Code]
				texts[l.Code] = c.form.Get(field)
			}
		}
		item["translations"] = texts
		if changed {
			list = append(list, item)
		}
	}
	if c.form.Get("new.key") != "" {
		list = append(list, map[string]any{
			"group": c.form.Get("new.group"), "key": c.form.Get("new.key"), "value": c.form.Get("new.value"), "is_public": c.form.Get("new.is_public") == "true",
		})
	}
	return list, nil
}
