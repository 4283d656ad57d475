package pkg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"headless/pkg/must"
)

// withheld are the rows that the policies of template.yaml keep from functions, by the rooms whose
// keys they are. What a room adds later is withheld, too, unless it is listed here as shared.
var withheld = []struct {
	policy string
	rooms  []string
	shared []string // rows of those rooms that the policy leaves alone
}{
	// Roles are part of API keys, so every function reads them. Agents use grants, which hold hashes only.
	{"NoAccountsPolicy", []string{"access", "access/device", "access/grants", "access/tokens", "access/tries"},
		[]string{"D#role", "N#role#*", "GRANT#*"}},
	// Webhooks themselves are documents. All other rows of their room are about deliveries.
	{"NoWebhooksPolicy", []string{"hooks", "hooks/bundle", "hooks/replay", "hooks/stream"},
		[]string{"DL#*", "DLS#*", "DUE#*", "PARK#*", "RCV#*",
			"TURN#*", "BUNDLE#*", "PIPELINE"}},
	// A write of content may raise the fences X# of its model; every request counts on LIMIT#.
	{"NoConfigurationPolicy", []string{"site", "apikeys", "presence", "presets", "views"}, []string{"X#*", "LIMIT#*"}},
	{"NoPreviewKeyPolicy", []string{"links/preview"}, []string{"PREVIEW#*"}},
}

// alsoWithheld are rows of other rooms.
var alsoWithheld = map[string][]string{
	"NoAccountsPolicy":      {"HANDED#*"},
	"NoConfigurationPolicy": {"D#account", "D#role", "GRANT#*", "N#role#*", "SECRETS"},
}

// TestPoliciesWithholdRows compares the leading keys in the template with the keys of the rooms.
func TestPoliciesWithholdRows(t *testing.T) {
	for _, w := range withheld {
		want := map[string]bool{}
		for _, room := range w.rooms {
			for _, pattern := range rowsOf(t, room) {
				want[pattern] = !slices.Contains(w.shared, pattern)
			}
		}
		for _, pattern := range w.shared {
			if _, ok := want[pattern]; !ok {
				t.Errorf("%v has no rows %s any more", w.rooms, pattern)
			}
		}
		maps.DeleteFunc(want, func(_ string, withheld bool) bool { return !withheld })
		for _, pattern := range alsoWithheld[w.policy] {
			want[pattern] = true
		}
		if got := leadingKeys(t, w.policy); !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
			t.Errorf("%s of template.yaml has the leading keys\n%q, by the code they are\n%q",
				w.policy, got, slices.Sorted(maps.Keys(want)))
		}
	}
}

// TestStreamHasNoImages: policies keep rows from functions by their keys, but whoever reads the
// stream reads all of its records.
func TestStreamHasNoImages(t *testing.T) {
	var table struct {
		Properties struct {
			StreamSpecification struct {
				StreamViewType string `yaml:"StreamViewType"`
			} `yaml:"StreamSpecification"`
		} `yaml:"Properties"`
	}
	node := resourcesOf(t)["Table"]
	must.Do(t, node.Decode(&table))
	if got := table.Properties.StreamSpecification.StreamViewType; got != "KEYS_ONLY" {
		t.Errorf("the stream has %s", got)
	}
}

// rowsOf lists patterns of the partitions that a room uses, those of its documents and their names
// included.
func rowsOf(t *testing.T, room string) (patterns []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(room, "*.go"))
	must.Do(t, err)
	for _, file := range files {
		src, err := os.ReadFile(file)
		must.Do(t, err)
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, prefix := range partitionsIn(t, file, src) {
			if strings.HasSuffix(prefix, "#") {
				patterns = append(patterns, prefix+"*")
			} else if filepath.Base(file) == "keys.go" { // elsewhere it is another text in capitals
				patterns = append(patterns, prefix)
			}
		}
		for _, kind := range kindsIn(t, file, src) {
			patterns = append(patterns, "D#"+kind, "N#"+kind+"#*")
		}
	}
	return patterns
}

// kindsIn lists the kinds of documents (db.Docs) that a file uses. The kind may be a constant of
// the package whose name ends in Kind.
func kindsIn(t *testing.T, file string, src []byte) (kinds []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, src, 0)
	must.Do(t, err)
	add := func(value ast.Expr) {
		if lit, ok := value.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			kinds = append(kinds, strings.Trim(lit.Value, `"`))
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			for _, element := range docsElements(n) {
				if pair, ok := element.(*ast.KeyValueExpr); ok && pair.Key.(*ast.Ident).Name == "Kind" {
					add(pair.Value)
				}
			}
		case *ast.ValueSpec:
			if len(n.Values) == 1 && strings.HasSuffix(n.Names[0].Name, "Kind") {
				add(n.Values[0])
			}
		}
		return true
	})
	return kinds
}

// docsElements are the elements of a literal of type db.Docs; none for another.
func docsElements(n *ast.CompositeLit) []ast.Expr {
	if index, ok := n.Type.(*ast.IndexExpr); ok {
		if of, ok := index.X.(*ast.SelectorExpr); ok && of.Sel.Name == "Docs" {
			return n.Elts
		}
	}
	return nil
}

// resourcesOf returns the resources of the template.
func resourcesOf(t *testing.T) map[string]yaml.Node {
	t.Helper()
	text, err := os.ReadFile("../template.yaml")
	must.Do(t, err)
	var template struct {
		Resources map[string]yaml.Node `yaml:"Resources"`
	}
	must.Do(t, yaml.Unmarshal(text, &template))
	return template.Resources
}

// leadingKeys are those that a policy of the template names, sorted.
func leadingKeys(t *testing.T, policy string) []string {
	t.Helper()
	var resource struct {
		Properties struct {
			PolicyDocument struct {
				Statement []struct {
					Effect    string                         `yaml:"Effect"`
					Condition map[string]map[string][]string `yaml:"Condition"`
				} `yaml:"Statement"`
			} `yaml:"PolicyDocument"`
		} `yaml:"Properties"`
	}
	node := resourcesOf(t)[policy]
	must.Do(t, node.Decode(&resource))
	var keys []string
	for _, s := range resource.Properties.PolicyDocument.Statement {
		if s.Effect == "Deny" {
			keys = append(keys, s.Condition["ForAnyValue:StringLike"]["dynamodb:LeadingKeys"]...)
		}
	}
	return slices.Sorted(slices.Values(keys))
}
