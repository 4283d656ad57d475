package strapi

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// The parts of a Strapi export (strapi export --no-encrypt) that are read.

// schema is a content type or a component.
type schema struct {
	UID           string
	ModelType     string // contentType or component
	Kind          string // collectionType or singleType
	Info          struct{ SingularName, PluralName, DisplayName string }
	Attributes    attributes
	PluginOptions struct {
		I18n struct{ Localized bool }
	}
}

type attribute struct {
	Type       string
	Enum       []string
	Multiple   bool
	Relation   string
	Target     string
	MappedBy   string
	Component  string
	Components []string
	Repeatable bool
}

// attributes keeps attributes in the order of the file.
type attributes struct {
	names  []string
	byName map[string]attribute
}

// UnmarshalJSON decodes attributes and keeps their order.
func (a *attributes) UnmarshalJSON(raw []byte) error {
	if err := json.Unmarshal(raw, &a.byName); err != nil {
		return err
	}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		a.names = append(a.names, name.(string)) // keys of an object are strings
		var skipped json.RawMessage
		if err := dec.Decode(&skipped); err != nil {
			return err
		}
	}
	return nil
}

type entity struct {
	Type string
	ID   json.Number
	Data map[string]any
}

type end struct {
	Type  string
	Ref   json.Number
	Field string
	Pos   float64
}

type link struct{ Left, Right end }

// export is the content of a file. Assets are written to a folder.
type export struct {
	schemas  []schema
	entities []entity
	links    []link
	assets   string // folder with the bytes of files by their name there
}

// maxLine is the maximum size of a record in bytes.
const maxLine = 64 << 20

// readExport reads an export, a tar file that may be compressed, and writes its files into the folder assets.
func readExport(file, assets string) (*export, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if strings.HasSuffix(file, ".enc") {
		return nil, errors.New("the export is encrypted: make one with strapi export --no-encrypt")
	}
	buffered := bufio.NewReader(f)
	var r io.Reader = buffered
	if magic, _ := buffered.Peek(2); string(magic) == "\x1f\x8b" {
		if r, err = gzip.NewReader(buffered); err != nil {
			return nil, err
		}
	}
	x := &export{assets: assets}
	for tr := tar.NewReader(r); ; {
		header, err := tr.Next()
		if err == io.EOF {
			return x, nil
		}
		if err == nil {
			err = x.member(strings.TrimPrefix(path.Clean(header.Name), "./"), tr)
		}
		if err != nil {
			return nil, fmt.Errorf("the file is no Strapi export, or it is damaged: %w", err)
		}
	}
}

// member reads one file of an export.
func (x *export) member(name string, r io.Reader) error {
	switch folder, rest, _ := strings.Cut(name, "/"); {
	case folder == "schemas" && strings.HasSuffix(rest, ".jsonl"):
		return eachLine(r, &x.schemas)
	case folder == "entities" && strings.HasSuffix(rest, ".jsonl"):
		return eachLine(r, &x.entities)
	case folder == "links" && strings.HasSuffix(rest, ".jsonl"):
		return eachLine(r, &x.links)
	case folder == "assets" && strings.HasPrefix(rest, "uploads/") && path.Base(rest) != "uploads":
		f, err := os.Create(filepath.Join(x.assets, path.Base(rest)))
		if err != nil {
			return err
		}
		_, err = io.Copy(f, r)
		return errors.Join(err, f.Close())
	}
	return nil
}

// eachLine adds the records of JSON lines to a list.
func eachLine[T any](r io.Reader, into *[]T) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return err
		}
		*into = append(*into, one)
	}
	return lines.Err()
}

// text and timeOf read a value of an entity, the zero value if it has none.
func (e *entity) text(key string) string { text, _ := e.Data[key].(string); return text }

func (e *entity) timeOf(key string) time.Time {
	at, _ := time.Parse(time.RFC3339, e.text(key))
	return at
}
