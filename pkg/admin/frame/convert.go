package frame

import (
	"context"
	"net/url"
	"slices"

	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// MapPage converts the items of a page.
func MapPage[A, B any](p db.Page[A], f func(A) B) db.Page[B] {
	return db.Page[B]{Paging: p.Paging, Total: p.Total, Estimate: p.Estimate, Next: p.Next,
		Items: slice.Map(p.Items, f)}
}

// UnreadForms returns the forms with new submissions; none if the user may not read forms.
func UnreadForms(c *Call, count func(context.Context, ...string) ([]int, error),
	site *site.Site) ([]unreadForm, error) {
	if cms.PermissionsOf(c.R.Context()).Check(cms.ActionRead, cms.AreaForms, "", "forms") != nil {
		return nil, nil
	}
	var ids []string
	var forms []unreadForm
	for _, f := range site.Forms {
		ids = append(ids, f.ID)
		forms = append(forms, unreadForm{Name: f.Name, Href: ui.Base + "/forms/" +
			url.PathEscape(f.Slug) + "/submissions?status=new"})
	}
	counts, err := count(c.R.Context(), ids...)
	for i, n := range counts {
		forms[i].Count = n
	}
	forms = slices.DeleteFunc(forms, func(f unreadForm) bool { return f.Count == 0 })
	cms.SortBy(forms, func(f unreadForm) string { return cms.NameOrder(f.Name) })
	return forms, err
}

// SortedModels returns the models of a site, sorted by name.
func SortedModels(site *site.Site) []cms.Model {
	list := make([]cms.Model, 0, len(site.Models))
	for _, m := range site.Models {
		list = append(list, m.Model)
	}
	cms.SortBy(list, func(m cms.Model) string { return cms.NameOrder(m.Name) })
	return list
}

// ModelsLocked says why models change by the schema as code only, "" if they do not.
func ModelsLocked(now *site.Site) say.Text {
	locks := func(v cms.Setting) bool { return v.Group == "schema" && v.Key == "locked" && v.Value == "true" }
	if !slices.ContainsFunc(now.Settings, locks) {
		return ""
	}
	return "Models are locked: they change by the schema as code (cms schema apply). The setting " +
		"“Models are locked” (schema.locked) unlocks them."
}
