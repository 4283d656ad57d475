package say_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template/parse"

	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db/logs"
	"headless/pkg/health"
	"headless/pkg/must"
)

// message is a message of the sources. one is its singular if it counts.
type message struct{ one, where string }

// messages collects the messages of all sources.
func messages(t *testing.T) map[string]message {
	found := map[string]message{}
	inTemplates(t, found)
	inScripts(t, found)
	inPackages(t, found)
	inPhrases(t, found)
	inRooms(t, found)
	inErrors(t, found)
	return found
}

// inTemplates collects the texts of the templates of pages.
func inTemplates(t *testing.T, found map[string]message) {
	for _, name := range files(t, "../ui/templates/*.html") {
		body, err := os.ReadFile(name)
		must.Do(t, err)
		main, trees := parse.New(name), map[string]*parse.Tree{}
		main.Mode = parse.SkipFuncCheck
		if _, err := main.Parse(string(body), "{{", "}}", trees); err != nil {
			t.Fatal(err)
		}
		for _, tree := range trees {
			for _, key := range say.Messages(tree) {
				found[key] = message{where: "templates/" + filepath.Base(name)}
			}
		}
	}
}

// inScripts collects the texts that scripts mark.
func inScripts(t *testing.T, found map[string]message) {
	for _, name := range files(t, "../ui/assets/*.js") {
		body, err := os.ReadFile(name)
		must.Do(t, err)
		for _, m := range say.InScript(body) {
			found[m.Other] = message{one: m.One, where: "assets/" + filepath.Base(name)}
		}
	}
}

// inRooms collects what testdata lists of other packages, and the words of field types and findings.
func inRooms(t *testing.T, found map[string]message) {
	lines := linesOf(t, "testdata/rooms.txt")
	for _, kind := range cms.FieldTypes() {
		lines = append(lines, kind.Info().Name, kind.Info().Help)
	}
	for _, kind := range health.Kinds {
		lines = append(lines, kind.Words())
	}
	for _, key := range slices.Concat(logs.Kinds, cms.EventKinds, cms.ModelIcons, []string{cms.EventChanges}) {
		lines = append(lines, ui.Words(key))
	}
	for _, line := range lines {
		if found[line].where == "" {
			found[line] = message{where: "below rooms"}
		}
	}
}

// linesOf returns the lines of a file without comments.
func linesOf(t *testing.T, name string) []string {
	body, err := os.ReadFile(name)
	must.Do(t, err)
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(string(body)), "\n"),
		func(line string) bool { return strings.HasPrefix(line, "#") })
}

func files(t *testing.T, pattern string) []string {
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatal(pattern, err)
	}
	return names
}

const adminPath, sayPath = "headless/pkg/admin", "headless/pkg/admin/say"

// sources are the type-checked packages of the admin area.
type sources struct {
	t       *testing.T
	fset    *token.FileSet
	files   map[string][]string // of the packages of the admin area
	checked map[string]*types.Package
	others  types.Importer
	found   map[string]message
}

// inPackages collects the constants of the type say.Text. It reports texts that are put together in
// a way that no catalogue can translate.
func inPackages(t *testing.T, found map[string]message) {
	s := &sources{t: t, fset: token.NewFileSet(), files: map[string][]string{}, checked: map[string]*types.Package{},
		found: found}
	exports := map[string]string{}
	const format = `{{.ImportPath}}|{{.Export}}|{{range .GoFiles}}{{$.Dir}}/{{.}}|{{end}}`
	list := exec.Command("go", "list", "-export", "-deps", "-f", format, adminPath+"/...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal("go list:", err)
	}
	for line := range strings.Lines(string(out)) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		if strings.HasPrefix(parts[0]+"/", adminPath+"/") {
			s.files[parts[0]] = parts[2 : len(parts)-1]
		}
		exports[parts[0]] = parts[1]
	}
	s.others = importer.ForCompiler(s.fset, "gc", func(path string) (io.ReadCloser,
		error) {
		return os.Open(exports[path])
	})
	for _, path := range slices.Sorted(maps.Keys(s.files)) {
		if _, err := s.Import(path); err != nil {
			t.Fatal(err)
		}
	}
}

// Import checks a package of the admin area, and reads what the compiler knows of another.
func (s *sources) Import(path string) (*types.Package, error) {
	names, ours := s.files[path]
	if !ours {
		return s.others.Import(path)
	}
	if p := s.checked[path]; p != nil {
		return p, nil
	}
	var parsed []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(s.fset, name, nil, 0)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	p, err := (&types.Config{Importer: s}).Check(path, s.fset, parsed, info)
	if err != nil {
		return nil, err
	}
	s.checked[path] = p
	for _, f := range parsed {
		ast.Inspect(f, func(n ast.Node) bool { return s.take(path, n, info) })
	}
	return p, nil
}

