package presetpages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/entrypages"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/site"
)

// panelKey is the name of the inputs that save a block as a preset, below the block.
const panelKey = "._preset"

// Around adds presets to the forms of entries: to each block the button that saves it, to each field of blocks the
// presets of its types, to an entry the link that makes it a template, and to the form of a new entry the templates.
func (h Handlers) Around(routes []frame.Route) []frame.Route {
	for i := range routes {
		r := &routes[i]
		if next := r.Form; next != nil {
			r.Form = func(c *frame.Call) (*ui.Page, error) {
				told, err := h.step(c)
				if err != nil {
					return nil, err
				}
				page, err := next(c)
				if err != nil {
					return nil, err
				}
				return page, h.show(c, page, told)
			}
		}
		next := r.Handle
		if r.Method == http.MethodGet && r.Pattern == "/models/{slug}/entries/create" {
			next = h.fromTemplate(next)
		}
		r.Handle = func(c *frame.Call) (frame.Result, error) {
			result, err := next(c)
			if err != nil || result.Page == nil {
				return result, err
			}
			return result, h.show(c, result.Page, told{})
		}
	}
	return routes
}

// told is what a step has to say about the panel of a block, or about the block that it has saved.
type told struct {
	block   string // name of the row
	saved   string // name of the preset
	problem *cms.Error
}

// step takes the steps of presets: it fills a block that was added, and saves a block or closes the panel for it.
func (h Handlers) step(c *frame.Call) (told, error) {
	if c.Step == nil {
		return told{}, nil
	}
	site, m, err := h.model(c)
	if err != nil {
		return told{}, err
	}
	row, ofPanel := strings.CutSuffix(c.Step.Name, panelKey)
	switch {
	case (c.Step.Verb == "add" || c.Step.Verb == "insert") && strings.Contains(c.Step.Arg, " "):
		return told{}, h.fillAdded(c, site, m)
	case ofPanel && c.Step.Verb == "done":
		entryforms.Forget(c.Form, c.Step.Name)
	case ofPanel && c.Step.Verb == "save":
		return h.save(c, site, m, row)
	}
	return told{}, nil
}

// fillAdded fills the block that a step has added with the values of a preset. The argument of the step, which is now
// the type of the block, is its type and the id of the preset. If they do not fit any more, the block is empty.
func (h Handlers) fillAdded(c *frame.Call, site *site.Site, m *site.Model) error {
	kind, id, _ := strings.Cut(c.Step.Arg, " ")
	for name := range c.Form {
		row, ok := strings.CutSuffix(name, ".type")
		if !ok || c.Form.Get(name) != c.Step.Arg || row != c.Step.Name && !ui.Within(row, c.Step.Name) {
			continue
		}
		c.Form.Set(name, kind)
		v, err := h.Presets.Get(c.R.Context(), m.ID, id)
		if e := frame.AsError(err); e != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if b := blockIn(c.Form, m, row); b != nil && b.path == v.Field && b.kind == v.Kind {
			return h.fill(c, site, b.of, v.Values, row+".")
		}
	}
	return nil
}

// fill sets the inputs of a form to values that fit the fields of a model. prefix stands before the names of inputs.
func (h Handlers) fill(c *frame.Call, site *site.Site, of *site.Model, values map[string]any, prefix string) error {
	values, err := h.Entries.Fit(c.R.Context(), site, of, values)
	for _, f := range of.Fields {
		if err == nil && values[f.Name] != nil {
			var text string
			text, err = entryforms.FieldText(f, values[f.Name])
			c.Form.Set(prefix+f.Name, text)
		}
	}
	return err
}

// block is a block in a form: its type as a model of its fields, with the path of its field.
type block struct {
	path, kind string
	of         *site.Model
}

// blockIn finds the block of a row of a form, nil if the row is none.
func blockIn(form url.Values, m *site.Model, row string) *block {
	names := strings.Split(strings.TrimPrefix(row, "data."), ".")
	fields, name, path := m.Fields, "data", ""
	for i := 0; i < len(names); i++ {
		f := cms.FieldNamed(fields, names[i])
		if f == nil {
			return nil
		}
		name, path, fields = name+"."+names[i], strings.TrimPrefix(path+"."+names[i], "."), f.Fields
		if f.Type == cms.TypeGroup {
			continue
		}
		if i++; i >= len(names) {
			return nil
		}
		if name += "." + names[i]; f.Type != cms.TypeBlocks {
			continue
		}
		kind := form.Get(name + ".type")
		if i == len(names)-1 {
			if of := blockAt(m, path, kind); of != nil {
				return &block{path, kind, of}
			}
			return nil
		}
		path, fields = path+"."+kind, entryforms.BlockOf(*f, kind).Fields
	}
	return nil
}

