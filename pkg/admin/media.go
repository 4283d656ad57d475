package admin

import (
	"maps"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/service"
	"headless/pkg/store"
)

// mediaRoutes are the routes of media files and their folders.
func mediaRoutes(files *service.Media) []Route {
	h := mediaHandlers{files}
	routes := Resource[cms.Media]{
		Path: "/media", Title: "Media", One: "file", Write: cms.RoleEditor,
		List:   h.list,
		Get:    func(c *Call, id string) (cms.Media, error) { return files.Get(c.R.Context(), id) },
		Create: func(c *Call, _ map[string]any) (cms.Media, error) { return h.create(c) },
		Update: func(c *Call, id string, body map[string]any, ok service.Precondition[cms.Media]) (cms.Media, error) {
			return files.Update(c.R.Context(), c.Actor(), id, body, ok)
		},
		Delete:  func(c *Call, id string) error { return files.Delete(c.R.Context(), c.Actor(), id) },
		New:     func(*Call) (cms.Media, error) { return cms.Media{}, nil },
		ID:      func(m cms.Media) string { return m.ID },
		Name:    func(m cms.Media) string { return m.Name },
		Columns: []string{"Preview", "Name", "Type", "Size", "Folder", "Uploaded"},
		Row: func(m cms.Media) []Cell {
			return []Cell{preview(m), {Text: m.Name, Href: Base + "/media/" + m.ID}, Code(m.Mime), Text(sizeText(m.Size)), Text(m.Folder), When(m.CreatedAt)}
		},
		Filters: h.filters, Detail: mediaDetail, Fields: h.fields,
	}.Routes()
	wrap(routes, "GET", "/media", withFolders)
	wrap(routes, "POST", "/media", severalToList)
	for i := range routes {
		// Beside /media/folders/{id}, net/http takes no /media/{id}/edit.
		if routes[i].Pattern == "/media/{id}/edit" {
			edit := routes[i].Handle
			routes[i].Pattern = "/media/{id}/{page}"
			routes[i].Handle = func(c *Call) (Result, error) {
				if c.R.PathValue("page") != "edit" {
					return Result{}, nothingHere()
				}
				return edit(c)
			}
		}
	}
	return slices.Concat(routes, directRoutes(files), folderRoutes(files))
}

// preview is a small picture, or the ending of a file that is none.
func preview(m cms.Media) Cell {
	if strings.HasPrefix(m.Mime, "image/") {
		return Cell{Text: m.Name, Href: m.URL, Kind: "image"}
	}
	return Cell{Text: strings.ToUpper(strings.TrimPrefix(path.Ext(m.Name), ".")) + " file", Kind: "grey"}
}

// withFolders adds the way to the folders to the page of files.
func withFolders(page handler) handler {
	return func(c *Call) (Result, error) {
		result, err := page(c)
		if err == nil && result.Page != nil {
			result.Page.List.Links = append(result.Page.List.Links, Link{"Folders", Base + "/media/folders"})
		}
		return result, err
	}
}

type mediaHandlers struct{ files *service.Media }

// list lists files. It takes cursor, sort and filter as the API does; q looks into their names.
func (h mediaHandlers) list(c *Call, p store.Paging) (store.Page[cms.Media], error) {
	query := c.R.URL.Query()
	q := store.ListQuery{Paging: p, Cursor: query.Get("cursor")}
	var err error
	if q.Sort, err = cms.ParseMediaSort(query.Get("sort")); err != nil {
		return store.Page[cms.Media]{Paging: p}, err
	}
	if q.Filters, err = mediaFilters(query); err != nil {
		return store.Page[cms.Media]{Paging: p}, err
	}
	return h.files.List(c.R.Context(), q)
}

// mediaFilters reads the filters of a list. An empty one of the form above the list is no choice.
func mediaFilters(query url.Values) ([]cms.Filter, error) {
	var filters []cms.Filter
	for _, name := range slices.Sorted(maps.Keys(query)) {
		value := query.Get(name)
		if !strings.HasPrefix(name, "filter[") || value == "" && !strings.Contains(name, "][") {
			continue
		}
		f, err := cms.ParseFilter(name, value)
		if err != nil {
			return nil, err
		}
		if err := cms.ValidateMediaFilter(f); err != nil {
			return nil, err
		}
		filters = append(filters, f)
	}
	return append(filters, cms.MediaSearch(query.Get("q"))...), nil
}

func (h mediaHandlers) filters(c *Call) ([]Field, error) {
	folders, err := h.files.Folders(c.R.Context())
	if err != nil {
		return nil, err
	}
	query := c.R.URL.Query()
	names := []Option{{"", "Every folder"}}
	for _, f := range folders {
		names = append(names, Option{f.Name, f.Name})
	}
	types := []Option{{"", "Every type"}, {"image/*", "Images"}, {"video/*", "Videos"}, {"audio/*", "Audio"}, {"text/*", "Texts"}, {"application/*", "Documents"}}
	return []Field{
		{Name: "q", Label: "Name", Kind: "search", Value: query.Get("q")},
		{Name: "filter[mime]", Label: "Type", Kind: "select", Value: query.Get("filter[mime]"), Options: types},
		{Name: "filter[folder]", Label: "Folder", Kind: "select", Value: query.Get("filter[folder]"), Options: names},
	}, nil
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
		v, first = *m, Field{Name: "name", Label: "Name", Kind: "text", Value: m.Name, Required: true, Help: "The address of the file stays as it is."}
	} else if first, err = h.fileField(c); err != nil {
		return nil, err
	}
	return []Field{
		first,
		{Name: "alt", Label: "Alternative text", Kind: "text", Value: v.Alt, Help: "What a picture shows, for those who do not see it."},
		{Name: "caption", Label: "Caption", Kind: "textarea", Value: v.Caption},
		{Name: "folder_id", Label: "Folder", Kind: "select", Value: v.FolderID, Options: options},
	}, nil
}

func mediaDetail(_ *Call, m cms.Media) (*Detail, error) {
	facts := []Fact{
		{Label: "Address", Cells: []Cell{{Text: m.URL, Href: m.URL}}}, {Label: "Id", Cells: []Cell{Code(m.ID)}}, {Label: "Type", Cells: []Cell{Code(m.Mime)}},
		{Label: "Size", Cells: []Cell{Text(sizeText(m.Size))}},
	}
	if strings.HasPrefix(m.Mime, "image/") {
		facts = append([]Fact{{Label: "Picture", Cells: []Cell{{Text: m.Alt, Href: m.URL, Kind: "image"}}}}, facts...)
	}
	if m.Width != nil && m.Height != nil {
		facts = append(facts, Fact{Label: "Pixels", Cells: []Cell{Text(strconv.Itoa(*m.Width) + " × " + strconv.Itoa(*m.Height))}})
	}
	return &Detail{Facts: append(facts,
		Fact{Label: "Alternative text", Pre: m.Alt}, Fact{Label: "Caption", Pre: m.Caption},
		Fact{Label: "Folder", Cells: []Cell{Text(m.Folder)}}, Fact{Label: "Uploaded", Cells: []Cell{When(m.CreatedAt)}},
	)}, nil
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
