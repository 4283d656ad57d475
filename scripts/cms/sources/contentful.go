package sources

import (
	"encoding/json"
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"headless/pkg/cms"
)

// The parts of a Contentful export (contentful space export) that are read.

type contentfulSys struct {
	ID               string
	Space            contentfulLink
	ContentType      contentfulLink
	LinkType         string
	Version          int
	PublishedVersion int
	ArchivedAt       *time.Time
	FirstPublishedAt time.Time
	PublishedAt      time.Time
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

type contentfulLink struct{ Sys struct{ ID string } }

type contentfulField struct {
	ID        string
	Name      string
	Type      string
	LinkType  string
	Localized bool
	Required  bool
	Omitted   bool
	Items     *contentfulField
	// Validations limit a text to options and a link to content types.
	Validations []struct {
		In              []any
		LinkContentType []string
	}
}

type contentfulType struct {
	Sys          contentfulSys
	Name         string
	DisplayField string
	Fields       []contentfulField
}

// contentfulRecord is an entry or an asset: values by field and locale.
type contentfulRecord struct {
	Sys    contentfulSys
	Fields map[string]map[string]any
}

type contentfulExport struct {
	ContentTypes []contentfulType
	Entries      []contentfulRecord
	Assets       []contentfulRecord
	Locales      []struct {
		Code    string
		Default bool
	}
}

// contentful turns a Contentful export into a site.
type contentful struct {
	contentfulExport
	site          *Site
	target        *Target
	dir           string // of the export, for assets that stand beside it
	defaultLocale string
	types         map[string]*contentfulType
	entries       map[string]string // type of each entry, by id
	files         map[string]*File  // by id of the asset
}

// Contentful reads the JSON file of contentful space export. Assets are taken from the folder of
// the file where --download-assets put them, else from their addresses. Rich text becomes Markdown.
func Contentful(file string, t *Target) (*Site, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := &contentful{
		site: &Site{}, target: t, dir: filepath.Dir(file), defaultLocale: t.DefaultLocale,
		types: map[string]*contentfulType{}, entries: map[string]string{}, files: map[string]*File{},
	}
	if err := json.Unmarshal(raw, &c.contentfulExport); err != nil {
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
	c.site.finish(t)
	return c.site, nil
}

var upper = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// kebab is a name in camel case as a slug.
func kebab(name string) string { return strings.ToLower(upper.ReplaceAllString(name, "$1-$2")) }

// slugOf is the slug of the model of a content type.
func (c *contentful) slugOf(kind string) string {
	if c.target.Rename[kind] != "" {
		return c.target.Rename[kind]
	}
	return c.target.slugFor(kebab(kind))
}

// locale is a locale of Contentful as the service knows it.
func (c *contentful) locale(code string) string {
	if code == c.defaultLocale && !slices.Contains(c.target.Locales, localeCode(code)) {
		return c.target.DefaultLocale
	}
	return localeCode(code)
}

// inDefault is the value of a field in the default locale.
func (c *contentful) inDefault(r *contentfulRecord, field string) any {
	return r.Fields[field][c.defaultLocale]
}

// asset takes a file in the default locale.
func (c *contentful) asset(r *contentfulRecord) {
	source := "asset " + r.Sys.ID
	file, _ := c.inDefault(r, "file").(map[string]any)
	url, _ := file["url"].(string)
	if url == "" {
		c.site.fail(source, "it has no file in %s", c.defaultLocale)
		return
	}
	f := &File{Source: source, ID: makeID("contentful", r.Sys.Space.Sys.ID, "asset", r.Sys.ID), URL: url}
	if strings.HasPrefix(url, "//") {
		f.URL = "https:" + url
	}
	f.Name, _ = file["fileName"].(string)
	if f.Name == "" {
		f.Name = path.Base(url)
	}
	f.Alt, _ = c.inDefault(r, "description").(string)
	if title, _ := c.inDefault(r, "title").(string); f.Alt == "" {
		f.Alt = title
	}
	beside := filepath.FromSlash(strings.TrimPrefix(withoutScheme(f.URL), "/"))
	if filepath.IsLocal(beside) {
		if info, err := os.Stat(filepath.Join(c.dir, beside)); err == nil && info.Mode().IsRegular() {
			f.Path = filepath.Join(c.dir, beside)
		}
	}
	c.site.Files = append(c.site.Files, f)
	c.files[r.Sys.ID] = f
	if len(r.Fields["file"]) > 1 {
		c.site.note("assets", "only the file in %s is taken", c.defaultLocale)
	}
}

// model is the model of a content type. The display field is the title of entries, and slug their
// slug.
func (c *contentful) model(ct *contentfulType) *cms.Model {
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
	return newModel(c.slugOf(ct.Sys.ID), ct.Name, localized, fields...)
}

func (f *contentfulField) isSlug() bool { return f.ID == "slug" && f.Type == "Symbol" }

// field is the field of a model for one of a content type.
func (c *contentful) field(ct *contentfulType, in *contentfulField) cms.Field {
	f := cms.Field{Name: fieldName(in.ID), Label: in.Name, Type: cms.TypeJSON}
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
	case item.Type == "Link":
		c.site.note(ct.Sys.ID+"."+in.ID, "leads to entries of several types and becomes JSON with their ids")
	case f.Many && len(options) > 0:
		f.Type, f.Options = cms.TypeMultiSelect, options
	case !f.Many:
		f.Type, f.Options = contentfulTypes[in.Type], nil
		if len(options) > 0 && in.Type == "Symbol" {
			f.Type, f.Options = cms.TypeSelect, options
		}
	}
	if f.Type == "" {
		f.Type = cms.TypeJSON
	}
	f.Many = f.Many && (f.Type == cms.TypeMedia || f.Type == cms.TypeRelation)
	f.Searchable = f.Type == cms.TypeRichText
	return f
}

// contentfulTypes are the types of fields that need no more than the type of Contentful.
var contentfulTypes = map[string]cms.FieldType{
	"Symbol": cms.TypeText, "Text": cms.TypeRichText, "RichText": cms.TypeRichText,
	"Integer": cms.TypeNumber, "Number": cms.TypeNumber,
	"Date": cms.TypeDateTime, "Boolean": cms.TypeBoolean, "Object": cms.TypeJSON, "Location": cms.TypeJSON,
}
