package strapi

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/scripts/cms/sources"
)

// reader turns a Strapi export into a site.
type reader struct {
	*export
	site    *sources.Site
	target  *sources.Target
	schemas map[string]*schema       // by uid
	files   map[string]*sources.File // by id of the file
	chosen  map[string]*entity       // by document and locale: the published one, else the draft
	keys    map[string]string        // document and locale, by entity
	related map[string][]end         // targets, by attribute of an entity or a component
}

// fileType is the type of Strapi's files.
const fileType = "plugin::upload.file"

// Read reads a file of strapi export --no-encrypt (Strapi 4 and 5): content types, components,
// dynamic zones, relations, locales and files.
func Read(file string, t *sources.Target) (*sources.Site, error) {
	assets := filepath.Join(t.Folder, "strapi")
	if err := os.Mkdir(assets, 0o700); err != nil {
		return nil, err
	}
	export, err := readExport(file, assets)
	if err != nil {
		return nil, err
	}
	s := &reader{
		export: export, site: &sources.Site{}, target: t,
		schemas: map[string]*schema{}, files: map[string]*sources.File{},
		chosen: map[string]*entity{}, keys: map[string]string{}, related: map[string][]end{},
	}
	if len(export.schemas) == 0 {
		return nil, errors.New("the file is no Strapi export")
	}
	for i := range export.schemas {
		s.schemas[export.schemas[i].UID] = &export.schemas[i]
	}
	s.choose()
	s.link()
	for i := range export.schemas {
		if schema := &export.schemas[i]; schema.isContent() {
			s.site.Models = append(s.site.Models, s.model(schema))
		}
	}
	groups := map[string][]*sources.Entry{}
	for i := range export.entities {
		en := &export.entities[i]
		schema := s.schemas[en.Type]
		switch {
		case en.Type == fileType:
			s.file(en)
		case schema == nil || !schema.isContent():
			s.site.Note(en.Type, "belongs to Strapi or to a plugin")
		}
	}
	for i := range export.entities {
		en := &export.entities[i]
		if schema := s.schemas[en.Type]; schema != nil && schema.isContent() &&
			s.chosen[s.keys[en.key()]] == en {
			e := s.entry(schema, en)
			s.site.Entries = append(s.site.Entries, e)
			groups[s.document(en)] = append(groups[s.document(en)], e)
		}
	}
	s.site.Link(groups)
	s.site.Finish(t)
	return s.site, nil
}

// isContent reports whether a content type is one of the site's own.
func (s *schema) isContent() bool {
	return s.ModelType != "component" && strings.HasPrefix(s.UID, "api::")
}

func (e *entity) key() string { return e.Type + "\x00" + e.ID.String() }

// document returns a key that all locales and versions of an entity share. In Strapi 5 it is the
// document. In Strapi 4 it is the localization that was created first, so that later ones do not
// change it.
func (s *reader) document(e *entity) string {
	if id := e.text("documentId"); id != "" {
		return e.Type + "\x00" + id
	}
	first := e.ID.String()
	for _, other := range s.related[e.key()+"\x00localizations"] {
		if ref := other.Ref.String(); len(ref) < len(first) || len(ref) == len(first) && ref < first {
			first = ref
		}
	}
	return e.Type + "\x00#" + first
}

// choose picks the entity to import of the draft and the published one of a document.
func (s *reader) choose() {
	for _, l := range s.links {
		if l.Left.Field == "localizations" {
			left, right := l.Left, l.Right
			right.Type = left.Type
			for from, to := range map[end]end{left: right, right: left} {
				key := from.Type + "\x00" + from.Ref.String() + "\x00localizations"
				s.related[key] = append(s.related[key], to)
			}
		}
	}
	for i := range s.entities {
		e := &s.entities[i]
		key := s.document(e) + "\x00" + e.text("locale")
		s.keys[e.key()] = key
		if was := s.chosen[key]; was == nil || was.text("publishedAt") == "" && e.text("publishedAt") != "" {
			s.chosen[key] = e
		}
	}
}

// link groups relations and files by the attribute that they start from.
func (s *reader) link() {
	add := func(from end, to end) {
		key := from.Type + "\x00" + from.Ref.String() + "\x00" + from.Field
		s.related[key] = append(s.related[key], to)
	}
	slices.SortStableFunc(s.links, func(a, b link) int {
		return cmp.Or(cmp.Compare(a.Left.Pos, b.Left.Pos), cmp.Compare(a.Right.Pos, b.Right.Pos))
	})
	for _, l := range s.links {
		switch {
		case l.Left.Field == "localizations":
		case l.Left.Type == fileType && l.Left.Field == "related":
			add(l.Right, l.Left)
		default:
			add(l.Left, l.Right)
		}
	}
}

// file adds a media file.
func (s *reader) file(en *entity) {
	f := &sources.File{
		Source: "file " + en.ID.String(), ID: sources.MakeID("strapi", fileType, en.ID.String(),
			en.text("hash")), Name: en.text("name"),
		Alt: en.text("alternativeText"), Caption: en.text("caption"), URL: en.text("url"),
	}
	stored := filepath.Join(s.assets, filepath.Base(en.text("hash")+en.text("ext")))
	if _, err := os.Stat(stored); err == nil {
		f.Path = stored
	} else if !strings.HasPrefix(f.URL, "http") {
		s.site.Fail(f.Source, "its bytes are not in the export")
		return
	}
	s.site.Files = append(s.site.Files, f)
	s.files[en.ID.String()] = f
}

// slugOf returns the slug of the model of a content type.
func (s *reader) slugOf(schema *schema) string {
	for _, name := range []string{schema.UID, schema.Info.PluralName, schema.Info.SingularName} {
		if to := s.target.Rename[name]; to != "" {
			return to
		}
	}
	if schema.Kind == "singleType" || schema.Info.PluralName == "" {
		return s.target.SlugFor(schema.Info.SingularName)
	}
	return s.target.SlugFor(schema.Info.PluralName)
}

// idOf returns the id of the entry for a document and locale; key is a value of keys.
func (s *reader) idOf(key string) string { return sources.MakeID("strapi", key) }

// entry makes an entry from an entity.
func (s *reader) entry(schema *schema, en *entity) *sources.Entry {
	title, slugName := schema.titleName(), schema.slugName()
	e := &sources.Entry{
		Source: en.Type + " " + en.ID.String(), Model: s.slugOf(schema),
		ID: s.idOf(s.keys[en.key()]), Title: en.text(title),
		Slug: en.text(slugName), Locale: sources.LocaleCode(en.text("locale")), Status: string(cms.StatusDraft),
		CreatedAt: en.timeOf("createdAt"), UpdatedAt: en.timeOf("updatedAt"), PublishedAt: en.timeOf("publishedAt"),
		SEO: map[string]any{},
	}
	if !e.PublishedAt.IsZero() {
		e.Status = string(cms.StatusPublished)
	}
	e.Locale = cmp.Or(e.Locale, s.target.DefaultLocale)
	if e.Title == "" {
		e.Title = strings.TrimSpace(fmt.Sprintf("%s %s", schema.Info.DisplayName, en.ID))
	}
	e.Data = s.object(e, schema, en.ID.String(), en.Data, []string{title, slugName})
	return e
}
