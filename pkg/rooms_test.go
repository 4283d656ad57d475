package pkg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"headless/pkg/must"
)

// rooms are the packages that keep items on the table.
var rooms = []string{"db", "index", "index/totals", "fulltext", "site", "content", "groups", "forms", "forms/files",
	"hooks", "hooks/bundle", "hooks/replay", "assets", "access", "access/device", "access/tries",
	"apikeys", "planning", "planning/bulk", "planning/undo", "redirects", "presence", "presets", "views"}

// useCases are the rooms that change and read what other rooms keep.
var useCases = []string{"editing", "settings", "search", "links", "translations", "transfer"}

// others are packages that keep nothing themselves: the domain below all rooms, and the API above
// them.
var others = []string{"cms", "cms/query", "cms/validation", "refs", "api", "api/pipeline"}

// partition is what a literal looks like that starts the partition of a key.
var partition = regexp.MustCompile(`^[A-Z]{1,12}(#.*)?$`)

// TestKeyPrefixes reads the literals of all keys.go: each starts keys of one room only, none is the
// beginning of another, and the comment of the file lists it.
func TestKeyPrefixes(t *testing.T) {
	owner := map[string]string{}
	for _, room := range rooms {
		file := filepath.Join(room, "keys.go")
		src, err := os.ReadFile(file)
		must.Do(t, err)
		for _, prefix := range partitionsIn(t, file, src) {
			if other, ok := owner[prefix]; ok && other != room {
				t.Errorf("%s and %s both use %q", other, room, prefix)
			}
			owner[prefix] = room
			if !strings.Contains(string(src), " "+prefix) {
				t.Errorf("the table at the top of %s does not list %q", file, prefix)
			}
		}
	}
	if len(owner) < 25 {
		t.Fatalf("only %d prefixes were found", len(owner))
	}
	for a, room := range owner {
		for b := range owner {
			if a != b && strings.HasPrefix(b, a) {
				t.Errorf("keys that start with %q (%s) could be taken for keys of %q (%s)", b,
					owner[b], a, room)
			}
		}
	}
}

// partitionsIn lists the beginnings of partitions in a file, up to and with the first #.
func partitionsIn(t *testing.T, file string, src []byte) (prefixes []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, src, 0)
	must.Do(t, err)
	ast.Inspect(parsed, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			if err == nil && partition.MatchString(text) {
				if at := strings.IndexByte(text, '#'); at >= 0 {
					text = text[:at+1]
				}
				prefixes = append(prefixes, text)
			}
		}
		return true
	})
	return prefixes
}

// TestRoomsAreDescribed asks each room for a doc.go that says its purpose, its words and what
// always holds.
func TestRoomsAreDescribed(t *testing.T) {
	for _, room := range slices.Concat(rooms, useCases, others) {
		src, err := os.ReadFile(filepath.Join(room, "doc.go"))
		if err != nil {
			t.Error(err)
			continue
		}
		if part := "// Package " + path.Base(room) + " "; !strings.Contains(string(src), part) {
			t.Errorf("%s/doc.go has no %q", room, part)
		}
	}
}

// TestPackagesAreDescribed asks each package, also those of programs, for a comment that begins with its name.
func TestPackagesAreDescribed(t *testing.T) {
	described := map[string]bool{}
	err := walkGo(func(file string) error {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.Dir(file)
		start := "Package " + parsed.Name.Name + " "
		if parsed.Name.Name == "main" {
			start = "Command " + filepath.Base(dir) + " "
		}
		described[dir] = described[dir] || strings.HasPrefix(parsed.Doc.Text(), start)
		return nil
	})
	must.Do(t, err)
	for dir, ok := range described {
		if !ok {
			t.Errorf("%s has no comment that begins with the name of the package", dir)
		}
	}
	if len(described) < 200 {
		t.Errorf("only %d packages were looked at", len(described))
	}
}

// maxRoom is how many lines of code a room has at most, without tests and the packages below it.
// Comments and blank lines are free: a limit on them would pay for silence.
const maxRoom = 2400

// TestRoomsAreSmall counts the lines of code of all packages, those of programs too.
func TestRoomsAreSmall(t *testing.T) {
	for dir, packages := range map[string]int{".": 50, "../scripts": 30} {
		lines := linesOf(t, dir)
		for room, n := range lines {
			if n > maxRoom {
				t.Errorf("%s has %d lines of code; a room of more than %d is two rooms", room, n, maxRoom)
			}
		}
		if len(lines) < packages {
			t.Errorf("only %d packages of %s were looked at", len(lines), dir)
		}
	}
}

// linesOf counts the lines of code of each package below a folder, without tests.
func linesOf(t *testing.T, dir string) map[string]int {
	t.Helper()
	lines := map[string]int{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") ||
			strings.HasSuffix(file, "_test.go") {
			return err
		}
		src, err := os.ReadFile(file)
		for line := range strings.Lines(string(src)) {
			if code := strings.TrimSpace(line); code != "" && !strings.HasPrefix(code, "//") {
				lines[filepath.Dir(file)]++
			}
		}
		return err
	})
	must.Do(t, err)
	return lines
}
