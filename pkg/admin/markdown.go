package admin

import (
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/search"
)

// markdownAsset is the script that makes editors of the fields of Markdown.
const markdownAsset = "markdown"

// hasMarkdown reports whether an entry has a field of Markdown at any depth, or can get one by a
// step of its form.
func hasMarkdown(fields []cms.Field) bool {
	return slices.ContainsFunc(fields, func(f cms.Field) bool {
		return f.Type == cms.TypeRichText ||
			hasMarkdown(f.Fields)
	})
}

// hasRelations reports whether a field at any depth refers to entries.
func hasRelations(fields []cms.Field) bool {
	return slices.ContainsFunc(fields, func(f cms.Field) bool {
		return f.Type == cms.TypeRelation ||
			hasRelations(f.Fields)
	})
}

// useScripts gives the page of an entry the scripts that its fields need, and where pictures go
// that are dropped into a text.
func (h entryHandlers) useScripts(c *Call, page *Page, fields []cms.Field) error {
	if hasRows(fields) {
		page.use("blocks")
	}
	if hasRelations(fields) {
		page.use("related")
	}
	if !hasMarkdown(fields) {
		return nil
	}
	page.use(markdownAsset)
	field, err := mediaHandlers{files: h.files}.fileField(c)
	page.Upload = field.Upload
	return err
}

// linkTarget is an entry that a text can link to.
type linkTarget struct {
	Model  string `json:"model"`
	ID     string `json:"id"`
	Title  string `json:"title"`
	Locale string `json:"locale"`
	Path   string `json:"path"`
}

// linkRoutes find entries for links in texts.
func linkRoutes(entries *editing.Entries) []Route {
	return []Route{{Method: "GET", Pattern: "/links", Role: cms.RoleViewer,
		Handle: func(c *Call) (Result, error) { return findLinks(c, entries) }}}
}

// findLinks answers with the entries that match q, and their addresses on the site: by the template
// of their model, or their slug below the root where it has none.
func findLinks(c *Call, entries *editing.Entries) (Result, error) {
	p, err := c.plainPaging()
	if err != nil {
		return Result{}, err
	}
	site, err := entries.Store.Site(c.R.Context())
	if err != nil {
		return Result{}, err
	}
	visible := site.Visible(cms.PermissionsOf(c.R.Context()))
	page, err := search.Search(c.R.Context(), entries.Store, visible, search.Query{
		Paging: p, Q: strings.TrimSpace(c.R.URL.Query().Get("q")), Locales: site.Codes(),
		Statuses: cms.Statuses,
	})
	if err != nil {
		return Result{}, err
	}
	found := make([]linkTarget, len(page.Items))
	for i, hit := range page.Items {
		m := site.Models[hit.Model]
		found[i] = linkTarget{Model: m.Name, ID: hit.ID, Title: hit.Title,
			Path: m.PathOf(hit.Locale, hit.Slug, hit.ID)}
		if found[i].Path == "" {
			found[i].Path = "/" + hit.Slug
		}
		if m.Localized {
			found[i].Locale = hit.Locale
		}
	}
	return Result{Data: found, Meta: meta(page), Redirect: "/search?" + c.R.URL.RawQuery}, nil
}
