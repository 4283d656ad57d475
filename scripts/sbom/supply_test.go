package main

import (
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"go.yaml.in/yaml/v3"

	"headless/pkg/must"
)

func inRoot(t *testing.T) { t.Chdir("../..") }

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must.Do(t, err)
	return string(text)
}

// find lists the files of the repository whose name matches.
func find(t *testing.T, pattern string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", ".tools", ".build", ".aws-sam", ".data", "node_modules"}, d.Name()) {
			return fs.SkipDir
		}
		if ok, err := filepath.Match(pattern, d.Name()); ok || err != nil {
			paths = append(paths, path)
			return err
		}
		return nil
	})
	must.Do(t, err)
	return paths
}

// TestBill reads the bill of materials: it lists every module that go.mod requires for the programs
// and every vendored package, each once, and is the same each time.
func TestBill(t *testing.T) {
	inRoot(t)
	raw, err := document("1.2.3")
	must.Do(t, err)
	if again, err := document("1.2.3"); err != nil || string(again) != string(raw) {
		t.Error("the same sources give another document")
	}
	var b cdx.BOM
	if err := json.Unmarshal(raw, &b); err != nil || b.BOMFormat != "CycloneDX" || b.SpecVersion != cdx.SpecVersion1_6 ||
		b.Metadata.Component.Version != "1.2.3" {
		t.Fatalf("%v\n%.300s", err, raw)
	}
	versions := map[string]string{}
	for _, r := range regexp.MustCompile(`(?m)^(?:require )?\t?(\S+) (v\S+)`).FindAllStringSubmatch(read(t, "go.mod"),
		-1) {
		versions[r[1]] = r[2]
	}
	found := map[string]bool{}
	for i, c := range *b.Components {
		if found[c.Name] && strings.HasPrefix(c.PackageURL, "pkg:golang/") || c.Version == "" || c.PackageURL != c.BOMRef ||
			c.BOMRef != (*(*b.Dependencies)[0].Dependencies)[i] {
			t.Errorf("component %+v", c)
		}
		found[c.Name] = true
		if strings.HasPrefix(c.PackageURL, "pkg:golang/") && c.Name != "std" &&
			(versions[c.Name] != c.Version || !strings.HasPrefix((*c.Properties)[0].Value, "h1:")) {
			t.Errorf("%+v, go.mod has %s", c, versions[c.Name])
		}
		if strings.HasPrefix(c.PackageURL, "pkg:npm/") {
			if sum, err := hex.DecodeString((*c.Hashes)[0].Value); err != nil || len(sum) != 64 {
				t.Errorf("checksum of %s: %v", c.Name, err)
			}
		}
	}
	for _, name := range []string{"std", "go.etcd.io/bbolt", "github.com/aws/aws-lambda-go", "github.com/yuin/goldmark",
		"@codemirror/view", "turndown"} {
		if !found[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

// reviewed are scripts that install without a checksum, and why that is safe.
var reviewed = map[string]string{
	"scripts/ci/npm.sh":             "it installs packages that it has just made, offline",
	"scripts/disposable-domains.sh": "a person runs it and reviews the list that it writes; no build does",
}

var (
	pipInstall = regexp.MustCompile(`pip3?"? install`)
	npmInstall = regexp.MustCompile(`npm (install|i|add) `)
	remotePipe = regexp.MustCompile(`curl[^|]*\|\s*(ba)?sh`)
)

// TestInstalls holds everything that scripts and workflows install to lists with checksums.
func TestInstalls(t *testing.T) {
	inRoot(t)
	files := slices.Concat(find(t, "*.sh"), find(t, "*.yml"), find(t, "Makefile"), find(t, "*.mk"), []string{".ci/run"})
	if len(files) < 20 {
		t.Fatalf("only %d files", len(files))
	}
	for _, path := range files {
		if reviewed[path] != "" {
			continue
		}
		for line := range strings.Lines(read(t, path)) {
			if pipInstall.MatchString(line) && !strings.Contains(line, "--require-hashes") || npmInstall.MatchString(line) ||
				remotePipe.MatchString(line) {
				t.Errorf("%s installs without checksums: %s", path, line)
			}
		}
	}
	requirement := regexp.MustCompile(`(?m)^[A-Za-z0-9._-]+==[^ ]+.*(\n    --hash=sha256:[0-9a-f]{64}( \\)?)+$`)
	lists, _ := filepath.Glob("scripts/tools/python/*.txt")
	if len(lists) < 5 {
		t.Errorf("only %d lists of Python packages", len(lists))
	}
	for _, path := range lists {
		text := read(t, path)
		if rest := strings.TrimSpace(requirement.ReplaceAllString(text, "")); rest != "" || text == "" {
			t.Errorf("%s has requirements without version or checksum: %.200s", path, rest)
		}
	}
	for _, path := range find(t, "package-lock.json") {
		var lock struct {
			Packages map[string]struct {
				Integrity, Resolved string
				InBundle            bool // in the archive of the package above it, whose checksum counts
			}
		}
		if err := json.Unmarshal([]byte(read(t, path)), &lock); err != nil || len(lock.Packages) < 2 {
			t.Errorf("%s: %d packages, %v", path, len(lock.Packages), err)
		}
		for name, p := range lock.Packages {
			if strings.HasPrefix(name, "node_modules/") && !p.InBundle && !strings.HasPrefix(p.Resolved, "file:") &&
				!strings.HasPrefix(p.Integrity, "sha512-") {
				t.Errorf("%s: %s has no checksum", path, name)
			}
		}
	}
}

// workflow is the part of a workflow that the tests read.
type workflow struct {
	Permissions map[string]string
	Jobs        map[string]struct {
		Steps []struct{ Uses, Run string }
	}
}

// TestWorkflows pins actions by commit, and installs nothing once credentials are there.
func TestWorkflows(t *testing.T) {
	inRoot(t)
	pinned := regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40}$`)
	installs := regexp.MustCompile(`install|download|apt|pip|npm|curl|wget|go get`)
	bills := 0
	for _, path := range find(t, "*.yml") {
		if filepath.Dir(path) != ".github/workflows" {
			continue
		}
		var w workflow
		must.Do(t, yaml.Unmarshal([]byte(read(t, path)), &w))
		if w.Permissions["contents"] != "read" {
			t.Errorf("%s may do more than read: %v", path, w.Permissions)
		}
		for name, job := range w.Jobs {
			offline, credentials := false, false
			for _, step := range job.Steps {
				if step.Uses != "" && !pinned.MatchString(step.Uses) {
					t.Errorf("%s: %s is not pinned by its commit", path, step.Uses)
				}
				offline = offline || strings.Contains(step.Run, "GOPROXY=off") && strings.Contains(step.Run, "GITHUB_ENV")
				if credentials = credentials || strings.Contains(step.Uses, "credentials"); credentials && !offline {
					t.Errorf("%s: %s has credentials while Go may still download", path, name)
				}
				if credentials && (installs.MatchString(step.Run) || strings.Contains(step.Uses, "/setup-")) {
					t.Errorf("%s: installs after credentials: %s%s", path, step.Run, step.Uses)
				}
				if strings.Contains(step.Uses, "upload-artifact") {
					bills++
				}
			}
		}
	}
	for _, path := range []string{"Makefile", "scripts/aws.mk", "scripts/ci/stage.sh"} {
		if !strings.Contains(read(t, path), "go run ./scripts/sbom >") {
			t.Errorf("%s builds without a bill of materials", path)
		}
	}
	if bills < 2 {
		t.Error("CI and deploy must keep the bill of materials")
	}
}

// TestDependabot has an entry for every file that names what is installed.
func TestDependabot(t *testing.T) {
	inRoot(t)
	var config struct {
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directory   string
			Directories []string
		}
	}
	must.Do(t, yaml.Unmarshal([]byte(read(t, ".github/dependabot.yml")), &config))
	watched := map[string]bool{}
	for _, u := range config.Updates {
		for _, dir := range append(u.Directories, u.Directory) {
			if dir != "" {
				watched[u.Ecosystem+" "+dir] = true
			}
		}
	}
	want := []string{"github-actions /", "pip /scripts/tools/python"}
	for ecosystem, name := range map[string]string{"gomod": "go.mod", "npm": "package-lock.json", "maven": "pom.xml"} {
		for _, path := range find(t, name) {
			want = append(want, ecosystem+" "+strings.TrimSuffix("/"+filepath.ToSlash(filepath.Dir(path)), "/."))
		}
	}
	for _, entry := range want {
		if strings.HasSuffix(entry, " ") {
			entry += "/"
		}
		if !watched[entry] {
			t.Errorf("nobody watches %s", entry)
		}
		delete(watched, entry)
	}
	for entry := range watched {
		t.Errorf("%s is watched and is not there", entry)
	}
}

// TestPolicy reads the pages for people who report holes and for who reviews changes.
func TestPolicy(t *testing.T) {
	inRoot(t)
	policy := read(t, ".github/SECURITY.md")
	for _, part := range []string{"private advisories", "three working days", "## Safe harbour", "good faith", "90 days",
		"sbom.cdx.json"} {
		if !strings.Contains(policy, part) {
			t.Errorf("SECURITY.md does not say %q", part)
		}
	}
	owners := 0
	for line := range strings.Lines(read(t, ".github/CODEOWNERS")) {
		path, names, ok := strings.Cut(strings.TrimSpace(line), " ")
		if path == "" || path == "#" {
			continue
		}
		owners++
		if !ok || !strings.HasPrefix(strings.TrimSpace(names), "@") {
			t.Errorf("%s has no owner", path)
		}
		if path != "*" {
			if _, err := os.Stat(strings.TrimPrefix(path, "/")); err != nil {
				t.Error(err)
			}
		}
	}
	if owners < 10 {
		t.Errorf("%d lines of owners", owners)
	}
}
