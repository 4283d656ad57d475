package sources

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/refs"
	"headless/pkg/slug"
)

// Site is the content of a source.
type Site struct {
	Models  []*cms.Model
	Entries []*Entry
	Files   []*File
	Notes   []Note
	Failed  []Note // records that cannot be imported

	Redirects []Redirect
}

// Entry is one entry in one locale.
type Entry struct {
	Source       string // its name in the report, such as a path or "post 12"
	Model        string
	ID           string
	Title        string
	Slug         string
	Status       string // "" for draft
	Locale       string // "" for the default locale
	PublishedAt  time.Time
	CreatedAt    time.Time
	UpdatedAt    time.Time
	Data         map[string]any
	SEO          map[string]any
	Translations []Translation // the other entries of its translation group
}

// Translation names another entry of a translation group.
type Translation struct {
	ID     string `json:"id"`
	Locale string `json:"locale"`
}

// File is a media file: at Path on this machine or at URL.
type File struct {
	Source  string
	ID      string
	Name    string
	Alt     string
	Caption string
	Path    string
	URL     string
}

// HasFile reports whether a folder holds a file of a name that the source gives. Neither the name nor a
// link leads out of the folder: an import from somebody else must not take files of this machine.
func HasFile(dir, name string) bool {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false
	}
	info, err := root.Stat(name)
	return errors.Join(err, root.Close()) == nil && info.Mode().IsRegular()
}

// Redirect leads from a path in the source to the new URL of its content.
type Redirect struct {
	From string // a path
	To   string // a path, a URL, or the Placeholder of a file
}

// Note says what was left out or changed, and why.
type Note struct {
	Source string `json:"source"`
	Reason string `json:"reason"`
	Count  int    `json:"count"` // how often it was noted
}

// Target is the service that an import is for.
type Target struct {
	Models        []*cms.Model
	Locales       []string // codes
	DefaultLocale string
	Rename        map[string]string // slugs of models by the name of a type in the source
	Folder        string            // for files of the source, until the end of the import
}

// Model returns the target's model with a slug, nil if it has none.
func (t *Target) Model(slug string) *cms.Model {
	for _, m := range t.Models {
		if m.Slug == slug {
			return m
		}
	}
	return nil
}

// SlugFor returns the slug of the model for a type of the source.
func (t *Target) SlugFor(kind string) string {
	if to := t.Rename[kind]; to != "" {
		return to
	}
	return slug.Of(kind, "")
}

// fileScheme is the scheme of the URLs that represent files in texts until the files are on the
// service.
const fileScheme = "cms-file:"

// Placeholder returns the URL that represents a file in texts until ReplaceFiles replaces it.
func Placeholder(id string) string { return fileScheme + id }

// EntryReference returns the address by which a text refers to an entry (extensions §12).
func EntryReference(id string) string { return refs.Target{ID: id}.String() }

// ReplaceFiles replaces the placeholders in the texts of an entry with the URLs of the files.
func (e *Entry) ReplaceFiles(address func(id string) string) {
	for key, v := range e.Data {
		e.Data[key] = replaceFiles(v, address)
	}
}

func replaceFiles(v any, address func(id string) string) any {
	switch v := v.(type) {
	case string:
		for {
			before, after, found := strings.Cut(v, fileScheme)
			if !found || len(after) < 36 {
				return v
			}
			v = before + address(after[:36]) + after[36:]
		}
	case []any:
		for i := range v {
			v[i] = replaceFiles(v[i], address)
		}
	case map[string]any:
		for key, item := range v {
			v[key] = replaceFiles(item, address)
		}
	}
	return v
}

// namespace is the UUID namespace of all ids made here.
var namespace = uuid.MustParse("9f0b6c1e-6f0a-4d52-9a3c-6a1f0e6f3b57")

// MakeID makes an id from the parts that identify a record in its source. The same parts always
// give the same id.
func MakeID(parts ...string) string {
	return uuid.NewSHA1(namespace, []byte(strings.Join(parts, "\x00"))).String()
}

// Note adds a note, or increases the count of an equal one.
func (s *Site) Note(source, format string, args ...any) {
	reason := fmt.Sprintf(format, args...)
	for i := range s.Notes {
		if n := &s.Notes[i]; n.Source == source && n.Reason == reason {
			n.Count++
			return
		}
	}
	s.Notes = append(s.Notes, Note{source, reason, 1})
}

