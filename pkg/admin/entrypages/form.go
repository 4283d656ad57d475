package entrypages

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/filepages"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/admin/writing"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/site"
)

// facts returns the values of an entry for display, one fact for each field of the model.
func (h Pages) facts(c *frame.Call, m *site.Model, e *cms.Entry) ([]ui.Fact, error) {
	facts, fields := make([]ui.Fact, len(m.Fields)), make([]ui.Field, len(m.Fields))
	var err error
	for i, f := range m.Fields {
		if !f.IsReference() {
			if facts[i], err = fieldFact(f, e.Data[f.Name]); err != nil {
				return nil, err
			}
		} else if fields[i], err = h.Input(c.Site, f, e.Data[f.Name], f.Name); err != nil {
			return nil, err
		}
	}
	if err := h.Fill(c, fields, ""); err != nil {
		return nil, err
	}
	for i, f := range m.Fields {
		if f.IsReference() {
			facts[i] = ui.NewFact(entrydata.LabelOf(f), referenceCells(fields[i].Pick)...)
		}
	}
	return facts, nil
}

// referenceCells returns links to the entries or files that a field refers to.
func referenceCells(pick *ui.Pick) []ui.Cell {
	var cells []ui.Cell
	for _, v := range pick.Chosen {
		if v.Image != "" {
			cells = append(cells, ui.Cell{Href: v.Image, Kind: "image"})
		}
		cells = append(cells, ui.Cell{Text: v.Label, Href: pick.Page(v.ID)})
		if v.Note != "" {
			cells = append(cells, ui.Badge(v.Note))
		}
	}
	return cells
}

// fieldFact returns a value for display: choices as badges, structures as JSON.
func fieldFact(f cms.Field, v any) (ui.Fact, error) {
	text, err := entryforms.FieldText(f, v)
	fact := ui.Fact{Label: entrydata.LabelOf(f)}
	if text == "" || err != nil {
		return fact, err
	}
	switch {
	case f.Type == cms.TypeSelect || f.Type == cms.TypeMultiSelect:
		fact.Cells = ui.Badges(strings.Split(text, "\n"))
	case f.Type == cms.TypeBoolean:
		fact.Cells = []ui.Cell{ui.YesNo(text == "true", "yes", "no")}
	case f.Type == cms.TypeTextarea || f.Type == cms.TypeRichText || f.Type == cms.TypeJSON || f.HasFields():
		fact.Pre, fact.Code = text, f.Type == cms.TypeJSON || f.HasFields()
	default:
		fact.Cells = []ui.Cell{ui.Text(text)}
	}
	return fact, nil
}

// fields returns the inputs of the form of an entry, nil for a new one: title and slug, the fields of the model, and
// then those for search engines.
func (h Pages) fields(c *frame.Call, m *site.Model, stored *cms.Entry) ([]ui.Field, error) {
	e := stored
	if e == nil {
		e = (cms.EntryPatch{}).NewEntry(&m.Model, c.Site.Default)
	}
	data := e.Data
	if c.IsForm { // show the posted values again
		in := entryforms.FormReader{Problems: cms.Problems{}, Keep: c.Step != nil, IDs: true,
			Base: entryforms.ReadBase(c.Form)}
		if posted, ok := input.FromForm(c.Form)["data"].(map[string]any); ok {
			data = maps.Clone(data)
			for name, v := range posted {
				if f := m.Field(name); f != nil {
					data[name] = in.Data(f, v, "data."+name)
				}
			}
		}
	}
	fields := []ui.Field{
		{Name: "title", Label: "Title", Kind: "line", Value: e.Title, Required: true, Bare: true},
		{Name: "slug", Label: "Slug", Kind: "text", Value: e.Slug,
			Help: "Last part of the page's address. Empty: made from the title.", Side: true,
			Buttons: slugStep(stored)},
	}
	if m.Localized && stored == nil {
		fields = append(fields, localeField(c, m, e))
	}
	for _, f := range m.Fields {
		field, err := h.Input(c.Site, f, data[f.Name], "data."+f.Name)
		if err != nil {
			return nil, err
		}
		field.Arrange(f, data)
		fields = append(fields, field)
	}
	requiredLater(fields[1:])
	if err := entryforms.OfferBlocks(m.Slug, fields, m.Fields, "data", ""); err != nil {
		return nil, err
	}
	if err := h.Fill(c, fields, e.Locale); err != nil {
		return nil, err
	}
	if h.MayWrite(c, m, e) {
		if err := h.ShowFew(c, m, e.Locale, fields); err != nil {
			return nil, err
		}
	} else if known, err := h.NamesIn(c, m, entryforms.ShownRows(m, e)); err != nil {
		return nil, err
	} else if err := entryforms.ShowProse(fields, m.Fields, known.Of); err != nil {
		return nil, err
	}
	fields = append(fields,
		ui.Field{Name: "seo.title", Label: "Title for search engines", Kind: "text",
			Value: e.SEO.Title, Side: true, SEO: true},
		ui.Field{Name: "seo.description", Label: "Description for search engines", Kind: "textarea",
			Value: e.SEO.Description, Side: true, SEO: true},
		ui.Field{Name: "seo.noindex", Label: "Leave out of sitemaps", Kind: "checkbox",
			Value: strconv.FormatBool(e.SEO.Noindex), Side: true, SEO: true},
	)
	if l := c.Site.Locale(e.Locale); l != nil {
		WriteIn(fields, l)
	}
	return fields, nil
}

