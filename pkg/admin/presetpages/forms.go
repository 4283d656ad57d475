package presetpages

import (
	"net/http"
	"net/url"
	"strings"

	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
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
				told, err := h.stepOfEntry(c)
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
		r.Handle = frame.AddToPage(func(c *frame.Call, page *ui.Page) error { return h.show(c, page, Told{}) })(next)
	}
	return routes
}

// Part is a part of a form: the inputs of some fields of a model.
type Part struct {
	Model  *site.Model
	Fields []cms.Field
	Name   string // stands before the names of the inputs
	Path   string // of the fields, see entryforms.Walk
}

// partOf returns the part of the form of an entry that has the fields of its model.
func partOf(m *site.Model) Part { return Part{Model: m, Fields: m.Fields, Name: "data"} }

// Told is the message of a step about the panel of a block, or about the block that it has saved.
type Told struct {
	block   string // name of the row
	saved   string // name of the preset
	problem *cms.Error
}

func (h Handlers) stepOfEntry(c *frame.Call) (Told, error) {
	if c.Step == nil {
		return Told{}, nil
	}
	m, err := h.model(c)
	if err != nil {
		return Told{}, err
	}
	return h.Step(c, partOf(m))
}

// Step takes the steps of presets: it fills a block that was added, and saves a block or closes the panel for it.
func (h Handlers) Step(c *frame.Call, p Part) (Told, error) {
	if c.Step == nil {
		return Told{}, nil
	}
	row, ofPanel := strings.CutSuffix(c.Step.Name, panelKey)
	switch {
	case (c.Step.Verb == "add" || c.Step.Verb == "insert") && strings.Contains(c.Step.Arg, " "):
		return Told{}, h.fillAdded(c, p)
	case ofPanel && c.Step.Verb == "done":
		entryforms.Forget(c.Form, c.Step.Name)
	case ofPanel && c.Step.Verb == "save":
		return h.save(c, p, row)
	}
	return Told{}, nil
}

// fillAdded fills the block that a step has added with the values of a preset. The argument of the step, which is now
// the type of the block, is its type and the id of the preset. If they do not fit any more, the block is empty.
func (h Handlers) fillAdded(c *frame.Call, p Part) error {
	kind, id, _ := strings.Cut(c.Step.Arg, " ")
	for name := range c.Form {
		row, ok := strings.CutSuffix(name, ".type")
		if !ok || c.Form.Get(name) != c.Step.Arg || row != c.Step.Name && !ui.Within(row, c.Step.Name) {
			continue
		}
		c.Form.Set(name, kind)
		b := blockIn(c.Form, p, row)
		if b == nil {
			continue
		}
		values, err := h.values(c, p, b, id)
		if err != nil {
			return err
		}
		return fill(c, b.of, values, row+".")
	}
	return nil
}

// Values returns the values of a preset that fit the block in a text that is a part; none if there is no such preset.
func (h Handlers) Values(c *frame.Call, p Part, id string) (map[string]any, error) {
	return h.values(c, p, blockIn(nil, p, p.Name), id)
}

func (h Handlers) values(c *frame.Call, p Part, b *block, id string) (map[string]any, error) {
	v, err := h.Presets.Get(c.R.Context(), p.Model, id)
	if e := frame.AsError(err); e != nil || err == nil && (b.path != v.Field || b.kind != v.Kind) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return h.Entries.Fit(c.R.Context(), c.Site, b.of, v.Values)
}

// fill sets the inputs of a form to values of the fields of a model. prefix stands before the names of inputs.
func fill(c *frame.Call, of *site.Model, values map[string]any, prefix string) error {
	for _, f := range of.Fields {
		if values[f.Name] == nil {
			continue
		}
		text, err := entryforms.FieldText(f, values[f.Name])
		if err != nil {
			return err
		}
		c.Form.Set(prefix+f.Name, text)
	}
	return nil
}

// block is a block in a form: its type as a model of its fields, with the path of its field.
type block struct {
	path, kind string
	of         *site.Model
}

// blockIn finds the block of a row of a part, or the block in a text that is the part. It is nil if there is none.
func blockIn(form url.Values, p Part, row string) *block {
	if row == p.Name {
		path, kind := ui.CutLast(p.Path)
		return blockOf(p.Model, path, kind)
	}
	names := strings.Split(strings.TrimPrefix(row, p.Name+"."), ".")
	fields, name, path := p.Fields, p.Name, p.Path
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
			return blockOf(p.Model, path, kind)
		}
		path, fields = path+"."+kind, entryforms.BlockOf(*f, kind).Fields
	}
	return nil
}

func blockOf(m *site.Model, path, kind string) *block {
	if of := blockAt(m, path, kind); of != nil {
		return &block{path, kind, of}
	}
	return nil
}

// save saves a block of a form as a preset. The panel says what is wrong, if anything is.
func (h Handlers) save(c *frame.Call, p Part, row string) (Told, error) {
	b := blockIn(c.Form, p, row)
	if b == nil {
		return Told{}, nil
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
	_, err := h.Presets.Create(c.R.Context(), c.Actor(), p.Model, body, h.check(c, p.Model))
	if e := frame.AsError(err); e != nil {
		return Told{block: row, problem: e}, nil
	}
	if err == nil {
		entryforms.Forget(c.Form, row+panelKey)
	}
	return Told{block: row, saved: name}, err
}

// fromTemplate fills the form of a new entry with the values of the template in the query. A template that is gone
// fills nothing.
func (h Handlers) fromTemplate(next frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		id := c.R.URL.Query().Get("template")
		if c.JSON || id == "" {
			return next(c)
		}
		m, err := h.model(c)
		if err != nil {
			return frame.Result{}, err
		}
		v, err := h.Presets.Get(c.R.Context(), m, id)
		if e := frame.AsError(err); e != nil || err == nil && !v.IsTemplate() {
			return next(c)
		}
		if err != nil {
			return frame.Result{}, err
		}
		c.IsForm, c.Form = true, url.Values{}
		values, err := h.Entries.Fit(c.R.Context(), c.Site, m, v.Values)
		if err == nil {
			err = fill(c, m, values, "data.")
		}
		if err != nil {
			return frame.Result{}, err
		}
		result, err := next(c)
		if err == nil {
			result.Page.Form.Fields[0].Focus = true
		}
		return result, err
	}
}
