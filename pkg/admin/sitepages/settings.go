package sitepages

import (
	"net/http"
	"slices"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/pickers"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/settings"
	"headless/pkg/site"
)

// SettingRoutes returns the routes of settings. The settings are read and changed as one list.
func SettingRoutes(settings *settings.Settings, files pickers.Library) []frame.Route {
	h := settingHandlers{settings, files}
	return []frame.Route{
		{Method: "GET", Pattern: "/settings", Role: cms.RoleViewer, Handle: h.list},
		{Method: "PUT", Pattern: "/settings", Role: cms.RoleUserAdmin, Handle: h.update, Form: h.form},
		{Method: "DELETE", Pattern: "/settings/{group}/{key}", Role: cms.RoleUserAdmin, Handle: h.remove},
	}
}

type settingHandlers struct {
	settings *settings.Settings
	pickers.Library
}

// list shows all settings to admins; others do not see the private ones, which hold credentials.
func (h settingHandlers) list(c *frame.Call) (frame.Result, error) {
	if err := c.RefuseNames(frame.ListParams...); err != nil {
		return frame.Result{}, err
	}
	all, err := h.settings.List(c.R.Context())
	if err != nil {
		return frame.Result{}, err
	}
	result := frame.Result{Data: all, Meta: settingsMeta(all)}
	if showsPrivate(c) {
		if !c.JSON {
			result.Page, err = h.form(c)
		}
		return result, err
	}
	public := slices.DeleteFunc(all, isPrivate)
	detail := &ui.Detail{}
	for _, v := range public {
		at := slices.IndexFunc(detail.Sections, func(s ui.Section) bool { return s.Title == entrydata.SettingLabel(v.Group) })
		if at < 0 {
			at = len(detail.Sections)
			detail.Sections = append(detail.Sections, ui.Section{Title: entrydata.SettingLabel(v.Group)})
		}
		fact := ui.Fact{Label: settingLabel(v), Pre: v.Value}
		if site.IsDefaultLocale(v) {
			fact = ui.NewFact(fact.Label, ui.Word(c.LocaleName(v.Value)))
		}
		detail.Sections[at].Facts = append(detail.Sections[at].Facts, fact)
	}
	return frame.Result{Data: public, Meta: settingsMeta(public),
		Page: &ui.Page{Title: "Settings", Detail: detail}}, nil
}

func showsPrivate(c *frame.Call) bool { return c.May(cms.RoleUserAdmin) && mayPrivate(c) == nil }

func isPrivate(v cms.Setting) bool { return !v.IsPublic }

// mayPrivate returns FORBIDDEN for access tokens that may not read and change private settings.
func mayPrivate(c *frame.Call) error { return c.WholeScope("private settings") }

// inScope returns FORBIDDEN if a list names a private setting that the access token of the request may not change.
func inScope(c *frame.Call, list []any) error {
	if refused := mayPrivate(c); refused != nil && settings.NamesPrivate(c.Site, list) {
		return refused
	}
	return nil
}

func settingsMeta(all []cms.Setting) any {
	n := len(all)
	return frame.Meta(db.Page[cms.Setting]{Paging: db.Paging{Page: 1, PerPage: n}, Total: n})
}

// update changes settings from a JSON list, or from the fields of the page.
func (h settingHandlers) update(c *frame.Call) (frame.Result, error) {
	if !c.IsForm {
		list, err := c.List()
		if err != nil {
			return frame.Result{}, err
		}
		if err := inScope(c, list); err != nil {
			return frame.Result{}, err
		}
		all, err := h.settings.Update(c.R.Context(), c.Actor(), list, nil)
		if !showsPrivate(c) {
			all = slices.DeleteFunc(all, isPrivate)
		}
		return frame.Result{Data: all, Meta: settingsMeta(all)}, err
	}
	list, names, gone, err := h.readChanges(c)
	if err != nil {
		return frame.Result{}, err
	}
	_, err = h.settings.Update(c.R.Context(), c.Actor(), list,
		resource.Unchanged(c, "settings.updated", "", func(all []cms.Setting) any { return all }))
	if e := frame.AsError(err); e != nil {
		e.Details = besideFields(e.Details, names)
	}
	for _, v := range gone {
		if err == nil {
			err = h.settings.Remove(c.R.Context(), c.Actor(), v.Group, v.Key)
		}
	}
	return frame.Result{Redirect: "/settings?ok=saved"}, err
}

func (h settingHandlers) remove(c *frame.Call) (frame.Result, error) {
	group, key := c.R.PathValue("group"), c.R.PathValue("key")
	err := inScope(c, []any{map[string]any{"group": group, "key": key, "is_public": true}})
	if err == nil {
		err = h.settings.Remove(c.R.Context(), c.Actor(), group, key)
	}
	return frame.Result{Status: http.StatusNoContent, Redirect: "/settings?ok=deleted"}, err
}
