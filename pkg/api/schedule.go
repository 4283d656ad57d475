package api

import (
	"net/http"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
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

func (h schedules) entryID(c *pipeline.Call) (string, error) {
	if _, err := c.Site.ActiveModel(c.R.PathValue("model")); err != nil {
		return "", err
	}
	return entryID(c, h.service.Entries)
}
