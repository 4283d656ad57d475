package contentful

import (
	"cmp"
	"encoding/json"
	"errors"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/scripts/cms/command"
	"headless/scripts/cms/sources"
)

// The parts of a Contentful export (contentful space export) that are read.

type sys struct {
	ID               string
	Space            link
	ContentType      link
	Version          int
	PublishedVersion int
	ArchivedAt       *time.Time
	FirstPublishedAt time.Time
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

type link struct{ Sys struct{ ID string } }

type field struct {
	ID        string
	Name      string
	Type      string
	LinkType  string
	Localized bool
	Items     *field
	// Validations limit a text to options and a link to content types.
	Validations []struct {
		In              []any
		LinkContentType []string
	}
}

type contentType struct {
	Sys          sys
	Name         string
	DisplayField string
	Fields       []field
}

// record is an entry or an asset: values by field and locale.
type record struct {
	Sys    sys
	Fields map[string]map[string]any
}

type export struct {
	ContentTypes []contentType
	Entries      []record
	Assets       []record
	Locales      []struct {
		Code    string
		Default bool
	}
}

// reader turns a Contentful export into a site.
type reader struct {
	export
	site          *sources.Site
	target        *sources.Target
	dir           string // folder of the export, for assets stored beside it
	defaultLocale string
	types         map[string]*contentType
	entries       map[string]string        // type of each entry, by id
	files         map[string]*sources.File // by id of the asset
}

// Read reads the JSON file of contentful space export. Assets are read from the folder of the file
// if --download-assets put them there. Other assets are downloaded. Rich text becomes Markdown.
func Read(file string, t *sources.Target) (*sources.Site, error) {
	raw, err := command.ReadJSON(file)
	if err != nil {
		return nil, err
	}
	c := &reader{
		site: &sources.Site{}, target: t, dir: filepath.Dir(file), defaultLocale: t.DefaultLocale,
		types: map[string]*contentType{}, entries: map[string]string{}, files: map[string]*sources.File{},
	}
	if err := json.Unmarshal(raw, &c.export); err != nil {
		return nil, err
	}
	if len(c.ContentTypes) == 0 {
		return nil, errors.New("the file is no Contentful export, or it has no content types")
	}
	for _, l := range c.Locales {
		if l.Default {
			c.defaultLocale = l.Code
		}
	}
	for i := range c.ContentTypes {
		c.types[c.ContentTypes[i].Sys.ID] = &c.ContentTypes[i]
	}
	for i := range c.Entries {
		c.entries[c.Entries[i].Sys.ID] = c.Entries[i].Sys.ContentType.Sys.ID
	}
	for i := range c.Assets {
		c.asset(&c.Assets[i])
	}
	for i := range c.ContentTypes {
		c.site.Models = append(c.site.Models, c.model(&c.ContentTypes[i]))
	}
	for i := range c.Entries {
		c.entry(&c.Entries[i])
	}
	c.site.Finish(t)
	return c.site, nil
}

var upper = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// kebab turns a name in camel case into a slug.
func kebab(name string) string { return strings.ToLower(upper.ReplaceAllString(name, "$1-$2")) }

// slugOf returns the slug of the model of a content type.
func (c *reader) slugOf(kind string) string {
	if c.target.Rename[kind] != "" {
		return c.target.Rename[kind]
	}
	return c.target.SlugFor(kebab(kind))
}

// locale returns the service's code of a locale of Contentful.
func (c *reader) locale(code string) string {
	if code == c.defaultLocale && !slices.Contains(c.target.Locales, sources.LocaleCode(code)) {
		return c.target.DefaultLocale
	}
	return sources.LocaleCode(code)
}

// inDefault returns the value of a field in the default locale.
func (c *reader) inDefault(r *record, field string) any {
	return r.Fields[field][c.defaultLocale]
}

// asset adds the file of an asset in the default locale.
func (c *reader) asset(r *record) {
	source := "asset " + r.Sys.ID
	file, _ := c.inDefault(r, "file").(map[string]any)
	url, _ := file["url"].(string)
	if url == "" {
		c.site.Fail(source, "it has no file in %s", c.defaultLocale)
		return
	}
	f := &sources.File{Source: source, ID: sources.MakeID("contentful", r.Sys.Space.Sys.ID, "asset", r.Sys.ID), URL: url}
	if strings.HasPrefix(url, "//") {
		f.URL = "https:" + url
	}
	f.Name, _ = file["fileName"].(string)
	f.Name = cmp.Or(f.Name, path.Base(url))
	f.Alt, _ = c.inDefault(r, "description").(string)
	if title, _ := c.inDefault(r, "title").(string); f.Alt == "" {
		f.Alt = title
	}
	beside := filepath.FromSlash(strings.TrimPrefix(sources.WithoutScheme(f.URL), "/"))
	if sources.HasFile(c.dir, beside) {
		f.Path = filepath.Join(c.dir, beside)
	}
	c.site.Files = append(c.site.Files, f)
	c.files[r.Sys.ID] = f
	if len(r.Fields["file"]) > 1 {
		c.site.Note("assets", "only the file in %s is taken", c.defaultLocale)
	}
}

// model returns the model for a content type. The display field becomes the title of entries, and
// the field slug their slug.
func (c *reader) model(ct *contentType) *cms.Model {
	localized := false
	var fields []cms.Field
	for i := range ct.Fields {
		f := &ct.Fields[i]
		localized = localized || f.Localized
		if f.ID == ct.DisplayField || f.isSlug() {
			continue
		}
		fields = append(fields, c.field(ct, f))
	}
	return sources.NewModel(c.slugOf(ct.Sys.ID), ct.Name, localized, fields...)
}

func (f *field) isSlug() bool { return f.ID == "slug" && f.Type == "Symbol" }

// maxModels is how many models a relation may lead to (extensions §12).
const maxModels = 20

// field returns the field of a model for a field of a content type.
func (c *reader) field(ct *contentType, in *field) cms.Field {
	f := cms.Field{Name: sources.FieldName(in.ID), Label: in.Name, Type: cms.TypeJSON}
	item := in
	if in.Type == "Array" && in.Items != nil {
		item, f.Many = in.Items, true
	}
	var options []string
	var models []string
	for _, v := range item.Validations {
		models = append(models, v.LinkContentType...)
		for _, option := range v.In {
			if text, ok := option.(string); ok {
				options = append(options, text)
			}
		}
	}
	switch {
	case item.Type == "Link" && item.LinkType == "Asset":
		f.Type = cms.TypeMedia
	case item.Type == "Link" && len(models) == 1:
		f.Type, f.Model = cms.TypeRelation, c.slugOf(models[0])
	case item.Type == "Link" && len(models) > 1 && len(models) <= maxModels:
		f.Type = cms.TypeRelation
		for _, model := range models {
			if slug := c.slugOf(model); !slices.Contains(f.Models, slug) {
				f.Models = append(f.Models, slug)
			}
		}
	case item.Type == "Link":
		c.site.Note(ct.Sys.ID+"."+in.ID, "leads to entries of any type and becomes JSON with their ids")
	case f.Many && len(options) > 0:
		f.Type, f.Options = cms.TypeMultiSelect, options
	case !f.Many:
		f.Type, f.Options = types[in.Type], nil
		if len(options) > 0 && in.Type == "Symbol" {
			f.Type, f.Options = cms.TypeSelect, options
		}
	}
	f.Type = cmp.Or(f.Type, cms.TypeJSON)
	f.Many = f.Many && (f.Type == cms.TypeMedia || f.Type == cms.TypeRelation)
	f.Searchable = f.Type == cms.TypeRichText
	return f
}

// types has the types of fields by the types of Contentful, where these alone decide.
var types = map[string]cms.FieldType{
	"Symbol": cms.TypeText, "Text": cms.TypeRichText, "RichText": cms.TypeRichText,
	"Integer": cms.TypeNumber, "Number": cms.TypeNumber,
	"Date": cms.TypeDateTime, "Boolean": cms.TypeBoolean, "Object": cms.TypeJSON, "Location": cms.TypeJSON,
}
