package filepages

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/admin/usages"
	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/input"
	"headless/pkg/links"
	"headless/pkg/planning/bulk"
	"headless/pkg/slice"
	"headless/pkg/web"
)

// MediaRoutes returns the routes of media files and their folders.
func MediaRoutes(files *assets.Media, uses links.Usage, jobs *bulk.Jobs, fetch Fetch) []frame.Route {
	h := MediaHandlers{files, uses, jobs, fetch}
	routes := resource.Kind[cms.Media]{
		Path: "/media", Title: "Media", One: "file", Event: "media.updated", Write: cms.RoleEditor,
		Public: true,
		List:   h.list,
		Get:    func(c *frame.Call, id string) (cms.Media, error) { return files.Get(c.R.Context(), id) },
		Create: func(c *frame.Call, _ map[string]any) (cms.Media, error) { return h.create(c) },
		Update: func(c *frame.Call, id string, body map[string]any,
			ok input.Precondition[cms.Media]) (cms.Media, error) {
			uncropEmpty(body)
			readFocal(body)
			return files.Update(c.R.Context(), c.Actor(), id, body, ok)
		},
		Delete: func(c *frame.Call, id string) error {
			unused, err := links.OnlyIfUnused(c.R.URL.Query())
			if err != nil {
				return err
			}
			if unused {
				return files.DeleteUnused(c.R.Context(), c.Actor(), id, true, nil)
			}
			return files.Delete(c.R.Context(), c.Actor(), id, nil)
		},
		New:     func(*frame.Call) (cms.Media, error) { return cms.Media{}, nil },
		ID:      func(m cms.Media) string { return m.ID },
		Name:    func(m cms.Media) say.Text { return say.Data(m.Name) },
		Filters: resource.NoFilters, Show: h.show, Fields: h.fields,
	}.Routes()
	frame.Wrap(routes, "GET", "/media", h.gallery)
	frame.Wrap(routes, "PUT", "/media/{id}", h.withUndo)
	frame.Wrap(routes, "PUT", "/media/{id}", backToGrid)
	frame.Wrap(routes, "POST", "/media", severalToList)
	for i := range routes {
		switch routes[i].Pattern {
		case "/media", "/media/create": // nothing shows a new file yet
			routes[i].Public = false
		}
	}
	routes = append(routes,
		frame.Route{Method: "GET", Pattern: mediaItem + "/usage", Role: cms.RoleViewer, Handle: h.usage},
		frame.Route{Method: "POST", Pattern: mediaItem + "/replace", Role: cms.RoleEditor, Handle: frame.WithBody(h.replace)},
		frame.Route{Method: "POST", Pattern: "/media/fetch", Role: cms.RoleEditor, Handle: frame.WithBody(h.fetchPicture)},
		frame.Route{Method: "POST", Pattern: "/media/several", Role: cms.RoleEditor,
			Handle: backToGrid(frame.WithBody(h.changeSeveral))})
	return slices.Concat(routes, directRoutes(files), contentRoutes(files), folderRoutes(files))
}

// preview shows the thumbnail of an image, or the file extension of any other file.
func preview(m cms.Media) ui.Cell {
	if strings.HasPrefix(m.Mime, "image/") {
		return ui.Cell{Text: say.Data(m.Name), Href: ui.Thumbnail(m.URL), Kind: "image"}
	}
	return ui.Cell{Text: say.F("{1} file", strings.ToUpper(strings.TrimPrefix(path.Ext(m.Name), "."))), Kind: "grey"}
}

// MediaHandlers answer the routes of files.
type MediaHandlers struct {
	Files *assets.Media
	uses  links.Usage
	jobs  *bulk.Jobs
	fetch Fetch
}

// replace answers POST /media/{id}/replace. It starts a job that changes every reference to the
// file into a reference to another file (extensions §6).
func (h MediaHandlers) replace(c *frame.Call, body map[string]any) (frame.Result, error) {
	m, err := h.Files.Get(c.R.Context(), c.R.PathValue("id"))
	if err != nil {
		return frame.Result{}, err
	}
	j, err := h.jobs.Replace(c.R.Context(), c.Actor(), m.ID, body)
	return frame.Result{Status: http.StatusAccepted, Data: j, Redirect: "/jobs/" + j.ID}, err
}

