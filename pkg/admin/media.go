package admin

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/input"
	"headless/pkg/links"
	"headless/pkg/planning"
	"headless/pkg/web"
)

// mediaRoutes are the routes of media files and their folders.
func mediaRoutes(files *assets.Media, uses links.Usage, jobs *planning.Jobs) []Route {
	h := mediaHandlers{files, uses, jobs}
	routes := Resource[cms.Media]{
		Path: "/media", Title: "Media", One: "file", Write: cms.RoleEditor,
		List:   h.list,
		Get:    func(c *Call, id string) (cms.Media, error) { return files.Get(c.R.Context(), id) },
		Create: func(c *Call, _ map[string]any) (cms.Media, error) { return h.create(c) },
		Update: func(c *Call, id string, body map[string]any,
			ok input.Precondition[cms.Media]) (cms.Media, error) {
			return files.Update(c.R.Context(), c.Actor(), id, body, ok)
		},
		Delete: func(c *Call, id string) error {
			unused, err := c.ifUnused()
			if err != nil {
				return err
			}
			if unused {
				return files.DeleteUnused(c.R.Context(), c.Actor(), id, true)
			}
			return files.Delete(c.R.Context(), c.Actor(), id)
		},
		New:     func(*Call) (cms.Media, error) { return cms.Media{}, nil },
		ID:      func(m cms.Media) string { return m.ID },
		Name:    func(m cms.Media) string { return m.Name },
		Filters: noFilters, Show: h.show, Fields: h.fields,
	}.Routes()
	wrap(routes, "GET", "/media", h.gallery)
	wrap(routes, "PUT", "/media/{id}", backToGrid)
	wrap(routes, "POST", "/media", severalToList)
	for i := range routes {
		if routes[i].Pattern == "/media/{id}/edit" {
			routes[i].Pattern, routes[i].Role = mediaPage, cms.RoleViewer
			routes[i].Handle = mediaPages(map[string]handler{"edit": forEditors(routes[i].Handle),
				"content": forEditors(contentForm(files)), "usage": h.usage})
		}
	}
	routes = append(routes, Route{Method: "POST", Pattern: mediaPage, Role: cms.RoleEditor,
		Handle: mediaPages(map[string]handler{"replace": h.replace})})
	return slices.Concat(routes, directRoutes(files), contentRoutes(files), folderRoutes(files))
}

// preview is a small picture, or the ending of a file that is none.
func preview(m cms.Media) Cell {
	if strings.HasPrefix(m.Mime, "image/") {
		return Cell{Text: m.Name, Href: thumbnail(m.URL), Kind: "image"}
	}
	return Cell{Text: strings.ToUpper(strings.TrimPrefix(path.Ext(m.Name), ".")) + " file", Kind: "grey"}
}

type mediaHandlers struct {
	files *assets.Media
	uses  links.Usage
	jobs  *planning.Jobs
}

// replace answers POST /media/{id}/replace: a job that makes everything that leads to the file lead
// to another one (extensions §6).
func (h mediaHandlers) replace(c *Call) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	m, err := h.files.Get(c.R.Context(), c.R.PathValue("id"))
	if err != nil {
		return Result{}, err
	}
	j, err := h.jobs.Replace(c.R.Context(), c.Actor(), m.ID, body)
	return Result{Status: http.StatusAccepted, Data: j, Redirect: "/jobs/" + j.ID}, err
}

// list lists files. It takes cursor, sort and filter as the API does; q looks into their names.
func (h mediaHandlers) list(c *Call, p db.Paging) (db.Page[cms.Media], error) {
	query := c.R.URL.Query()
	q := index.ListQuery{Paging: p, Cursor: query.Get("cursor")}
	var err error
	if q.Sort, err = cms.ParseMediaSort(query.Get("sort")); err != nil {
		return db.Page[cms.Media]{Paging: p}, err
	}
	if q.Filters, err = mediaFilters(query); err != nil {
		return db.Page[cms.Media]{Paging: p}, err
	}
	return h.files.List(c.R.Context(), q)
}

