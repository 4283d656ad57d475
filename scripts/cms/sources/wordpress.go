package sources

import (
	"errors"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"headless/pkg/cms"
)

// wordpress turns a WordPress export into a site.
type wordpress struct {
	*wxr
	site   *Site
	target *Target
	slugs  map[string]string // of models, by post type or taxonomy
	files  map[string]*File  // by post id of the attachment
	urls   map[string]*File  // by address
	posts  map[string]bool   // post ids of entries
	groups map[string][]*Entry
	links  map[*Entry]string // addresses of posts
}

// notContent are the post types that hold configuration of WordPress.
var notContent = []string{
	"nav_menu_item", "revision", "custom_css", "customize_changeset", "oembed_cache",
	"user_request", "wp_block", "wp_template",
	"wp_template_part", "wp_global_styles", "wp_navigation", "wp_font_family", "wp_font_face",
	"acf-field", "acf-field-group",
}

// WordPress reads an export of WordPress (Tools, Export: WXR): posts, pages and other types of
// content, media, authors, categories, tags, and languages of Polylang and WPML. Texts become
// Markdown.
func WordPress(file string, t *Target) (*Site, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	export, err := readWXR(f)
	if err != nil {
		return nil, err
	}
	if len(export.items) == 0 {
		return nil, errors.New("the file is no WordPress export, or it is empty")
	}
	w := &wordpress{
		wxr: export, site: &Site{}, target: t, files: map[string]*File{}, urls: map[string]*File{},
		posts:  map[string]bool{},
		groups: map[string][]*Entry{}, slugs: map[string]string{}, links: map[*Entry]string{},
	}
	for kind, name := range map[string]string{"author": "authors", "category": "categories",
		"post_tag": "tags", "post": "posts", "page": "pages"} {
		w.slugs[kind] = t.slugFor(name)
	}
	w.attachments()
	w.authors()
	w.taxonomies()
	w.content()
	w.site.link(w.groups)
	w.site.finish(t)
	w.redirects()
	return w.site, nil
}

// id makes the id of a record of this site.
func (w *wordpress) id(kind, key string) string { return makeID("wordpress", w.base, kind, key) }

// attachments takes the media files.
func (w *wordpress) attachments() {
	for _, it := range w.items {
		if it.Type != "attachment" {
			if !slices.Contains(notContent, it.Type) {
				w.posts[it.ID] = true
			}
			continue
		}
		f := &File{
			Source: "attachment " + it.ID, ID: w.id("attachment", it.ID), URL: it.Attachment,
			Name: path.Base(it.Attachment),
			Alt:  it.meta("_wp_attachment_image_alt"), Caption: it.encoded("excerpt"),
		}
		if f.URL == "" {
			w.site.fail(f.Source, "it has no address")
			continue
		}
		w.site.Files = append(w.site.Files, f)
		w.files[it.ID] = f
		w.urls[withoutScheme(f.URL)] = f
	}
}

func (w *wordpress) authors() {
	m := newModel(w.slugs["author"], "Authors", false,
		cms.Field{Name: "login", Label: "Login", Type: cms.TypeText},
		cms.Field{Name: "email", Label: "Email", Type: cms.TypeEmail})
	w.site.Models = append(w.site.Models, m)
	for _, a := range w.wxr.authors {
		e := &Entry{
			Source: "author " + a.Login, Model: m.Slug, ID: w.id("author", a.Login), Title: a.Name,
			Slug:   a.Login,
			Status: string(cms.StatusPublished), Locale: w.target.DefaultLocale,
			Data: map[string]any{"login": a.Login},
		}
		if e.Title == "" {
			e.Title = a.Login
		}
		put(e.Data, "email", a.Email)
		w.site.Entries = append(w.site.Entries, e)
	}
}

