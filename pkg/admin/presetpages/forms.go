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
		v, err := h.Presets.Get(c.R.Context(), m, id)
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
	_, err := h.Presets.Create(c.R.Context(), c.Actor(), m, body, h.check(c, site, m))
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
		v, err := h.Presets.Get(c.R.Context(), m, id)
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
