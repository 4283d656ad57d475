package markdown

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/scripts/cms/sources"
)

// page is one Markdown file.
type page struct {
	path   string // below the folder, with slashes
	key    string // path without locale and extension; pages with the same key are translations
	locale string
	front  map[string]any
	body   string
}

// reader turns a folder into a site.
type reader struct {
	site   *sources.Site
	target *sources.Target
	dir    string
	model  *cms.Model
	known  map[string]*sources.File // by path below the folder
}

// Read reads a folder of Markdown files with front matter in YAML (---) or TOML (+++) as entries of
// one model. The locale is in the front matter, in the first folder (de/…) or in the name
// (x.de.md). A model that the target does not have gets a field for each key of the front matter.
func Read(dir, model string, t *sources.Target) (*sources.Site, error) {
	r := &reader{site: &sources.Site{}, target: t, dir: dir, known: map[string]*sources.File{}}
	pages, err := r.pages()
	if err != nil {
		return nil, err
	}
	if len(pages) == 0 {
		return nil, errors.New("the folder has no Markdown files")
	}
	if r.model = t.Model(model); r.model == nil {
		r.model = r.inferModel(model, pages)
	}
	r.site.Models = []*cms.Model{r.model}
	groups := map[string][]*sources.Entry{}
	for _, p := range pages {
		e := r.entry(p)
		r.site.Entries = append(r.site.Entries, e)
		groups[p.key] = append(groups[p.key], e)
	}
	if r.model.Localized {
		r.site.Link(groups)
	}
	r.site.Finish(t)
	return r.site, nil
}

// pages reads the Markdown files of a folder in the order of their paths. A file that cannot be
// read is added to the failed records.
func (r *reader) pages() (pages []page, err error) {
	root, err := os.OpenRoot(r.dir) // links do not lead out of it
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name != "." && strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() || !slices.Contains([]string{".md", ".mdx", ".markdown"}, strings.ToLower(path.Ext(d.Name()))) {
			return nil
		}
		text, err := root.ReadFile(filepath.FromSlash(name))
		if err != nil {
			r.site.Fail(name, "it cannot be read: %v", err)
			return nil
		}
		if !utf8.Valid(text) {
			r.site.Fail(name, "its text is not UTF-8")
			return nil
		}
		front, body, err := splitFrontMatter(text)
		if err != nil {
			r.site.Fail(name, "its front matter cannot be read: %v", err)
			return nil
		}
		pages = append(pages, locate(page{path: name, front: front, body: body}, r.target))
		return nil
	})
	return pages, err
}

// locate finds the locale and the key of a page.
func locate(p page, t *sources.Target) page {
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
	p.locale = cmp.Or(p.locale, t.DefaultLocale)
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

// entry makes an entry from a page.
func (r *reader) entry(p page) *sources.Entry {
	m := r.model
	e := &sources.Entry{
		Source: p.path, Model: m.Slug, ID: sources.MakeID("markdown", m.Slug, p.path),
		Slug:   strings.ReplaceAll(p.key, "/", "-"),
		Status: string(cms.StatusPublished), Locale: p.locale, Data: map[string]any{}, SEO: map[string]any{},
	}
	body := p.body
	if found := heading.FindStringSubmatch(body); found != nil && p.front["title"] == nil {
		e.Title, body = found[1], strings.TrimSpace(body[len(found[0]):])
	} else {
		e.Title = path.Base(strings.TrimSuffix(p.path, path.Ext(p.path)))
	}
	for _, key := range slices.Sorted(maps.Keys(p.front)) {
		if !setColumn(e, key, p.front[key]) {
			r.setField(e, key, p.front[key], path.Dir(p.path))
		}
	}
	if name := sources.BodyField(m); name != "" {
		sources.Put(e.Data, name, r.inText(body, p.path))
	} else {
		r.site.Note(p.path, "the model has no field for the text")
	}
	return e
}
