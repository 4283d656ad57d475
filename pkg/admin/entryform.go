package admin

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/site"
)

// facts shows what an entry holds.
func (h entryHandlers) facts(c *Call, site *site.Site, m *site.Model, e *cms.Entry) ([]Fact, error) {
	facts, fields := make([]Fact, len(m.Fields)), make([]Field, len(m.Fields))
	var err error
	for i, f := range m.Fields {
		if !f.IsReference() {
			if facts[i], err = fieldFact(f, e.Data[f.Name]); err != nil {
				return nil, err
			}
		} else if fields[i], err = h.dataField(site, f, e.Data[f.Name], f.Name); err != nil {
			return nil, err
		}
	}
	if err := h.fill(c, site, fields); err != nil {
		return nil, err
	}
	for i, f := range m.Fields {
		if f.IsReference() {
			facts[i] = Fact{Label: labelOf(f), Cells: referenceCells(f, fields[i].Pick.Chosen)}
		}
	}
	return facts, nil
}

// referenceCells lead to what an entry refers to.
func referenceCells(f cms.Field, chosen []Choice) []Cell {
	at := Base + "/media/"
	if f.Type == cms.TypeRelation {
		at = Base + "/models/" + f.Model + "/entries/"
	}
	var cells []Cell
	for _, v := range chosen {
		if v.Image != "" {
			cells = append(cells, Cell{Href: v.Image, Kind: "image"})
		}
		cells = append(cells, Cell{Text: v.Label, Href: at + v.ID})
		if v.Note != "" {
			cells = append(cells, Badge(v.Note))
		}
	}
	return cells
}

// fieldFact shows a value: choices are badges, structures are JSON.
func fieldFact(f cms.Field, v any) (Fact, error) {
	text, err := fieldText(f, v)
	fact := Fact{Label: labelOf(f)}
	if text == "" || err != nil {
		return fact, err
	}
	switch {
	case f.Type == cms.TypeSelect || f.Type == cms.TypeMultiSelect:
		fact.Cells = badges(strings.Split(text, "\n"))
	case f.Type == cms.TypeBoolean:
		fact.Cells = []Cell{YesNo(text == "true", "yes", "no")}
	case f.Type == cms.TypeTextarea || f.Type == cms.TypeRichText || f.Type == cms.TypeJSON || f.HasFields():
		fact.Pre, fact.Code = text, f.Type == cms.TypeJSON || f.HasFields()
	default:
		fact.Cells = []Cell{Text(text)}
	}
	return fact, nil
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
	case unreadable:
		return string(v), nil
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
	data := e.Data
	if c.isForm { // the form comes back as it was sent
		in := formReader{cms.Problems{}, c.step != nil}
		if posted, ok := input.FromForm(c.form)["data"].(map[string]any); ok {
			data = maps.Clone(data)
			for name, v := range posted {
				if f := m.Field(name); f != nil {
					data[name] = in.data(f, v, "")
				}
			}
		}
	}
	fields := []Field{
		{Name: "title", Label: "Title", Kind: "text", Value: e.Title, Required: true},
		{Name: "slug", Label: "Slug", Kind: "text", Value: e.Slug,
			Help: "Last part of the page's address. Empty: made from the title.", Side: true,
			Buttons: slugStep(stored)},
	}
	if m.Localized && stored == nil {
		fields = append(fields, h.localeField(c, site, e))
	}
	for _, f := range m.Fields {
		field, err := h.dataField(site, f, data[f.Name], "data."+f.Name)
		if err != nil {
			return nil, err
		}
		field.arrange(f, data)
		fields = append(fields, field)
	}
	requiredLater(fields[1:])
	if err := h.fill(c, site, fields); err != nil {
		return nil, err
	}
	fields = append(fields,
		Field{Name: "seo.title", Label: "Title for search engines", Kind: "text",
			Value: e.SEO.Title, Side: true},
		Field{Name: "seo.description", Label: "Description for search engines", Kind: "textarea",
			Value: e.SEO.Description, Side: true},
		Field{Name: "seo.noindex", Label: "Leave out of sitemaps", Kind: "checkbox",
			Value: strconv.FormatBool(e.SEO.Noindex), Side: true},
	)
	if l := site.Locale(e.Locale); l != nil {
		writeIn(fields, l)
	}
	return fields, nil
}

