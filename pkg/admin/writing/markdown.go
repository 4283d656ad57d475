package writing

import (
	"cmp"
	"slices"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/search"
)

// MarkdownAsset is the script that turns Markdown fields into editors.
const MarkdownAsset = "markdown"

// HasMarkdown reports whether there is a Markdown field at any depth, also in blocks that a step of
// the form may add.
func HasMarkdown(fields []cms.Field) bool {
	return slices.ContainsFunc(fields, func(f cms.Field) bool {
		return f.Type == cms.TypeRichText || HasMarkdown(f.Fields)
	})
}

// HasRelations reports whether a field at any depth refers to entries.
func HasRelations(fields []cms.Field) bool {
	return slices.ContainsFunc(fields, func(f cms.Field) bool {
		return f.Type == cms.TypeRelation || HasRelations(f.Fields)
	})
}

// linkTarget is an entry that a text can link to.
type linkTarget struct {
	Model  string `json:"model"`
	ID     string `json:"id"`
	Title  string `json:"title"`
	Locale string `json:"locale"`
	Path   string `json:"path"`
}

// LinkRoutes returns the route that finds entries for links in texts.
func LinkRoutes(entries *editing.Entries) []frame.Route {
	return []frame.Route{{Method: "GET", Pattern: "/links", Role: cms.RoleViewer,
		Handle: func(c *frame.Call) (frame.Result, error) { return findLinks(c, entries) }}}
}

// findLinks returns the entries that match q with their paths on the site. A path is made by the
// URL template of the model, or is the slug below the root if the model has no template.
func findLinks(c *frame.Call, entries *editing.Entries) (frame.Result, error) {
	p, err := c.PlainPaging()
	if err != nil {
		return frame.Result{}, err
	}
	page, err := search.Search(c.R.Context(), entries.Store, c.Site, search.Query{
		Paging: p, Q: strings.TrimSpace(c.R.URL.Query().Get("q")), Locales: c.Site.Codes(),
		Statuses: cms.Statuses,
	})
	if err != nil {
		return frame.Result{}, err
	}
	found := make([]linkTarget, len(page.Items))
	for i, hit := range page.Items {
		m, place := c.Site.Models[hit.Model], hit.Place()
		if err := entries.Store.SetAbove(c.R.Context(), nil, &place); err != nil {
			return frame.Result{}, err
		}
		found[i] = linkTarget{Model: m.Name, ID: hit.ID, Title: hit.Title, Path: m.PathOf(place)}
		found[i].Path = cmp.Or(found[i].Path, "/"+hit.Slug)
		if m.Localized {
			found[i].Locale = hit.Locale
		}
	}
	return frame.Result{Data: found, Meta: frame.Meta(page), Redirect: "/search?" + c.R.URL.RawQuery}, nil
}
