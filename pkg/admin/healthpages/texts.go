package healthpages

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/health"
	"headless/pkg/site"
)

// maxTexts is how many findings can be mended on one page.
const maxTexts = 50

// changedToo is why a text is not saved at once.
const changedToo = "was changed by somebody else too"

// missingText is a text that a finding asks for: inputs with the present values, and the function that
// saves the posted ones. Errors are shown at the input with the name.
type missingText struct {
	name   string
	inputs ui.Field // a group
	// save saves the text and returns the former one, for Undo; its digest is "" if the text stays.
	save func(c *frame.Call) (ui.Former[formerText], error)
}

// formerText is a text before it was saved.
type formerText struct {
	Model string         `json:"model,omitempty"` // slug of that of the entry; "" for a file
	Body  map[string]any `json:"body"`            // of the update that puts the text back
}

// ofFile returns the present values of a file, by the keys of the former ones.
func (t formerText) ofFile(m cms.Media) map[string]any {
	values := map[string]any{"decorative": m.Decorative}
	if alts, ok := t.Body["alts"].(map[string]any); ok {
		for locale := range alts {
			values["alts"] = map[string]any{locale: m.Alts[locale]}
		}
		return values
	}
	values["alt"] = m.Alt
	return values
}

// ofEntry returns the present values of an entry, by the keys of the former ones.
func (t formerText) ofEntry(e *cms.Entry) map[string]any {
	seo, _ := t.Body["seo"].(map[string]any)
	if _, ok := seo["title"]; ok {
		return map[string]any{"seo": map[string]any{"title": e.SEO.Title}}
	}
	return map[string]any{"seo": map[string]any{"description": e.SEO.Description}}
}

// putBack takes saved texts back that nobody has changed since. The form has them by the names of their inputs.
func (h handlers) putBack(c *frame.Call) (frame.Result, error) {
	p := cms.Problems{}
	was, names := ui.Was[formerText](c.Form, p), c.BulkIDs(nil, p)
	if err := p.Err(); err != nil {
		return frame.Result{}, err
	}
	return frame.Bulk(names, "/health", func(name string) (err error) {
		t := was[name]
		_, id, _ := strings.Cut(name, "-")
		if t.Was.Model == "" {
			_, err = h.entries.Files.Update(c.R.Context(), c.Actor(), id, t.Was.Body,
				func(m cms.Media) error { return t.Still(t.Was.ofFile(m)) })
		} else {
			_, err = h.entries.Entries.Update(c.R.Context(), c.Actor(), t.Was.Model, id, t.Was.Body,
				func(e *cms.Entry) error { return t.Still(t.Was.ofEntry(e)) })
		}
		return err
	})
}

// textsPage has the missing texts of the findings in the query.
func (h handlers) textsPage(c *frame.Call) (*ui.Page, error) {
	missing, err := h.missingTexts(c)
	if err != nil {
		return nil, err
	}
	page := &ui.Page{Title: "Missing texts", Crumbs: []ui.Link{{Text: "Health", Href: ui.Base + "/health"}},
		Form: &ui.Form{Action: ui.Base + "/health/texts?" + c.R.URL.RawQuery, Method: http.MethodPost, Submit: "Save",
			Cancel: ui.Base + "/health"}}
	if len(missing) > maxTexts {
		missing, page.Notice = missing[:maxTexts], "Only the first 50 of the chosen findings are shown."
	}
	for _, text := range missing {
		page.Form.Fields = append(page.Form.Fields, text.inputs)
	}
	return page, nil
}

