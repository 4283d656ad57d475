package admin

import (
	"encoding/json"
	"errors"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/service"
	"headless/pkg/store"
)

// revisionView is a revision as JSON shows it: who saved what and when, and the content itself.
type revisionView struct {
	Version int64          `json:"version"`
	Actor   *string        `json:"actor"`
	Time    cms.Time       `json:"time"`
	Event   string         `json:"event"`
	Slug    string         `json:"slug"`
	Title   string         `json:"title"`
	Status  cms.Status     `json:"status"`
	Locale  string         `json:"locale"`
	Data    map[string]any `json:"data"`
	SEO     cms.SEO        `json:"seo"`
}

func newRevisionView(r store.Revision) (revisionView, error) {
	item := store.EntryItem{JSON: r.Entry}
	e, err := item.Decoded()
	if err != nil {
		return revisionView{}, err
	}
	return revisionView{
		Version: r.Version, Actor: r.Actor, Time: r.Time, Event: r.Event,
		Slug: e.Slug, Title: e.Title, Status: e.Status, Locale: e.Locale, Data: e.Data, SEO: e.SEO,
	}, nil
}

func missingEntry(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return cms.Errorf(cms.CodeNotFound, "There is no such entry.")
	}
	return err
}

// detail shows an entry with the fields of its model.
func (h entryHandlers) detail(c *Call, e *cms.Entry) (*Detail, error) {
	_, m, err := h.model(c)
	if err != nil {
		return nil, err
	}
	at := Base + "/models/" + m.Slug + "/entries/" + e.ID
	d := &Detail{
		Facts: []Fact{
			{Label: "Status", Cells: []Cell{statusBadge(e.Status), Badge(e.Locale)}}, {Label: "Slug", Cells: []Cell{Code(e.Slug)}}, {Label: "Id", Cells: []Cell{Code(e.ID)}},
			{Label: "Published", Cells: []Cell{When(e.PublishedAt)}}, {Label: "Changed", Cells: []Cell{When(e.UpdatedAt)}},
		},
		Actions: []Action{{Label: "Revisions", Href: at + "/revisions"}},
	}
	if c.May(cms.RoleEditor) {
		next, label := cms.StatusPublished, "Publish"
		if e.Status == cms.StatusPublished {
			next, label = cms.StatusDraft, "Unpublish"
		}
		d.Actions = append(d.Actions, Action{Label: label, Method: "PUT", Href: at, Fields: []Field{{Name: "status", Kind: "hidden", Value: string(next)}}})
	}
	content := Section{Title: "Content"}
	for _, f := range m.Fields {
		text, err := fieldText(f, e.Data[f.Name])
		if err != nil {
			return nil, err
		}
		content.Facts = append(content.Facts, Fact{Label: labelOf(f), Pre: text})
	}
	seo := Section{Title: "Search engines", Facts: []Fact{{Label: "Title", Pre: e.SEO.Title}, {Label: "Description", Pre: e.SEO.Description}}}
	d.Sections = []Section{content, seo}
	return d, nil
}

func labelOf(f cms.Field) string {
	if f.Label != "" {
		return f.Label
	}
	return f.Name
}

// fieldText is a value as the form of the entry shows it.
func fieldText(f cms.Field, v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		if f.Type != cms.TypeJSON {
			return v, nil
		}
	case json.Number:
		return v.String(), nil
	case []any:
		if f.IsReference() || f.Type == cms.TypeMultiSelect {
			var lines []string
			for _, item := range v {
				if s, ok := item.(string); ok {
					lines = append(lines, s)
				}
			}
			return strings.Join(lines, "\n"), nil
		}
	}
	body, err := json.MarshalIndent(v, "", "  ")
	return string(body), err
}

