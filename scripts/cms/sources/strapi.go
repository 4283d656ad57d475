package sources

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"headless/pkg/cms"
)

// strapi turns a Strapi export into a site.
type strapi struct {
	*strapiExport
	site    *Site
	target  *Target
	schemas map[string]*strapiSchema // by uid
	files   map[string]*File         // by id of the file
	chosen  map[string]*strapiEntity // of each document and locale: the published one, else the draft
	keys    map[string]string        // document and locale of each entity
	related map[string][]strapiEnd   // what an attribute of an entity or a component leads to
}

// fileType is the type of Strapi's files.
const fileType = "plugin::upload.file"

// Strapi reads a file of strapi export --no-encrypt (Strapi 4 and 5): content types, components,
// dynamic zones, relations, locales and files.
func Strapi(file string, t *Target) (*Site, error) {
	export, err := readStrapi(file)
	if err != nil {
		return nil, err
	}
	s := &strapi{
		strapiExport: export, site: &Site{Temporary: export.assets}, target: t,
		schemas: map[string]*strapiSchema{}, files: map[string]*File{},
		chosen: map[string]*strapiEntity{}, keys: map[string]string{}, related: map[string][]strapiEnd{},
	}
	if len(export.schemas) == 0 {
		return nil, errors.Join(errors.New("the file is no Strapi export"), os.RemoveAll(export.assets))
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
	groups := map[string][]*Entry{}
	for i := range export.entities {
		en := &export.entities[i]
		schema := s.schemas[en.Type]
		switch {
		case en.Type == fileType:
			s.file(en)
		case schema == nil || !schema.isContent():
			s.site.note(en.Type, "belongs to Strapi or to a plugin")
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
	s.site.link(groups)
	s.site.finish(t)
	return s.site, nil
}

// isContent reports whether a content type is one of the site's own.
func (s *strapiSchema) isContent() bool {
	return s.ModelType != "component" && strings.HasPrefix(s.UID, "api::")
}

func (e *strapiEntity) key() string { return e.Type + "\x00" + e.ID.String() }

// document names what the locales and versions of an entity share: the document of Strapi 5, or the
// first made of the localizations of Strapi 4, so that a later one changes nothing.
func (s *strapi) document(e *strapiEntity) string {
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

// choose picks the entity that is taken of the draft and the published one of a document.
func (s *strapi) choose() {
	for _, l := range s.links {
		if l.Left.Field == "localizations" {
			left, right := l.Left, l.Right
			right.Type = left.Type
			for from, to := range map[strapiEnd]strapiEnd{left: right, right: left} {
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

// link sorts relations and files by what they start from.
func (s *strapi) link() {
	add := func(from strapiEnd, to strapiEnd) {
		key := from.Type + "\x00" + from.Ref.String() + "\x00" + from.Field
		s.related[key] = append(s.related[key], to)
	}
	slices.SortStableFunc(s.links, func(a, b strapiLink) int {
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

// file takes a media file.
func (s *strapi) file(en *strapiEntity) {
	f := &File{
		Source: "file " + en.ID.String(), ID: makeID("strapi", fileType, en.ID.String(),
			en.text("hash")), Name: en.text("name"),
		Alt: en.text("alternativeText"), Caption: en.text("caption"), URL: en.text("url"),
	}
	stored := filepath.Join(s.assets, filepath.Base(en.text("hash")+en.text("ext")))
	if _, err := os.Stat(stored); err == nil {
		f.Path = stored
	} else if !strings.HasPrefix(f.URL, "http") {
		s.site.fail(f.Source, "its bytes are not in the export")
		return
	}
	s.site.Files = append(s.site.Files, f)
	s.files[en.ID.String()] = f
}

// slugOf is the slug of the model of a content type.
func (s *strapi) slugOf(schema *strapiSchema) string {
	for _, name := range []string{schema.UID, schema.Info.PluralName, schema.Info.SingularName} {
		if to := s.target.Rename[name]; to != "" {
			return to
		}
	}
	if schema.Kind == "singleType" || schema.Info.PluralName == "" {
		return s.target.slugFor(schema.Info.SingularName)
	}
	return s.target.slugFor(schema.Info.PluralName)
}

// idOf is the id of the entry of an entity.
func (s *strapi) idOf(key string) string { return makeID("strapi", key) }

// entry makes an entry of an entity.
func (s *strapi) entry(schema *strapiSchema, en *strapiEntity) *Entry {
	title, slugName := schema.titleName(), schema.slugName()
	e := &Entry{
		Source: en.Type + " " + en.ID.String(), Model: s.slugOf(schema),
		ID: s.idOf(s.keys[en.key()]), Title: en.text(title),
		Slug: en.text(slugName), Locale: localeCode(en.text("locale")), Status: string(cms.StatusDraft),
		CreatedAt: en.at("createdAt"), UpdatedAt: en.at("updatedAt"), PublishedAt: en.at("publishedAt"),
	}
	if !e.PublishedAt.IsZero() {
		e.Status = string(cms.StatusPublished)
	}
	if e.Locale == "" {
		e.Locale = s.target.DefaultLocale
	}
	if e.Title == "" {
		e.Title = strings.TrimSpace(fmt.Sprintf("%s %s", schema.Info.DisplayName, en.ID))
	}
	e.Data = s.object(e, schema, en.ID.String(), en.Data, []string{title, slugName})
	return e
}
