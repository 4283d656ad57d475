package healthpages

import (
	"net/url"
	"slices"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/health"
	"headless/pkg/transfer"
)

const (
	csvColumns = "id,title,seo.title,seo.description"
	csvRows    = 10_000
	csvPage    = 100 // findings that are read at a time
)

var csvKinds = []health.Kind{health.SEOTitle, health.SEODescription}

// csv sends the entries of a model whose texts for search engines have findings as a CSV file. It has the columns
// that are to be filled, and is imported like any other. Its filters are those of the list.
func (h handlers) csv(c *frame.Call) (frame.Result, error) {
	f, err := filterOf(c.R.URL.Query())
	if err != nil {
		return frame.Result{}, err
	}
	if len(f.Models) != 1 || c.Site.Models[f.Models[0]] == nil {
		return frame.Result{}, cms.Errorf(cms.CodeBadRequest, "The parameter model takes the slug of one model.")
	}
	if f.Kinds == nil {
		f.Kinds = csvKinds
	}
	for _, kind := range f.Kinds {
		if !slices.Contains(csvKinds, kind) {
			return frame.Result{}, cms.Errorf(cms.CodeBadRequest, "The parameter kind takes seo.title and seo.description.")
		}
	}
	m := c.Site.Models[f.Models[0]]
	file, err := transfer.NewCSVTable(&m.Model, csvColumns)
	if err != nil {
		return frame.Result{}, err
	}
	seen := map[string]bool{}
	for cursor := ""; ; {
		list, err := h.checks.List(c.R.Context(), f, db.Paging{Page: 1, PerPage: csvPage}, cursor)
		if err != nil {
			return frame.Result{}, err
		}
		var refs []content.Reference
		for _, found := range list.Items {
			if !seen[found.ID] && len(seen) < csvRows {
				seen[found.ID] = true
				refs = append(refs, content.Reference{Model: m, ID: found.ID})
			}
		}
		entries, err := h.entries.Entries.Store.EntriesByID(c.R.Context(), refs)
		if err != nil {
			return frame.Result{}, err
		}
		for _, e := range entries {
			if e == nil {
				continue // deleted meanwhile
			}
			if err := file.Add(e); err != nil {
				return frame.Result{}, err
			}
		}
		if cursor = list.Next; cursor == "" || len(seen) >= csvRows {
			break
		}
	}
	return c.CSVFile(m.Slug+"-texts.csv", file.Bytes(), ""), h.entries.RecordExport(c, m)
}

// csvLinks leads from a list of findings about texts for search engines of one model to their CSV file, and to the
// page that takes it back.
func csvLinks(f health.Filter, q url.Values) []ui.Link {
	if len(f.Models) != 1 || f.Ignored ||
		slices.ContainsFunc(f.Kinds, func(kind health.Kind) bool { return !slices.Contains(csvKinds, kind) }) {
		return nil
	}
	kept := url.Values{"model": f.Models}
	for _, name := range []string{"kind", "locale"} {
		if q.Get(name) != "" {
			kept[name] = q[name]
		}
	}
	return []ui.Link{{Text: "Download texts as CSV", Href: ui.Base + "/health/texts.csv?" + kept.Encode()},
		{Text: "Import CSV", Href: ui.Base + ui.ModelPath(f.Models[0]) + "/import"}}
}
