package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// pkg is a package of the npm registry, with the integrity that the registry names for this
// version.
type pkg struct {
	Name      string `json:"name"`
	Version   string `json:"version"`
	Integrity string `json:"integrity"`
}

const (
	maxArchive = 20 << 20 // bytes of a package
	patience   = time.Minute
)

func (p pkg) dir(root string) string { return filepath.Join(root, "node_modules", p.Name) }

// fetch unpacks the package below a folder.
func (p pkg) fetch(root string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	address := fmt.Sprintf("https://registry.npmjs.org/%s/-/%s-%s.tgz", p.Name, path.Base(p.Name), p.Version)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, res.Status)
	}
	archive, err := io.ReadAll(io.LimitReader(res.Body, maxArchive))
	if err != nil {
		return err
	}
	if err := p.verify(archive); err != nil {
		return err
	}
	return unpack(archive, p.dir(root))
}

// verify compares an archive with the integrity of the package.
func (p pkg) verify(archive []byte) error {
	sum := sha512.Sum512(archive)
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum[:]); got != p.Integrity {
		return fmt.Errorf("the archive has the integrity %s", got)
	}
	return nil
}

// unpack writes the files of an archive, whose paths all begin with one folder.
func unpack(archive []byte, dir string) error {
	unzipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir) // no path of an archive leads out of it
	if err != nil {
		return err
	}
	defer root.Close()
	for files := tar.NewReader(unzipped); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		_, name, _ := strings.Cut(header.Name, "/")
		if header.Typeflag != tar.TypeReg || name == "" {
			continue
		}
		if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return err
		}
		body, err := io.ReadAll(files)
		if err != nil {
			return err
		}
		if err := root.WriteFile(name, body, 0o644); err != nil {
			return err
		}
	}
}

// licence is the text that the package comes with.
func (p pkg) licence(root string) (string, error) {
	for _, name := range []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "license"} {
		text, err := os.ReadFile(filepath.Join(p.dir(root), name))
		if err == nil {
			return strings.TrimSpace(string(text)), nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("%s has no licence", p.Name)
}
