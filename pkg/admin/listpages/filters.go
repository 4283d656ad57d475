package listpages

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/web"
)

// maxFilterEntries is how many entries a related model has at most to be offered in a select.
const maxFilterEntries = 50

// filterForm collects the fields above a list. Choices whose parameter has a value that they do not
// offer are left out; hidden fields keep it.
type filterForm struct {
	params url.Values
	own    []string // names of the inputs
}

// input returns an input for a parameter.
func (f *filterForm) input(name string, label say.Text, kind string) ui.Field {
	f.own = append(f.own, name)
	return ui.Field{Name: name, Label: label, Kind: kind, Value: f.params.Get(name)}
}

// choice returns a select as a list of one; an empty list if it does not offer the present value.
func (f *filterForm) choice(name string, label, none say.Text, options []ui.Option) []ui.Field {
	if value := f.params.Get(name); len(f.params[name]) > 1 || value != "" &&
		!slices.ContainsFunc(options, func(o ui.Option) bool { return o.Value == value }) {
		return nil
	}
	field := f.input(name, label, "select")
	field.Options = ui.WithNone(none, options)
	return []ui.Field{field}
}

// span returns the inputs for the days between which a time is.
func (f *filterForm) span(path string, label say.Text) []ui.Field {
	return []ui.Field{f.input("filter["+path+"][gte]", say.F("{1} from", label), "date"),
		f.input("filter["+path+"][lt]", say.F("{1} before", label), "date")}
}

// listFilters returns the fields above the list: those that every model has, and folded those of its
// fields. Hidden fields keep the query parameters that other links have set.
func (h ListPages) listFilters(c *frame.Call, m *site.Model, params url.Values) ([]ui.Field, error) {
	form := &filterForm{params: params}
	fields, more := []ui.Field(nil), []ui.Field(nil)
	if codes := languages(c, m); len(codes) > 1 {
		options := slice.Map(codes, func(code string) ui.Option {
			return ui.Option{Value: code, Label: say.Data(c.Site.Locale(code).Name)}
		})
		fields = form.choice(languageKey, "Language", "All languages", options)
		if len(fields) > 0 {
			fields[0].Options[0].Value = anyLanguage
		}
		more = append(form.choice("filter[missing]", "Missing in", "No filter", options),
			form.choice("filter[outdated]", "Translations", "No filter", []ui.Option{{Value: "true", Label: "Outdated"}})...)
	}
	fields = append(fields, form.input("q", "Search", "search"))
	rows := form.choice("per_page", "Rows", "25", []ui.Option{{Value: "50", Label: "50"}, {Value: "100", Label: "100"}})
	own, err := h.fieldFilters(c, m, form)
	if err != nil {
		return nil, err
	}
	more = append(append(append(more, own...), form.span("published_at", "Published")...), rows...)
	folded := ui.MoreFilters(more...)
	if stepOfFilter(c) {
		folded.Value = "open"
	}
	return append(append(fields, folded), ui.Hidden(params, form.own...)...), nil
}

// stepOfFilter reports whether a step is about the panel of a filter.
func stepOfFilter(c *frame.Call) bool { return c.Step != nil && web.IsFilter(c.Step.Name) }

// compared returns the text of a field with an operator of a filter.
func compared(label say.Text, op query.Op) say.Text {
	texts := map[query.Op]say.Text{
		query.OpNe:         say.F("{1} is not", label),
		query.OpLt:         say.F("{1} below", label),
		query.OpLte:        say.F("{1}, at most", label),
		query.OpGt:         say.F("{1} above", label),
		query.OpGte:        say.F("{1}, at least", label),
		query.OpIn:         say.F("{1} is one of", label),
		query.OpNin:        say.F("{1} is none of", label),
		query.OpContains:   say.F("{1} contains", label),
		query.OpStartsWith: say.F("{1} starts with", label),
		query.OpNull:       say.F("{1} is empty", label),
	}
	return cmp.Or(texts[op], label)
}

// others returns hidden inputs for the filters of a field that have no input, with the texts of their chips. options
// are the values that have a text.
func (f *filterForm) others(path string, label say.Text, options []ui.Option) (fields []ui.Field) {
	for _, name := range slices.Sorted(maps.Keys(f.params)) {
		at, op, err := query.ParseFilterKey(name)
		if err == nil && at == path && len(f.params[name]) == 1 && !slices.Contains(f.own, name) {
			field := f.input(name, compared(label, op), "hidden")
			if field.Options = options; op == query.OpNull {
				field.Options = yesOrNo()
			}
			fields = append(fields, field)
		}
	}
	return fields
}