// list lists files. It has the query parameters cursor, sort and filter of the API, and q, which
// searches the names and tags of files.
func (h MediaHandlers) list(c *frame.Call, p db.Paging) (db.Page[cms.Media], error) {
	params := c.R.URL.Query()
	q := index.ListQuery{Paging: p, Cursor: params.Get("cursor")}
	var err error
	if q.Sort, err = assets.ParseMediaSort(params.Get("sort")); err != nil {
		return db.Page[cms.Media]{Paging: p}, err
	}
	if q.Filters, err = mediaFilters(params); err != nil {
		return db.Page[cms.Media]{Paging: p}, err
	}
	return h.Files.List(c.R.Context(), q)
}

// mediaFilters reads the filters of a list. An empty filter without an operator is ignored: it
// comes from a field of the form above the list in which nothing was chosen.
func mediaFilters(params url.Values) ([]query.Filter, error) {
	var filters []query.Filter
	for name, value := range web.Filters(params) {
		if value == "" && !strings.Contains(name, "][") {
			continue
		}
		f, err := query.ParseFilter(name, value)
		if err != nil {
			return nil, err
		}
		if err := assets.ValidateMediaFilter(f); err != nil && f.Path != "used" {
			return nil, err
		}
		filters = append(filters, f)
	}
	return append(filters, assets.LibrarySearch(params.Get("q"))...), nil
}

func (h MediaHandlers) fields(c *frame.Call, m *cms.Media) ([]ui.Field, error) {
	folders, err := h.Files.Folders(c.R.Context())
	if err != nil {
		return nil, err
	}
	v, first := cms.Media{}, ui.Field{}
	if m != nil {
		v, first = *m, ui.Field{Name: "name", Label: "Name", Kind: "text", Value: m.Name,
			Required: true, Help: "The address of the file stays as it is."}
	} else if first, err = h.FileField(c); err != nil {
		return nil, err
	}
	folder := folderField("None", v.FolderID, folders)
	if m == nil { // one text for several files would be wrong for all but one
		first.Help = say.Sentences(first.Help, "Write the alternative text of each file afterwards.")
		return []ui.Field{first, folder}, nil
	}
	tags, err := h.Files.Tags(c.R.Context())
	if err != nil {
		return nil, err
	}
	alts, err := h.altFields(c, v)
	if err != nil {
		return nil, err
	}
	// The alternative text stands next to the picture that it is about.
	return slices.Concat([]ui.Field{first, folder,
		{Name: "tags", Label: "Tags", Kind: "lines", Values: v.Tags, Help: tagHelp(tags)},
		{Name: "caption", Label: "Caption", Kind: "textarea", Value: v.Caption}}, alts, []ui.Field{
		ui.Checkbox("decorative", "Decorative: needs no alternative text", v.Decorative)}, pictureFields(v)), nil
}

// folderField returns the select for the folder of a file.
func folderField(none say.Text, id string, folders []cms.Folder) ui.Field {
	return ui.Field{Name: "folder_id", Label: "Folder", Kind: "select", Value: id, Options: ui.WithNone(none,
		slice.Map(folders, func(f cms.Folder) ui.Option { return ui.Option{Value: f.ID, Label: say.Data(f.Name)} }))}
}

// altFields returns the alternative texts of a file that the user may change.
func (h MediaHandlers) altFields(c *frame.Call, m cms.Media) ([]ui.Field, error) {
	alt := ui.Field{Name: "alt", Label: "Alternative text", Kind: "text", Value: m.Alt,
		Help: "What a picture shows, for those who do not see it."}
	may := func(locale string) bool { return assets.PermitAlt(c.R.Context(), h.Files, m, locale) == nil }
	locales, err := h.Files.Locales(c.R.Context())
	fields := ui.Translations(ui.Field{Name: "alts", Label: alt.Label, Kind: alt.Kind},
		slices.DeleteFunc(slices.Clone(locales), func(l cms.Locale) bool {
			return !may(l.Code) || l.IsDefault && m.Alts[l.Code] == "" && may("")
		}), m.Alts)
	if may("") {
		fields = append([]ui.Field{alt}, fields...)
	}
	return fields, err
}

