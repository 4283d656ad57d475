package admin

import (
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/service"
	"headless/pkg/store"
)

// settingRoutes are the routes of the settings, which are read and changed as one list.
func settingRoutes(settings *service.Settings, st *store.Store) []Route {
	h := settingHandlers{settings, st}
	return []Route{
		{Method: "GET", Pattern: "/settings", Role: cms.RoleViewer, Handle: h.list},
		{Method: "PUT", Pattern: "/settings", Role: cms.RoleUserAdmin, Handle: h.update, Form: h.form},
	}
}

type settingHandlers struct {
	settings *service.Settings
	store    *store.Store
}

// list shows all settings to admins; others do not see the private ones, which hold credentials.
func (h settingHandlers) list(c *Call) (Result, error) {
	if err := c.refuseNames(listParams...); err != nil {
		return Result{}, err
	}
	all, err := h.settings.List(c.R.Context())
	if err != nil {
		return Result{}, err
	}
	result := Result{Data: all, Meta: settingsMeta(all)}
	if c.May(cms.RoleUserAdmin) {
		if !c.JSON {
			result.Page, err = h.form(c)
		}
		return result, err
	}
	public := slices.DeleteFunc(all, func(v cms.Setting) bool { return !v.IsPublic })
	facts := make([]Fact, len(public))
	for i, v := range public {
		facts[i] = Fact{Label: v.Group + "." + v.Key, Pre: v.Value}
	}
	return Result{Data: public, Meta: settingsMeta(public), Page: &Page{Title: "Settings", Detail: &Detail{Facts: facts}}}, nil
}

func settingsMeta(all []cms.Setting) any {
	n := len(all)
	return meta(store.Page[cms.Setting]{Paging: store.Paging{Page: 1, PerPage: n}, Total: n})
}

// newSetting is what the names of the inputs of a new setting begin with; no group is called so.
const newSetting = "_new."

// form has the settings by their groups: <group>.<key> and, of a text that is translated, <group>.<key>.<locale>.
func (h settingHandlers) form(c *Call) (*Page, error) {
	all, err := h.settings.List(c.R.Context())
	if err != nil {
		return nil, err
	}
	site, err := h.store.Site(c.R.Context())
	if err != nil {
		return nil, err
	}
	version, err := versionOf(all)
	if err != nil {
		return nil, err
	}
	var groups []Field
	for _, v := range all {
		at := slices.IndexFunc(groups, func(f Field) bool { return f.Name == v.Group })
		if at < 0 {
			at = len(groups)
			groups = append(groups, Field{Name: v.Group, Label: v.Group, Kind: "group"})
		}
		groups[at].Fields = append(groups[at].Fields, settingFields(v, site)...)
	}
	groups = append(groups, Field{Name: newSetting, Label: "Another setting", Kind: "group", Fields: []Field{
		{Kind: "row", Fields: []Field{{Name: newSetting + "group", Label: "Group"}, {Name: newSetting + "key", Label: "Key"}, {Name: newSetting + "value", Label: "Value"}}},
		checkbox(newSetting+"is_public", "Public", false),
	}})
	at := Base + "/settings"
	return &Page{Title: "Settings", Form: &Form{Action: at, Method: "PUT", Fields: groups, Submit: "Save", Cancel: at, Version: version}}, nil
}

func settingFields(v cms.Setting, site *store.Site) []Field {
	name, kind, help := v.Group+"."+v.Key, "text", ""
	if len(v.Value) > 80 || strings.Contains(v.Value, "\n") {
		kind = "textarea"
	}
	if !v.IsPublic {
		help = "Private: the API does not show it."
	}
	fields := []Field{{Name: name, Label: v.Key, Kind: kind, Value: v.Value, Help: help}}
	for _, l := range site.Locales {
		if v.IsTranslatable && l.Code != site.Default {
			fields = append(fields, Field{Name: name + "." + l.Code, Label: v.Key + " in " + l.Name, Kind: kind, Value: v.Translations[l.Code], Lang: l.Code})
		}
	}
	return fields
}

// update takes the list of JSON, or the fields of the page.
func (h settingHandlers) update(c *Call) (Result, error) {
	if !c.isForm {
		list, err := c.List()
		if err != nil {
			return Result{}, err
		}
		all, err := h.settings.Update(c.R.Context(), c.Actor(), list, nil)
		return Result{Data: all, Meta: settingsMeta(all)}, err
	}
	list, names, err := h.posted(c)
	if err != nil {
		return Result{}, err
	}
	_, err = h.settings.Update(c.R.Context(), c.Actor(), list, unchanged(c, func(all []cms.Setting) any { return all }))
	if e := asError(err); e != nil {
		e.Details = besideFields(e.Details, names)
	}
	return Result{Redirect: "/settings?ok=saved"}, err
}

// posted is what a form changes, and the names of the inputs.
func (h settingHandlers) posted(c *Call) (list []any, names []string, err error) {
	all, err := h.settings.List(c.R.Context())
	if err != nil {
		return nil, nil, err
	}
	site, err := h.store.Site(c.R.Context())
	if err != nil {
		return nil, nil, err
	}
	text := func(name string) string { return strings.ReplaceAll(lastOf(c.form[name]), "\r\n", "\n") } // what browsers make of a line's end
	for _, v := range all {
		name := v.Group + "." + v.Key
		if !c.form.Has(name) {
			continue
		}
		texts, changed := map[string]any{}, text(name) != v.Value
		for code, text := range v.Translations {
			texts[code] = text
		}
		for _, l := range site.Locales {
			if field := name + "." + l.Code; c.form.Has(field) {
				changed = changed || text(field) != v.Translations[l.Code]
				texts[l.Code] = text(field)
			}
		}
		if changed {
			list, names = append(list, map[string]any{"group": v.Group, "key": v.Key, "value": text(name), "translations": texts}), append(names, name)
		}
	}
	if text(newSetting+"key") != "" {
		list, names = append(list, map[string]any{
			"group": text(newSetting + "group"), "key": text(newSetting + "key"), "value": text(newSetting + "value"), "is_public": text(newSetting+"is_public") == "true",
		}), append(names, "")
	}
	return list, names, nil
}

// besideFields gives messages about elements of a list the names of the inputs that they came from.
func besideFields(details cms.Problems, names []string) cms.Problems {
	out := cms.Problems{}
	for path, messages := range details {
		index, rest, _ := strings.Cut(path, ".")
		if i, err := strconv.Atoi(index); err == nil && i < len(names) {
			if path = newSetting + rest; names[i] != "" {
				path = strings.TrimSuffix(names[i]+"."+strings.TrimPrefix(strings.TrimPrefix(rest, "translations."), "value"), ".")
			}
		}
		out[path] = append(out[path], messages...)
	}
	return out
}