// take adds the message that a node is. It reports whether to look inside.
func (s *sources) take(path string, n ast.Node, info *types.Info) bool {
	e, ok := n.(ast.Expr)
	if assign, is := n.(*ast.AssignStmt); is && assign.Tok == token.ADD_ASSIGN && isText(info.Types[assign.Lhs[0]].Type) {
		s.t.Errorf("%s: += makes a text that no catalogue has; use say.F", s.fset.Position(n.Pos()))
	}
	if !ok {
		return true
	}
	if call, is := e.(*ast.CallExpr); is {
		return s.call(path, call, info)
	}
	tv := info.Types[e]
	if !isText(tv.Type) {
		return true
	}
	if tv.Value != nil {
		if constant.StringVal(tv.Value) == "–" {
			s.t.Errorf("%s: a dash says nothing; use words such as Not set", s.fset.Position(e.Pos()))
		}
		s.add(constant.StringVal(tv.Value), message{where: s.where(path, e)})
		return false
	}
	if sum, is := e.(*ast.BinaryExpr); is && sum.Op == token.ADD && path != sayPath {
		s.t.Errorf("%s: + makes a text that no catalogue has; use say.F", s.fset.Position(e.Pos()))
	}
	return true
}

// call takes the messages of a count, and refuses texts that are given as data.
func (s *sources) call(path string, call *ast.CallExpr, info *types.Info) bool {
	if info.Types[call.Fun].IsType() {
		if isText(info.Types[call.Fun].Type) && info.Types[call].Value == nil && path != sayPath {
			s.t.Errorf("%s: say.Text of a value; use say.Data or say.Known", s.fset.Position(call.Pos()))
		}
		if tv := info.Types[call]; isText(tv.Type) && tv.Value != nil {
			s.add(constant.StringVal(tv.Value), message{where: s.where(path, call)})
			return false
		}
		return true
	}
	name := types.ExprString(call.Fun)
	switch {
	case name == "say.N":
		one, other := info.Types[call.Args[1]].Value, info.Types[call.Args[2]].Value
		if one == nil || other == nil {
			s.t.Errorf("%s: say.N needs constants", s.fset.Position(call.Pos()))
			return false
		}
		s.add(constant.StringVal(other), message{one: constant.StringVal(one), where: s.where(path, call)})
		for _, arg := range slices.Concat(call.Args[:1], call.Args[3:]) {
			ast.Inspect(arg, func(n ast.Node) bool { return s.take(path, n, info) })
		}
		return false
	case slices.Contains([]string{"say.Data", "ui.Text"}, name) && info.Types[call.Args[0]].Value != nil:
		if text := constant.StringVal(info.Types[call.Args[0]].Value); hasLetters(text) {
			s.t.Errorf("%s: %s of the constant %q; it is a message", s.fset.Position(call.Pos()), name, text)
		}
	}
	return true
}

func (s *sources) add(key string, m message) {
	if had, ok := s.found[key]; ok && had.one != m.one {
		s.t.Errorf("%s: %q is a message with and without a number", m.where, key)
	}
	if hasLetters(key) {
		s.found[key] = m
	}
}

func (s *sources) where(path string, n ast.Node) string {
	return fmt.Sprint(strings.TrimPrefix(path, adminPath+"/"), "/", filepath.Base(s.fset.Position(n.Pos()).Filename))
}

func isText(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Name() == "Text" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == sayPath
}

var letters = regexp.MustCompile(`\pL`)

func hasLetters(s string) bool { return letters.MatchString(holes.ReplaceAllString(s, "")) }

var holes = regexp.MustCompile(`\{\d\}`)

// placeholders returns the sorted placeholders of a text.
func placeholders(text string) string {
	found := holes.FindAllString(text, -1)
	slices.Sort(found)
	return strings.Join(slices.Compact(found), "")
}

var (
	counted = regexp.MustCompile(`\{[0-9]\} ([a-z]+ )?(addresses|changes|comments|days|drafts|entries|fields|files|hours|items|` +
		`languages|minutes|models|months|others|paths|people|pictures|places|problems|releases|rows|submissions|tags|tasks|texts|` +
		`times|translations|users|values|versions|views|weeks)\b`)
	ofLimit = regexp.MustCompile(`(at most|at least|its first|more than|More than|over|[0-9] to|last) \{|already|` +
		`Delete (some|one) first|maximum|has the shape`)
)

// TestCountsHaveForms looks for messages such as "{1} entries", which say "1 entries", among those without plural
// forms. Limits are more than one.
func TestCountsHaveForms(t *testing.T) {
	more := []string{
		"{1} files", "{1} pictures", // {1} is a type
		"Below another entry, {1} addresses change. The former ones will lead to them: {2} and {3} more", // over ten
	}
	for key, m := range messages(t) {
		if m.one == "" && counted.MatchString(key) && !ofLimit.MatchString(key) && !slices.Contains(more, key) {
			t.Errorf("%s: %q has no form for the number 1", m.where, key)
		}
	}
}

// TestMessagesNameNoKeys looks for keys, such as site.preview_url, in messages of pages. People know labels. Messages
// of other packages have keys, for programs: pages replace those that have a label.
func TestMessagesNameNoKeys(t *testing.T) {
	keys := regexp.MustCompile(`\b[a-z]+_[a-z]+\b|\b(schema|seo|site|social|views)\.[a-z]+`)
	// Developers of programs look for these.
	ofPrograms := []string{"client_id", "client_name", "redirect_uri", "redirect_uris"}
	beside := regexp.MustCompile(`\{[a-z_]+\}|\([a-z]+[._][a-z_]+\)`) // in braces, or in brackets after its words
	for key, m := range messages(t) {
		for _, found := range keys.FindAllString(beside.ReplaceAllString(key, ""), -1) {
			if !strings.HasPrefix(m.where, "below ") || say.KeyLabels[found] == "" && !slices.Contains(ofPrograms, found) {
				t.Errorf("%s: %q names the key %s", m.where, key, found)
			}
		}
	}
}