// save saves a block of a form as a preset. The panel says what is wrong, if anything is.
func (h Handlers) save(c *frame.Call, site *site.Site, m *site.Model, row string) (told, error) {
	b := blockIn(c.Form, m, row)
	if b == nil {
		return told{}, nil
	}
	inputs := url.Values{}
	for name, v := range c.Form {
		if inner, ok := strings.CutPrefix(name, row+"."); ok {
			inputs[inner] = v
		}
	}
	posted, values := input.FromForm(inputs), map[string]any{}
	in := entryforms.FormReader{Problems: cms.Problems{}}
	for i := range b.of.Fields {
		f := &b.of.Fields[i]
		if v := in.Data(f, posted[f.Name], f.Name); v != nil {
			values[f.Name] = v
		}
	}
	name := c.Form.Get(row + panelKey + ".name")
	image := c.Form[row+panelKey+".image"]
	body := map[string]any{"name": name, "field": b.path, "kind": b.kind, "values": values,
		"image": append([]string{""}, image...)[len(image)]}
	_, err := h.Presets.Create(c.R.Context(), c.Actor(), m.ID, body, h.check(c, site, m))
	if e := frame.AsError(err); e != nil {
		return told{block: row, problem: e}, nil
	}
	if err == nil {
		entryforms.Forget(c.Form, row+panelKey)
	}
	return told{block: row, saved: name}, err
}

// fromTemplate fills the form of a new entry with the values of the template in the query. A template that is gone
// fills nothing.
func (h Handlers) fromTemplate(next frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		id := c.R.URL.Query().Get("template")
		if c.JSON || id == "" {
			return next(c)
		}
		site, m, err := h.model(c)
		if err != nil {
			return frame.Result{}, err
		}
		v, err := h.Presets.Get(c.R.Context(), m.ID, id)
		if e := frame.AsError(err); e != nil || err == nil && !v.IsTemplate() {
			return next(c)
		}
		if err != nil {
			return frame.Result{}, err
		}
		c.IsForm, c.Form = true, url.Values{}
		if err := h.fill(c, site, m, v.Values, "data."); err != nil {
			return frame.Result{}, err
		}
		result, err := next(c)
		if err == nil {
			result.Page.Form.Fields[0].Focus = true
		}
		return result, err
	}
}

// show adds presets to the page of an entry that the user may write.
func (h Handlers) show(c *frame.Call, page *ui.Page, said told) error {
	if page.Template != "entry" || page.Form == nil || !c.May(cms.RoleEditor) {
		return nil
	}
	site, m, err := h.model(c)
	if err != nil {
		return nil // the page says that the user may only read
	}
	view := entrypages.EntryViewOf(page)
	if view != nil && m.Kind != cms.KindSingle && !view.ReadOnly {
		before := slices.IndexFunc(view.Actions, func(a ui.Action) bool { return a.Method == http.MethodDelete })
		if before < 0 {
			before = len(view.Actions)
		}
		view.Actions = slices.Insert(view.Actions, before, ui.Action{Label: "Use as template",
			Href: ui.Base + at(m) + "/create?entry=" + view.Stored.ID})
	}
	blank := view == nil && (!c.IsForm || c.Method == http.MethodGet) && m.Kind != cms.KindSingle
	if !blank && !entryforms.HasRows(m.Fields) {
		return nil
	}
	list, err := h.of(c, m)
	if err != nil {
		return err
	}
	if blank {
		page.Starts = h.starts(c, m, list)
		page.Use("starts")
	}
	w := walk{h: h, c: c, site: site, form: page.Form, presets: list, said: said}
	return w.fields(page.Form.Fields, m.Fields, "data", "")
}

// starts returns links to the form of a new entry, blank and by template; none without templates.
func (h Handlers) starts(c *frame.Call, m *site.Model, list []preset) []ui.Tab {
	params := c.R.URL.Query()
	asked := params.Get("template")
	params.Del("template")
	links := []ui.Tab{{Text: "Blank", Href: "?" + params.Encode(), Here: asked == ""}}
	for _, v := range list {
		if v.IsTemplate() {
			params.Set("template", v.ID)
			links = append(links, ui.Tab{Text: say.Data(v.Name), Image: v.image, Href: "?" + params.Encode(),
				Here: v.ID == asked})
		}
	}
	if len(links) == 1 {
		return nil
	}
	return links
}

