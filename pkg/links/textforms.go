package links

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"headless/pkg/assets/variant"
	"headless/pkg/cms"
	"headless/pkg/markdown"
	"headless/pkg/refs"
)

// ParseRichText parses the query parameter richtext (extensions §12). Error: BAD_REQUEST.
func ParseRichText(q url.Values) (html, parts bool, err error) {
	if !q.Has("richtext") {
		return false, false, nil
	}
	switch q.Get("richtext") {
	case "markdown":
		return false, false, nil
	case "html":
		return true, false, nil
	case "parts":
		return false, true, nil
	case "parts,html":
		return true, true, nil
	}
	return false, false, cms.Errorf(cms.CodeBadRequest, "richtext must be markdown, html, parts or parts,html.")
}

// Split returns data with the texts of its richtext fields in parts, if they are shown so, or as HTML
// with blocks. Show makes the form that is shown. Data itself never changes.
func (t *Texts) Split(fields []cms.Field, data map[string]any) map[string]any {
	if t == nil || !t.HTML && !t.Parts {
		return data
	}
	return refs.MapRichTexts(fields, data, func(_ string, f *cms.Field, v any) (any, bool) {
		text, ok := v.(string)
		switch {
		case !ok:
			return v, false
		case !t.split.Takes(text):
			return markdown.OnePart(text), true
		case !t.Parts && len(markdown.Blocks(f, text)) == 0:
			return v, false
		}
		parts := markdown.Parts(f, text)
		for i, part := range parts {
			object, _ := part.(map[string]any)
			parts[i] = t.Split(f.FieldsOf(object), object)
		}
		return parts, true
	})
}

// Show shows the texts in data, the shown data of some entries of a model, and those of what inc
// included in it, as HTML. It changes the elements of data, but copies what it changes in them.
func (t *Texts) Show(ctx context.Context, m *cms.Model, entries []*cms.Entry, data []map[string]any,
	inc *Include) error {
	if !t.HTML {
		return nil
	}
	s := shownForm{texts: t}
	t.eachRich(m, entries, data, inc, s.collectText)
	var err error
	if s.html, err = t.Entries.HTML(ctx, s.asked); err == nil {
		t.eachRich(m, entries, data, inc, s.replaceText)
	}
	return errors.Join(err, s.err)
}

// eachRich maps the richtexts of the entries and of the included ones, which may stand in a block.
func (t *Texts) eachRich(m *cms.Model, entries []*cms.Entry, data []map[string]any, inc *Include,
	change refs.Change) {
	if inc != nil {
		for i := len(inc.objects) - 1; i >= 0; i-- {
			o := inc.objects[i]
			t.locale = o.locale
			o.Data = refs.MapRichTexts(o.target.model.Fields, o.Data, change)
		}
	}
	for i := range data {
		t.locale = entries[i].Locale
		data[i] = refs.MapRichTexts(m.Fields, data[i], change)
	}
}

// shownForm replaces texts by their HTML: it collects all of them first, and changes them in the same
// order.
type shownForm struct {
	texts *Texts
	asked []markdown.Text
	html  [][]string // of those asked for and not changed yet
	err   error
}

// collectText asks for the HTML of a text, and of those in its blocks.
func (s *shownForm) collectText(_ string, f *cms.Field, v any) (any, bool) {
	text := markdown.Text{Raw: s.texts.Raw, Pictures: map[string]markdown.Picture{}}
	at := len(s.asked)
	s.asked = append(s.asked, text)
	parts, isParts := v.([]any)
	if markdown, ok := v.(string); ok {
		text.Pieces = []string{markdown}
	} else if !isParts {
		s.asked = s.asked[:at]
		return v, false
	}
	for _, item := range parts {
		if part, ok := item.(map[string]any); ok && part["type"] == cms.TextPart {
			markdown, _ := part["text"].(string)
			text.Pieces = append(text.Pieces, markdown)
		} else {
			refs.MapRichTexts(f.FieldsOf(part), part, s.collectText)
		}
	}
	s.texts.addPictures(&text)
	s.asked[at] = text
	return v, false
}

// replaceText replaces a text by its HTML.
func (s *shownForm) replaceText(_ string, f *cms.Field, v any) (any, bool) {
	parts, isParts := v.([]any)
	if _, ok := v.(string); !ok && !isParts {
		return v, false
	}
	html := s.html[0]
	s.html = s.html[1:]
	if !isParts {
		return html[0], true
	}
	shown := make([]any, len(parts))
	var whole strings.Builder
	for i, item := range parts {
		part, _ := item.(map[string]any)
		if part["type"] == cms.TextPart {
			shown[i] = map[string]any{"type": cms.TextPart, "text": html[0]}
			whole.WriteString(html[0])
			html = html[1:]
			continue
		}
		part = refs.MapRichTexts(f.FieldsOf(part), part, s.replaceText)
		shown[i] = part
		if !s.texts.Parts {
			block, err := markdown.BlockHTML(part)
			s.err = errors.Join(s.err, err)
			whole.WriteString(block)
		}
	}
	if s.texts.Parts {
		return shown, true
	}
	return whole.String(), true
}

// addPictures describes the pictures of this service in a text.
func (t *Texts) addPictures(text *markdown.Text) {
	if len(t.files) == 0 {
		return
	}
	for _, piece := range text.Pieces {
		for _, d := range refs.Destinations(piece) {
			address := piece[d.Start:d.End]
			if p, ok := t.picture(address); ok {
				text.Pictures[address] = p
			}
		}
	}
}

// picture describes the picture of this service that an address shows.
func (t *Texts) picture(address string) (p markdown.Picture, ok bool) {
	address, _, _ = strings.Cut(address, "#")
	file, parameters := t.fileAt(address)
	if file == nil {
		return p, false
	}
	if p.Alt = file.In(t.locale).Alt; file.Width == nil || file.Height == nil {
		return p, true
	}
	p.Width, p.Height = *file.Width, *file.Height
	values, err := url.ParseQuery(parameters)
	if err != nil {
		return p, true
	}
	o, _, err := variant.Parse(values)
	switch {
	case err != nil || !file.Scalable:
	case o.Crops():
		p.Width, p.Height = o.Width, o.Height
		return p, true
	case o.Width > 0 && o.Width < p.Width && o.Height == 0:
		p.Width, p.Height = o.Width, max(1, (p.Height*o.Width+p.Width/2)/p.Width)
	}
	if file.Scalable && t.Images != nil {
		p.Srcset = variant.Srcset(file.URL, *file.Width, file.Focal, t.Images)
	}
	return p, true
}

// fileAt returns the file whose URL an address is, nil if there is none, and the parameters of the
// address that the URL does not have.
func (t *Texts) fileAt(address string) (file *cms.MediaInline, parameters string) {
	for at := len(address); at > 0; at = strings.LastIndexAny(address[:at], "?&") {
		if file = t.files[address[:at]]; file != nil {
			return file, strings.TrimLeft(address[at:], "?&")
		}
	}
	return nil, ""
}
