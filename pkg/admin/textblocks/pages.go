package textblocks

import (
	"net/http"
	"net/url"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/entrypages"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/presetpages"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/markdown"
	"headless/pkg/site"
)

// group is the name of the inputs of a block, before the names of its fields.
const group = "block"

// readStep fills the form from a block of a text, which is the value of the input textKey.
const (
	readStep = "read"
	textKey  = "text"
)

// Routes returns the routes of the form for a block. Its query names the text field (field), the type of the block
// (type; a step that reads a block needs none), the locale of the text, and a preset that a new block begins with
// (preset, if any).
func Routes(h presetpages.Handlers) []frame.Route {
	p := pages{h}
	form := frame.OfModel(p.form)
	return []frame.Route{
		{Method: http.MethodGet, Pattern: "/models/{slug}/text-blocks", Role: cms.RoleEditor,
			Handle: frame.ShowPage(form)},
		{Method: http.MethodPost, Pattern: "/models/{slug}/text-blocks", Role: cms.RoleEditor,
			Handle: frame.OfModel(p.write), Form: form},
	}
}

type pages struct{ presetpages.Handlers }

// place is the text field that a request is about, and the type of its block.
type place struct {
	model *site.Model
	query url.Values
	field *cms.Field
	kind  *cms.Field // nil for a type that the field does not have
}

func placeIn(c *frame.Call, m *site.Model) (place, error) {
	at := place{model: m, query: c.R.URL.Query()}
	err := cms.PermissionsOf(c.R.Context()).Check(cms.ActionWrite, m.Slug, at.query.Get("locale"), "entries")
	if err != nil {
		return place{}, err
	}
	at.field = entryforms.FieldAt(m.Fields, at.query.Get("field"))
	if at.field == nil || !markdown.HasBlocks(at.field) {
		return place{}, cms.Errorf(cms.CodeNotFound, "There is no such field with blocks.")
	}
	at.kind = cms.FieldNamed(at.field.Fields, at.query.Get("type"))
	return at, nil
}

// form returns the form: empty, with the values of a block in a text, or with the posted ones.
func (p pages) form(c *frame.Call, m *site.Model) (*ui.Page, error) {
	at, err := placeIn(c, m)
	if err != nil {
		return nil, err
	}
	var values any
	var told presetpages.Told
	submit := say.Text("Insert")
	switch {
	case c.Step != nil && c.Step.Verb == readStep:
		if values, err = at.read(c.Form.Get(textKey)); err != nil {
			return nil, err
		}
		c.Form.Del(textKey) // the form has its parts
		at.query.Set("edit", "true")
	case at.kind == nil:
	case c.IsForm:
		if told, err = p.Step(c, at.part()); err != nil {
			return nil, err
		}
		values = at.posted(c, entryforms.FormReader{Problems: cms.Problems{}, Keep: c.Step != nil, IDs: true})
	case at.query.Has("preset"):
		if values, err = p.Values(c, at.part(), at.query.Get("preset")); err != nil {
			return nil, err
		}
		at.query.Del("preset")
	}
	if at.kind == nil {
		return nil, cms.Errorf(cms.CodeNotFound, "There is no such type of block.")
	}
	if at.query.Has("edit") {
		submit = "Save"
	}
	part := at.part()
	shown, err := entrypages.Pages{EntryHandlers: p.EntryHandlers}.Input(c.Site, at.group(), values, group)
	if err != nil {
		return nil, err
	}
	if err := entryforms.OfferBlocks(at.model.Slug, shown.Fields, part.Fields, part.Name, part.Path); err != nil {
		return nil, err
	}
	if err := p.Fill(c, shown.Fields, at.query.Get("locale")); err != nil {
		return nil, err
	}
	if l := c.Site.Locale(at.query.Get("locale")); l != nil {
		entrypages.WriteIn(shown.Fields, l)
	}
	page := &ui.Page{Title: entrydata.LabelOf(*at.kind), Form: &ui.Form{Method: http.MethodPost, Multipart: true,
		Action: ui.Base + ui.ModelPath(at.model.Slug) + "/text-blocks?" + at.query.Encode(),
		Fields: shown.Fields, Submit: submit,
		Cancel: ui.Base + ui.EntriesPath(at.model.Slug)}}
	return page, p.OfferInText(c, page.Form, part, page.Title, told)
}

// read returns the values of the only block in a text, and sets the type.
func (at *place) read(text string) (map[string]any, error) {
	found := markdown.Blocks(at.field, text)
	if len(found) != 1 {
		return nil, cms.Errorf(cms.CodeBadRequest, "The text is no block.")
	}
	if at.kind = cms.FieldNamed(at.field.Fields, found[0].Type); at.kind != nil {
		at.query.Set("type", at.kind.Name)
	}
	if found[0].Problem != "" {
		return nil, cms.Errorf(cms.CodeBadRequest, "The block cannot be read. Mend its text.")
	}
	return found[0].Values, nil
}

// part is the part of the form with the values of the block.
func (at *place) part() presetpages.Part {
	return presetpages.Part{Model: at.model, Fields: at.kind.Fields, Name: group,
		Path: at.query.Get("field") + "." + at.kind.Name}
}

// group returns the field whose value are the values of a block.
func (at *place) group() cms.Field { return cms.Field{Type: cms.TypeGroup, Fields: at.kind.Fields} }

// posted returns the values that the form sent.
func (at *place) posted(c *frame.Call, in entryforms.FormReader) any {
	sent, _ := input.FromForm(c.Form)[group].(map[string]any)
	f := at.group()
	return in.Data(&f, sent, group)
}

// write answers with the block as it stands in a text.
func (p pages) write(c *frame.Call, m *site.Model) (frame.Result, error) {
	at, err := placeIn(c, m)
	if err != nil {
		return frame.Result{}, err
	}
	if at.kind == nil || !c.IsForm {
		return frame.Result{}, cms.Errorf(cms.CodeBadRequest, "The form and its type of block are missing.")
	}
	problems := cms.Problems{}
	values, _ := at.posted(c, entryforms.FormReader{Problems: problems}).(map[string]any) // nil without any
	problems.Merge(markdown.Checks.Values(group, at.kind.Fields, values))
	if err := problems.Err(); err != nil {
		return frame.Result{}, err
	}
	text, err := markdown.WriteBlock(at.kind, values)
	return frame.Result{Raw: []byte(text), RawType: "text/markdown; charset=utf-8"}, err
}