// saveTexts saves the posted texts. A text that is refused leaves the others saved, and is shown again.
func (h handlers) saveTexts(c *frame.Call) (frame.Result, error) {
	if c.Form.Get("action") == "write" { // the list of findings asks for the page
		return frame.Result{Redirect: "/health/texts?" + url.Values{"ids": c.Form["ids"]}.Encode()}, nil
	}
	if c.Form.Has("was") {
		return h.putBack(c)
	}
	missing, err := h.missingTexts(c)
	if err != nil {
		return frame.Result{}, err
	}
	refused, former := cms.Problems{}, map[string]ui.Former[formerText]{}
	for name := range c.Form { // a file whose text somebody else wrote is not missing any more
		if strings.HasPrefix(name, "alt-") && c.Form.Get(name) != "" &&
			!slices.ContainsFunc(missing, func(text missingText) bool { return text.name == name }) {
			refused.Add(name, changedToo)
		}
	}
	for _, text := range missing[:min(len(missing), maxTexts)] {
		was, err := text.save(c)
		var e *cms.Error
		switch {
		case err == nil && was.Now != "":
			former[text.name] = was
		case err == nil:
		case !errors.As(err, &e) || e.Code == cms.CodeUnavailable:
			return frame.Result{}, err
		case len(e.Details) == 0:
			refused.Add(text.name, "%s", e.Message)
		default:
			for _, messages := range e.Details {
				refused[text.name] = append(refused[text.name], messages...)
			}
		}
	}
	return frame.Result{Redirect: "/health?ok=saved", Undo: ui.UndoWith(ui.Base+"/health/texts", former, nil)},
		refused.Err()
}

// missingTexts returns the missing texts of the findings in the query, in their order. It leaves out
// findings about anything else, and those of texts that the user may not change.
func (h handlers) missingTexts(c *frame.Call) ([]missingText, error) {
	if err := h.mayWrite(c); err != nil {
		return nil, err
	}
	places, refs, entries, err := h.entriesAt(c, c.R.URL.Query()["ids"])
	if err != nil {
		return nil, err
	}
	var missing []missingText
	seen := map[string]bool{} // a picture may be used many times
	for i, at := range places {
		if len(missing) > maxTexts {
			break
		}
		var text missingText
		switch m, e := refs[i].Model, entries[i]; {
		case e == nil, !mayText(c, m, e, at.Kind):
		case at.Kind == health.AltMissing:
			if text, err = h.pictureText(c, m, e, at); err != nil {
				return nil, err
			}
		case at.Kind == health.SEOTitle:
			text = h.seoText(c, m, e, "title", "Title for search engines", e.SEO.Title, health.MaxTitle)
		case at.Kind == health.SEODescription:
			text = h.seoText(c, m, e, "description", "Description for search engines",
				e.SEO.Description, health.MaxDescription)
		}
		if text.save != nil && !seen[text.name] {
			seen[text.name] = true
			missing = append(missing, text)
		}
	}
	if missing == nil {
		return nil, cms.Problems{"ids": {"choose at least one picture without a text, or a text for search engines"}}.Err()
	}
	return missing, nil
}

// mayText reports whether the user may write the text that a finding of an entry misses: that of a file, or of the
// entry itself.
func mayText(c *frame.Call, m *site.Model, e *cms.Entry, kind health.Kind) bool {
	if kind == health.AltMissing {
		return c.MayUse(http.MethodPut, "/media/{id}")
	}
	return m.Permit(c.R.Context(), cms.ActionWrite, e, nil) == nil
}

// entriesAt returns the places that the ids of rows name, with their entries. An entry is nil if the
// user may not read it.
func (h handlers) entriesAt(c *frame.Call, rows []string) (places []health.Place,
	refs []content.Reference, entries []*cms.Entry, err error) {
	var named []health.Place
	var ids []string
	for _, body := range placesOf(rows) {
		at, err := health.DecodePlace(body)
		if err != nil {
			return nil, nil, nil, err
		}
		named, ids = append(named, at), append(ids, at.ID)
	}
	slices.Sort(ids)
	ctx := c.R.Context()
	addresses, err := h.checks.Store.Addresses(ctx, slices.Compact(ids))
	if err != nil {
		return nil, nil, nil, err
	}
	for _, at := range named {
		if m := c.Site.ModelByID(addresses[at.ID].ModelID); m != nil {
			places, refs = append(places, at), append(refs, content.Reference{Model: m, ID: at.ID})
		}
	}
	entries, err = h.checks.Store.EntriesByID(ctx, refs)
	return places, refs, entries, err
}

