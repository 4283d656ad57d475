// Package pkg_test keeps the packages apart as the architecture wants them.
package pkg_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"headless/pkg/must"
)

// may lists what each part of the repository may import of the others; a part is the folder below
// pkg/, or a top-level folder. Imports run one way: functions (which wire one program each) and
// scripts, app, then api, admin and jobs (which do not know each other), planning, the rooms, index
// and fulltext, db, table.
var may = map[string]string{
	"functions": "access app api comments assets blob delivery editing forms jobs links mcp planning spam",
	"scripts": "starter comments redirects review tasks web refs secrets slug app api planning rooms search editing " +
		"must schema hooks site forms access apikeys fulltext db table cms delivery links translations health jobs " +
		"recheck slice",

	"app": "review viewcount menus urls redirects targets health recheck richtext groups settings secrets oidc links " +
		"seal mcp web api delivery purge admin jobs planning rooms editing content site forms hooks assets access apikeys " +
		"db table blob queue mail spam cms tasks",
	"api": "beside menus groups redirects web links translations planning search editing content site forms assets " +
		"apikeys index db input cms urls slice",
	"admin": "beside fulltext urls targets health menus review approval rights markdown refs docs presence " +
		"presets starter views viewcount groups settings slug csvfile oidc translations links transfer schema " +
		"redirects web planning rooms search editing content site forms hooks assets access apikeys index db input " +
		"cms tasks comments slice",
	"jobs": "purge forms hooks assets db queue mail cms table slice",

	// The rooms. They do not import one another but as written here.
	"rooms": "redirects content site forms hooks assets access apikeys db table",
	"links": "stega menus urls markdown rights refs groups settings translations editing content site assets db " +
		"input table cms slice",
	"transfer":     "csvfile markdown refs groups editing content site slug db input cms slice",
	"translations": "approval coverage groups content site index cms slice",
	"planning": "rights links translations search groups editing content site db input table cms transfer review " +
		"comments slice",
	"review":    "tasks approval rights editing content site db input table cms slice",
	"targets":   "hooks input db table cms slice",
	"health":    "recheck menus groups rights refs content site assets index input db table cms slice",
	"search":    "content site index fulltext db cms",
	"editing":   "recheck approval markdown refs groups redirects content site slug assets index db input cms slice",
	"groups":    "recheck coverage content site db table cms slice",
	"urls":      "translations groups redirects content site web input db cms slice",
	"approval":  "rights site index db table cms tasks",
	"menus":     "recheck urls content site input db cms slice",
	"tasks":     "rights db table cms",
	"comments":  "review tasks rights editing content site db input table cms slice",
	"rights":    "db cms",
	"content":   "recheck approval refs coverage redirects site assets index fulltext db table cms slice",
	"presence":  "db table cms",
	"views":     "site input db cms",
	"presets":   "site input db cms slice",
	"viewcount": "apikeys content site index input blob db table cms slice",
	"redirects": "site input db table cms slice",
	"forms":     "csvfile site assets index db input table blob queue mail spam cms slice",
	"hooks":     "rights site db input table queue cms slice",
	"access":    "rights site db input table cms slice",
	"apikeys":   "site db input slice table cms",
	"assets":    "recheck refs index db input table blob web cms slice",
	"site":      "recheck markdown refs index db input table cms slice",
	"settings":  "site db input cms",

	"recheck":  "db cms",
	"refs":     "markdown cms slice",
	"markdown": "cms slice",
	"stega":    "markdown cms",
	"richtext": "markdown",
	"coverage": "index",
	"input":    "db cms",
	"fulltext": "markdown index db table cms slice",
	"index":    "db collation table cms slice",
	"db":       "seal table cms slice",
	"delivery": "input urls groups redirects web api planning search editing content site assets apikeys index db " +
		"purge cms slice",

	"table": "must",
	"blob":  "must",
	"queue": "",
	"mail":  "blob must",
	"purge": "",

	"spam":      "mail",
	"collation": "",
	"csvfile":   "",
	"docs":      "beside markdown web",
	"beside":    "",
	"slice":     "",
	"must":      "", // for tests
	"slug":      "cms",
	"starter":   "cms",
	"seal":      "",
	"oidc":      "cms must",
	"web":       "blob cms table",
	"cms":       "slice",

	"schema":  "settings access apikeys redirects rooms site forms hooks assets db table cms slice",
	"secrets": "targets seal links editing rooms access site table db cms",
	"mcp":     "access api apikeys cms comments db health slice web",

	"e2e": "api access must", // of access the device in software that tests use
}