// requiredLater makes browsers accept empty required fields, because drafts may be incomplete.
func requiredLater(fields []ui.Field) {
	for i := range fields {
		fields[i].Later = true
		requiredLater(fields[i].Fields)
	}
}

// slugStep returns the button that makes a new slug for a stored entry from its title.
func slugStep(stored *cms.Entry) []ui.Button {
	if stored == nil {
		return nil
	}
	return []ui.Button{{Text: "From the title", Label: "Make the slug from the title",
		Do: frame.StepSlug, To: "slug"}}
}

// localeField returns the input for the locale of a new entry. The locale cannot be changed later.
func localeField(c *frame.Call, m *site.Model, e *cms.Entry) ui.Field {
	field := ui.Field{Name: "locale", Label: "Language", Kind: "select", Value: e.Locale,
		Help: "It cannot be changed later. For another language, translate the entry.", Side: true}
	if asked := c.R.URL.Query().Get("locale"); asked != "" {
		field.Value = asked
	}
	allowed := cms.PermissionsOf(c.R.Context()).Locales(cms.ActionWrite, m.Slug, c.Site.Codes())
	field.Options = slices.DeleteFunc(ui.LocaleOptions(c.Site.Locales),
		func(o ui.Option) bool { return !slices.Contains(allowed, o.Value) })
	return field
}

// WriteIn sets the language and direction of inputs that hold text.
func WriteIn(fields []ui.Field, l *cms.Locale) {
	for i := range fields {
		f := &fields[i]
		WriteIn(f.Fields, l)
		switch {
		case f.Name == "slug", f.Kind == "email", f.Kind == "url":
			f.Lang, f.Dir = l.Code, "ltr"
		case slices.Contains([]string{"", "text", "line", "textarea", "markdown"}, f.Kind):
			if f.Lang, f.Dir = l.Code, l.Direction; f.Dir == "" {
				f.Dir = "auto"
			}
		}
	}
}

// Input returns the input of a value of a field, as forms of entries have it.
func (h Pages) Input(site *site.Site, f cms.Field, v any, name string) (ui.Field, error) {
	if f.HasFields() {
		return h.treeField(site, f, v, name)
	}
	rows, shown := entryforms.RowsOf(v)
	if shown != nil {
		v = rows
	}
	text, err := entryforms.FieldText(f, v)
	field := ui.Field{Name: name, Label: entrydata.LabelOf(f), Value: text, Help: say.Data(f.Help), Page: shown,
		Kind: f.Type.Info().Input, Required: f.Required, Kept: true}
	switch f.Type {
	case cms.TypeDateTime:
		if t, ok := cms.ParseDateTime(text); ok {
			field.Value = ui.InputTime(cms.Time{Time: t})
		}
	case cms.TypeSelect:
		field.Options = ui.WithNone("Not set", ui.OptionsWith(f.Options, text))
	case cms.TypeMultiSelect:
		field.Value, field.Values = "", strings.Split(text, "\n")
		field.Options = ui.OptionsWith(f.Options, field.Values...)
	case cms.TypeRelation, cms.TypeMedia:
		return h.Library.Field(site, f, field), err
	}
	return field, err
}

// useScripts adds the scripts that the fields need to the page. For Markdown, it also sets the URL
// to which dropped pictures are uploaded.
func (h Pages) useScripts(c *frame.Call, page *ui.Page, fields []cms.Field) error {
	if entryforms.HasRows(fields) {
		page.UseLater("drag")
		page.UseLater("blocks")
	}
	if writing.HasRelations(fields) {
		page.UseLater("related")
	}
	if !writing.HasMarkdown(fields) {
		return nil
	}
	page.UseLater(writing.MarkdownAsset)
	if !c.MayUse(http.MethodPost, "/media") {
		return nil
	}
	field, err := filepages.MediaHandlers{Files: h.Files}.FileField(c)
	page.Upload = field.Upload
	return err
}

// body converts the fields of a form to the body that JSON would send, by the types of the model. A
// JSON body does not change.
func (h Pages) body(c *frame.Call, body map[string]any) (map[string]any, error) {
	if !c.IsForm {
		return body, nil
	}
	m, err := c.Model()
	if err != nil {
		return nil, err
	}
	in := entryforms.FormReader{Problems: cms.Problems{}, Locale: c.Site.Default}
	return in.Body(m, body), in.Problems.Err()
}
