package say_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
	"headless/pkg/must"
)

// inPhrases collects the messages of cms.Phrased and cms.Counted in all packages, and those of inXLIFF.
func inPhrases(t *testing.T, found map[string]message) {
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		ofXLIFF := strings.HasPrefix(path, "../../transfer/xliff/")
		if err != nil || !ofXLIFF && !bytes.Contains(source, []byte("cms.Phrased(")) &&
			!bytes.Contains(source, []byte("cms.Counted(")) {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, source, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if ofXLIFF {
				inXLIFF(t, found, path, call)
			}
			one, other := "", 0
			switch selector, _ := call.Fun.(*ast.SelectorExpr); {
			case selector == nil:
				return true
			case selector.Sel.Name == "Counted":
				one, other = constantText(t, path, call.Args[1]), 2
			case selector.Sel.Name != "Phrased":
				return true
			}
			found[constantText(t, path, call.Args[other])] = message{one, path}
			return true
		})
		return nil
	})
	must.Do(t, err)
}

var (
	ofFiles = regexp.MustCompile(`^(\w+\.Warnings\.Add|p\.Add|refuse|cms\.Errorf|fmt\.Errorf|errors\.New)$`)
	verb    = regexp.MustCompile(`%[a-z]`)
)

// inXLIFF collects what a call says about files of translators. Pages show it beside the entries.
func inXLIFF(t *testing.T, found map[string]message, path string, call *ast.CallExpr) {
	name := ofFiles.FindString(types.ExprString(call.Fun))
	if name == "" {
		return
	}
	argument := 0
	if name != "refuse" && name != "fmt.Errorf" && name != "errors.New" {
		argument = 1 // after a path or a code
	}
	if _, ok := call.Args[argument].(*ast.Ident); ok {
		return // what refuse passes on
	}
	n := 0
	text := verb.ReplaceAllStringFunc(constantText(t, path, call.Args[argument]), func(v string) string {
		if n++; v == "%q" {
			return `"{` + strconv.Itoa(n) + `}"`
		}
		return "{" + strconv.Itoa(n) + "}"
	})
	if text != "{1}" {
		found[text] = message{where: path}
	}
}

// constantText returns the value of a string, or of a sum of strings.
func constantText(t *testing.T, path string, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return constantText(t, path, e.X) + constantText(t, path, e.Y)
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err == nil {
			return text
		}
	}
	t.Errorf("%s: the text of a phrase is no constant", path)
	return ""
}

// TestPhrase says phrases of mails: with data that looks like a placeholder, times and plural forms.
func TestPhrase(t *testing.T) {
	for _, row := range []struct {
		accept string
		p      cms.Phrase
		want   string
	}{
		{"de", cms.Phrased("{1} sent back \"{2}\":\n{3}", "Ada", "{1}", "https://x"),
			"Ada hat „{1}“ zurückgegeben:\nhttps://x"},
		{"pt-BR", cms.Phrased("Received {1}.", "2026-03-01T09:30:00Z").Timed(),
			"Recebido em 1\u00a0de\u00a0mar.\u00a0de\u00a02026, 09:30\u00a0UTC."},
		{"de", cms.Phrased("Due: {1}", "2026-03-01").Timed(), "Fällig: 01.03.2026"},
		{"de", cms.Phrased("{1} sent back \"{2}\":\n{3}", "Ada", "2026-03-01", "https://x"), // a title
			"Ada hat „2026-03-01“ zurückgegeben:\nhttps://x"},
		{"en", cms.Counted(1, "{1} task waits for you", "{1} tasks wait for you"), "1 task waits for you"},
		{"de-CH", cms.Counted(1200, "{1} task waits for you", "{1} tasks wait for you"), "1.200 Aufgaben warten auf Sie"},
		{"fr", cms.Phrased("The receiver answered 410 Gone."), "Le destinataire a répondu 410 Gone."},
		{"ar", cms.Phrased("{1} sent back \"{2}\":\n{3}", "Ada", "B", "https://x/review"), // a link ends with its address
			"أعاد \u2068Ada\u2069 «\u2068B\u2069»:\nhttps://x/review"},
		{"xx", cms.Phrased("You are invited"), "You are invited"},
	} {
		if _, _, phrase := say.ForVisitor(row.accept); phrase(row.p) != row.want {
			t.Errorf("%s: %q, want %q", row.accept, phrase(row.p), row.want)
		}
	}
}