// mediaFilters reads the filters of a list. An empty one of the form above the list is no choice.
func mediaFilters(query url.Values) ([]cms.Filter, error) {
	var filters []cms.Filter
	for name, value := range web.Filters(query) {
		if value == "" && !strings.Contains(name, "][") {
			continue
		}
		f, err := cms.ParseFilter(name, value)
		if err != nil {
			return nil, err
		}
		if err := cms.ValidateMediaFilter(f); err != nil && f.Path != "used" {
			return nil, err
		}
		filters = append(filters, f)
	}
	return append(filters, cms.MediaSearch(query.Get("q"))...), nil
}

func (h mediaHandlers) fields(c *Call, m *cms.Media) ([]Field, error) {
	folders, err := h.files.Folders(c.R.Context())
	if err != nil {
		return nil, err
	}
	options := []Option{{"", "–"}}
	for _, f := range folders {
		options = append(options, Option{f.ID, f.Name})
	}
	v, first := cms.Media{}, Field{}
	if m != nil {
		v, first = *m, Field{Name: "name", Label: "Name", Kind: "text", Value: m.Name,
			Required: true, Help: "The address of the file stays as it is."}
	} else if first, err = h.fileField(c); err != nil {
		return nil, err
	}
	folder := Field{Name: "folder_id", Label: "Folder", Kind: "select", Value: v.FolderID, Options: options}
	if m == nil { // one text for several files would be wrong for all but one
		first.Help += " Write the alternative text of each file afterwards."
		return []Field{first, folder}, nil
	}
	return append([]Field{
		first,
		{Name: "alt", Label: "Alternative text", Kind: "text", Value: v.Alt,
			Help: "What a picture shows, for those who do not see it."},
		{Name: "caption", Label: "Caption", Kind: "textarea", Value: v.Caption},
		folder,
	}, focalField(v)...), nil
}

func (h mediaHandlers) detail(c *Call, m cms.Media) (*Detail, error) {
	var actions []Action
	if c.May(cms.RoleEditor) {
		actions = append(actions, Action{Label: "Replace content", Href: Base + "/media/" + m.ID +
			"/content"})
	}
	facts := []Fact{
		{Label: "Alternative text", Pre: m.Alt}, {Label: "Caption", Pre: m.Caption},
		{Label: "Folder", Cells: []Cell{Text(m.Folder)}},
		{Label: "Address", Cells: []Cell{{Text: m.URL, Href: m.URL}}, Copy: m.URL},
		{Label: "Type", Cells: []Cell{Code(m.Mime)}},
		{Label: "Size", Cells: []Cell{Text(sizeText(m.Size)), Text(pixels(m))}},
		{Label: "Uploaded", Cells: []Cell{When(m.CreatedAt)}},
		{Label: "Id", Cells: []Cell{Code(m.ID)}},
	}
	if strings.HasPrefix(m.Mime, "image/") {
		large := Fact{Label: "Picture",
			Cells: []Cell{{Text: m.Alt, Href: m.URL + "?w=960&fm=auto", Kind: "large"}}}
		facts = append([]Fact{large}, facts...)
		facts = append(facts, Fact{Label: "Markdown", Cells: []Cell{Code(markdownOf(m))},
			Copy: markdownOf(m)})
	}
	used, err := usedIn(c, h.uses, m.ID, Base+"/media/"+m.ID)
	if err != nil {
		return nil, err
	}
	return &Detail{Actions: actions, Facts: append(facts, used...)}, nil
}

// pixels are the width and height of a picture, "" for other files.
func pixels(m cms.Media) string {
	if m.Width == nil || m.Height == nil {
		return ""
	}
	return strconv.Itoa(*m.Width) + " × " + strconv.Itoa(*m.Height)
}

// markdownOf is the picture in a text.
func markdownOf(m cms.Media) string {
	alt := strings.NewReplacer("[", `\[`, "]", `\]`, "\n", " ").Replace(m.Alt)
	return "![" + alt + "](" + m.URL + ")"
}

// sizeText writes a number of bytes for people.
func sizeText(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB"}
	size, unit := float64(n), 0
	for size >= 1024 && unit < len(units)-1 {
		size, unit = size/1024, unit+1
	}
	return strconv.FormatFloat(size, 'f', min(unit, 1), 64) + " " + units[unit]
}