// stdOnly are the parts that use no other module either.
var stdOnly = map[string]bool{"cms": true}

// mayInAdmin lists what each package below pkg/admin may import of the others. Pages know the
// packages they share, and not each other but as written here; ui knows none of them.
var mayInAdmin = map[string]string{
	"say":        "",
	"ui":         "say",
	"frame":      "say ui",
	"resource":   "frame say ui",
	"pickers":    "frame say ui",
	"usages":     "entrydata frame say ui",
	"rowforms":   "frame say ui",
	"writing":    "frame",
	"entrydata":  "frame pickers say ui",
	"entryforms": "entrydata rowforms say ui",

	"listpages":  "entrydata frame say ui",
	"formerrows": "entryforms ui",
	"presences":  "entrydata entryforms frame",
	"filepages":  "frame resource say ui usages",
	"formpages":  "frame resource rowforms say ui",
	"hookpages":  "frame resource say ui",
	"accounts":   "frame resource rowforms say ui",
	"oauth":      "frame say ui",
	"sitepages":  "entrydata entryforms entrypages frame pickers resource say ui",
	"homepages":  "entrydata frame listpages reviewpages say ui",
	"modelpages": "frame listpages resource rowforms say ui",
	"entrypages": "entrydata entryforms filepages formerrows frame listpages pickers resource say trashpages ui " +
		"usages writing",
	"reviewpages":  "entrydata entrypages frame say ui",
	"healthpages":  "entrydata frame say ui",
	"targetpages":  "entrydata frame resource say ui",
	"trashpages":   "frame say ui",
	"treepages":    "entrydata frame resource say ui",
	"admintest":    "", // for tests
	"quickedit":    "entrydata entryforms entrypages frame listpages ui",
	"presetpages":  "entrydata entryforms entrypages frame resource say ui",
	"textblocks":   "entrydata entryforms entrypages frame presetpages say ui",
	"planpages":    "entrydata entryforms entrypages frame resource reviewpages say ui",
	"previewpages": "entrydata frame planpages say ui",
}

// mayInCMS lists what each package below pkg/cms may import of the others. All import cms, and cms
// none of them.
var mayInCMS = map[string]string{
	"query":      "",
	"validation": "query",
	"cmstest":    "",
}

// mayInPlanning lists what each package below pkg/planning may import of the others. bulk imports
// planning too, which imports lease, mails, reach, rehearsal and undo.
var mayInPlanning = map[string]string{
	"bulk":      "bulk/names lease reach rehearsal undo",
	"leaving":   "bulk",
	"ahead":     "",
	"lease":     "",
	"mails":     "",
	"reach":     "",
	"rehearsal": "",
	"undo":      "",
}

// mayInAPI lists what each package below pkg/api may import of the others.
var mayInAPI = map[string]string{
	"formroutes": "pipeline",
	"pipeline":   "",
	"openapi":    "openapi/component",
	"typescript": "openapi",
}

// subjects are the packages below pkg/e2e with scenarios. They share nothing but the kit.
const subjects = "admin api content delivery forms health hooks lists locales mcp media people planning previews " +
	"review rights schema site texts transfer"

func TestEndToEndImports(t *testing.T) {
	mayInE2E := map[string]string{"kit": ""}
	for subject := range strings.FieldsSeq(subjects) {
		mayInE2E[subject] = "kit"
	}
	importsBelow(t, "e2e", mayInE2E)
}

func TestAdminImports(t *testing.T) { importsBelow(t, "admin", mayInAdmin) }

func TestPlanningImports(t *testing.T) { importsBelow(t, "planning", mayInPlanning) }

func TestCMSImports(t *testing.T) { importsBelow(t, "cms", mayInCMS) }

func TestAPIImports(t *testing.T) { importsBelow(t, "api", mayInAPI) }

