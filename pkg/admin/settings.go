package admin

import (
	"net/http"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/settings"
)

// settingRoutes are the routes of the settings, which are read and changed as one list.
func settingRoutes(settings *settings.Settings, files library) []Route {
	h := settingHandlers{settings, files}
	return []Route{
		{Method: "GET", Pattern: "/settings", Role: cms.RoleViewer, Handle: h.list},
		{Method: "PUT", Pattern: "/settings", Role: cms.RoleUserAdmin, Handle: h.update, Form: h.form},
		{Method: "DELETE", Pattern: "/settings/{group}/{key}", Role: cms.RoleUserAdmin, Handle: h.remove},
	}
}

type settingHandlers struct {
	settings *settings.Settings
	library
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
	detail := &Detail{}
	for _, v := range public {
		at := slices.IndexFunc(detail.Sections,
			func(s Section) bool { return s.Title == groupLabel(v.Group) })
		if at < 0 {
			at = len(detail.Sections)
			detail.Sections = append(detail.Sections, Section{Title: groupLabel(v.Group)})
		}
		detail.Sections[at].Facts = append(detail.Sections[at].Facts,
			Fact{Label: settingLabel(v), Pre: v.Value})
	}
	return Result{Data: public, Meta: settingsMeta(public),
		Page: &Page{Title: "Settings", Detail: detail}}, nil
}

func settingsMeta(all []cms.Setting) any {
	n := len(all)
	return meta(db.Page[cms.Setting]{Paging: db.Paging{Page: 1, PerPage: n}, Total: n})
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
	list, names, gone, err := h.posted(c)
	if err != nil {
		return Result{}, err
	}
	_, err = h.settings.Update(c.R.Context(), c.Actor(), list,
		unchanged(c, func(all []cms.Setting) any { return all }))
	if e := asError(err); e != nil {
		e.Details = besideFields(e.Details, names)
	}
	for _, v := range gone {
		if err == nil {
			err = h.settings.Remove(c.R.Context(), c.Actor(), v.Group, v.Key)
		}
	}
	return Result{Redirect: "/settings?ok=saved"}, err
}

func (h settingHandlers) remove(c *Call) (Result, error) {
	err := h.settings.Remove(c.R.Context(), c.Actor(), c.R.PathValue("group"), c.R.PathValue("key"))
	return Result{Status: http.StatusNoContent, Redirect: "/settings?ok=deleted"}, err
}
