package wordpress

import (
	"cmp"
	"errors"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/scripts/cms/sources"
)

// reader turns a WordPress export into a site.
type reader struct {
	*wxr
	site    *sources.Site
	target  *sources.Target
	slugs   map[string]string        // slugs of models, by post type or taxonomy
	files   map[string]*sources.File // by post id of the attachment
	urls    map[string]*sources.File // by URL without scheme
	posts   map[string]bool          // post ids of entries
	entries map[string]string        // ids by URL without scheme and slash at its end
	groups  map[string][]*sources.Entry
	links   map[*sources.Entry]string // old URLs of posts
}

// notContent are the post types that hold configuration of WordPress.
var notContent = []string{
	"nav_menu_item", "revision", "custom_css", "customize_changeset", "oembed_cache",
	"user_request", "wp_block", "wp_template",
	"wp_template_part", "wp_global_styles", "wp_navigation", "wp_font_family", "wp_font_face",
	"acf-field", "acf-field-group",
}

// Read reads an export of WordPress (Tools, Export: WXR): posts, pages and other types of
// content, media, authors, categories, tags, and languages of Polylang and WPML. Texts become
// Markdown.
func Read(file string, t *sources.Target) (*sources.Site, error) {
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
	w := &reader{
		wxr: export, site: &sources.Site{}, target: t, files: map[string]*sources.File{}, urls: map[string]*sources.File{},
		posts: map[string]bool{}, entries: map[string]string{},
		groups: map[string][]*sources.Entry{}, slugs: map[string]string{}, links: map[*sources.Entry]string{},
	}
	for kind, name := range map[string]string{"author": "authors", "category": "categories",
		"post_tag": "tags", "post": "posts", "page": "pages"} {
		w.slugs[kind] = t.SlugFor(name)
	}
	w.attachments()
	w.authors()
	w.taxonomies()
	w.content()
	w.site.Link(w.groups)
	w.site.Finish(t)
	w.redirects()
	return w.site, nil
}

// id returns the id of a record of this site.
func (w *reader) id(kind, key string) string { return sources.MakeID("wordpress", w.base, kind, key) }

// attachments adds the media files.
func (w *reader) attachments() {
	for _, it := range w.items {
		if it.Type != "attachment" {
			if !slices.Contains(notContent, it.Type) {
				w.posts[it.ID] = true
				w.entries[withoutSlash(it.Link)] = w.id("post", it.ID)
			}
			continue
		}
		f := &sources.File{
			Source: "attachment " + it.ID, ID: w.id("attachment", it.ID), URL: it.Attachment,
			Name: path.Base(it.Attachment),
			Alt:  it.meta("_wp_attachment_image_alt"), Caption: it.encodedPart("excerpt"),
		}
		if f.URL == "" {
			w.site.Fail(f.Source, "it has no address")
			continue
		}
		w.site.Files = append(w.site.Files, f)
		w.files[it.ID] = f
		w.urls[sources.WithoutScheme(f.URL)] = f
	}
}

