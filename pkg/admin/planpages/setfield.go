package planpages

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/entrypages"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/planning/bulk"
	"headless/pkg/site"
)

// setPrefix begins the names of the inputs with the values that many entries get.
const setPrefix = "set.data."

// emptyKey is the name of the input with the fields that many entries lose.
const emptyKey = "empty"

// setSteps adds the values of the form to the body of the job. It returns the form as long as nothing is filled in.
func (h jobHandlers) setSteps(c *frame.Call, body map[string]any) (*ui.Page, error) {
	if body["action"] != bulk.ActionSet {
		return nil, nil
	}
	m, err := h.setModel(c)
	if err != nil {
		return nil, err
	}
	in, data := entryforms.FormReader{Problems: cms.Problems{}}, map[string]any{}
	for i := range m.Fields {
		f := &m.Fields[i]
		if name := setPrefix + f.Name; canSet(f) && slices.Contains(c.Form[emptyKey], f.Name) {
			data[f.Name] = nil
		} else if canSet(f) && strings.Join(c.Form[name], "") != "" {
			data[f.Name] = in.Data(f, input.FormValue(c.Form[name]), name)
		}
	}
	body["set"] = map[string]any{"data": data}
	if len(data) > 0 {
		return nil, in.Problems.Err()
	}
	page, err := h.setForm(c)
	if err == nil && c.Form.Has(emptyKey) {
		page.Form.Problems = []say.Text{"Fill in a field first."}
	}
	return page, err
}

// setModel returns the model whose entries a form is about.
func (h jobHandlers) setModel(c *frame.Call) (*site.Model, error) {
	m, err := c.Site.ActiveModel(c.Form.Get("model"))
	return m, err
}

func canSet(f *cms.Field) bool {
	return (entryforms.IsSimple(f) || f.Type == cms.TypeMedia) && !f.Unique
}

// form returns the form that was sent, with the typed values: of fields to set, or else one that only sends the
// action again.
func (h jobHandlers) form(c *frame.Call) (*ui.Page, error) {
	action := c.Form.Get("action")
	switch {
	case action == bulk.ActionSet:
		return h.setForm(c)
	case jobVerbs[action] == "" || c.Form.Get("of") != "":
		return nil, cms.Errorf(cms.CodeBadRequest, "There is no form here that takes this step.")
	}
	what := say.F("{1} {2}", jobVerbs[action], targets(c))
	return setPage(c, say.F("{1}?", what), what), nil
}

// setForm returns the form with an input for each field that many entries can get together. Those that are filled in
// are set.
func (h jobHandlers) setForm(c *frame.Call) (*ui.Page, error) {
	m, err := h.setModel(c)
	if err != nil {
		return nil, err
	}
	body := bodyOfForm(c)
	body["set"] = map[string]any{}
	seen, err := h.jobs.Foresee(c.R.Context(), c.Actor(), body)
	if err != nil {
		return nil, err
	}
	empty := ui.Field{Name: emptyKey, Label: "Empty these fields", Kind: "checks"}
	var fields []ui.Field
	for i := range m.Fields {
		f := &m.Fields[i]
		if !canSet(f) {
			continue
		}
		field, err := h.setInput(c, f)
		if err != nil {
			return nil, err
		}
		if fields = append(fields, field); !f.Required {
			empty.Options = append(empty.Options, ui.Option{Value: f.Name, Label: field.Label})
		}
	}
	if err := h.entries.Fill(c, fields, ""); err != nil {
		return nil, err
	}
	if err := h.entries.ShowFew(c, m, "", fields); err != nil {
		return nil, err
	}
	fields = append(fields, ui.Field{Kind: "more", Label: "Empty fields", Fields: []ui.Field{empty}})
	page := setPage(c, say.F("Set a field in {1}", targets(c)), "Set", fields...)
	page.Notice = say.Sentences("What you fill in is set in each entry, and all else stays.",
		say.F("What readers see: {1}.", readersSee(seen)), "The next page can undo it.")
	return page, nil
}

// setInput returns the input of a field as the form of an entry has it, with the typed value.
func (h jobHandlers) setInput(c *frame.Call, f *cms.Field) (ui.Field, error) {
	name := setPrefix + f.Name
	in := entryforms.FormReader{Problems: cms.Problems{}}
	typed := in.Data(f, input.FormValue(c.Form[name]), name)
	field, err := entrypages.Pages{EntryHandlers: h.entries}.Input(c.Site, *f, typed, name)
	if field.Required = false; f.Type == cms.TypeBoolean {
		field.Kind, field.Value, field.Options = "select", c.Form.Get(name),
			[]ui.Option{{Label: "Not set"}, {Value: "true", Label: "Yes"}, {Value: "false", Label: "No"}}
	}
	if field.Pick != nil {
		field.Pick.Filled = true
	}
	return field, err
}

// setPage asks for some values, and keeps the other inputs of the form.
func setPage(c *frame.Call, title, submit say.Text, fields ...ui.Field) *ui.Page {
	names := []string{emptyKey}
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return &ui.Page{Title: title, Form: &ui.Form{Action: ui.Base + "/jobs", Method: http.MethodPost, Submit: submit,
		Cancel: ui.Base + backOf(c), Fields: append(fields, hiddenInputs(c, names...)...)}}
}

// hiddenInputs returns hidden inputs with the values of the form, without those of some fields and of the frame.
func hiddenInputs(c *frame.Call, without ...string) (fields []ui.Field) {
	for _, name := range slices.Sorted(maps.Keys(c.Form)) {
		if strings.HasPrefix(name, "_") || slices.Contains(without, name) || name == "ids" && c.Form.Get("all") == "true" {
			continue
		}
		for _, value := range c.Form[name] {
			fields = append(fields, ui.Kept(name, value))
		}
	}
	return fields
}
