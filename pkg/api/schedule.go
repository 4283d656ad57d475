package api

import (
	"encoding/json"
	"errors"
	"net/http"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/planning"
	"headless/pkg/web"
)

// ScheduleRoutes returns the routes of the schedules of entries (extensions §4).
func ScheduleRoutes(s *planning.Schedules) []pipeline.Route {
	h := schedules{s}
	const at = pipeline.BelowEntry + "schedule"
	return []pipeline.Route{
		{Method: "GET", Pattern: at, Params: []string{"locale"}, Handle: h.get},
		{Method: "PUT", Pattern: at, Params: []string{"locale"}, Handle: h.put, Scope: cms.ScopeWrite},
		{Method: "DELETE", Pattern: at, Params: []string{"locale"}, Handle: h.delete, Scope: cms.ScopeWrite},
	}
}

type schedules struct{ service *planning.Schedules }

func (h schedules) get(c *pipeline.Call) (pipeline.Answer, error) {
	if !c.IsAdmin() {
		return pipeline.Answer{},
			cms.Errorf(cms.CodeForbidden, "Schedules can be read only with a key that has the admin role.")
	}
	id, err := h.entryID(c)
	if err != nil {
		return pipeline.Answer{}, err
	}
	planned, err := h.service.Get(c.Context(), c.R.PathValue("model"), id)
	return pipeline.Answer{Data: planned}, err
}

func (h schedules) put(c *pipeline.Call) (pipeline.Answer, error) {
	body, err := web.DecodeBody(c.R)
	if err != nil {
		return pipeline.Answer{}, err
	}
	id, err := h.entryID(c)
	if err != nil {
		return pipeline.Answer{}, err
	}
	planned, err := h.service.Put(c.Context(), c.Actor(), c.R.PathValue("model"), id, body)
	return pipeline.Answer{Data: planned}, err
}

func (h schedules) delete(c *pipeline.Call) (pipeline.Answer, error) {
	id, err := h.entryID(c)
	if err != nil {
		return pipeline.Answer{}, err
	}
	err = h.service.Delete(c.Context(), c.Actor(), c.R.PathValue("model"), id)
	return pipeline.Answer{Status: http.StatusNoContent}, err
}

// entryID returns the id of the entry in the path. "single" is the entry of a single-type model in
// the requested locale.
func (h schedules) entryID(c *pipeline.Call) (string, error) {
	m, err := c.Site.ActiveModel(c.R.PathValue("model"))
	if err != nil {
		return "", err
	}
	name := c.R.PathValue("idOrSlug")
	if m.Kind != cms.KindSingle || name != "single" {
		return name, nil
	}
	locale := c.R.URL.Query().Get("locale")
	if locale == "" {
		locale = c.Site.Default
	}
	if c.Site.Locale(locale) == nil {
		return "", content.ErrEntryNotFound
	}
	raw, err := h.service.Store.SingleJSON(c.Context(), m, locale)
	if errors.Is(err, db.ErrNotFound) {
		return "", content.ErrEntryNotFound
	}
	if err != nil {
		return "", err
	}
	var head struct {
		ID string `json:"id"`
	}
	err = json.Unmarshal(raw, &head)
	return head.ID, err
}
