// Command vendorjs bundles the libraries of others that the pages of the admin area use, and copies their font.
// It writes one minified ES module or font for each line of modules.json into pkg/admin/ui/assets, the
// licences beside them, and the checksum of each file into modules.json. Nobody needs it to build the service:
// the results are committed. Run it after a change of a version or of what a module exports:
//
//	go run ./scripts/vendorjs
//
// Packages come from npm, as scripts/tools/vendorjs/package-lock.json names them.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"headless/pkg/slice"
	"headless/scripts/internal/program"
)

const (
	sources  = "scripts/vendorjs"
	manifest = sources + "/modules.json"
	lock     = "scripts/tools/vendorjs/package-lock.json"
	packages = ".tools/vendorjs/node_modules" // where scripts/tools/node.sh installs them
	assets   = "pkg/admin/ui/assets"
	licences = assets + "/licences.txt"
)

// list is modules.json.
type list struct {
	Modules []*module `json:"modules"`
}

// module is one file of the assets. Its source is the file From of its package, which is copied as it
// is, else the file of the same name beside this program.
type module struct {
	File     string   `json:"file"`
	From     string   `json:"from,omitempty"`
	SHA256   string   `json:"sha256"`
	Packages []string `json:"packages"` // names
}

func main() {
	program.Main("vendorjs", run)
}

func run(ctx context.Context) error {
	l, err := readList(manifest)
	if err != nil {
		return err
	}
	versions, err := readVersions(lock)
	if err != nil {
		return err
	}
	install := exec.CommandContext(ctx, "scripts/tools/node.sh", "install", "vendorjs")
	install.Stdout, install.Stderr = os.Stdout, os.Stderr
	if err := install.Run(); err != nil {
		return err
	}
	var texts bytes.Buffer
	texts.WriteString("The admin area contains these libraries.\n")
	for _, m := range l.Modules {
		for _, name := range m.Packages {
			text, err := licence(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(&texts, "\n%s\n%s %s, in %s\n\n%s\n", strings.Repeat("=", 80), name, versions[name], m.File, text)
		}
		code, err := m.make()
		if err != nil {
			return err
		}
		m.SHA256 = sumOf(code)
		if err := os.WriteFile(filepath.Join(assets, m.File), code, 0o644); err != nil {
			return err
		}
		fmt.Printf("%s: %d bytes\n", m.File, len(code))
	}
	if err := os.WriteFile(licences, texts.Bytes(), 0o644); err != nil {
		return err
	}
	return l.write(manifest)
}

// make returns the contents of the file.
func (m *module) make() ([]byte, error) {
	if m.From != "" {
		return os.ReadFile(filepath.Join(packages, m.Packages[0], filepath.FromSlash(m.From)))
	}
	return m.bundle()
}

// bundle makes one module of the source and all that it imports.
func (m *module) bundle() ([]byte, error) {
	stub, err := filepath.Abs(filepath.Join(sources, "unused.js"))
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(sources, m.File)},
		NodePaths:   []string{packages},
		Alias:       map[string]string{"@codemirror/lang-html": stub, "@codemirror/autocomplete": stub},
		Bundle:      true, Format: api.FormatESModule, Platform: api.PlatformBrowser,
		Target: api.ES2022, Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		Banner: map[string]string{"js": "// Libraries of others, bundled by scripts/vendorjs. Their " +
			"licences are in licences.txt."},
	})
	problems := slice.Map(result.Errors, func(e api.Message) error { return errors.New(e.Text) })
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return result.OutputFiles[0].Contents, nil
}

// licence returns the text that a package comes with.
func licence(name string) (string, error) {
	for _, file := range []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "license"} {
		text, err := os.ReadFile(filepath.Join(packages, name, file))
		if err == nil {
			return strings.TrimSpace(string(text)), nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("%s has no licence", name)
}

// readVersions returns the versions of packages in a file that npm writes, by their names.
func readVersions(path string) (map[string]string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var locked struct {
		Packages map[string]struct{ Version string }
	}
	err = json.Unmarshal(raw, &locked)
	versions := map[string]string{}
	for folder, p := range locked.Packages {
		versions[strings.TrimPrefix(folder, "node_modules/")] = p.Version
	}
	return versions, err
}

func readList(path string) (*list, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	l := &list{}
	return l, json.Unmarshal(raw, l)
}

func (l *list) write(path string) error {
	raw, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(raw, '\n'), 0o644)
}

func sumOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
