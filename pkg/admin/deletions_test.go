package admin_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
)

// unasked are the buttons with the method DELETE that ask nothing, and why.
var unasked = map[string]string{
	"Drop schedule": "the message after it has Undo",
	"Stop":          "what was done stays, and Undo takes that back",
}

// TestDeletionsAsk looks at the source of all pages: a button that deletes something asks before it does, unless it can
// be undone.
func TestDeletionsAsk(t *testing.T) {
	buttons, forms := 0, 0
	must.Do(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(path, "_test.go") {
			return err
		}
		switch filepath.Ext(path) {
		case ".go":
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				literal, _ := n.(*ast.CompositeLit)
				if values := textsOf(literal); values["Label"] != "" &&
					(values["Method"] == "DELETE" || values["Method"] == "MethodDelete") {
					if buttons++; values["Confirm"] == "" && unasked[values["Label"]] == "" {
						t.Errorf("%s: the button %q neither asks nor can be undone", path, values["Label"])
					}
				}
				return true
			})
		case ".html":
			page, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			before := ""
			for i, part := range strings.Split(string(page), `value="DELETE"`) {
				if i > 0 {
					if forms++; strings.Count(before, "<details") == strings.Count(before, "</details>") {
						t.Errorf("%s: a form that deletes asks nothing: %.200s", path, part)
					}
				}
				before += part
			}
		}
		return nil
	}))
	if buttons < 12 || forms < 2 {
		t.Errorf("only %d buttons and %d forms were looked at", buttons, forms)
	}
}

// textsOf returns the texts of the fields of a composite literal, and the names of its constants; "…" for other values.
func textsOf(literal *ast.CompositeLit) map[string]string {
	values := map[string]string{}
	if literal == nil {
		return values
	}
	for _, element := range literal.Elts {
		field, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		name, ok := field.Key.(*ast.Ident)
		if !ok {
			continue
		}
		values[name.Name] = "…"
		switch v := field.Value.(type) {
		case *ast.BasicLit:
			values[name.Name] = strings.Trim(v.Value, `"`)
		case *ast.SelectorExpr:
			values[name.Name] = v.Sel.Name
		}
	}
	return values
}
