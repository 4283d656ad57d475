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
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"

	"headless/scripts/internal/program"
)

// user is the number of the user and of the group that the program runs as: "nonroot" elsewhere.
const user = 65532

// versionLabel is where people and tools look for the version.
const versionLabel = "org.opencontainers.image.version"

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: image RELEASE OUT")
		os.Exit(2)
	}
	program.Main("image", func(context.Context) error { return write(os.Args[1], os.Args[2]) })
}

// write makes the layout of the archives in a folder.
func write(release, out string) error {
	archives, err := filepath.Glob(filepath.Join(release, "cms_*_linux_*.tar.gz"))
	if err != nil {
		return err
	}
	if len(archives) == 0 {
		return fmt.Errorf("%s has no archive of the program for Linux", release)
	}
	all := v1.ImageIndex(empty.Index)
	for _, archive := range archives {
		image, err := imageOf(archive)
		if err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
		all = mutate.AppendManifests(all, image)
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	_, err = layout.Write(out, all)
	return err
}

// imageOf returns the image of an archive, whose name says the version and the processor.
func imageOf(archive string) (one mutate.IndexAddendum, err error) {
	name := strings.Split(strings.TrimSuffix(filepath.Base(archive), ".tar.gz"), "_")
	version, platform := name[1], v1.Platform{OS: "linux", Architecture: name[3]}
	program, at, err := programIn(archive)
	if err != nil {
		return one, err
	}
	files, err := filesWith(program, at)
	if err != nil {
		return one, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files)), nil }
	layer, err := tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer),
		tarball.WithCompressionLevel(gzip.DefaultCompression))
	if err != nil {
		return one, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.ConfigFile(image, &v1.ConfigFile{OS: platform.OS, Architecture: platform.Architecture,
		Created: v1.Time{Time: at}, RootFS: v1.RootFS{Type: "layers"}, Config: v1.Config{
			User:         fmt.Sprintf("%d:%d", user, user),
			Env:          []string{"LISTEN_ADDRESS=0.0.0.0", "DATA_DIR=/data"},
			Entrypoint:   []string{"/cms"},
			Cmd:          []string{"dev", "--seed", "none"},
			ExposedPorts: map[string]struct{}{"3000/tcp": {}},
			Volumes:      map[string]struct{}{"/data": {}},
			Labels:       map[string]string{versionLabel: version},
		}})
	if err != nil {
		return one, err
	}
	image, err = mutate.Append(image, mutate.Addendum{Layer: layer,
		History: v1.History{Created: v1.Time{Time: at}, CreatedBy: "scripts/image"}})
	return mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &platform}}, err
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

// filesWith returns the files of the image as a tar archive.
func filesWith(program []byte, at time.Time) ([]byte, error) {
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
