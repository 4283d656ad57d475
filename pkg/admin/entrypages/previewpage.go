package entrypages

import (
	"html/template"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/cms"
	"headless/pkg/links"
	previews "headless/pkg/links/preview"
	"headless/pkg/site"
)

// previewView is the page that shows an entry, with the changes of its draft, as readers will see
// it.
type previewView struct {
	*EntryView
	Frame string // URL on the site, "" if the model has none
	Texts []previewText
}

type previewText struct {
	Label     say.Text
	Lang, Dir string
	HTML      template.HTML
	Plain     string
	Due       *string // a date or a time, nil for others
}

// previewPage shows the entry on its site in a frame. If the model has no preview URL or the user
// may not write, it shows the texts of the entry.
func (h Pages) previewPage(c *frame.Call, m *site.Model) (frame.Result, error) {
	page, view, d, err := h.TabPage(c, m)
	if err != nil {
		return frame.Result{}, err
	}
	v := &previewView{EntryView: view}
	if m.PreviewURL != "" && !view.ReadOnly {
		link, err := previews.Links{Entries: h.Entries}.Create(c.R.Context(), c.Actor(), m.Slug, c.R.PathValue("id"),
			map[string]any{})
		if err != nil {
			return frame.Result{}, err
		}
		v.Frame, page.Frame = *link.URL, *link.URL
	} else if v.Texts, err = h.previewTexts(c, m, d.Entry); err != nil {
		return frame.Result{}, err
	}
	page.Template, page.Custom = "preview", v
	page.Use("frame")
	return frame.Result{Data: v.Frame, Page: page}, nil
}

// previewTexts returns the texts of an entry. Markdown is rendered, with references as addresses.
func (h Pages) previewTexts(c *frame.Call, m *site.Model, e *cms.Entry) ([]previewText, error) {
	own, err := h.Entries.Own(c.R.Context())
	if err != nil {
		return nil, err
	}
	data := []map[string]any{e.Data}
	shown := links.Texts{Site: c.Site, Entries: h.Entries, Own: own, Admin: true, HTML: true}
	if _, err := shown.Expand(c.R.Context(), &m.Model, data, nil); err != nil {
		return nil, err
	}
	if err := shown.Show(c.R.Context(), &m.Model, []*cms.Entry{e}, data, nil); err != nil {
		return nil, err
	}
	dir := "auto"
	if l := c.Site.Locale(e.Locale); l != nil && l.Direction != "" {
		dir = l.Direction
	}
	var texts []previewText
	for _, f := range m.Fields {
		text, ok := data[0][f.Name].(string)
		if !ok || text == "" || f.IsReference() {
			continue
		}
		part := previewText{Label: entrydata.LabelOf(f), Lang: e.Locale, Dir: dir, Plain: text}
		switch f.Type {
		case cms.TypeRichText:
			part.HTML = template.HTML(text) // sanitised
		case cms.TypeDate, cms.TypeDateTime:
			part.Due = &text
		}
		texts = append(texts, part)
	}
	return texts, nil
}