// fields returns the fields of a new model for posts or pages.
func (w *reader) fields(model string) []cms.Field {
	related := func(name, label, taxonomy string, many bool) cms.Field {
		return cms.Field{Name: name, Label: label, Type: cms.TypeRelation, Model: w.slugs[taxonomy], Many: many}
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

// content adds posts, pages and other types of content.
func (w *reader) content() {
	for _, it := range w.items {
		switch {
		case it.Type == "attachment":
			continue
		case slices.Contains(notContent, it.Type):
			w.site.Note(it.Type, "is configuration of WordPress")
			continue
		case it.Status == "trash" || it.Status == "auto-draft":
			w.site.Note(it.Type, "has the status %s", it.Status)
			continue
		}
		if w.slugs[it.Type] == "" {
			w.slugs[it.Type] = w.target.SlugFor(it.Type)
		}
		m := w.site.ModelOf(w.slugs[it.Type])
		if len(m.Fields) == 0 {
			m.Name, m.Localized, m.Fields = strings.ToUpper(m.Slug[:1])+m.Slug[1:], w.languages(),
				w.fields(m.Slug)
			m.Normalize()
		}
		w.site.Entries = append(w.site.Entries, w.post(it, m))
		if len(it.Comments) > 0 {
			w.site.Note("comments", "the service has no comments")
		}
	}
}

// languages reports whether any item has a language.
func (w *reader) languages() bool {
	return slices.ContainsFunc(w.items, func(it *item) bool { return it.language() != "" })
}

// language returns the locale that Polylang or WPML gave an item, "" for none.
func (it *item) language() string {
	if code := it.term("language"); code != "" {
		return sources.LocaleCode(code)
	}
	return sources.LocaleCode(it.meta("_wpml_import_language_code"))
}

// post makes an entry from a post.
func (w *reader) post(it *item, m *cms.Model) *sources.Entry {
	source := it.Type + " " + it.ID
	e := &sources.Entry{
		Source: source, Model: m.Slug, ID: w.id("post", it.ID), Title: it.Title, Slug: it.Slug,
		Locale: it.language(),
		Status: w.status(it, source), PublishedAt: timeOf(it.Date, it.LocalDate),
		UpdatedAt: timeOf(it.Modified),
		Data:      map[string]any{}, SEO: map[string]any{},
	}
	e.CreatedAt = e.PublishedAt
	w.links[e] = it.Link
	e.Locale = cmp.Or(e.Locale, w.target.DefaultLocale)
	if e.Status != string(cms.StatusPublished) {
		e.PublishedAt = time.Time{}
	}
	w.text(e, it)
	w.relations(e, it)
	for name, key := range map[string]string{"title": "_yoast_wpseo_title",
		"description": "_yoast_wpseo_metadesc"} {
		sources.Put(e.SEO, name, it.meta(key))
	}
	for _, meta := range it.Meta {
		if meta.Key == "" || meta.Key[0] == '_' {
			continue
		}
		if f := m.Field(sources.FieldName(meta.Key)); f != nil && f.IsText() {
			sources.Put(e.Data, f.Name, meta.Value)
		} else {
			w.site.Note("custom field "+meta.Key, "%s has no text field of this name", m.Slug)
		}
	}
	w.group(e, it)
	return e
}

// group adds an entry to the translation group of its item.
func (w *reader) group(e *sources.Entry, it *item) {
	key := cmp.Or(it.term("post_translations"), it.meta("_wpml_import_translation_group"))
	if key != "" {
		w.groups[e.Model+"\x00"+key] = append(w.groups[e.Model+"\x00"+key], e)
	}
}

// status returns the status of the entry for a post.
func (w *reader) status(it *item, source string) string {
	switch {
	case it.Password != "":
		w.site.Note(source, "has a password and becomes a draft")
	case it.Status == "publish":
		return string(cms.StatusPublished)
	case it.Status == "future", it.Status == "private":
		w.site.Note(source, "has the status %s and becomes a draft", it.Status)
	}
	return string(cms.StatusDraft)
}

// relations sets author, terms, parent and featured image.
func (w *reader) relations(e *sources.Entry, it *item) {
	if slices.ContainsFunc(w.wxr.authors, func(a author) bool { return a.Login == it.Creator }) {
		e.Data["author"] = w.id("author", it.Creator)
	}
	for taxonomy, name := range map[string]string{"category": "categories", "post_tag": "tags"} {
		var ids []any
		for _, c := range it.Terms {
			if id := w.id(taxonomy, c.Slug); c.Domain == taxonomy && !slices.Contains(ids, any(id)) {
				ids = append(ids, id)
			}
		}
		sources.Put(e.Data, name, ids)
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
		w.site.Note(e.Source, "its featured image %s is not in the export", thumbnail)
	}
}