// walk adds presets to the blocks of a form.
type walk struct {
	h       Handlers
	c       *frame.Call
	site    *site.Site
	form    *ui.Form
	presets []preset
	said    told
}

// fields walks the inputs of some fields. name stands before their names, and path before the paths of blocks.
func (w walk) fields(shown []ui.Field, fields []cms.Field, name, path string) error {
	for i := range shown {
		field := &shown[i]
		f := cms.FieldNamed(fields, strings.TrimPrefix(field.Name, name+"."))
		if f == nil || !f.HasFields() {
			continue
		}
		at := strings.TrimPrefix(path+"."+f.Name, ".")
		if f.Type == cms.TypeGroup {
			if err := w.fields(field.Fields, f.Fields, field.Name, at); err != nil {
				return err
			}
			continue
		}
		for j := range field.Fields {
			row, inner, below := &field.Fields[j], f.Fields, at
			if f.Type == cms.TypeBlocks {
				kind := kindOf(row)
				inner, below = entryforms.BlockOf(*f, kind).Fields, at+"."+kind
			}
			if err := w.fields(row.Fields, inner, row.Name, below); err != nil {
				return err
			}
			if f.Type == cms.TypeBlocks && inner != nil {
				if err := w.block(row); err != nil {
					return err
				}
			}
		}
		if f.Type == cms.TypeBlocks {
			w.offer(field, f, at)
		}
	}
	return nil
}

// kindOf returns the type of the block of a row.
func kindOf(row *ui.Field) string {
	for _, f := range row.Fields {
		if f.Name == row.Name+".type" {
			return f.Value
		}
	}
	return ""
}

// offer adds the presets of a field of blocks to its buttons.
func (w walk) offer(field *ui.Field, f *cms.Field, path string) {
	if len(field.Buttons) == 0 {
		return
	}
	for _, kind := range f.Fields {
		for _, v := range w.presets {
			if v.Field == path && v.Kind == kind.Name {
				field.Presets = append(field.Presets, ui.Button{Text: say.Data(v.Name), Help: entrydata.LabelOf(kind),
					Image: v.image,
					Icon:  "Models", Do: "add " + field.Name + " " + kind.Name + " " + v.ID, To: field.Buttons[0].To})
			}
		}
	}
}

// block adds the button that saves a block as a preset, and its panel if it is open.
func (w walk) block(row *ui.Field) error {
	panel := row.Name + panelKey
	row.Buttons = slices.Insert(row.Buttons, max(len(row.Buttons)-1, 0), ui.Button{Text: "Save as preset",
		Label: say.F("Save as preset: {1}", row.Label), Do: "more " + row.Name + " " + panelKey[1:] + ".name",
		To: panel + ".name"})
	if w.said.block == row.Name && w.said.saved != "" {
		row.Help = say.F("Saved as the preset “{1}”. It is offered wherever a block is added here.", w.said.saved)
	}
	if !w.c.Form.Has(panel + ".name") {
		return nil
	}
	inputs, err := w.h.inputs(w.c, w.site, panel+".", "", "")
	if err != nil {
		return err
	}
	if e := w.said.problem; e != nil && w.said.block == row.Name {
		inputs[0].Errors = errorsOf(e, "name")
		inputs[1].Errors = errorsOf(e, "image")
		if len(inputs[0].Errors)+len(inputs[1].Errors) == 0 {
			inputs[0].Errors = []say.Text{say.Known(e.Message)}
		}
	}
	box := ui.Field{Name: panel, Kind: "group", Label: "Save as preset", Kept: true, Fields: append(inputs,
		ui.Field{Kind: "steps", Buttons: []ui.Button{{Text: "Save preset", Do: "save " + panel, To: row.Name},
			{Text: "Cancel", Do: "done " + panel, To: row.Name}}})}
	row.Fields = append([]ui.Field{box}, row.Fields...)
	w.form.Enter = "save " + panel
	return nil
}

// errorsOf returns the messages of an error about a field.
func errorsOf(e *cms.Error, field string) (texts []say.Text) {
	for _, message := range e.Details[field] {
		texts = append(texts, say.Known(message))
	}
	return texts
}
