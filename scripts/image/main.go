// Command image makes the container image of a release, for each processor, of the archives of the
// program for Linux. It needs no container engine:
//
//	go run ./scripts/image .build/release .build/image
//	go run github.com/google/go-containerregistry/cmd/crane push --index .build/image REGISTRY/NAME:TAG
//
// The second argument becomes a folder in the layout of the Open Container Initiative
// (https://github.com/opencontainers/image-spec/blob/main/image-layout.md). The image has the
// program, the root certificates that browsers trust, and empty folders for data and temporary
// files. The same archives give the same bytes.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/crypto/x509roots/fallback/bundle"

	"headless/scripts/internal/program"
)

// user is the number of the user and of the group that the program runs as: "nonroot" elsewhere.
const user = 65532

// versionLabel is where people and tools look for the version.
const versionLabel = "org.opencontainers.image.version"

// Media types of the layout.
const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// descriptor refers to a file of the layout.
type descriptor struct {
	Type     string    `json:"mediaType"`
	Digest   string    `json:"digest"`
	Size     int       `json:"size"`
	Platform *platform `json:"platform,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

// index lists the images of the processors.
type index struct {
	Schema    int          `json:"schemaVersion"`
	Type      string       `json:"mediaType"`
	Manifests []descriptor `json:"manifests"`
}

// manifest lists the parts of one image.
type manifest struct {
	Schema int          `json:"schemaVersion"`
	Type   string       `json:"mediaType"`
	Config descriptor   `json:"config"`
	Layers []descriptor `json:"layers"`
}

// image says what is in one image and how it starts.
type image struct {
	platform
	Created time.Time `json:"created"`
	Config  config    `json:"config"`
	Files   rootfs    `json:"rootfs"`
	History []history `json:"history"`
}

// config says how a container starts.
type config struct {
	User       string
	Env        []string
	Entrypoint []string
	Cmd        []string
	Ports      map[string]struct{} `json:"ExposedPorts"`
	Volumes    map[string]struct{}
	Labels     map[string]string
}

type rootfs struct {
	Type  string   `json:"type"`
	Diffs []string `json:"diff_ids"` // digests of the layers before their compression
}

type history struct {
	Created time.Time `json:"created"`
	By      string    `json:"created_by"`
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: image RELEASE OUT")
		os.Exit(2)
	}
	program.Main("image", func(context.Context) error { return write(os.Args[1], os.Args[2]) })
}

// layout is a folder in the layout of the Open Container Initiative.
type layout string

// write makes the layout of the archives in a folder.
func write(release, out string) error {
	archives, err := filepath.Glob(filepath.Join(release, "cms_*_linux_*.tar.gz"))
	if err != nil {
		return err
	}
	if len(archives) == 0 {
		return fmt.Errorf("%s has no archive of the program for Linux", release)
	}
	l := layout(out)
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(out, "blobs", "sha256"), 0o755); err != nil {
		return err
	}
	all := index{Schema: 2, Type: typeIndex}
	for _, archive := range archives {
		d, err := l.image(archive)
		if err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
		all.Manifests = append(all.Manifests, d)
	}
	if err := os.WriteFile(filepath.Join(out, "oci-layout"), []byte(`{"imageLayoutVersion":"1.0.0"}`), 0o644); err != nil {
		return err
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "index.json"), text, 0o644)
}

// image adds the image of an archive, whose name says the version and the processor.
func (l layout) image(archive string) (descriptor, error) {
	name := strings.Split(strings.TrimSuffix(filepath.Base(archive), ".tar.gz"), "_")
	version, arch := name[1], name[3]
	program, at, err := programIn(archive)
	if err != nil {
		return descriptor{}, err
	}
	files, err := layer(program, at)
	if err != nil {
		return descriptor{}, err
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(files); err != nil {
		return descriptor{}, err
	}
	if err := w.Close(); err != nil {
		return descriptor{}, err
	}
	here := platform{arch, "linux"}
	m := manifest{Schema: 2, Type: typeManifest, Layers: make([]descriptor, 1)}
	if m.Layers[0], err = l.add(typeLayer, packed.Bytes()); err != nil {
		return descriptor{}, err
	}
	m.Config, err = l.addJSON(typeConfig, image{platform: here, Created: at, Config: config{
		User:       fmt.Sprintf("%d:%d", user, user),
		Env:        []string{"LISTEN_ADDRESS=0.0.0.0", "DATA_DIR=/data"},
		Entrypoint: []string{"/cms"},
		Cmd:        []string{"dev", "--seed", "none"},
		Ports:      map[string]struct{}{"3000/tcp": {}},
		Volumes:    map[string]struct{}{"/data": {}},
		Labels:     map[string]string{versionLabel: version},
	}, Files: rootfs{"layers", []string{digest(files)}}, History: []history{{at, "scripts/image"}}})
	if err != nil {
		return descriptor{}, err
	}
	d, err := l.addJSON(typeManifest, m)
	d.Platform = &here
	return d, err
}

func (l layout) addJSON(kind string, v any) (descriptor, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return descriptor{}, err
	}
	return l.add(kind, text)
}

// add writes a file whose name is its digest.
func (l layout) add(kind string, content []byte) (descriptor, error) {
	d := descriptor{Type: kind, Digest: digest(content), Size: len(content)}
	path := filepath.Join(string(l), "blobs", "sha256", strings.TrimPrefix(d.Digest, "sha256:"))
	return d, os.WriteFile(path, content, 0o644)
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// programIn reads the program of an archive and its time.
func programIn(archive string) ([]byte, time.Time, error) {
	f, err := os.Open(archive)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		return nil, time.Time{}, err
	}
	for r := tar.NewReader(unpacked); ; {
		header, err := r.Next()
		if err == io.EOF {
			return nil, time.Time{}, fmt.Errorf("there is no cms in it")
		}
		if err != nil {
			return nil, time.Time{}, err
		}
		if header.Name == "cms" {
			content, err := io.ReadAll(r)
			return content, header.ModTime.UTC(), err
		}
	}
}

// layer returns the files of the image as a tar archive.
func layer(program []byte, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range []struct {
		name    string
		mode    int64
		owner   int
		content []byte
	}{
		{name: "etc/", mode: 0o755},
		{name: "etc/ssl/", mode: 0o755},
		{name: "etc/ssl/certs/", mode: 0o755},
		{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, content: roots()},
		{name: "cms", mode: 0o755, content: program},
		{name: "data/", mode: 0o755, owner: user},
		{name: "tmp/", mode: 0o1777},
	} {
		header := &tar.Header{Name: f.name, Mode: f.mode, Uid: f.owner, Gid: f.owner, ModTime: at,
			Size: int64(len(f.content)), Typeflag: tar.TypeReg}
		if strings.HasSuffix(f.name, "/") {
			header.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// roots returns the root certificates that browsers trust, but for those that they distrust from a
// date on, which a file cannot say.
func roots() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate})
		}
	}
	return out.Bytes()
}
