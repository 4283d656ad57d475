package presetpages

import (
	"net/http"
	"slices"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/entrypages"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/slice"
)

// show adds presets to the page of an entry that the user may write.
func (h Handlers) show(c *frame.Call, page *ui.Page, said Told) error {
	if page.Template != "entry" || page.Form == nil || !c.May(cms.RoleEditor) {
		return nil
	}
	m, err := h.model(c)
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
		page.Starts = starts(c, list)
		page.Use("starts")
	}
	_, err = h.offer(c, page.Form, partOf(m), list, said)
	return err
}

// OfferInText adds presets to the form of a block in a text, whose inputs are a part: a button that saves the block,
// and the buttons that blocks of an entry have to the blocks in it.
func (h Handlers) OfferInText(c *frame.Call, form *ui.Form, p Part, label say.Text, said Told) error {
	list, err := h.of(c, p.Model)
	if err != nil {
		return err
	}
	w, err := h.offer(c, form, p, list, said)
	if err != nil {
		return err
	}
	row := ui.Field{Name: p.Name, Kind: "steps", Label: label}
	if err := w.block(&row); err != nil {
		return err
	}
	if len(row.Fields) > 0 {
		row = row.Fields[0] // the open panel
	}
	form.Fields = append(form.Fields, row)
	return nil
}

// offer adds presets to the blocks of a part of a form.
func (h Handlers) offer(c *frame.Call, form *ui.Form, p Part, list []preset, said Told) (walk, error) {
	w := walk{h: h, c: c, form: form, presets: list, said: said}
	return w, entryforms.Walk(form.Fields, p.Fields, p.Name, p.Path, w.blocks)
}

// starts returns links to the form of a new entry, blank and by template; none without templates.
func starts(c *frame.Call, list []preset) []ui.Tab {
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
	form    *ui.Form
	presets []preset
	said    Told
}

// blocks adds presets to the inputs of a field, if it has blocks.
func (w walk) blocks(field *ui.Field, f *cms.Field, path string) error {
	if f.Type != cms.TypeBlocks {
		return nil
	}
	for i := range field.Fields {
		row := &field.Fields[i]
		if entryforms.BlockOf(*f, entryforms.KindOf(row)).Fields == nil {
			continue
		}
		if err := w.block(row); err != nil {
			return err
		}
	}
	w.offer(field, f, path)
	return nil
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
	inputs, err := w.h.inputs(w.c, panel+".", "", "")
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
func errorsOf(e *cms.Error, field string) []say.Text {
	return slice.Map(e.Details[field], say.Known)
}
