// Command sbom writes a software bill of materials (CycloneDX 1.6, JSON) of the service to standard
// output: the Go modules that its programs link, the standard library, and the npm packages in the
// vendored scripts of the admin area. Run it in the root of the repository:
//
//	go run ./scripts/sbom >.build/sbom.cdx.json
//
// The same sources give the same bytes. SERVICE_VERSION names the version of the service.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"headless/pkg/slice"
	"headless/scripts/internal/program"
)

// programs are the packages whose modules are listed.
var programs = []string{"./functions/...", "./pkg/...", "./scripts/dev", "./scripts/cms"}

// scripts is the list of the vendored scripts; see scripts/vendorjs.
const scripts = "scripts/vendorjs/modules.json"

// bom is a CycloneDX document.
type bom struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"` // hexadecimal
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

func main() {
	program.Main("sbom", func(context.Context) error {
		document, err := document(os.Getenv("SERVICE_VERSION"))
		if err == nil {
			_, err = os.Stdout.Write(document)
		}
		return err
	})
}

// document returns the bill of materials of a version of the service.
func document(version string) ([]byte, error) {
	modules, err := goModules()
	if err != nil {
		return nil, err
	}
	packages, err := npmPackages()
	if err != nil {
		return nil, err
	}
	all := slices.Concat(modules, packages)
	slices.SortFunc(all, func(a, b component) int { return cmp.Compare(a.Ref, b.Ref) })
	all = slices.CompactFunc(all, func(a, b component) bool { return a.Ref == b.Ref })
	service := component{Type: "application", Ref: "service", Name: "headless-content-service", Version: version}
	on := slice.Map(all, func(c component) string { return c.Ref })
	raw, err := json.MarshalIndent(bom{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{service},
		Components: all, Dependencies: []dependency{{service.Ref, on}}}, "", "  ")
	return append(raw, '\n'), err
}

// goModules lists the modules that the programs link, and the standard library.
func goModules() ([]component, error) {
	list := exec.Command("go", append([]string{"list", "-deps", "-f",
		`{{with .Module}}{{if not .Main}}{"Path":{{printf "%q" .Path}},"Version":{{printf "%q" .Version}},"Sum":{{printf "%q" .Sum}}}{{end}}{{end}}`},
		programs...)...)
	list.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	version := strings.TrimPrefix(runtime.Version(), "go")
	all := []component{{Type: "library", Ref: "pkg:golang/std@" + version, Name: "std", Version: version,
		PURL: "pkg:golang/std@" + version}}
	for lines := json.NewDecoder(bytes.NewReader(out)); ; {
		var m struct{ Path, Version, Sum string }
		if err := lines.Decode(&m); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		purl := "pkg:golang/" + m.Path + "@" + url.PathEscape(m.Version)
		all = append(all, component{Type: "library", Ref: purl, Name: m.Path, Version: m.Version, PURL: purl,
			Properties: []property{{"go:sum", m.Sum}}})
	}
}

// npmPackages lists the packages in the vendored scripts.
func npmPackages() ([]component, error) {
	text, err := os.ReadFile(scripts)
	if err != nil {
		return nil, err
	}
	var list struct {
		Modules []struct {
			File     string
			Packages []struct{ Name, Version, Integrity string }
		}
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", scripts, err)
	}
	var all []component
	for _, m := range list.Modules {
		for _, p := range m.Packages {
			encoded, ok := strings.CutPrefix(p.Integrity, "sha512-")
			sum, err := base64.StdEncoding.DecodeString(encoded)
			if !ok || err != nil {
				return nil, fmt.Errorf("%s: %s has no checksum", scripts, p.Name)
			}
			purl := "pkg:npm/" + strings.Replace(p.Name, "@", "%40", 1) + "@" + p.Version
			all = append(all, component{Type: "library", Ref: purl, Name: p.Name, Version: p.Version, PURL: purl,
				Hashes:     []hash{{"SHA-512", hex.EncodeToString(sum)}},
				Properties: []property{{"vendored:file", "pkg/admin/ui/assets/" + m.File}}})
		}
	}
	return all, nil
}