// pictureText returns the alternative text of the file at a place of an entry, none if the finding is
// mended already.
func (h handlers) pictureText(c *frame.Call, m *site.Model, e *cms.Entry,
	at health.Place) (text missingText, err error) {
	list, err := h.checks.Of(c.R.Context(), m, e, false)
	i := slices.IndexFunc(list.Items, func(f health.Finding) bool { return f.Kind == at.Kind && f.Field == at.Field })
	if err != nil || i < 0 {
		return text, err
	}
	id := fileOf(list.Items[i])
	file, err := h.entries.Files.Get(c.R.Context(), id)
	if err != nil {
		return text, err
	}
	alt, decorative := "alt-"+id, "decorative-"+id
	locale := "" // of the text
	if assets.PermitAlt(c.R.Context(), h.entries.Files, file, "") != nil {
		if locale = e.Locale; locale == "" || assets.PermitAlt(c.R.Context(), h.entries.Files, file, locale) != nil {
			return text, nil
		}
	}
	return missingText{
		name: alt,
		inputs: ui.Field{Kind: "group", Name: "of-" + alt, Label: say.Data(file.Name), Help: say.F("Shown by {1}.",
			cmp.Or(e.Title, e.Slug)),
			Fields: []ui.Field{
				{Name: alt, Label: "Alternative text", Kind: "text", Value: file.Alt,
					Picture: cms.VariantURL(file.URL, "w=320")},
				ui.Checkbox(decorative, "Decorative: needs no alternative text", file.Decorative),
			}},
		save: func(c *frame.Call) (ui.Former[formerText], error) {
			body := map[string]any{"alt": c.Form.Get(alt), "decorative": c.Form.Get(decorative) == "true"}
			if locale != "" {
				body["alts"] = map[string]any{locale: c.Form.Get(alt)}
				delete(body, "alt")
			}
			was := formerText{Body: body}
			after, err := h.entries.Files.Update(c.R.Context(), c.Actor(), id, body, func(m cms.Media) error {
				was.Body = was.ofFile(m)
				return nil
			})
			if ui.Digest(was.Body) == ui.Digest(was.ofFile(after)) {
				return ui.Former[formerText]{}, err
			}
			return ui.Replaced(was, any(was.ofFile(after))), err
		},
	}, nil
}

// seoText returns a text for search engines of an entry: that with the key in seo. The form keeps the text that it
// showed, and shows a text that somebody else wrote since before it replaces that.
func (h handlers) seoText(c *frame.Call, m *site.Model, e *cms.Entry, key string, label say.Text, value string,
	limit int) missingText {
	name := key + "-" + e.ID
	shown, help := "was-"+name, say.N(limit, "At most {1} character.", "At most {1} characters.")
	overtaken := c.Form.Has(shown) && c.Form.Get(shown) != value
	switch {
	case overtaken && c.Form.Get(name) == c.Form.Get(shown): // nothing was typed
		c.Form.Set(name, value)
	case overtaken:
		help = say.F("{1}: {2}", say.Text("Somebody else"), value)
	}
	return missingText{
		name: name,
		inputs: ui.Field{Kind: "group", Name: "of-" + name, Label: say.Data(cmp.Or(e.Title, e.Slug)),
			Fields: []ui.Field{
				{Name: name, Label: label, Kind: "textarea", Value: value,
					Help: help, Lang: e.Locale}, ui.Kept(shown, value)}},
		save: func(c *frame.Call) (ui.Former[formerText], error) {
			typed, none := c.Form.Get(name), ui.Former[formerText]{}
			switch {
			case typed == value:
				return none, nil
			case overtaken:
				return none, cms.Problems{name: {changedToo}}.Err()
			}
			was := formerText{Model: m.Slug, Body: map[string]any{"seo": map[string]any{key: typed}}}
			after, err := h.entries.Entries.Update(c.R.Context(), c.Actor(), m.Slug, e.ID, was.Body,
				func(e *cms.Entry) error {
					was.Body = was.ofEntry(e)
					return nil
				})
			if err != nil {
				return none, err
			}
			return ui.Replaced(was, any(was.ofEntry(after))), nil
		},
	}
}
