package say_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"headless/pkg/must"
)

// isMessage matches texts for people: sentences, and problems of a value, such as "must be a number".
var isMessage = regexp.MustCompile(`^([A-Z"{][^\n]* [^\n]*[.?]( \{\d\})?|("?\{1\}"? )?(` + firstWords + `) [^\n]*)$`)

const firstWords = `must|may|is|are|was|has|have|cannot|needs|takes|took|belongs|refers|relates|applies|apply|works|` +
	`would|leads|knows|choose|does|exactly|longer|there`

// notShown are the calls whose texts stand in logs and in errors that no page shows.
var notShown = regexp.MustCompile(`^(panic|fmt\.Fprint.*|cms\.(Counted|Phrased)|say\.N|.*[lL]og\.\w+|log|slog\.\w+|` +
	`regexp\.\w+|.*\.(Activity|Audit))$`)

// inErrors collects the messages of errors in the packages that the admin area uses, and those of attempts that
// failed, such as deliveries. Pages show each but those in testdata/programs.txt.
func inErrors(t *testing.T, found map[string]message) {
	unused := map[string]bool{}
	for _, line := range linesOf(t, "testdata/programs.txt") {
		unused[line] = true
	}
	forPrograms := maps.Clone(unused)
	out, err := exec.Command("go", "list", "-deps", "-f", `{{range .GoFiles}}{{$.ImportPath}}|{{$.Dir}}/{{.}}
{{end}}`, adminPath+"/...").Output()
	must.Do(t, err)
	for line := range strings.Lines(string(out)) {
		path, name, _ := strings.Cut(strings.TrimSpace(line), "|")
		if !strings.HasPrefix(path, "headless/") || path == sayPath {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		must.Do(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec, *ast.Field:
				return false
			case *ast.CallExpr:
				if notShown.MatchString(types.ExprString(n.Fun)) {
					return false
				}
			case *ast.BasicLit, *ast.BinaryExpr:
				text := shapeOf(n.(ast.Expr), new(int))
				delete(unused, text)
				if isMessage.MatchString(text) && !forPrograms[text] && found[text].where == "" {
					found[text] = message{where: "below " + strings.TrimPrefix(path, "headless/pkg/")}
				}
				return false
			}
			return true
		})
	}
	for text := range unused {
		t.Errorf("testdata/programs.txt: no source has %q", text)
	}
}

// shapeOf returns a text with a placeholder in place of each part that is no constant.
func shapeOf(e ast.Expr, n *int) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return shapeOf(e.X, n) + shapeOf(e.Y, n)
		}
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, _ := strconv.Unquote(e.Value)
			return verb.ReplaceAllStringFunc(text, func(v string) string {
				if *n++; v == "%q" {
					return `"{` + strconv.Itoa(*n) + `}"`
				}
				return "{" + strconv.Itoa(*n) + "}"
			})
		}
	}
	*n++
	return "{" + strconv.Itoa(*n) + "}"
}