// Fail adds a record that cannot be imported.
func (s *Site) Fail(source, format string, args ...any) {
	s.Failed = append(s.Failed, Note{source, fmt.Sprintf(format, args...), 1})
}

// Finish fits entries to the models of the target: keys that a model lacks are dropped and noted,
// slugs become unique, and models that have no entries are dropped.
func (s *Site) Finish(t *Target) {
	for i, m := range s.Models {
		if there := t.Model(m.Slug); there != nil {
			s.Models[i] = there
		}
	}
	taken := map[string]bool{}
	for _, e := range s.Entries {
		m := s.ModelOf(e.Model)
		for key := range e.Data {
			if m.Field(key) == nil {
				delete(e.Data, key)
				s.Note(e.Model+"."+key, "the model has no such field")
			}
		}
		s.fixTitle(e)
		base := slug.Of(e.Title, e.Locale)
		if e.Slug != "" {
			base = slug.Of(e.Slug, e.Locale)
		}
		e.Slug = base
		for n := 2; taken[e.Model+"\x00"+e.Locale+"\x00"+e.Slug]; n++ {
			e.Slug = base + "-" + strconv.Itoa(n)
		}
		taken[e.Model+"\x00"+e.Locale+"\x00"+e.Slug] = true
	}
	s.Models = slices.DeleteFunc(s.Models, func(m *cms.Model) bool {
		return !slices.ContainsFunc(s.Entries, func(e *Entry) bool { return e.Model == m.Slug })
	})
	s.dropRelations(t)
}

// fixTitle gives an entry a title that the service accepts.
func (s *Site) fixTitle(e *Entry) {
	e.Title = strings.Join(strings.Fields(e.Title), " ")
	if e.Title == "" {
		e.Title = "Untitled"
		s.Note(e.Source, "has no title and is called Untitled")
	}
	if text := []rune(e.Title); len(text) > cms.MaxName {
		e.Title = string(text[:cms.MaxName])
		s.Note(e.Source, "its title was cut to %d characters", cms.MaxName)
	}
}

// ModelOf returns the model with a slug. If there is none, it adds one without fields.
func (s *Site) ModelOf(slug string) *cms.Model {
	for _, m := range s.Models {
		if m.Slug == slug {
			return m
		}
	}
	m := cms.NewModel()
	m.Slug, m.Name = slug, slug
	s.Models = append(s.Models, &m)
	return &m
}

// dropRelations drops fields of new models that relate to models which neither the source nor the
// target has.
func (s *Site) dropRelations(t *Target) {
	for _, m := range s.Models {
		if t.Model(m.Slug) != nil {
			continue
		}
		m.Fields = slices.DeleteFunc(m.Fields, func(f cms.Field) bool {
			lost := f.Type == cms.TypeRelation && slices.ContainsFunc(f.Targets(), func(slug string) bool {
				return t.Model(slug) == nil && !slices.ContainsFunc(s.Models, func(m *cms.Model) bool { return m.Slug == slug })
			})
			for _, e := range s.Entries {
				if lost && e.Model == m.Slug {
					delete(e.Data, f.Name)
				}
			}
			return lost
		})
	}
}

// NewModel makes a model with some fields and the default values of its other keys.
func NewModel(slug, name string, localized bool, fields ...cms.Field) *cms.Model {
	m := cms.NewModel()
	m.Slug, m.Name, m.Localized, m.Fields = slug, name, localized, fields
	m.Normalize()
	return &m
}

// Put sets a key unless the value is empty.
func Put(data map[string]any, key string, value any) {
	switch v := value.(type) {
	case nil:
		return
	case string:
		if v == "" {
			return
		}
	case []any:
		if len(v) == 0 {
			return
		}
	}
	data[key] = value
}

// Link makes the entries of each group translations of one another. Of two entries in one locale,
// only the first is linked.
func (s *Site) Link(groups map[string][]*Entry) {
	for _, members := range groups {
		byLocale := map[string]*Entry{}
		var kept []*Entry
		for _, e := range members {
			if byLocale[e.Locale] != nil {
				s.Note(e.Source, "its translation group has another entry in %q", e.Locale)
				continue
			}
			byLocale[e.Locale] = e
			kept = append(kept, e)
		}
		for _, e := range kept {
			for _, other := range kept {
				if other != e {
					e.Translations = append(e.Translations, Translation{other.ID, other.Locale})
				}
			}
		}
	}
}
