package entryforms

import (
	"cmp"
	"context"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/markdown"
	"headless/pkg/refs"
	"headless/pkg/site"
)

const (
	longSlug     = 75 // characters; search results cut longer ones
	maxLookedUp  = 50 // files, and entries, that the checks of an entry read
	maxOfHeading = 60 // characters of a heading that a check names
)

// checker collects what to mend in an entry for search engines and screen readers.
type checker struct {
	m       *site.Model
	said    []say.Text
	files   map[string][]say.Text // that need an alternative text, by id: the fields that show them
	targets map[string][]say.Text // of links to entries, by id: the fields that have them
}

// Checks says in sentences what to mend in an entry for search engines and screen readers, and where. It reads the
// first files and entries that the entry refers to, in two round trips at most.
func Checks(ctx context.Context, store *content.Store, m *site.Model, e *cms.Entry) ([]say.Text, error) {
	c := &checker{m: m, files: map[string][]say.Text{}, targets: map[string][]say.Text{}}
	if n := utf8.RuneCountInString(e.Slug); n > longSlug {
		c.add(say.F("The slug has {1} characters. Search results show {2}.", n, longSlug))
	}
	if e.SEO.Noindex {
		c.add("Search engines are asked to leave this entry out.")
	}
	var ids []string
	note := func(places map[string][]say.Text, id, path string) {
		if id = strings.ToLower(id); len(places) < maxLookedUp && places[id] == nil {
			ids = append(ids, id)
		}
		if places[id] != nil || len(places) < maxLookedUp {
			places[id] = append(places[id], entrydata.PathLabel(c.m, path))
		}
	}
	for _, r := range refs.References(&m.Model, e.Data) {
		if r.Kind == cms.TypeMedia {
			note(c.files, r.ID, r.Path)
		}
	}
	refs.EachText(m.Fields, e.Data, func(path, text string) {
		c.lookAt(entrydata.PathLabel(c.m, path), text)
		for _, id := range refs.BarePictures(text) {
			note(c.files, id, path)
		}
		for _, t := range refs.EntriesIn(text) {
			note(c.targets, t.ID, path)
		}
	})
	return c.said, c.lookUp(ctx, store, e.Locale, ids)
}

func (c *checker) add(text say.Text) { c.said = append(c.said, text) }

// lookAt checks the headings, links and foreign pictures of a text.
func (c *checker) lookAt(field say.Text, text string) {
	source, level := []byte(text), 1 // that of the title
	if markdown.Costly(source) {
		return
	}
	_ = ast.Walk(markdown.Parse(source), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			words := ui.FirstRunes(wordsIn(n, source), maxOfHeading)
			if n.Level == 1 {
				c.add(say.F("{1}: “{2}” is a heading of level 1, which the title of the page has.", field, words))
			} else if n.Level > level+1 {
				c.add(say.F("{1}: The heading “{2}” skips a level.", field, words))
			}
			level = n.Level
		case *ast.Link:
			if wordsIn(n, source) == "" && !hasPicture(n) {
				c.add(say.F("{1}: The link to {2} has no text.", field, string(n.Destination)))
			}
		case *ast.Image:
			if _, _, ours := refs.Parse(string(n.Destination)); !ours && !n.HasChildren() {
				c.add(say.F("{1}: The picture {2} has no alternative text.", field, string(n.Destination)))
			}
		}
		return ast.WalkContinue, nil
	}) // never fails
}

// wordsIn returns the plain text in a node.
func wordsIn(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

// hasPicture reports whether a link holds a picture, which has a check of its own.
func hasPicture(link ast.Node) bool {
	for n := link.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() == ast.KindImage {
			return true
		}
	}
	return false
}

// lookUp checks the files and entries that were collected, in the order of ids.
func (c *checker) lookUp(ctx context.Context, store *content.Store, locale string, ids []string) error {
	var files, entries []string
	for _, id := range ids {
		if c.files[id] != nil {
			files = append(files, id)
		} else {
			entries = append(entries, id)
		}
	}
	found, err := store.Assets.MediaByID(ctx, files...)
	if err != nil {
		return err
	}
	var targets map[string]content.Address
	if len(entries) > 0 {
		if targets, err = store.Addresses(ctx, entries); err != nil {
			return err
		}
	}
	for _, id := range ids {
		file := found[id]
		switch {
		case c.files[id] == nil:
			if targets[id].ModelID == "" {
				c.add(say.F("{1}: A link leads to an entry that does not exist.", c.targets[id][0]))
			}
		case file == nil:
			c.add(say.F("{1}: A file does not exist any more.", c.files[id][0]))
		case strings.HasPrefix(file.Mime, "image/") && !file.Decorative &&
			strings.TrimSpace(cmp.Or(file.Alts[locale], file.Alt)) == "":
			c.add(say.F("{1}: The picture {2} has no alternative text.", say.Join(c.files[id], ", "), file.Name))
		}
	}
	return nil
}
