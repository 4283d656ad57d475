package entrypages

import (
	"bytes"
	"html/template"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	previews "headless/pkg/links/preview"
	"headless/pkg/site"
)

// markdown turns Markdown into HTML: it is made when the first text is shown. It leaves out HTML
// of the author's and addresses that run scripts, and marks up nothing by style, which the content
// policy forbids.
var markdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.Linkify, extension.Strikethrough,
		extension.TaskList, extension.NewTable(
			extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))))
})

// markdownHTML renders a text. Scripts, styles and frames in it are dropped.
func markdownHTML(text string) (template.HTML, error) {
	var out bytes.Buffer
	if err := markdown().Convert([]byte(text), &out); err != nil {
		return "", err
	}
	return template.HTML(out.String()), nil // safe, see markdown
}

// previewView is the page that shows an entry with its draft as readers will.
type previewView struct {
	*entryView
	Frame string // address on the site, "" where the model has none
	Texts []previewText
}

type previewText struct {
	Label, Lang, Dir string
	HTML             template.HTML
	Plain            string
}

// previewPage shows the entry on its site in a frame, or its texts rendered where the model has no
// address.
func (h entryPages) previewPage(c *frame.Call) (frame.Result, error) {
	site, m, d, err := h.drafted(c)
	if err != nil {
		return frame.Result{}, err
	}
	page, view, err := h.tabPage(c, site, m, d)
	if err != nil {
		return frame.Result{}, err
	}
	v := &previewView{entryView: view}
	if m.PreviewURL != "" && !view.ReadOnly {
		model, id := entrydata.PathOf(c)
		link, err := previews.Links{Entries: h.Entries}.Create(c.R.Context(), model, id, map[string]any{})
		if err != nil {
			return frame.Result{}, err
		}
		v.Frame, page.Frame = *link.URL, *link.URL
	} else if v.Texts, err = previewTexts(site, m, d.Entry); err != nil {
		return frame.Result{}, err
	}
	page.Template, page.Custom = "preview", v
	page.Use("frame")
	return frame.Result{Data: v.Frame, Page: page}, nil
}

// previewTexts are the texts of an entry, its Markdown rendered.
func previewTexts(site *site.Site, m *site.Model, e *cms.Entry) ([]previewText, error) {
	dir := "auto"
	if l := site.Locale(e.Locale); l != nil && l.Direction != "" {
		dir = l.Direction
	}
	var texts []previewText
	for _, f := range m.Fields {
		text, ok := e.Data[f.Name].(string)
		if !ok || text == "" || f.IsReference() {
			continue
		}
		part := previewText{Label: entrydata.LabelOf(f), Lang: e.Locale, Dir: dir, Plain: text}
		if f.Type == cms.TypeRichText {
			html, err := markdownHTML(text)
			if err != nil {
				return nil, err
			}
			part.HTML, part.Plain = html, ""
		}
		texts = append(texts, part)
	}
	return texts, nil
}
