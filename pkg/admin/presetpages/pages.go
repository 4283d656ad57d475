package presetpages

import (
	"cmp"
	"net/http"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/markdown"
	"headless/pkg/presets"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// Handlers serve the presets of a model. Who may write entries of the model may read and change all of them.
type Handlers struct {
	entrydata.EntryHandlers
	Presets *presets.Store
}

const path = "/models/{slug}/presets"

// preset is a preset for its pages.
type preset struct {
	presets.Preset
	of    *site.Model // of its values, see blockAt; nil if there is none any more
	image string      // URL of its picture, "" for none
}

// Routes returns the routes of the presets of a model.
func Routes(h Handlers) []frame.Route {
	routes := resource.Kind[preset]{
		Path: path, One: "preset", Event: "preset.updated", Heading: h.heading,
		Read: cms.RoleEditor, Write: cms.RoleEditor,
		List: h.list, Get: h.get, Update: h.update, Delete: h.remove,
		ID:      func(v preset) string { return v.ID },
		Name:    func(v preset) say.Text { return say.Data(v.Name) },
		Columns: []say.Text{"Name", "Picture", "Used for", "Changed"},
		Row: func(v preset) []ui.Cell {
			return []ui.Cell{ui.Text(v.Name), v.picture(), ui.Word(v.purpose()), ui.When(v.UpdatedAt)}
		},
		Detail: h.detail, Fields: h.fields, JSON: func(v preset) any { return v.Preset },
		Complete: func(_ *frame.Call, page *ui.Page, _ []preset) error {
			page.List.Empty = "No presets yet. Use “Save as preset” on a block, or “Use as template” on an entry."
			return nil
		},
	}.Routes()
	form := frame.OfModel(h.newPage, frame.MayWriteModel)
	return append(routes,
		frame.Route{Method: "POST", Pattern: path, Role: cms.RoleEditor,
			Handle: frame.OfModel(h.create, frame.MayWriteModel), Form: form},
		frame.Route{Method: "GET", Pattern: path + "/create", Role: cms.RoleEditor,
			Handle: func(c *frame.Call) (frame.Result, error) {
				page, err := form(c)
				return frame.Result{Page: page, Data: presets.Preset{Values: presets.Values{}}}, err
			}})
}

func (h Handlers) heading(c *frame.Call) say.Text {
	return say.F("{1}: presets and templates", c.Site.ModelName(c.R.PathValue("slug")))
}

// model returns the model in the path, if the user may write entries of the model.
func (h Handlers) model(c *frame.Call) (*site.Model, error) {
	m, err := c.Model()
	if err == nil {
		err = frame.MayWriteModel(c, m)
	}
	return m, err
}

func (h Handlers) list(c *frame.Call, p db.Paging) (db.Page[preset], error) {
	m, err := h.model(c)
	if err != nil {
		return db.Page[preset]{}, err
	}
	list, err := h.of(c, m)
	return db.PageOf(list, p), err
}

func (h Handlers) get(c *frame.Call, id string) (preset, error) {
	m, err := h.model(c)
	if err != nil {
		return preset{}, err
	}
	v, err := h.Presets.Get(c.R.Context(), m, id)
	if err != nil {
		return preset{}, err
	}
	list, err := h.shown(c, m, v)
	return list[0], err
}

// of returns the presets of a model.
func (h Handlers) of(c *frame.Call, m *site.Model) ([]preset, error) {
	list, err := h.Presets.Of(c.R.Context(), m)
	if err != nil {
		return nil, err
	}
	return h.shown(c, m, list...)
}

func (h Handlers) shown(c *frame.Call, m *site.Model, list ...presets.Preset) ([]preset, error) {
	var ids []string
	shown := slice.Map(list, func(v presets.Preset) preset {
		if v.Image != "" {
			ids = append(ids, v.Image)
		}
		if v.IsTemplate() {
			return preset{Preset: v, of: m}
		}
		return preset{Preset: v, of: blockAt(m, v.Field, v.Kind)}
	})
	if ids == nil {
		return shown, nil
	}
	files, err := h.Files.Inline(c.R.Context(), ids)
	for i, v := range shown {
		if file, ok := files[v.Image].(*cms.MediaInline); ok {
			shown[i].image = ui.Thumbnail(file.URL)
		}
	}
	return shown, err
}

// picture is the picture of a preset, or an empty cell.
func (v preset) picture() ui.Cell {
	if v.image == "" {
		return ui.Cell{}
	}
	return ui.Cell{Kind: "image", Href: v.image}
}

// purpose says what a preset is for.
func (v preset) purpose() say.Text {
	switch {
	case v.IsTemplate():
		return "New entries"
	case v.of == nil:
		return "A type of blocks that is gone"
	}
	return say.F("Block: {1}", v.of.Name)
}

func (h Handlers) update(c *frame.Call, id string, body map[string]any, ok input.Precondition[preset]) (preset, error) {
	m, err := h.model(c)
	if err != nil {
		return preset{}, err
	}
	v, err := h.Presets.Update(c.R.Context(), c.Actor(), m, id, body, func(stored presets.Preset) error {
		return ok.Check(preset{Preset: stored})
	}, h.check(c, m))
	return preset{Preset: v}, err
}

func (h Handlers) remove(c *frame.Call, id string) error {
	m, err := h.model(c)
	if err != nil {
		return err
	}
	return h.Presets.Delete(c.R.Context(), c.Actor(), m, id)
}

// create saves a preset of the values in the body or, for a template, of those of the entry that it names.
func (h Handlers) create(c *frame.Call, m *site.Model) (frame.Result, error) {
	body, err := c.Body()
	if err != nil {
		return frame.Result{}, err
	}
	id, ok := body["entry"].(string)
	if c.IsForm {
		id, ok = c.Form.Get("entry"), c.Form.Has("entry")
	}
	if ok {
		d, err := h.Entries.DraftOrLive(c.R.Context(), m.Slug, id)
		if err != nil {
			return frame.Result{}, err
		}
		delete(body, "entry")
		body["values"] = d.Entry.Data
	}
	v, err := h.Presets.Create(c.R.Context(), c.Actor(), m, body, h.check(c, m))
	return frame.Result{Status: http.StatusCreated, Data: v, Redirect: at(m) + "/" + v.ID + "?ok=created"}, err
}

func at(m *site.Model) string { return ui.ModelPath(m.Slug) + "/presets" }

// check returns a check of what a preset is for, its values and its picture.
func (h Handlers) check(c *frame.Call, m *site.Model) presets.Check {
	return func(p cms.Problems, v *presets.Preset) error {
		if v.Image != "" {
			types, err := h.Entries.MediaTypes(c.R.Context(), []string{v.Image})
			if err != nil {
				return err
			}
			if !strings.HasPrefix(types[v.Image], "image/") {
				p.Add("image", "there is no such picture")
			}
		}
		of := m
		if !v.IsTemplate() || v.Kind != "" {
			if of = blockAt(m, v.Field, v.Kind); of == nil {
				p.Add("kind", "there is no such type of blocks in this field")
				return nil
			}
		}
		copied, _ := cms.CloneJSON(map[string]any(v.Values)).(map[string]any)
		var err error
		v.Values, err = h.Entries.Fit(c.R.Context(), c.Site, of, copied)
		return err
	}
}

func (h Handlers) detail(_ *frame.Call, v preset) (*ui.Detail, error) {
	d := &ui.Detail{}
	var filled []ui.Cell
	if v.of != nil {
		for _, f := range v.of.Fields {
			if entryforms.Digest(&f, v.Values[f.Name]) != ui.Digest(nil) {
				filled = append(filled, ui.Badge(entrydata.LabelOf(f)))
			}
		}
		if v.IsTemplate() {
			d.Actions = []ui.Action{{Label: "New entry", Href: newEntry(v.of, v)}}
		}
	}
	d.Facts = []ui.Fact{ui.NewFact("Used for", ui.Word(v.purpose())),
		ui.NewFact("Values for", filled...)}
	if v.image != "" {
		d.Facts = append(d.Facts, ui.NewFact("Picture", v.picture()))
	}
	d.Facts = append(d.Facts, ui.NewFact("Changed", ui.When(v.UpdatedAt)))
	return d, nil
}

// newEntry returns the URL of the form of a new entry that begins with a template.
func newEntry(m *site.Model, v preset) string {
	return ui.Base + ui.EntriesPath(m.Slug) + "/create?template=" + v.ID
}

// fields returns the inputs of the form of a preset; v is nil for a new one.
func (h Handlers) fields(c *frame.Call, v *preset) ([]ui.Field, error) {
	_, err := h.model(c)
	if err != nil {
		return nil, err
	}
	if v == nil {
		v = &preset{}
	}
	return h.inputs(c, "", v.Name, v.Image)
}

// inputs returns the inputs for the name and the picture of a preset. prefix stands before their names.
func (h Handlers) inputs(c *frame.Call, prefix, name, image string) ([]ui.Field, error) {
	if posted := c.Form[prefix+"image"]; len(posted) > 0 {
		image = posted[len(posted)-1]
	}
	fields := []ui.Field{
		{Name: prefix + "name", Label: "Name", Kind: "text", Required: true, Later: true, Focus: prefix == "",
			Value: cmp.Or(c.Form.Get(prefix+"name"), name)},
		h.Library.Field(c.Site, cms.Field{Type: cms.TypeMedia, Mimes: []string{"image/*"}},
			ui.Field{Name: prefix + "image", Label: "Picture", Value: image, Kept: true}),
	}
	return fields, h.Fill(c, fields, "")
}

// newPage returns the form that makes a template of the entry in the query or in the form.
func (h Handlers) newPage(c *frame.Call, m *site.Model) (*ui.Page, error) {
	id := cmp.Or(c.Form.Get("entry"), c.R.URL.Query().Get("entry"))
	e, err := h.EntryHandlers.Get(c, id)
	if err != nil {
		return nil, err
	}
	fields, err := h.fields(c, &preset{Preset: presets.Preset{Name: e.Title}})
	entry := entrydata.FormAddress(c, m.Slug, e.ID)
	return &ui.Page{Title: "Use as template", Crumbs: []ui.Link{
		entrydata.ListLink(m),
		{Text: say.Data(e.Title), Href: entry}},
		Notice: "New entries can begin with the values of this entry, but for its title, its slug, its SEO texts and what " +
			"only one entry may have.",
		Form: &ui.Form{Action: ui.Base + at(m), Method: http.MethodPost, Submit: "Save template", Cancel: entry,
			Fields: append(fields, ui.Kept("entry", e.ID))}}, err
}

// AddLink adds a link to the presets of the model to the list of its entries.
func (h Handlers) AddLink(c *frame.Call, page *ui.Page) error {
	if m, err := h.model(c); err == nil && page.List != nil && c.May(cms.RoleEditor) {
		page.List.Links = append(page.List.Links, ui.Link{Text: "Presets and templates", Href: ui.Base + at(m)})
	}
	return nil
}

// blockAt returns a type of blocks in a field as a model of its fields, nil if there is none. path has the names of
// fields, and the type of each block that the field is in.
func blockAt(m *site.Model, path, kind string) *site.Model {
	if m == nil {
		return nil
	}
	fields, names := m.Fields, strings.Split(path, ".")
	for i := 0; i < len(names); i++ {
		f := cms.FieldNamed(fields, names[i])
		if f == nil {
			return nil
		}
		if fields = f.Fields; f.Type != cms.TypeBlocks && !markdown.HasBlocks(f) {
			continue
		}
		inner := kind
		if i++; i < len(names) {
			inner = names[i]
		}
		block := cms.FieldNamed(f.Fields, inner)
		if block == nil {
			return nil
		}
		if i >= len(names) {
			return &site.Model{Model: cms.Model{Slug: m.Slug, Name: entrydata.LabelOf(*block).String(),
				Fields: block.Fields}}
		}
		fields = block.Fields
	}
	return nil
}