// fieldFilters returns the filters for the fields of a model: choices, boxes, days, numbers, words and related
// entries.
func (h ListPages) fieldFilters(c *frame.Call, m *site.Model, form *filterForm) (fields []ui.Field, err error) {
	related, err := h.relatedOptions(c, m)
	if err != nil {
		return nil, err
	}
	picks, err := h.relatedPicks(c, m, form.params, related)
	if err != nil {
		return nil, err
	}
	for _, f := range m.Fields {
		path, label, options := "data."+f.Name, entrydata.LabelOf(f), []ui.Option(nil)
		switch f.Type {
		case cms.TypeSelect, cms.TypeMultiSelect:
			options = ui.Options(f.Options)
		case cms.TypeBoolean:
			options = yesOrNo()
		case cms.TypeDate, cms.TypeDateTime:
			fields = append(fields, form.span(path, label)...)
		case cms.TypeNumber:
			for _, op := range []query.Op{query.OpGte, query.OpLte} {
				fields = append(fields, form.input("filter["+path+"]["+string(op)+"]", compared(label, op), "number"))
			}
		case cms.TypeText, cms.TypeEmail, cms.TypeURL:
			fields = append(fields, form.input("filter["+path+"]", say.F("{1} is", label), "text"),
				form.input("filter["+path+"][contains]", compared(label, query.OpContains), "text"))
		case cms.TypeRelation:
			options = related[f.Model]
		}
		if pick, ok := picks["filter["+path+"]"]; ok {
			for _, chosen := range pick.Pick.Chosen {
				options = append(options, ui.Option{Value: chosen.ID, Label: chosen.Label})
			}
			if pick.Pick.Chosen = nil; !form.params.Has(pick.Name) {
				form.own, fields = append(form.own, pick.Name), append(fields, pick)
			}
		} else if len(options) > 0 {
			fields = append(fields, form.choice("filter["+path+"]", label, "No filter", options)...)
		}
		fields = append(fields, form.others(path, label, options)...)
	}
	return fields, nil
}

func yesOrNo() []ui.Option {
	return []ui.Option{{Value: "true", Label: "Yes"}, {Value: "false", Label: "No"}}
}

// relatedPicks returns the filters by entries of a model that are too many for a select, by the names of their
// inputs. An entry is chosen as in a form. The chosen entries of a filter are those that the parameters name.
func (h ListPages) relatedPicks(c *frame.Call, m *site.Model, params url.Values,
	few map[string][]ui.Option) (map[string]ui.Field, error) {
	var fields []ui.Field
	for _, f := range m.Fields {
		if _, ok := few[f.Model]; ok || f.Model == "" {
			continue
		}
		path, named := "data."+f.Name, []string(nil)
		for name, values := range params {
			if at, op, err := query.ParseFilterKey(name); err == nil && at == path && op != query.OpNull {
				named = append(named, values...)
			}
		}
		f.Many = false
		field := h.Field(c.Site, f, ui.Field{Name: "filter[" + path + "]", Label: entrydata.LabelOf(f),
			Value: strings.Join(named, "\n")})
		field.Pick.Filled = true
		if field.Pick.Source != "" {
			fields = append(fields, field)
		}
	}
	locale := params.Get(languageKey)
	if locale == anyLanguage {
		locale = ""
	}
	err := h.Fill(c, fields, locale)
	picks := map[string]ui.Field{}
	for _, field := range fields {
		field.Pick.Makes = nil
		picks[field.Name] = field
	}
	return picks, err
}

// relatedOptions returns the entries of the models to which the fields of a model lead, by the slug of the
// model, without models that have many.
func (h ListPages) relatedOptions(c *frame.Call, m *site.Model) (map[string][]ui.Option, error) {
	var models []*site.Model
	for _, f := range m.Fields {
		target := c.Site.Models[f.Model]
		if f.Type == cms.TypeRelation && target != nil && !slices.Contains(models, target) {
			models = append(models, target)
		}
	}
	found, err := h.Few(c.R.Context(), c.Site, models, "", cms.Statuses, maxFilterEntries)
	options := map[string][]ui.Option{}
	for i, page := range found {
		if page.Total > maxFilterEntries {
			continue
		}
		options[models[i].Slug] = nil
		for _, v := range page.Items {
			options[models[i].Slug] = append(options[models[i].Slug], ui.Option{Value: v.ID, Label: v.Label})
		}
	}
	return options, err
}
