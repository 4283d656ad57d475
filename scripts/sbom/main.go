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

	cdx "github.com/CycloneDX/cyclonedx-go"

	"headless/pkg/slice"
	"headless/scripts/internal/program"
)

// programs are the packages whose modules are listed.
var programs = []string{"./functions/...", "./pkg/...", "./scripts/dev", "./scripts/cms"}

// scripts is the list of the vendored scripts, and lock has the versions of their packages; see scripts/vendorjs.
const (
	scripts = "scripts/vendorjs/modules.json"
	lock    = "scripts/tools/vendorjs/package-lock.json"
)

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
	slices.SortFunc(all, func(a, b cdx.Component) int { return cmp.Compare(a.BOMRef, b.BOMRef) })
	all = slices.CompactFunc(all, func(a, b cdx.Component) bool { return a.BOMRef == b.BOMRef })
	on := slice.Map(all, func(c cdx.Component) string { return c.BOMRef })
	service := cdx.Component{Type: cdx.ComponentTypeApplication, BOMRef: "service", Name: "headless-content-service",
		Version: version}
	bom := cdx.NewBOM()
	bom.Metadata, bom.Components = &cdx.Metadata{Component: &service}, &all
	bom.Dependencies = &[]cdx.Dependency{{Ref: service.BOMRef, Dependencies: &on}}
	var out bytes.Buffer
	err = cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6)
	return out.Bytes(), err
}

// library is a component that the service has.
func library(purl, name, version string) cdx.Component {
	return cdx.Component{Type: cdx.ComponentTypeLibrary, BOMRef: purl, PackageURL: purl, Name: name, Version: version}
}

// goModules lists the modules that the programs link, and the standard library.
func goModules() ([]cdx.Component, error) {
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
	all := []cdx.Component{library("pkg:golang/std@"+version, "std", version)}
	for lines := json.NewDecoder(bytes.NewReader(out)); ; {
		var m struct{ Path, Version, Sum string }
		if err := lines.Decode(&m); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		c := library("pkg:golang/"+m.Path+"@"+url.PathEscape(m.Version), m.Path, m.Version)
		c.Properties = &[]cdx.Property{{Name: "go:sum", Value: m.Sum}}
		all = append(all, c)
	}
}

// npmPackages lists the packages in the vendored scripts.
func npmPackages() ([]cdx.Component, error) {
	var list struct {
		Modules []struct {
			File     string
			Packages []string
		}
	}
	var locked struct {
		Packages map[string]struct{ Version, Integrity string } // by "node_modules/<name>"
	}
	for path, into := range map[string]any{scripts: &list, lock: &locked} {
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	var all []cdx.Component
	for _, m := range list.Modules {
		for _, name := range m.Packages {
			p := locked.Packages["node_modules/"+name]
			encoded, ok := strings.CutPrefix(p.Integrity, "sha512-")
			sum, err := base64.StdEncoding.DecodeString(encoded)
			if !ok || err != nil {
				return nil, fmt.Errorf("%s: %s has no checksum", lock, name)
			}
			c := library("pkg:npm/"+strings.Replace(name, "@", "%40", 1)+"@"+p.Version, name, p.Version)
			c.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA512, Value: hex.EncodeToString(sum)}}
			c.Properties = &[]cdx.Property{{Name: "vendored:file", Value: "pkg/admin/ui/assets/" + m.File}}
			all = append(all, c)
		}
	}
	return all, nil
}
