package pkg_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"headless/pkg/api/openapi"
	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/web"
)

// These tests fail while a step of a recipe of README.md is forgotten.

func TestFieldTypeRecipe(t *testing.T) {
	var types []string
	for _, kind := range cms.FieldTypes() {
		types = append(types, string(kind))
		info, field := kind.Info(), cms.Field{Type: kind}
		if info.Name == "" || info.Help == "" {
			t.Errorf("%s has no name or help for the model builder", kind)
		}
		if own := field.HasFields() || field.IsReference(); own != (info.Input == "") {
			t.Errorf("%s has the input %q; groups and references alone make their own", kind, info.Input)
		}
	}
	if declared := constants(t, "cms/fieldtype.go", "Type"); !same(declared, types) {
		t.Errorf("the constants are %q, the rows of the table %q", declared, types)
	}
	enums(t, openapi.AdminJSON(), "richtext", types)
	mentions(t, "docs/api.md", types)
}

func TestEventRecipe(t *testing.T) {
	// Nobody subscribes to these two.
	kinds := append(slices.Clone(cms.EventKinds), cms.EventChanges, cms.EventWebhookTest)
	if declared := constants(t, "cms/event.go", "Event"); !same(declared, kinds) {
		t.Errorf("the constants are %q, cms.EventKinds and its like %q", declared, kinds)
	}
	enums(t, openapi.AdminJSON(), cms.EventWebhookTest, kinds)
	var document struct {
		Components struct {
			Schemas struct {
				EntryEventData struct{ Properties map[string]any }
			}
		}
	}
	must.Do(t, json.Unmarshal(openapi.AdminJSON(), &document))
	text, err := os.ReadFile("docs/webhooks.md")
	must.Do(t, err)
	_, row, _ := strings.Cut(string(text), "| `entry.created` |")
	row, _, _ = strings.Cut(row, "\n")
	for name := range document.Components.Schemas.EntryEventData.Properties {
		if !strings.Contains(row, "`"+name+"`") {
			t.Errorf("docs/webhooks.md does not say that events of entries have %s", name)
		}
	}
	mentions(t, "docs/webhooks.md", kinds)
}

func TestErrorCodeRecipe(t *testing.T) {
	codes := constants(t, "cms/errors.go", "Code")
	documents := slices.Concat(openapi.JSON(), openapi.AdminJSON(), openapi.DeliveryJSON())
	for _, code := range codes {
		if web.StatusOf(cms.Code(code)) == 500 && code != string(cms.CodeInternal) {
			t.Errorf("%s has no status in package web", code)
		}
		if !bytes.Contains(documents, []byte(strconv.Quote(code))) {
			t.Errorf("no OpenAPI document describes %s", code)
		}
	}
	mentions(t, "docs/api.md", codes)
}

// TestEndpointRecipe wants every route of the API that a table names in the OpenAPI document.
func TestEndpointRecipe(t *testing.T) {
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	must.Do(t, json.Unmarshal(openapi.JSON(), &document))
	routes := 0
	for _, fields := range literals(t, "api/*.go", "api/*/*.go") {
		method, pattern := strings.ToLower(fields["Method"]), fields["Pattern"]
		if method == "" || pattern == "" {
			continue
		}
		if routes++; document.Paths[pattern][method] == nil {
			t.Errorf("no OpenAPI document describes %s %s", fields["Method"], pattern)
		}
	}
	if routes < 20 {
		t.Fatalf("only %d routes were found", routes)
	}
}

// TestDeliveryRoutes: the guide names each route of the delivery API.
func TestDeliveryRoutes(t *testing.T) {
	var document struct{ Paths map[string]any }
	must.Do(t, json.Unmarshal(openapi.DeliveryJSON(), &document))
	mentions(t, "docs/delivery.md", slices.Collect(maps.Keys(document.Paths)))
}

func TestFunctionRecipe(t *testing.T) {
	template, err := os.ReadFile("../template.yaml")
	must.Do(t, err)
	mains, err := filepath.Glob("../functions/*/main.go")
	if err != nil || len(mains) < 10 {
		t.Fatalf("%d functions, %v", len(mains), err)
	}
	for _, main := range mains {
		dir := filepath.Dir(main)
		name := filepath.Base(dir)
		for _, file := range []string{filepath.Join(dir, "Makefile"), "../events/" + name + ".json"} {
			if _, err := os.Stat(file); err != nil {
				t.Error(err)
			}
		}
		if !strings.Contains(string(template), "CodeUri: functions/"+name+"/") {
			t.Errorf("template.yaml has no function of functions/%s", name)
		}
	}
}