// fields are those of the form: the columns, then the model's own, then what search engines see.
func (h entryHandlers) fields(c *Call, stored **cms.Entry) ([]Field, error) {
	site, m, err := h.model(c)
	if err != nil {
		return nil, err
	}
	var e *cms.Entry
	if stored != nil {
		e = *stored
	} else {
		e = (cms.EntryPatch{}).NewEntry(&m.Model, site.Default)
	}
	statuses := []Option{}
	for _, s := range cms.Statuses {
		statuses = append(statuses, Option{string(s), string(s)})
	}
	fields := []Field{
		{Name: "title", Label: "Title", Kind: "text", Value: e.Title, Required: true},
		{Name: "slug", Label: "Slug", Kind: "text", Value: e.Slug, Help: "Empty: made from the title."},
		{Name: "status", Label: "Status", Kind: "select", Value: string(e.Status), Options: statuses},
	}
	if m.Localized {
		locales := []Option{}
		for _, l := range site.Locales {
			locales = append(locales, Option{l.Code, l.Name})
		}
		fields = append(fields, Field{Name: "locale", Label: "Locale", Kind: "select", Value: e.Locale, Options: locales})
	}
	for _, f := range m.Fields {
		field, err := dataField(f, e.Data[f.Name])
		if err != nil {
			return nil, err
		}
		fields = append(fields, field)
	}
	return append(fields,
		Field{Name: "seo.title", Label: "Title for search engines", Kind: "text", Value: e.SEO.Title},
		Field{Name: "seo.description", Label: "Description for search engines", Kind: "textarea", Value: e.SEO.Description},
	), nil
}

// dataField is the form's field for one field of the model.
func dataField(f cms.Field, v any) (Field, error) {
	text, err := fieldText(f, v)
	field := Field{Name: "data." + f.Name, Label: labelOf(f), Value: text, Help: f.Help, Required: f.Required}
	switch f.Type {
	case cms.TypeTextarea:
		field.Kind = "textarea"
	case cms.TypeRichText:
		field.Kind = "markdown"
	case cms.TypeNumber:
		field.Kind = "number"
	case cms.TypeBoolean:
		field.Kind = "checkbox"
	case cms.TypeDate:
		field.Kind = "date"
	case cms.TypeSelect:
		field.Kind, field.Options = "select", []Option{{"", "–"}}
		field.Options = append(field.Options, options(f.Options)...)
	case cms.TypeMultiSelect:
		field.Kind, field.Options, field.Value, field.Values = "checks", options(f.Options), "", strings.Split(text, "\n")
	case cms.TypeMedia, cms.TypeRelation:
		field.Kind = "text"
		what := "media file"
		if f.Type == cms.TypeRelation {
			what = "entry of " + f.Model
		}
		field.Help = strings.TrimSpace(field.Help + " The id of a " + what + ".")
		if f.Many {
			field.Kind, field.Help = "lines", strings.TrimSpace(f.Help+" Ids, one a line: "+what+".")
		}
	case cms.TypeJSON, cms.TypeGroup, cms.TypeList, cms.TypeBlocks:
		field.Kind = "json"
	default:
		field.Kind = "text"
	}
	return field, err
}

func options(values []string) []Option {
	list := make([]Option, len(values))
	for i, v := range values {
		list[i] = Option{v, v}
	}
	return list
}

// body turns the fields of a browser's form into what JSON would have, by the types of the model. JSON stays as it is.
func (h entryHandlers) body(c *Call, body map[string]any) (map[string]any, error) {
	if !c.isForm {
		return body, nil
	}
	_, m, err := h.model(c)
	if err != nil {
		return nil, err
	}
	p := cms.Problems{}
	for key, v := range body {
		switch inner := v.(type) {
		case service.FormValue:
			body[key] = lastOf(inner)
		case map[string]any:
			for name, v := range inner {
				form, ok := v.(service.FormValue)
				if !ok {
					continue
				}
				f := m.Field(name)
				if key != "data" || f == nil {
					inner[name] = lastOf(form)
					continue
				}
				if inner[name], err = formData(f, form); err != nil {
					p.Add("data."+name, "must be valid JSON")
				}
			}
		}
	}
	return body, p.Err()
}

func lastOf(form service.FormValue) string {
	if len(form) == 0 {
		return ""
	}
	return form[len(form)-1]
}

// formData is the value of one field; what is empty is null. The error tells of broken JSON.
func formData(f *cms.Field, form service.FormValue) (any, error) {
	last := lastOf(form)
	if f.IsList() && !f.HasFields() {
		var list []any
		for _, line := range strings.Split(strings.Join(form, "\n"), "\n") {
			if line = strings.TrimSpace(line); line != "" {
				list = append(list, line)
			}
		}
		if list == nil {
			return nil, nil
		}
		return list, nil
	}
	if f.Type == cms.TypeBoolean {
		return last == "true", nil
	}
	if strings.TrimSpace(last) == "" {
		return nil, nil
	}
	switch {
	case f.Type == cms.TypeNumber:
		return json.Number(strings.TrimSpace(last)), nil
	case f.Type == cms.TypeJSON || f.HasFields():
		return cms.DecodeJSON([]byte(last))
	}
	return last, nil
}