// importsBelow checks the imports between the packages below one of pkg.
func importsBelow(t *testing.T, house string, may map[string]string) {
	below := "headless/pkg/" + house + "/"
	used := map[string]bool{}
	err := walkGo(func(path string) error {
		segments := strings.Split(filepath.ToSlash(path), "/")
		if len(segments) != 5 || segments[1] != "pkg" || segments[2] != house {
			return nil
		}
		from := segments[3]
		allowed, known := may[from]
		if !known {
			t.Errorf("%s: the package %q is not in the table of this test", path, from)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			to, ours := strings.CutPrefix(imported, below)
			used[from+" "+to] = true
			if ours && !contains(allowed, to) {
				t.Errorf("%s imports %s; %s may import: %s", path, imported, from, allowed)
			}
		}
		return nil
	})
	must.Do(t, err)
	requireUse(t, may, used)
}

// requireUse fails for each entry of an import table that no file needs: the table is the plan of
// the house, not a ceiling. Keys of used are "from to".
func requireUse(t *testing.T, may map[string]string, used map[string]bool) {
	t.Helper()
	for from, allowed := range may {
		for to := range strings.FieldsSeq(allowed) {
			if !used[from+" "+to] {
				t.Errorf("%s may import %s, but does not: remove it from the table", from, to)
			}
		}
	}
}

func TestImports(t *testing.T) {
	const module = "headless/"
	files := 0
	used := map[string]bool{}
	err := walkGo(func(path string) error {
		files++
		from := part(path)
		allowed, known := may[from]
		if !known {
			t.Errorf("%s: the part %q is not in the table of this test", path, from)
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			to, ours := strings.CutPrefix(imported, module)
			to = part("../" + to + "/x.go")
			used[from+" "+to] = true
			switch {
			case !ours && stdOnly[from] && strings.Contains(strings.SplitN(imported, "/", 2)[0], "."):
				t.Errorf("%s imports %s; %s may import the standard library only", path, imported, from)
			case ours && to != from && !contains(allowed, to):
				t.Errorf("%s imports %s; %s may import: %s", path, imported, from, allowed)
			}
		}
		return nil
	})
	must.Do(t, err)
	if files < 50 {
		t.Fatalf("only %d files were looked at", files)
	}
	requireUse(t, may, used)
}

// TestOnlyImageLinksWebP: package webp adds a compiler of WebAssembly to a program, 2.3 MB.
func TestOnlyImageLinksWebP(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, "../functions/...").Output()
	must.Do(t, err)
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if slices.Contains(words, "headless/pkg/assets/webp") != (words[0] == "headless/functions/image") {
			t.Errorf("%s links package webp, or image does not", words[0])
		}
	}
}

// walkGo calls visit for every Go file of the repository that is no test.
func walkGo(visit func(path string) error) error {
	for _, dir := range []string{"functions", "pkg", "scripts"} {
		err := filepath.WalkDir(filepath.Join("..", dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") ||
				strings.HasSuffix(path, "_test.go") {
				return err
			}
			return visit(path)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// part is the part of the repository that a file such as ../pkg/db/keys.go belongs to.
func part(path string) string {
	segments := strings.Split(filepath.ToSlash(path), "/")
	if len(segments) > 3 && segments[1] == "pkg" {
		return segments[2]
	}
	return segments[1]
}

func contains(list, word string) bool {
	return slices.Contains(strings.Fields(list), word)
}

// heavy are packages that a function which only answers from the table must not link: each costs
// every cold start.
var heavy = []string{
	"headless/pkg/assets/inspect", "headless/pkg/oidc/provider", "html/template",
	"github.com/aws/aws-sdk-go-v2/config",
	"github.com/aws/aws-sdk-go-v2/service/s3", "github.com/aws/aws-sdk-go-v2/service/sqs",
	"github.com/aws/aws-sdk-go-v2/service/sesv2",
	"headless/pkg/access", "headless/pkg/hooks", "headless/pkg/rooms", "headless/pkg/admin",
	"headless/pkg/jobs", "github.com/klauspost/compress/flate",
}

func TestFunctionsLinkLittle(t *testing.T) {
	for _, function := range []string{"content", "search", "site", "delivery"} {
		out, err := exec.Command("go", "list", "-deps", "-tags", "lambda.norpc",
			"headless/functions/"+function).Output()
		must.Do(t, err)
		for _, imported := range strings.Fields(string(out)) {
			if slices.Contains(heavy, imported) {
				t.Errorf("functions/%s links %s", function, imported)
			}
		}
	}
}
