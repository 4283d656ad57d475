package wordpress

import (
	"cmp"

	"headless/pkg/cms"
	"headless/scripts/cms/sources"
)

// authors adds the authors as entries of a model of their own.
func (w *reader) authors() {
	m := sources.NewModel(w.slugs["author"], "Authors", false,
		cms.Field{Name: "login", Label: "Login", Type: cms.TypeText},
		cms.Field{Name: "email", Label: "Email", Type: cms.TypeEmail})
	w.site.Models = append(w.site.Models, m)
	for _, a := range w.wxr.authors {
		e := &sources.Entry{
			Source: "author " + a.Login, Model: m.Slug, ID: w.id("author", a.Login), Title: a.Name,
			Slug:   a.Login,
			Status: string(cms.StatusPublished), Locale: w.target.DefaultLocale,
			Data: map[string]any{"login": a.Login},
		}
		e.Title = cmp.Or(e.Title, a.Login)
		sources.Put(e.Data, "email", a.Email)
		w.site.Entries = append(w.site.Entries, e)
	}
}

// taxonomies adds categories and tags, also those that are named by items only.
func (w *reader) taxonomies() {
	seen := map[string]bool{}
	add := func(taxonomy, slug, name, description string) {
		if w.slugs[taxonomy] == "" || slug == "" || seen[taxonomy+"\x00"+slug] {
			return
		}
		seen[taxonomy+"\x00"+slug] = true
		e := &sources.Entry{
			Source: taxonomy + " " + slug, Model: w.slugs[taxonomy], ID: w.id(taxonomy, slug),
			Title: name, Slug: slug,
			Status: string(cms.StatusPublished), Locale: w.target.DefaultLocale, Data: map[string]any{},
		}
		sources.Put(e.Data, "description", description)
		w.site.Entries = append(w.site.Entries, e)
	}
	description := cms.Field{Name: "description", Label: "Description", Type: cms.TypeTextarea}
	w.site.Models = append(w.site.Models, sources.NewModel(w.slugs["category"], "Categories", false, description),
		sources.NewModel(w.slugs["post_tag"], "Tags", false, description))
	for i := range w.terms {
		t := &w.terms[i]
		switch taxonomy := t.taxonomy(); taxonomy {
		case "category", "post_tag":
			add(taxonomy, t.slug(), t.name(), t.Description)
		case "language", "post_translations", "term_language", "term_translations":
		default:
			w.site.Note("taxonomy "+taxonomy, "only categories and tags are taken")
		}
	}
	for _, it := range w.items {
		for _, c := range it.Terms {
			if w.posts[it.ID] && (c.Domain == "category" || c.Domain == "post_tag") {
				add(c.Domain, c.Slug, c.Name, "")
			}
		}
	}
}
