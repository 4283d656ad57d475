package admin

import (
	"net/http"
	"slices"
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/schema"
	"headless/pkg/site"
	"headless/pkg/slug"
)

// modelHandlers answer the routes of content models.
type modelHandlers struct {
	models  *site.Models
	schemas *schema.Schemas
	entries *content.Store
}

// modelRoutes are the routes of content models.
func modelRoutes(h modelHandlers) []Route {
	models := h.models
	resource := Resource[cms.Model]{
		Path: "/models", Title: "Models", One: "model", Param: "slug",
		List: func(c *Call, p db.Paging) (db.Page[cms.Model], error) { return models.List(c.R.Context(), p) },
		Get:  func(c *Call, slug string) (cms.Model, error) { return models.Get(c.R.Context(), slug) },
		Create: func(c *Call, body map[string]any) (cms.Model, error) {
			if _, err := c.modelBody(body); err != nil {
				return cms.Model{}, err
			}
			return models.Create(c.R.Context(), c.Actor(), body)
		},
		Update: func(c *Call, slug string, body map[string]any,
			ok input.Precondition[cms.Model]) (cms.Model, error) {
			if _, err := c.modelBody(body); err != nil {
				return cms.Model{}, err
			}
			return models.Update(c.R.Context(), c.Actor(), slug, body, ok)
		},
		Delete:  func(c *Call, slug string) error { return models.Delete(c.R.Context(), c.Actor(), slug) },
		New:     func(*Call) (cms.Model, error) { return cms.NewModel(), nil },
		ID:      func(m cms.Model) string { return m.Slug },
		Name:    func(m cms.Model) string { return m.Name },
		Columns: []string{"Name", "Slug", "Kind", "Fields", "Localized", "State"},
		Row: func(m cms.Model) []Cell {
			return []Cell{Text(m.Name), Code(m.Slug), Badge(string(m.Kind)),
				Text(strconv.Itoa(len(m.Fields))), YesNo(m.Localized, "localized", "no"),
				YesNo(m.IsActive, "active", "inactive")}
		},
		Detail: modelDetail, Fields: func(c *Call, m *cms.Model) ([]Field,
			error) {
			return modelFields(c, models, m)
		},
		Locked: func(c *Call) (string, error) { return modelsLocked(c, models) },
	}
	routes := resource.Routes()
	for i := range routes {
		r := &routes[i]
		if form := r.Form; form != nil {
			r.Form = func(c *Call) (*Page, error) { return withBuilder(form(c)) }
		}
		switch {
		case r.Method == http.MethodPut:
			r.Handle = resource.write(h.reported(r.Handle, r.Form))
		case r.Method == http.MethodGet && r.Pattern == "/models/{slug}":
			r.Handle = h.deletable(r.Handle)
		case r.Method == http.MethodGet:
			show := r.Handle
			r.Handle = func(c *Call) (Result, error) {
				result, err := show(c)
				if result.Page != nil {
					result.Page, err = withBuilder(result.Page, err)
				}
				return result, err
			}
		}
	}
	return routes
}

// modelsLocked says why models cannot be changed one by one, "" where they can.
func modelsLocked(c *Call, models *site.Models) (string, error) {
	now, err := models.Store.Site(c.R.Context())
	locks := func(v cms.Setting) bool { return v.Group == "schema" && v.Key == "locked" && v.Value == "true" }
	if err != nil || !slices.ContainsFunc(now.Settings, locks) {
		return "", err
	}
	return "Models are locked: they change by the schema as code (cms schema apply). The setting schema.locked unlocks them.",
		nil
}

// withBuilder adds to a page with a form what makes one panel a field of it.
func withBuilder(page *Page, err error) (*Page, error) {
	if page != nil && page.Form != nil {
		page.use("builder")
	}
	return page, err
}

// modelBody puts what a form sent into the shape of a definition, and gives the renamed fields, by
// their former names.
func (c *Call) modelBody(body map[string]any) (renamed map[string]string, err error) {
	rows, ok := c.postedRows(body, "fields")
	if !ok || !c.isForm {
		return nil, nil
	}
	if c.form.Get("slug") == "" && c.form.Get("name") != "" {
		body["slug"] = slug.Of(c.form.Get("name"))
	}
	rows = fieldPlace{top: true}.fitted(rows)
	renamed = map[string]string{}
	for _, r := range rows {
		if was := r.text["was"]; was != "" && was != r.text["name"] {
			renamed[was] = r.text["name"]
		}
	}
	p := cms.Problems{}
	body["fields"] = fieldShape.objects(rows, "fields", p)
	return renamed, p.Err()
}

// deletable says on the page of a model why it cannot be deleted, in place of the button.
func (h modelHandlers) deletable(show handler) handler {
	return func(c *Call) (Result, error) {
		result, err := show(c)
		if err != nil || result.Page == nil || !c.May(cms.RoleUserAdmin) {
			return result, err
		}
		siteNow, err := h.models.Store.Site(c.R.Context())
		if err != nil {
			return Result{}, err
		}
		m := siteNow.Models[c.R.PathValue("slug")]
		if m == nil {
			return result, nil
		}
		has, err := h.models.HasEntries(c.R.Context(), m)
		if err != nil {
			return Result{}, err
		}
		var why []Cell
		if has {
			why = append(why, Text("Delete its entries first:"),
				Cell{Text: "entries", Href: Base + "/models/" + m.Slug + "/entries?all=true"})
		}
		for _, other := range sortedModels(siteNow) {
			if other.ID != m.ID && site.RelatesTo(other.Fields, m.Slug) {
				why = append(why, Text("Remove the relation to it from"),
					Cell{Text: other.Name, Href: Base + "/models/" + other.Slug + "/edit"})
			}
		}
		if detail := result.Page.Detail; len(why) > 0 {
			detail.Actions = slices.DeleteFunc(detail.Actions,
				func(a Action) bool { return a.Method == http.MethodDelete })
			detail.Facts = append(detail.Facts, Fact{Label: "To delete it", Cells: why})
		}
		return result, nil
	}
}
