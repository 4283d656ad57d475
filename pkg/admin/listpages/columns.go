package listpages

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/site"
)

// column is a column that a list of entries can show. sort is the path to sort by, "" if the list
// cannot be sorted by it.
type column struct {
	key   string
	title say.Text
	sort  string
	cell  func(e *cms.Entry, known map[string]ui.Choice) ui.Cell
}

// translationColumn is the key of the column with the marks of translations, which the list reads for all its rows at
// once. It has no cell.
const translationColumn = ":translations"

// columnsOf returns the columns that lists of a model can show beside the title.
func columnsOf(site *site.Site, m *site.Model) []column {
	var list []column
	for _, f := range m.Fields {
		if !f.IsShort() {
			continue
		}
		c := column{key: f.Name, title: entrydata.LabelOf(f), sort: "data." + f.Name, cell: dataCell(f)}
		if _, err := query.ParseSort(&m.Model, c.sort); err != nil || f.Type == cms.TypeMedia ||
			f.Type == cms.TypeRelation {
			c.sort = ""
		}
		list = append(list, c)
	}
	text := func(show func(e *cms.Entry) ui.Cell) func(*cms.Entry, map[string]ui.Choice) ui.Cell {
		return func(e *cms.Entry, _ map[string]ui.Choice) ui.Cell { return show(e) }
	}
	list = append(list, column{":slug", "Slug", "slug", text(func(e *cms.Entry) ui.Cell { return ui.Code(e.Slug) })})
	if m.Localized {
		list = append(list,
			column{":locale", "Language", "",
				text(func(e *cms.Entry) ui.Cell { return ui.Badge(ui.LocaleName(site, e.Locale)) })},
			column{key: translationColumn, title: "Translations"})
	}
	if site.CountsViews() {
		list = append(list, column{":views", "Views", cms.SortViews, text(viewsCell)})
	}
	return append(list,
		column{":status", "Status", "status", text(entrydata.StateCell)},
		column{":published", "Published", "published_at",
			text(func(e *cms.Entry) ui.Cell { return ui.When(e.PublishedAt) })},
		column{":created", "Created", "created_at",
			text(func(e *cms.Entry) ui.Cell { return ui.When(e.CreatedAt) })},
		column{":changed", "Changed", "updated_at",
			text(func(e *cms.Entry) ui.Cell { return ui.When(e.UpdatedAt) })})
}

// chosenColumns returns the columns named by the query parameter columns. Without it they are the
// first media field, the status and the time of change; and if the user reads several languages the translations,
// and the language in a list of all.
func chosenColumns(params url.Values, all []column, m *site.Model, languages int) []column {
	var keys []string
	if params.Has("columns") {
		keys = strings.Split(strings.Join(params["columns"], ","), ",")
	} else {
		for _, f := range m.Fields {
			if f.Type == cms.TypeMedia && !f.Many {
				keys = append(keys, f.Name)
				break
			}
		}
		if l := params.Get(languageKey); languages > 1 && (l == "" || l == anyLanguage) {
			keys = append(keys, ":locale")
		}
		if languages > 1 {
			keys = append(keys, translationColumn)
		}
		keys = append(keys, ":status", ":changed")
	}
	return slices.DeleteFunc(slices.Clone(all), func(c column) bool { return !slices.Contains(keys, c.key) })
}

// pictureField returns the name of the first field that holds one picture and no other file, "" for none. Where its
// column is chosen, the picture stands before the title.
func pictureField(m *site.Model) string {
	for _, f := range m.Fields {
		if f.Type == cms.TypeMedia && !f.Many && len(f.Mimes) > 0 && !slices.ContainsFunc(f.Mimes,
			func(mime string) bool { return !strings.HasPrefix(mime, "image/") }) {
			return f.Name
		}
	}
	return ""
}

// viewsCell shows the views of an entry in the last 30 days.
func viewsCell(e *cms.Entry) ui.Cell {
	if e.Views == nil { // counting began while the list was read
		return ui.Cell{}
	}
	return ui.Word(say.Number(e.Views.D30))
}

// dataCell returns a function that shows the value of a field of an entry. known has the names of
// referenced files and entries by id.
func dataCell(f cms.Field) func(*cms.Entry, map[string]ui.Choice) ui.Cell {
	return func(e *cms.Entry, known map[string]ui.Choice) ui.Cell {
		v := e.Data[f.Name]
		switch {
		case v == nil:
			return ui.Cell{}
		case f.Type == cms.TypeMedia:
			return fileCell(entrydata.Lines(f, v), known)
		case f.Type == cms.TypeRelation:
			return titlesCell(f.Model, entrydata.Lines(f, v), known)
		case f.Type == cms.TypeBoolean:
			return ui.YesNo(v == true, "yes", "no")
		case f.Type == cms.TypeDateTime:
			return ui.Cell{Text: say.Data(fmt.Sprint(v)), Kind: "time"}
		case f.Type == cms.TypeMultiSelect:
			return ui.Text(strings.Join(entrydata.Lines(f, v), ", "))
		}
		return ui.Text(ui.FirstRunes(fmt.Sprint(v), 80))
	}
}

// fileCell shows the thumbnail of the first file, or its name if it is not an image.
func fileCell(ids []string, known map[string]ui.Choice) ui.Cell {
	if len(ids) == 0 {
		return ui.Cell{}
	}
	file, ok := known[ids[0]]
	switch {
	case !ok:
		return ui.Cell{Text: "deleted", Kind: "muted"}
	case file.Image != "":
		return ui.Cell{Text: file.Label, Href: file.Image, Kind: "image"}
	}
	return ui.Word(file.Label)
}

// titlesCell shows the titles of related entries, at most three. A single title is a link.
func titlesCell(model string, ids []string, known map[string]ui.Choice) ui.Cell {
	var names []say.Text
	for i, id := range ids {
		if i == 3 {
			names = append(names, say.N(len(ids)-i, "{1} more", "{1} more"))
			break
		}
		entry, ok := known[id]
		if !ok {
			entry.Label = "deleted"
		}
		names = append(names, entry.Label)
	}
	cell := ui.Word(say.Join(names, ", "))
	if len(ids) == 1 && known[ids[0]].ID != "" {
		id := ids[0]
		if slug, rest, ok := strings.Cut(id, "/"); ok { // of a relation to several models
			model, id = slug, rest
		}
		cell.Href = entrydata.EntryAddress(model, id)
	}
	return cell
}

// readReferences reads the files and entries that the shown columns refer to, in two round trips at most.
func (h ListPages) readReferences(c *frame.Call, m *site.Model, shown []column,
	entries []*cms.Entry) (map[string]ui.Choice, error) {
	var picks []*ui.Field
	for _, f := range m.Fields {
		if f.Type != cms.TypeMedia && f.Type != cms.TypeRelation ||
			!slices.ContainsFunc(shown, func(c column) bool { return c.key == f.Name }) {
			continue
		}
		var ids []string
		for _, e := range entries {
			list := entrydata.Lines(f, e.Data[f.Name])
			ids = append(ids, list[:min(3, len(list))]...)
		}
		field := h.Field(c.Site, f, ui.Field{Name: f.Name, Value: strings.Join(ids, "\n")})
		picks = append(picks, &field)
	}
	return h.Named(c, picks)
}