// elsewhere are the addresses of the admin area that have no line in its menu, and what leads to
// them.
var elsewhere = map[string]string{
	"/colleagues": "requests for review, as JSON",
	"/confirm":    "a change that needs a fresh sign-in",
	"/device":     "the program that signs in",
	"/grants":     "your profile",
	"/help":       "the top of every page",
	"/jobs":       "the planned page and the list of entries",
	"/links":      "the editor of texts, as JSON",
	"/login":      "every address, for who is not signed in",
	"/me":         "scripts, as JSON",
	"/passkeys":   "your profile",
	"/previews":   "your profile",
	"/purge":      "scripts: no page leads to it",
	"/releases":   "the planned page",
	"/schema":     "cms schema: no page leads to it",
	"/search":     "the search box",
	"/sessions":   "your profile",
	"/styleguide": "the recipe of an admin page",
	"/tokens":     "your profile",
	"/totp":       "your profile",
}

// TestAdminPageRecipe asks for a line of the menu for every page of the admin area that stands
// below no other one.
func TestAdminPageRecipe(t *testing.T) {
	pages, lines := adminPages(t), menuLines(t)
	if len(pages) < 20 || len(lines) < 10 {
		t.Fatalf("only %d pages and %d lines of the menu were found", len(pages), len(lines))
	}
	for _, page := range pages {
		inMenu := slices.Contains(lines, page)
		switch where := elsewhere[page]; {
		case !inMenu && where == "":
			t.Errorf("%s has no line in admin/frame/menu.go, nor is it among the pages that other pages lead to",
				page)
		case inMenu && where != "":
			t.Errorf("%s is in the menu; it is not only reached from %s", page, where)
		}
	}
	for _, line := range lines {
		if !slices.Contains(pages, line) {
			t.Errorf("the menu leads to %s, which is no page", line)
		}
	}
	for page := range elsewhere {
		if !slices.Contains(pages, page) {
			t.Errorf("%s is no page any more", page)
		}
	}
}

// adminPages lists the addresses of one segment that the route tables and resources of the admin
// area answer.
func adminPages(t *testing.T) (pages []string) {
	t.Helper()
	page := regexp.MustCompile(`^/([a-z-]+|\{\$\})$`)
	for _, fields := range literals(t, "admin/*/*.go", "admin/*.go") {
		pattern := fields["Path"] // of a resource
		if fields["Method"] == "GET" {
			pattern = fields["Pattern"]
		}
		if page.MatchString(pattern) && !slices.Contains(pages, pattern) {
			pages = append(pages, pattern)
		}
	}
	return pages
}

// literals returns the text fields of the composite literals in files, without those of tests.
func literals(t *testing.T, globs ...string) (list []map[string]string) {
	t.Helper()
	for _, glob := range globs {
		files, err := filepath.Glob(glob)
		must.Do(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			must.Do(t, err)
			ast.Inspect(parsed, func(n ast.Node) bool {
				if lit, ok := n.(*ast.CompositeLit); ok {
					list = append(list, textFields(lit))
				}
				return true
			})
		}
	}
	return list
}

// textFields are the fields of a composite literal that are written as texts.
func textFields(lit *ast.CompositeLit) map[string]string {
	fields := map[string]string{}
	for _, element := range lit.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, isName := pair.Key.(*ast.Ident)
		value, isText := pair.Value.(*ast.BasicLit)
		if isName && isText && value.Kind == token.STRING {
			if text, err := strconv.Unquote(value.Value); err == nil {
				fields[key.Name] = text
			}
		}
	}
	return fields
}

// menuLines lists the addresses in the menu of the admin area.
func menuLines(t *testing.T) (lines []string) {
	t.Helper()
	src, err := os.ReadFile("admin/frame/menu.go")
	must.Do(t, err)
	for _, match := range regexp.MustCompile(`"(/[^"]*)", cms\.Role`).FindAllSubmatch(src, -1) {
		lines = append(lines, string(match[1]))
	}
	return lines
}

// constants lists the values of the text constants of a file whose names begin with a prefix.
func constants(t *testing.T, file, prefix string) (values []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	must.Do(t, err)
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, prefix) {
			return true
		}
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
			value, err := strconv.Unquote(lit.Value)
			must.Do(t, err)
			values = append(values, value)
		}
		return true
	})
	if len(values) == 0 {
		t.Fatalf("%s has no constants %s…", file, prefix)
	}
	return values
}

// enums compares every enum of a document that has the value known with a list.
func enums(t *testing.T, document []byte, known string, want []string) {
	t.Helper()
	var doc any
	must.Do(t, json.Unmarshal(document, &doc))
	found := 0
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			list, _ := v["enum"].([]any)
			var values []string
			for _, item := range list {
				if text, ok := item.(string); ok {
					values = append(values, text)
				}
			}
			if slices.Contains(values, known) {
				found++
				if !same(values, want) {
					t.Errorf("an enum of OpenAPI is %q, the code has %q", values, want)
				}
			}
			for _, item := range v {
				walk(item)
			}
		}
	}
	walk(doc)
	if found == 0 {
		t.Errorf("no enum of the document has %q", known)
	}
}

// mentions asks a document for each word, as code.
func mentions(t *testing.T, file string, words []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	must.Do(t, err)
	for _, word := range words {
		if !regexp.MustCompile("`" + regexp.QuoteMeta(word) + "`").Match(text) {
			t.Errorf("%s does not name `%s`", file, word)
		}
	}
}

func same(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
