package planpages

import (
	"maps"
	"net/http"
	"slices"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/input"
	"headless/pkg/planning/bulk"
	"headless/pkg/search"
	"headless/pkg/site"
)

// setSteps asks for the field and the value that many entries get. Once it has both, it adds them to
// the body of the job and returns no page.
func (h jobHandlers) setSteps(c *frame.Call, body map[string]any) (*ui.Page, error) {
	if body["action"] != bulk.ActionSet {
		return nil, nil
	}
	site, err := h.jobs.Store.Site(c.R.Context())
	if err != nil {
		return nil, err
	}
	m, err := site.ActiveModel(c.Form.Get("model"))
	if err != nil {
		return nil, err
	}
	var options []ui.Option
	for i := range m.Fields {
		if f := &m.Fields[i]; canSet(f) {
			options = append(options, ui.Option{Value: f.Name, Label: entrydata.LabelOf(*f)})
		}
	}
	f := m.Field(c.Form.Get("field"))
	if f == nil || !canSet(f) {
		return setPage(c, "Set a field", "Next", ui.Field{Name: "field", Label: "Field", Kind: "select", Options: options}),
			nil
	}
	if !c.Form.Has("value") {
		field, err := h.valueField(c, site, f)
		return setPage(c, say.F("Set “{1}” in {2}", entrydata.LabelOf(*f), targets(c)), "Set", field), err
	}
	in := entryforms.FormReader{Problems: cms.Problems{}}
	body["set"] = map[string]any{"data": map[string]any{f.Name: in.Data(f, input.FormValue(c.Form["value"]), "value")}}
	return nil, in.Problems.Err()
}

func canSet(f *cms.Field) bool {
	return entryforms.IsSimple(f) && !f.Unique && (f.Type != cms.TypeRelation || len(f.Models) == 0)
}

// setPage asks for some values, and keeps the other inputs of the form.
func setPage(c *frame.Call, title, submit say.Text, fields ...ui.Field) *ui.Page {
	var names []string
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return &ui.Page{Title: title, Form: &ui.Form{Action: ui.Base + "/jobs", Method: http.MethodPost, Submit: submit,
		Cancel: ui.Base + backOf(c), Fields: append(fields, hiddenInputs(c, names...)...)}}
}

// hiddenInputs returns hidden inputs with the values of the form, without those of some fields.
func hiddenInputs(c *frame.Call, without ...string) (fields []ui.Field) {
	for _, name := range slices.Sorted(maps.Keys(c.Form)) {
		if name == "_csrf" || slices.Contains(without, name) || name == "ids" && c.Form.Get("all") == "true" {
			continue
		}
		for _, value := range c.Form[name] {
			fields = append(fields, ui.Kept(name, value))
		}
	}
	return fields
}

// valueField returns the input for the new value of a field.
func (h jobHandlers) valueField(c *frame.Call, s *site.Site, f *cms.Field) (ui.Field, error) {
	field := ui.Field{Name: "value", Label: entrydata.LabelOf(*f), Kind: f.Type.Info().Input, Help: say.Data(f.Help)}
	switch f.Type {
	case cms.TypeBoolean:
		field.Kind, field.Options = "select", []ui.Option{{Value: "true", Label: "Yes"}, {Value: "false", Label: "No"}}
	case cms.TypeSelect, cms.TypeMultiSelect:
		field.Options = ui.Options(f.Options)
	case cms.TypeRelation:
		const most = 100
		target := s.Models[f.Model]
		if target == nil {
			return field, nil
		}
		q := content.EntryQuery{ListQuery: index.ListQuery{Paging: db.Paging{Page: 1, PerPage: most}},
			Locales: s.Codes(), Statuses: cms.Statuses}
		page, err := search.List(c.R.Context(), h.jobs.Store, s, target, q)
		if err != nil {
			return field, err
		}
		for i := range page.Items {
			e, err := page.Items[i].Decoded()
			if err != nil {
				return field, err
			}
			field.Options = append(field.Options, ui.Option{Value: e.ID, Label: say.Data(e.Title)})
		}
		if field.Kind = "select"; f.Many {
			field.Kind = "checks"
		}
	}
	if field.Kind == "select" && f.Type != cms.TypeBoolean {
		field.Options = append([]ui.Option{{Label: "– (empty)"}}, field.Options...)
	}
	return field, nil
}
