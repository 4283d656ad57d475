package pkg_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"headless/pkg/api/openapi"
	"headless/pkg/cms"
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
	mentions(t, "api/README.md", types)
}

func TestEventRecipe(t *testing.T) {
	// Nobody subscribes to these two.
	kinds := append(slices.Clone(cms.EventKinds), cms.EventChanges, cms.EventWebhookTest)
	if declared := constants(t, "cms/event.go", "Event"); !same(declared, kinds) {
		t.Errorf("the constants are %q, cms.EventKinds and its like %q", declared, kinds)
	}
	enums(t, openapi.AdminJSON(), cms.EventWebhookTest, kinds)
	mentions(t, "hooks/README.md", kinds)
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
	mentions(t, "api/README.md", codes)
}

func TestFunctionRecipe(t *testing.T) {
	template, err := os.ReadFile("../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
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

// constants lists the values of the text constants of a file whose names begin with a prefix.
func constants(t *testing.T, file, prefix string) (values []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, prefix) {
			return true
		}
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
			value, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
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
	if err := json.Unmarshal(document, &doc); err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range words {
		if !regexp.MustCompile("`" + regexp.QuoteMeta(word) + "`").Match(text) {
			t.Errorf("%s does not name `%s`", file, word)
		}
	}
}

func same(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