// taxonomies takes categories and tags, also those that only items name.
func (w *wordpress) taxonomies() {
	seen := map[string]bool{}
	add := func(taxonomy, slug, name, description string) {
		if w.slugs[taxonomy] == "" || slug == "" || seen[taxonomy+"\x00"+slug] {
			return
		}
		seen[taxonomy+"\x00"+slug] = true
		e := &Entry{
			Source: taxonomy + " " + slug, Model: w.slugs[taxonomy], ID: w.id(taxonomy, slug),
			Title: name, Slug: slug,
			Status: string(cms.StatusPublished), Locale: w.target.DefaultLocale, Data: map[string]any{},
		}
		put(e.Data, "description", description)
		w.site.Entries = append(w.site.Entries, e)
	}
	description := cms.Field{Name: "description", Label: "Description", Type: cms.TypeTextarea}
	w.site.Models = append(w.site.Models, newModel(w.slugs["category"], "Categories", false, description),
		newModel(w.slugs["post_tag"], "Tags", false, description))
	for i := range w.terms {
		t := &w.terms[i]
		switch taxonomy := t.taxonomy(); taxonomy {
		case "category", "post_tag":
			add(taxonomy, t.slug(), t.name(), t.Description)
		case "language", "post_translations", "term_language", "term_translations":
		default:
			w.site.note("taxonomy "+taxonomy, "only categories and tags are taken")
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

// fields are those of a new model of posts or pages.
func (w *wordpress) fields(model string) []cms.Field {
	related := func(name, label, taxonomy string, many bool) cms.Field {
		return cms.Field{Name: name, Label: label, Type: cms.TypeRelation, Model: w.slugs[taxonomy],
			Many: many}
	}
	return []cms.Field{
		{Name: "body", Label: "Body", Type: cms.TypeRichText, Searchable: true},
		{Name: "excerpt", Label: "Excerpt", Type: cms.TypeTextarea},
		{Name: "image", Label: "Featured image", Type: cms.TypeMedia},
		related("author", "Author", "author", false), related("categories", "Categories", "category", true),
		related("tags", "Tags", "post_tag", true),
		{Name: "parent", Label: "Parent", Type: cms.TypeRelation, Model: model},
		{Name: "menu_order", Label: "Order", Type: cms.TypeNumber},
	}
}

// content takes posts, pages and other types of content.
func (w *wordpress) content() {
	for _, it := range w.items {
		switch {
		case it.Type == "attachment":
			continue
		case slices.Contains(notContent, it.Type):
			w.site.note(it.Type, "is configuration of WordPress")
			continue
		case it.Status == "trash" || it.Status == "auto-draft":
			w.site.note(it.Type, "has the status %s", it.Status)
			continue
		}
		if w.slugs[it.Type] == "" {
			w.slugs[it.Type] = w.target.slugFor(it.Type)
		}
		m := w.site.modelOf(w.slugs[it.Type])
		if len(m.Fields) == 0 {
			m.Name, m.Localized, m.Fields = strings.ToUpper(m.Slug[:1])+m.Slug[1:], w.languages(),
				w.fields(m.Slug)
			m.Normalize()
		}
		w.site.Entries = append(w.site.Entries, w.post(it, m))
		if len(it.Comments) > 0 {
			w.site.note("comments", "the service has no comments")
		}
	}
}

// languages reports whether any item has a language.
func (w *wordpress) languages() bool {
	return slices.ContainsFunc(w.items, func(it *wxrItem) bool { return it.language() != "" })
}

// language is that of Polylang or WPML.
func (it *wxrItem) language() string {
	if code := it.term("language"); code != "" {
		return localeCode(code)
	}
	return localeCode(it.meta("_wpml_import_language_code"))
}

// localeCode is a code such as pt-br or pt_BR as the service writes it: pt-BR.
func localeCode(code string) string {
	language, region, found := strings.Cut(strings.ReplaceAll(code, "_", "-"), "-")
	if !found || len(region) > 3 {
		return strings.ToLower(language)
	}
	return strings.ToLower(language) + "-" + strings.ToUpper(region)
}

// post makes an entry of a post.
func (w *wordpress) post(it *wxrItem, m *cms.Model) *Entry {
	source := it.Type + " " + it.ID
	e := &Entry{
		Source: source, Model: m.Slug, ID: w.id("post", it.ID), Title: it.Title, Slug: it.Slug,
		Locale: it.language(),
		Status: w.status(it, source), PublishedAt: wxrTime(it.Date, it.LocalDate),
		UpdatedAt: wxrTime(it.Modified),
		Data:      map[string]any{}, SEO: map[string]any{},
	}
	e.CreatedAt = e.PublishedAt
	w.links[e] = it.Link
	if e.Locale == "" {
		e.Locale = w.target.DefaultLocale
	}
	if e.Status != string(cms.StatusPublished) {
		e.PublishedAt = time.Time{}
	}
	w.text(e, it)
	w.relations(e, it)
	for name, key := range map[string]string{"title": "_yoast_wpseo_title",
		"description": "_yoast_wpseo_metadesc"} {
		put(e.SEO, name, it.meta(key))
	}
	for _, meta := range it.Meta {
		if meta.Key == "" || meta.Key[0] == '_' {
			continue
		}
		if f := m.Field(fieldName(meta.Key)); f != nil && f.IsText() {
			put(e.Data, f.Name, meta.Value)
		} else {
			w.site.note("custom field "+meta.Key, "%s has no text field of this name", m.Slug)
		}
	}
	w.group(e, it)
	return e
}

// group notes which translations an item belongs to.
func (w *wordpress) group(e *Entry, it *wxrItem) {
	key := it.term("post_translations")
	if key == "" {
		key = it.meta("_wpml_import_translation_group")
	}
	if key != "" {
		w.groups[e.Model+"\x00"+key] = append(w.groups[e.Model+"\x00"+key], e)
	}
}

// status is the status of an entry for that of a post.
func (w *wordpress) status(it *wxrItem, source string) string {
	switch {
	case it.Password != "":
		w.site.note(source, "has a password and becomes a draft")
	case it.Status == "publish":
		return string(cms.StatusPublished)
	case it.Status == "future", it.Status == "private":
		w.site.note(source, "has the status %s and becomes a draft", it.Status)
	}
	return string(cms.StatusDraft)
}

// relations sets author, terms, parent and featured image.
func (w *wordpress) relations(e *Entry, it *wxrItem) {
	if slices.ContainsFunc(w.wxr.authors, func(a wxrAuthor) bool { return a.Login == it.Creator }) {
		e.Data["author"] = w.id("author", it.Creator)
	}
	for taxonomy, name := range map[string]string{"category": "categories", "post_tag": "tags"} {
		var ids []any
		for _, c := range it.Terms {
			if id := w.id(taxonomy, c.Slug); c.Domain == taxonomy && !slices.Contains(ids, any(id)) {
				ids = append(ids, id)
			}
		}
		put(e.Data, name, ids)
	}
	if w.posts[it.Parent] {
		e.Data["parent"] = w.id("post", it.Parent)
	}
	if order, err := strconv.Atoi(it.MenuOrder); err == nil && order != 0 {
		e.Data["menu_order"] = order
	}
	if thumbnail := it.meta("_thumbnail_id"); w.files[thumbnail] != nil {
		e.Data["image"] = w.files[thumbnail].ID
	} else if thumbnail != "" {
		w.site.note(e.Source, "its featured image %s is not in the export", thumbnail)
	}
}
