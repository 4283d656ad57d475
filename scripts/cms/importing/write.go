package importing

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/scripts/cms/folder"
	"headless/scripts/cms/sources"
)

// writeSchema writes the models of a site and the locales of its entries in the form of an export.
func writeSchema(dir string, site *sources.Site) error {
	type locale struct {
		Code string `json:"code"`
		Name string `json:"name"`
	}
	locales, seen := []locale{}, map[string]bool{"": true}
	for _, e := range site.Entries {
		if !seen[e.Locale] {
			seen[e.Locale] = true
			locales = append(locales, locale{e.Locale, e.Locale})
		}
	}
	models := []map[string]any{}
	for _, m := range site.Models {
		models = append(models, map[string]any{
			"slug": m.Slug, "name": m.Name, "kind": m.Kind, "localized": m.Localized, "fields": m.Fields,
		})
	}
	raw, err := json.Marshal(map[string]any{"models": models, "locales": locales})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "schema.json"), raw, 0o600)
}

// writeFiles writes media.jsonl and the bytes of the files. A file whose bytes cannot be read
// counts as failed, and lost gets its URL in the source.
func writeFiles(dir string, site *sources.Site, o sourceOptions, report *Report,
	lost map[string]string) error {
	return folder.WriteLines(dir, "media", func(line func(any) error) error {
		for _, f := range site.Files {
			if o.DryRun {
				continue // only what was uploaded can be compared
			}
			hash, err := fetchFile(f, filepath.Join(dir, "files"))
			if err != nil {
				report.Failed++
				lost[f.ID] = f.URL
				fmt.Fprintf(os.Stderr, "media %s was not taken: %v\n", f.Source, err)
				continue
			}
			name, err := fitName(f.Name, filepath.Join(dir, "files", hash))
			if err != nil {
				return err
			}
			if name != f.Name {
				site.Note(f.Source, "%s is stored as %s, by its content", f.Name, name)
			}
			err = line(map[string]any{
				"model": "media", "id": f.ID, "name": name, "alt": f.Alt, "caption": f.Caption,
				"sha256": hash,
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// fetchFile stores the bytes of a file under their hash.
func fetchFile(f *sources.File, dir string) (hash string, err error) {
	if f.Path == "" {
		return folder.Download(f.URL, dir)
	}
	content, err := os.Open(f.Path)
	if err != nil {
		return "", err
	}
	defer content.Close()
	return folder.Store(content, dir)
}

// pictureEndings lists the file extensions allowed for each media type of images.
var pictureEndings = map[string][]string{"image/jpeg": {".jpg", ".jpeg"}, "image/png": {".png"},
	"image/gif": {".gif"}, "image/webp": {".webp"}}

// fitName returns the name of a file with an extension that fits its content. Other systems accept
// an image of any type under the file extension of any other.
func fitName(name, path string) (string, error) {
	content, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer content.Close()
	head := make([]byte, 512)
	n, err := io.ReadFull(content, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", err
	}
	endings := pictureEndings[http.DetectContentType(head[:n])]
	ending := filepath.Ext(name)
	if len(endings) == 0 || slices.Contains(endings, strings.ToLower(ending)) {
		return name, nil
	}
	return strings.TrimSuffix(name, ending) + endings[0], nil
}

// entryLine is an entry as a line of an export.
type entryLine struct {
	Model        string                `json:"model"`
	ID           string                `json:"id"`
	Title        string                `json:"title"`
	Slug         string                `json:"slug,omitempty"`
	Status       string                `json:"status,omitempty"`
	Locale       string                `json:"locale,omitempty"`
	Data         map[string]any        `json:"data"`
	SEO          map[string]any        `json:"seo,omitempty"`
	PublishedAt  *time.Time            `json:"published_at,omitempty"`
	CreatedAt    *time.Time            `json:"created_at,omitempty"`
	UpdatedAt    *time.Time            `json:"updated_at,omitempty"`
	Translations []sources.Translation `json:"translations,omitempty"`
}

// writeEntries writes the entries of a model in the form of an export.
func writeEntries(dir string, m *cms.Model, entries []*sources.Entry, address func(string) string,
	dryRun bool) error {
	return folder.WriteLines(dir, m.Slug, func(line func(any) error) error {
		for _, e := range entries {
			if e.Model != m.Slug {
				continue
			}
			if !dryRun {
				e.ReplaceFiles(address)
			}
			err := line(entryLine{
				e.Model, e.ID, e.Title, e.Slug, e.Status, e.Locale, e.Data, e.SEO,
				given(e.PublishedAt), given(e.CreatedAt), given(e.UpdatedAt), e.Translations,
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// given returns a time in UTC with milliseconds, nil for the zero time.
func given(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	at = at.UTC().Truncate(time.Millisecond)
	return &at
}
