package openapi_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"headless/pkg/api/openapi"
	"headless/pkg/cms"
	"headless/pkg/must"
)

// liveModels have every field type, a name that is taken twice, and slugs that are hard to make
// names of.
func liveModels() []*cms.Model {
	kinds := map[cms.FieldType]cms.Field{
		cms.TypeSelect: {Options: []string{"a", "b"}}, cms.TypeMultiSelect: {Options: []string{"a", "b"}},
		cms.TypeGroup: {Fields: []cms.Field{{Name: "city", Type: cms.TypeText, Required: true}}},
		cms.TypeList:  {Fields: []cms.Field{{Name: "street", Type: cms.TypeText}}},
		cms.TypeBlocks: {Fields: []cms.Field{
			{Name: "hero", Type: cms.TypeGroup, Fields: []cms.Field{{Name: "heading", Type: cms.TypeText}}},
			{Name: "quote", Type: cms.TypeGroup,
				Fields: []cms.Field{{Name: "words", Type: cms.TypeTextarea}}},
		}},
		cms.TypeRelation: {Model: "blog1"},
	}
	var fields []cms.Field
	limit := 5.0
	for _, kind := range cms.FieldTypes() {
		f := kinds[kind]
		f.Name, f.Type, f.Label = "a_"+string(kind), kind, "A "+string(kind)
		fields = append(fields, f)
	}
	fields = append(fields,
		cms.Field{Name: "title2", Type: cms.TypeText, Max: &limit},
		cms.Field{Name: "files", Type: cms.TypeMedia, Many: true},
		cms.Field{Name: "several", Type: cms.TypeRelation, Models: []string{"blog1", "unseen"}},
		cms.Field{Name: "others", Type: cms.TypeRelation, Models: []string{"unseen", "blog1", "unseen-2"}},
		cms.Field{Name: "one_type", Type: cms.TypeBlocks, Fields: []cms.Field{
			{Name: "hero", Type: cms.TypeGroup, Fields: []cms.Field{{Name: "heading", Type: cms.TypeText}}}}},
		cms.Field{Name: "gone", Type: cms.TypeRelation, Model: "unseen", Many: true})
	return []*cms.Model{
		{Slug: "posts", Name: "Posts", Kind: cms.KindCollection, Fields: fields},
		{Slug: "blog1", Name: "Blog", Kind: cms.KindCollection,
			Fields: []cms.Field{{Name: "body", Type: cms.TypeRichText}}},
		{Slug: "blog-1", Name: "Other blog", Kind: cms.KindCollection},
		{Slug: "home-page", Name: "Home page", Kind: cms.KindSingle,
			Fields: []cms.Field{{Name: "posts", Type: cms.TypeRelation, Model: "posts", Many: true}}},
		{Slug: "2nd", Name: "Second", Kind: cms.KindCollection},
	}
}

// TestLive holds the document of some models to what OpenAPI and extensions §10 ask for. With
// OPENAPI_OUT, it is written there for other tools.
func TestLive(t *testing.T) {
	text, err := openapi.Live("https://cms.example.com/api/v1", liveModels())
	must.Do(t, err)
	if out := os.Getenv("OPENAPI_OUT"); out != "" {
		must.Do(t, os.WriteFile(out, text, 0o644))
	}
	doc := load(t, text)
	must.Do(t, doc.Validate(t.Context()))
	for _, name := range []string{
		"PostsEntry", "PostsWrite", "PostsData", "PostsRelated", "Blog1Entry", "Blog1_2Entry",
		"Blog1_2Write", "HomePageEntry", "Model2ndEntry",
	} {
		if doc.Components.Schemas[name] == nil && name != "Blog1_2Related" {
			t.Errorf("there is no schema %s", name)
		}
	}
	var paths []string
	for path, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			checkOperation(t, path, op)
		}
		paths = append(paths, path)
	}
	for _, path := range []string{"/posts", "/posts/{idOrSlug}", "/blog-1", "/home-page",
		"/home-page/single", "/search", "/ping"} {
		if !slices.Contains(paths, path) {
			t.Errorf("there is no path %s", path)
		}
	}
	if strings.Contains(string(text), "{model}\":") || slices.Contains(paths, "/{model}") ||
		slices.Contains(paths, "/posts/single") {
		t.Errorf("paths %v", paths)
	}
	if got := doc.Servers[0].URL; got != "https://cms.example.com/api/v1" {
		t.Errorf("server %s", got)
	}
}

// TestLiveFields compares the schemas of some fields.
func TestLiveFields(t *testing.T) {
	text, err := openapi.Live("http://localhost/api/v1", liveModels())
	must.Do(t, err)
	var doc struct {
		Components struct{ Schemas map[string]json.RawMessage }
	}
	must.Do(t, json.Unmarshal(text, &doc))
	for _, row := range []struct{ schema, part string }{
		{"PostsWrite", `"several":{"additionalProperties":false,"properties":{"id":{"$ref":"#/components/schemas/Id"},` +
			`"model":{"enum":["blog1","unseen"],"type":"string"}},"required":["model","id"],"type":["object","null"]}`},
		{"PostsWrite",
			`"a_select":{"description":"A select","enum":["a","b",null],"type":["string","null"]}`},
		{"PostsWrite", `"title2":{"maxLength":5,"type":["string","null"]}`},
		{"PostsData",
			`"a_relation":{"anyOf":[{"$ref":"#/components/schemas/Id"},{"$ref":"#/components/schemas/Blog1_2Related"},{"type":"null"}],"description":"A relation"}`},
		{"PostsData", `"type":"object"},{"properties":{"id":{"$ref":"#/components/schemas/Id"}},"required":["id"],` +
			`"type":"object"},{"$ref":"#/components/schemas/Blog1_2Related"},{"type":"null"}]},"several"`},
		{"PostsData", `"one_type":{"items":{"properties":{"heading":{"type":"string"},` +
			`"type":{"const":"hero","type":"string"}},"required":["type"],"type":"object"},"type":"array"}`},
		{"PostsWrite", `"one_type":{"items":{"additionalProperties":false,"properties":{"heading":`},
		{"PostsData", `"type":{"const":"quote","type":"string"}`},
		{"PostsData", `"a_richtext":{"anyOf":[{"type":"string"},{"items":{"properties":{"text":{"type":"string"},` +
			`"type":{"const":"text","type":"string"}},"required":["type","text"],"type":"object"},"type":"array"}]`},
		{"HomePageData",
			`"items":{"anyOf":[{"$ref":"#/components/schemas/Id"},{"$ref":"#/components/schemas/PostsRelated"}]}`},
	} {
		if !strings.Contains(string(doc.Components.Schemas[row.schema]), row.part) {
			t.Errorf("%s is %s, want in it %s", row.schema, doc.Components.Schemas[row.schema], row.part)
		}
	}
}

func TestNoModels(t *testing.T) {
	text, err := openapi.Live("http://localhost/api/v1", nil)
	must.Do(t, err)
	if err := load(t, text).Validate(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestTypeNames: oapi-codegen leaves underscores out, so Blog1_2 and Blog12 are the same to it.
func TestTypeNames(t *testing.T) {
	taken := map[string]bool{}
	for _, row := range []struct{ slug, want string }{
		{"blog-1", "Blog1"}, {"blog1", "Blog1_2"}, {"blog12", "Blog12_2"}, {"blog-12", "Blog12_3"}, {"2nd", "Model2nd"},
	} {
		if got := openapi.TypeName(row.slug, []string{"Entry", "Data"}, taken); got != row.want {
			t.Errorf("%s is %s, want %s", row.slug, got, row.want)
		}
	}
}
