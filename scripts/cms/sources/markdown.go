package sources

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v3"

	"headless/pkg/cms"
)

// page is one Markdown file.
type page struct {
	path   string // below the folder, with slashes
	key    string // path without locale and ending: pages of one key are translations
	locale string
	front  map[string]any
	body   string
}

// Markdown reads a folder of Markdown files with front matter in YAML (---) or TOML (+++) as
// entries of one model. A locale is that of the front matter, of the first folder (de/…) or of the
// name (x.de.md). A model that the target does not have gets a field for each key of the front
// matter.
func Markdown(dir, model string, t *Target) (*Site, error) {
	s := &Site{}
	pages, err := s.readPages(dir, t)
	if err != nil {
		return nil, err
	}
	if len(pages) == 0 {
		return nil, errors.New("the folder has no Markdown files")
	}
	m := t.model(model)
	if m == nil {
		m = inferModel(model, dir, pages)
	}
	s.Models = []*cms.Model{m}
	files := fileReader{site: s, dir: dir, known: map[string]*File{}}
	groups := map[string][]*Entry{}
	for _, p := range pages {
		e := p.entry(m, s, &files)
		s.Entries = append(s.Entries, e)
		groups[p.key] = append(groups[p.key], e)
	}
	if m.Localized {
		s.link(groups)
	}
	s.finish(t)
	return s, nil
}

// readPages reads the Markdown files of a folder in the order of their paths. One that cannot be
// read is noted.
func (s *Site) readPages(dir string, t *Target) (pages []page, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name != dir && strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() || !slices.Contains([]string{".md", ".mdx", ".markdown"},
			strings.ToLower(path.Ext(d.Name()))) {
			return nil
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		front, body, err := splitFrontMatter(text)
		if err != nil {
			s.fail(filepath.ToSlash(rel), "its front matter cannot be read: %v", err)
			return nil
		}
		pages = append(pages, locate(page{path: filepath.ToSlash(rel), front: front, body: body}, t))
		return nil
	})
	return pages, err
}

// splitFrontMatter parts a file into its front matter and its body.
func splitFrontMatter(text []byte) (front map[string]any, body string, err error) {
	text = bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("\r\n"), []byte("\n"))
	front = map[string]any{}
	for _, fence := range []string{"---", "+++"} {
		rest, ok := bytes.CutPrefix(text, []byte(fence+"\n"))
		if !ok {
			continue
		}
		head, after, closed := bytes.Cut(append([]byte("\n"), rest...), []byte("\n"+fence))
		if !closed {
			return nil, "", fmt.Errorf("%s is never closed", fence)
		}
		if fence == "---" {
			err = yaml.Unmarshal(head, &front)
		} else {
			err = toml.Unmarshal(head, &front)
		}
		return front, strings.TrimSpace(string(after)), err
	}
	return front, strings.TrimSpace(string(text)), nil
}

// locate finds the locale and the key of a page.
func locate(p page, t *Target) page {
	p.key = strings.TrimSuffix(p.path, path.Ext(p.path))
	local := func(code string) string {
		for _, known := range t.Locales {
			if strings.EqualFold(known, code) {
				return known
			}
		}
		return ""
	}
	if ending := path.Ext(p.key); ending != "" && local(ending[1:]) != "" {
		p.locale, p.key = local(ending[1:]), strings.TrimSuffix(p.key, ending)
	} else if folder, rest, found := strings.Cut(p.key, "/"); found && local(folder) != "" {
		p.locale, p.key = local(folder), rest
	}
	for _, name := range []string{"locale", "lang", "language"} {
		if code, ok := p.front[name].(string); ok {
			delete(p.front, name)
			p.locale = code
			if known := local(code); known != "" {
				p.locale = known
			}
		}
	}
	if p.locale == "" {
		p.locale = t.DefaultLocale
	}
	for _, index := range []string{"_index", "index"} {
		if folder, ok := strings.CutSuffix(p.key, "/"+index); ok {
			p.key = folder
		}
	}
	if key, ok := p.front["translationKey"].(string); ok {
		delete(p.front, "translationKey")
		p.key = key
	}
	return p
}

var heading = regexp.MustCompile(`^#[ \t]+(.+?)[ \t#]*(\n|$)`)

// entry makes an entry of a page.
func (p page) entry(m *cms.Model, s *Site, files *fileReader) *Entry {
	slugPath := strings.TrimSuffix(p.path, path.Ext(p.path))
	e := &Entry{
		Source: p.path, Model: m.Slug, ID: makeID("markdown", m.Slug, p.path),
		Slug:   strings.ReplaceAll(p.key, "/", "-"),
		Status: string(cms.StatusPublished), Locale: p.locale, Data: map[string]any{}, SEO: map[string]any{},
	}
	body := p.body
	if found := heading.FindStringSubmatch(body); found != nil && p.front["title"] == nil {
		e.Title, body = found[1], strings.TrimSpace(body[len(found[0]):])
	} else {
		e.Title = path.Base(slugPath)
	}
	for _, key := range sortedKeys(p.front) {
		if !e.setColumn(key, p.front[key]) {
			s.setField(e, m, key, p.front[key], path.Dir(p.path), files)
		}
	}
	if name := bodyField(m); name != "" {
		put(e.Data, name, files.inText(body, path.Dir(p.path)))
	} else {
		s.note(p.path, "the model has no field for the text")
	}
	return e
}

// bodyField is the field that takes the text of a file: the first richtext, else one called body.
func bodyField(m *cms.Model) string {
	for i := range m.Fields {
		if m.Fields[i].Type == cms.TypeRichText {
			return m.Fields[i].Name
		}
	}
	if f := m.Field("body"); f != nil {
		return f.Name
	}
	return ""
}

// setColumn takes a key of the front matter that is no field; false where it may be one.
func (e *Entry) setColumn(key string, v any) bool {
	switch key {
	case "title":
		e.Title = fmt.Sprint(v)
	case "slug":
		e.Slug = strings.Trim(fmt.Sprint(v), "/")
	case "draft":
		if v == true {
			e.Status = string(cms.StatusDraft)
		}
	case "status":
		e.Status = fmt.Sprint(v)
	case "date", "published", "publishDate", "pubDate", "pubDatetime", "publishedAt", "published_at":
		at, ok := frontTime(v)
		if ok {
			e.PublishedAt = at
		}
		return ok
	case "updated", "updatedDate", "lastmod", "lastUpdated", "modified", "updatedAt", "updated_at":
		at, ok := frontTime(v)
		if ok {
			e.UpdatedAt = at
		}
		return ok
	case "seo":
		seo, ok := v.(map[string]any)
		if ok {
			e.SEO = seo
		}
		return ok
	default:
		return false
	}
	return true
}

// frontTime reads a time of front matter.
func frontTime(v any) (time.Time, bool) {
	switch v := v.(type) {
	case time.Time:
		return v, true
	case string:
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05",
			"2006-01-02", "January 2, 2006", "Jan 2, 2006", "Jan 2 2006", "Jan 02 2006"} {
			if at, err := time.Parse(layout, v); err == nil {
				return at, true
			}
		}
	}
	return time.Time{}, false
}
