package healthpages

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/health"
	"headless/pkg/site"
)

// maxTexts is how many findings can be mended on one page.
const maxTexts = 50

// missingText is a text that a finding asks for: a group of inputs with its present values, and what
// saves the posted values. Name is that of the input which shows an error.
type missingText struct {
	ui.Field
	save func(c *frame.Call) error
}

// texts returns the page that writes the texts which the findings in the query miss.
func (h handlers) texts(c *frame.Call) (frame.Result, error) {
	page, err := h.textsPage(c)
	return frame.Result{Page: page}, err
}

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
		group := text.Field
		group.Name = ""
		page.Form.Fields = append(page.Form.Fields, group)
	}
	return page, nil
}

// saveTexts saves what was typed. A text that is refused leaves the others saved, and is shown again.
func (h handlers) saveTexts(c *frame.Call) (frame.Result, error) {
	if c.Form.Get("action") == "write" { // the list of findings asks for the page
		return frame.Result{Redirect: "/health/texts?" + url.Values{"ids": c.Form["ids"]}.Encode()}, nil
	}
	missing, err := h.missingTexts(c)
	if err != nil {
		return frame.Result{}, err
	}
	refused := cms.Problems{}
	for _, text := range missing[:min(len(missing), maxTexts)] {
		err := text.save(c)
		var e *cms.Error
		switch {
		case err == nil:
		case !errors.As(err, &e) || e.Code == cms.CodeUnavailable:
			return frame.Result{}, err
		case len(e.Details) == 0:
			refused.Add(text.Name, "%s", e.Message)
		default:
			for _, messages := range e.Details {
				refused[text.Name] = append(refused[text.Name], messages...)
			}
		}
	}
	return frame.Result{Redirect: "/health?ok=saved"}, refused.Err()
}

// missingTexts returns the texts that the findings named by the query miss, in their order. It leaves
// out findings about anything else, and those of entries that the user may not read.
func (h handlers) missingTexts(c *frame.Call) ([]missingText, error) {
	if err := h.mayWrite(c); err != nil {
		return nil, err
	}
	ctx := c.R.Context()
	var places []health.Place
	var ids []string
	for _, body := range placesOf(c.R.URL.Query()["ids"]) {
		at, err := health.DecodePlace(body)
		if err != nil {
			return nil, err
		}
		places, ids = append(places, at), append(ids, at.ID)
	}
	now, err := h.checks.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	slices.Sort(ids)
	addresses, err := h.checks.Store.Addresses(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	var missing []missingText
	seen := map[string]bool{} // a picture may be used many times
	for _, at := range places {
		m := now.ModelByID(addresses[at.ID].ModelID)
		if m == nil || len(missing) > maxTexts {
			continue
		}
		found, err := h.checks.Store.EntriesByID(ctx, []content.Reference{{Model: m, ID: at.ID}})
		if err != nil {
			return nil, err
		}
		var text missingText
		switch e := found[0]; {
		case e == nil:
		case at.Kind == health.AltMissing:
			if text, err = h.pictureText(c, m, e, at); err != nil {
				return nil, err
			}
		case at.Kind == health.SEOTitle:
			text = h.seoText(m, e, "title", "Title for search engines", e.SEO.Title, "At most 60 characters.")
		case at.Kind == health.SEODescription:
			text = h.seoText(m, e, "description", "Description for search engines", e.SEO.Description, "At most 160 characters.")
		}
		if text.save != nil && !seen[text.Name] {
			seen[text.Name] = true
			missing = append(missing, text)
		}
	}
	if missing == nil {
		return nil, cms.Problems{"ids": {"choose at least one picture without a text, or a text for search engines"}}.Err()
	}
	return missing, nil
}

// pictureText returns the alternative text of the file at a place of an entry. It saves nothing if the
// finding is mended already.
func (h handlers) pictureText(c *frame.Call, m *site.Model, e *cms.Entry, at health.Place) (text missingText, err error) {
	list, err := h.checks.Of(c.R.Context(), m, e, false)
	for _, f := range list.Items {
		if err != nil || f.Kind != at.Kind || f.Field != at.Field {
			continue
		}
		id, _, _ := strings.Cut(f.Detail, ",")
		var file cms.Media
		if file, err = h.entries.Files.Get(c.R.Context(), id); err != nil {
			break
		}
		alt, decorative := "alt-"+id, "decorative-"+id
		text.Field = ui.Field{Name: alt, Kind: "group", Label: file.Name, Help: "Shown by " + cmp.Or(e.Title, e.Slug) + ".",
			Fields: []ui.Field{
				{Name: alt, Label: "Alternative text", Kind: "text", Value: file.Alt, Picture: cms.VariantURL(file.URL, "w=320")},
				ui.Checkbox(decorative, "Decorative: needs no alternative text", file.Decorative),
			}}
		text.save = func(c *frame.Call) error {
			body := map[string]any{"alt": c.Form.Get(alt), "decorative": c.Form.Get(decorative) == "true"}
			_, err := h.entries.Files.Update(c.R.Context(), c.Actor(), id, body, nil)
			return err
		}
	}
	return text, err
}

// seoText returns a text for search engines of an entry.
func (h handlers) seoText(m *site.Model, e *cms.Entry, key, label, value, help string) missingText {
	name := key + "-" + e.ID
	return missingText{
		ui.Field{Name: name, Kind: "group", Label: cmp.Or(e.Title, e.Slug), Fields: []ui.Field{
			{Name: name, Label: label, Kind: "textarea", Value: value, Help: help, Lang: e.Locale}}},
		func(c *frame.Call) error {
			typed := c.Form.Get(name)
			if typed == value {
				return nil
			}
			_, err := h.entries.Entries.Update(c.R.Context(), c.Actor(), m.Slug, e.ID,
				map[string]any{"seo": map[string]any{key: typed}}, nil)
			return err
		},
	}
}