// altLocales returns the locales for which a file has or may have an alternative text of its own. The one for all
// others is in the default locale.
func (h MediaHandlers) altLocales(c *frame.Call, m cms.Media) ([]cms.Locale, error) {
	locales, err := h.Files.Locales(c.R.Context())
	return slices.DeleteFunc(slices.Clone(locales),
		func(l cms.Locale) bool { return l.IsDefault && m.Alts[l.Code] == "" }), err
}

func (h MediaHandlers) detail(c *frame.Call, m cms.Media) (*ui.Detail, error) {
	var actions []ui.Action
	if c.MayUse(http.MethodPut, mediaContent) {
		actions = append(actions, ui.Action{Label: "Replace content", Href: ui.Base + "/media/" + m.ID + "/content"})
	}
	locales, err := h.altLocales(c, m)
	if err != nil {
		return nil, err
	}
	facts := []ui.Fact{{Label: "Alternative text", Pre: m.Alt}}
	for _, l := range locales {
		if text := m.Alts[l.Code]; text != "" {
			facts = append(facts, ui.Fact{Label: say.F("{1} in {2}", facts[0].Label, l.Name), Pre: text, Lang: l.Code})
		}
	}
	facts = append(facts, []ui.Fact{
		{Label: "Caption", Pre: m.Caption},
		ui.NewFact("Folder", ui.Text(m.Folder)), ui.NewFact("Tags", tagCells(m.Tags)...),
		{Label: "Address", Cells: []ui.Cell{{Text: say.Data(m.URL), Href: m.URL}}, Copy: m.URL},
		ui.NewFact("Type", ui.Code(m.Mime)),
		ui.NewFact("Size", ui.Text(sizes(m))),
		ui.NewFact("Uploaded", ui.When(m.CreatedAt)),
		ui.NewFact("Id", ui.Code(m.ID)),
	}...)
	if strings.HasPrefix(m.Mime, "image/") {
		large := ui.NewFact("Picture", ui.Cell{Text: say.Data(m.Alt), Href: cms.VariantURL(m.URL, "w=960"), Kind: "large"})
		facts = append([]ui.Fact{large}, facts...)
		facts = append(facts, ui.Fact{Label: "Markdown", Cells: []ui.Cell{ui.Code(markdownOf(m))},
			Copy: markdownOf(m)})
	}
	used, err := usages.UsedIn(c, h.uses, m.ID, ui.Base+"/media/"+m.ID)
	return &ui.Detail{Actions: actions, Facts: append(facts, used)}, err
}

// sizes returns the width and height of an image, and the size of any file.
func sizes(m cms.Media) string {
	size := ui.SizeText(m.Size)
	if m.Width == nil || m.Height == nil {
		return size
	}
	return strconv.Itoa(*m.Width) + " × " + strconv.Itoa(*m.Height) + " · " + size
}

// markdownOf returns the Markdown that shows an image.
func markdownOf(m cms.Media) string {
	alt := strings.NewReplacer("[", `\[`, "]", `\]`, "\n", " ").Replace(m.Alt)
	return "![" + alt + "](" + m.URL + ")"
}

// usage answers GET /media/{id}/usage.
func (h MediaHandlers) usage(c *frame.Call) (frame.Result, error) {
	m, err := h.Files.Get(c.R.Context(), c.R.PathValue("id"))
	if err != nil {
		return frame.Result{}, err
	}
	return usages.UsageOf(c, h.uses, m.ID, m.Name, ui.Link{Text: "Media", Href: ui.Base + "/media"},
		ui.Base+"/media/"+m.ID)
}
