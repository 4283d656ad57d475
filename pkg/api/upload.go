package api

import (
	"encoding/json"
	"net/http"
	"net/url"

	"headless/pkg/api/pipeline"
	"headless/pkg/assets"
	"headless/pkg/assets/upload"
	"headless/pkg/cms"
	"headless/pkg/index"
	"headless/pkg/input"
	"headless/pkg/links"
	"headless/pkg/web"
)

// UploadRoutes returns the routes of the upload function.
func UploadRoutes(s *assets.Media) []pipeline.Route {
	h := files{s}
	return []pipeline.Route{
		{Method: "POST", Pattern: "/upload", Handle: h.upload, Scope: cms.ScopeWrite, Made: pipeline.Created},
		{Method: "POST", Pattern: "/upload/direct", Handle: h.direct, Scope: cms.ScopeWrite,
			Made: pipeline.Created},
		{Method: "POST", Pattern: "/upload/direct/{id}/complete", Handle: h.complete, Scope: cms.ScopeWrite,
			Made: pipeline.Created},
		{Method: "GET", Pattern: "/upload/files", Handle: h.list,
			Params: []string{"page", "per_page", "cursor", "sort", "filter", "fields", "include", "q"}},
		{Method: "GET", Pattern: "/upload/files/{id}", Handle: h.get, Params: []string{"fields", "include"}},
		{Method: "DELETE", Pattern: "/upload/files/{id}", Handle: h.delete, Scope: cms.ScopeDelete,
			Params: []string{"if_unused"}},
	}
}

type files struct{ service *assets.Media }

// upload answers POST /upload (specification §4.2).
func (h files) upload(c *pipeline.Call) (pipeline.Answer, error) {
	u, err := upload.ReadUpload(c.R, h.service.MaxBytes)
	if err != nil {
		return pipeline.Answer{}, err
	}
	defer u.Close()
	file, err := h.service.Upload(c.Context(), c.Actor(), u)
	return pipeline.Answer{Status: http.StatusCreated, Data: file}, err
}

func (h files) direct(c *pipeline.Call) (pipeline.Answer, error) {
	body, err := web.DecodeBody(c.R)
	if err != nil {
		return pipeline.Answer{}, err
	}
	target, err := h.service.Direct(c.Context(), body)
	return pipeline.Answer{Status: http.StatusCreated, Data: target}, err
}

func (h files) complete(c *pipeline.Call) (pipeline.Answer, error) {
	file, err := h.service.Complete(c.Context(), c.Actor(), c.R.PathValue("id"))
	return pipeline.Answer{Status: http.StatusCreated, Data: file}, err
}

// list answers GET /upload/files, which has the parameters of lists.
func (h files) list(c *pipeline.Call) (pipeline.Answer, error) {
	query := c.R.URL.Query()
	keys, err := mediaFields(query)
	if err != nil {
		return pipeline.Answer{}, err
	}
	q, err := mediaQuery(query)
	if err != nil {
		return pipeline.Answer{}, err
	}
	page, err := h.service.List(c.Context(), q)
	if err != nil {
		return pipeline.Answer{}, err
	}
	data := make([]any, len(page.Items))
	for i, file := range page.Items {
		if data[i], err = mediaView(file, keys); err != nil {
			return pipeline.Answer{}, err
		}
	}
	return pipeline.Answer{Data: data, Meta: pipeline.MetaOf(page)}, nil
}

func (h files) get(c *pipeline.Call) (pipeline.Answer, error) {
	keys, err := mediaFields(c.R.URL.Query())
	if err != nil {
		return pipeline.Answer{}, err
	}
	file, err := h.service.Get(c.Context(), c.R.PathValue("id"))
	if err != nil {
		return pipeline.Answer{}, err
	}
	data, err := mediaView(file, keys)
	return pipeline.Answer{Data: data}, err
}

func (h files) delete(c *pipeline.Call) (pipeline.Answer, error) {
	unused, err := links.OnlyIfUnused(c.R.URL.Query())
	if err != nil {
		return pipeline.Answer{}, err
	}
	if unused {
		return pipeline.Answer{Status: http.StatusNoContent}, h.service.DeleteUnused(c.Context(), c.Actor(),
			c.R.PathValue("id"), c.IsAdmin(), mediaPrecondition(c))
	}
	return pipeline.Answer{Status: http.StatusNoContent},
		h.service.Delete(c.Context(), c.Actor(), c.R.PathValue("id"), mediaPrecondition(c))
}

// mediaPrecondition checks If-Match. It must match the ETag of GET /upload/files/{id} without parameters.
func mediaPrecondition(c *pipeline.Call) input.Precondition[cms.Media] {
	changed := cms.Errorf(cms.CodePreconditionFailed, "The file has changed since you read it. Read it again.")
	return ifMatch(c, changed, func(file cms.Media) (pipeline.Answer, error) { return pipeline.Answer{Data: file}, nil })
}

// maxMediaPerPage is the maximum of per_page in lists of media files.
const maxMediaPerPage = 100

// mediaQuery reads page, per_page, cursor, sort, filters and q of a list of media. Errors:
// BAD_REQUEST.
func mediaQuery(query url.Values) (index.ListQuery, error) {
	q := index.ListQuery{Cursor: query.Get("cursor")}
	var err error
	if q.Paging, err = parsePaging(query, maxMediaPerPage); err != nil {
		return q, err
	}
	if q.Sort, err = assets.ParseMediaSort(query.Get("sort")); err != nil {
		return q, err
	}
	if q.Filters, err = parseFilters(query); err != nil {
		return q, err
	}
	for _, f := range q.Filters {
		if err := assets.ValidateMediaFilter(f); err != nil {
			return q, err
		}
	}
	q.Filters = append(q.Filters, assets.MediaSearch(query.Get("q"))...)
	return q, nil
}

// mediaFields reads fields, the keys to show; nil means all. Media have nothing to include.
func mediaFields(query url.Values) ([]string, error) {
	if name := query.Get("include"); name != "" {
		return nil, cms.Errorf(cms.CodeBadRequest, "Unknown include %q. Media files have nothing to include.", name)
	}
	return parseKeys(query.Get("fields"), cms.MediaKeys())
}

// mediaView returns a file with the requested keys, in the order of the API.
func mediaView(file cms.Media, keys []string) (any, error) {
	if keys == nil {
		return file, nil
	}
	raw, err := cms.Marshal(file)
	if err != nil {
		return nil, err
	}
	shown, err := appendKeys(nil, raw, cms.MediaKeys(), keys)
	return json.RawMessage(shown), err
}