// requiredLater lets browsers send a form without what drafts may lack.
func requiredLater(fields []Field) {
	for i := range fields {
		fields[i].Later = true
		requiredLater(fields[i].Fields)
	}
}

// slugStep is the button that makes the slug of a stored entry anew.
func slugStep(stored **cms.Entry) []Button {
	if stored == nil {
		return nil
	}
	return []Button{{Text: "From the title", Label: "Make the slug from the title", Do: stepSlug, To: "slug"}}
}

// localeField chooses the locale of a new entry, which stays as it is.
func (h entryHandlers) localeField(c *Call, site *site.Site, e *cms.Entry) Field {
	field := Field{Name: "locale", Label: "Locale", Kind: "select", Value: e.Locale,
		Help: "It cannot be changed later: translate the entry instead.", Side: true}
	if asked := c.R.URL.Query().Get("locale"); asked != "" {
		field.Value = asked
	}
	for _, l := range site.Locales {
		field.Options = append(field.Options, Option{l.Code, l.Name})
	}
	return field
}

// arrange puts the input of a field where the model says.
func (f *Field) arrange(of cms.Field, data map[string]any) {
	f.Side = of.Column == cms.ColumnSide || of.Column == "" && besideTexts(of)
	if f.Tab = of.Tab; of.ShownIf != "" {
		f.ShownIf, f.ShownFor, f.Unmet = "data."+of.ShownIf, of.ShownFor, !of.IsShown(data)
	}
}

// besideTexts reports whether a field stands in the column beside the texts.
func besideTexts(f cms.Field) bool {
	switch f.Type {
	case cms.TypeRelation, cms.TypeMedia, cms.TypeBoolean, cms.TypeSelect, cms.TypeMultiSelect,
		cms.TypeDate, cms.TypeDateTime:
		return true
	}
	return false
}

// writeIn sets the language and direction of the inputs that hold text.
func writeIn(fields []Field, l *cms.Locale) {
	for i := range fields {
		f := &fields[i]
		writeIn(f.Fields, l)
		switch f.Kind {
		case "", "text", "textarea", "markdown":
			if f.Lang, f.Dir = l.Code, l.Direction; f.Dir == "" {
				f.Dir = "auto"
			}
		case "email", "url":
			f.Lang, f.Dir = l.Code, "ltr"
		}
	}
}

// dataField is the form's field for one field of the model.
func (h entryHandlers) dataField(site *site.Site, f cms.Field, v any, name string) (Field, error) {
	if f.HasFields() {
		return h.treeField(site, f, v, name)
	}
	text, err := fieldText(f, v)
	field := Field{Name: name, Label: labelOf(f), Value: text, Help: f.Help, Required: f.Required, Kept: true}
	switch f.Type {
	case cms.TypeTextarea:
		field.Kind = "textarea"
	case cms.TypeRichText:
		field.Kind, field.Help = "markdown", strings.TrimSpace(f.Help+" Markdown.")
	case cms.TypeNumber:
		field.Kind = "number"
	case cms.TypeBoolean:
		field.Kind = "checkbox"
	case cms.TypeDate:
		field.Kind = "date"
	case cms.TypeDateTime:
		field.Kind = "datetime"
		if t, ok := cms.ParseDateTime(text); ok {
			field.Value = inputTime(cms.Time{Time: t})
		}
	case cms.TypeEmail:
		field.Kind = "email"
	case cms.TypeURL:
		field.Kind = "url"
	case cms.TypeSelect:
		field.Kind, field.Options = "select", []Option{{"", "–"}}
		field.Options = append(field.Options, options(f.Options)...)
	case cms.TypeMultiSelect:
		field.Kind, field.Options, field.Value, field.Values = "checks", options(f.Options), "",
			strings.Split(text, "\n")
	case cms.TypeRelation, cms.TypeMedia:
		return h.library.field(site, f, field), err
	case cms.TypeJSON:
		field.Kind = "json"
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
