// Command vendorjs bundles the libraries of others that the pages of the admin area use, and copies their font.
// It writes one minified ES module or font for each line of modules.json into pkg/admin/ui/assets, the
// licences beside them, and the checksum of each file into modules.json. Nobody needs it to build the service:
// the results are committed. Run it after a change of a version or of what a module exports:
//
//	go run ./scripts/vendorjs
//
// Packages come from the npm registry, at the version and with the integrity that modules.json
// names.
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
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"headless/scripts/internal/program"
)

const (
	sources  = "scripts/vendorjs"
	manifest = sources + "/modules.json"
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
	File     string `json:"file"`
	From     string `json:"from,omitempty"`
	SHA256   string `json:"sha256"`
	Packages []pkg  `json:"packages"`
}

func main() {
	program.Main("vendorjs", run)
}

func run(context.Context) error {
	l, err := readList(manifest)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "vendorjs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var texts bytes.Buffer
	texts.WriteString("The admin area contains these libraries.\n")
	for _, m := range l.Modules {
		for _, p := range m.Packages {
			if err := p.fetch(dir); err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
			text, err := p.licence(dir)
			if err != nil {
				return err
			}
			fmt.Fprintf(&texts, "\n%s\n%s %s, in %s\n\n%s\n", strings.Repeat("=", 80), p.Name,
				p.Version, m.File, text)
		}
		code, err := m.make(dir)
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
func (m *module) make(dir string) ([]byte, error) {
	if m.From != "" {
		return os.ReadFile(filepath.Join(m.Packages[0].dir(dir), filepath.FromSlash(m.From)))
	}
	return m.bundle(dir)
}

// bundle makes one module of the source and all that it imports.
func (m *module) bundle(dir string) ([]byte, error) {
	stub, err := filepath.Abs(filepath.Join(sources, "unused.js"))
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(sources, m.File)},
		NodePaths:   []string{filepath.Join(dir, "node_modules")},
		Alias:       map[string]string{"@codemirror/lang-html": stub, "@codemirror/autocomplete": stub},
		Bundle:      true, Format: api.FormatESModule, Platform: api.PlatformBrowser,
		Target: api.ES2022, Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		Banner: map[string]string{"js": "// Libraries of others, bundled by scripts/vendorjs. Their " +
			"licences are in licences.txt."},
	})
	var problems []error
	for _, e := range result.Errors {
		problems = append(problems, errors.New(e.Text))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return result.OutputFiles[0].Contents, nil
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
