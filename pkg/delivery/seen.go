package delivery

import (
	"net/http"

	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/web"
)

// seenRoute is the route by which pages say that an entry is seen (extensions §16).
var seenRoute = &route{name: "seen", params: []string{"e"}, handle: (*making).checkView}

// answerView answers a view of an entry, and counts it unless the origin is refused. The request log does
// not have it: no address of a visitor is kept.
func (c *call) answerView(req request) {
	a := c.h.computeAnswer(c.R.Context(), c, req)
	if a.status == http.StatusNoContent && c.h.Seen != nil && c.R.Method == http.MethodGet && c.originAllowed(a.key) {
		id, _ := input.CanonicalID(req.query.values.Get("e")) // checked by the handler
		c.h.Seen(req.key, id)
	}
	c.writeAnswer(a, nil)
}

// checkView checks the view of an entry. It does not look whether there is such an entry, so the answer
// tells nothing about it. Errors: NOT_FOUND while views are not counted, BAD_REQUEST.
func (m *making) checkView() error {
	if !m.open.Site.CountsViews() {
		return web.ErrNothing
	}
	if _, ok := input.CanonicalID(m.parameters().Get("e")); !ok {
		return cms.Errorf(cms.CodeBadRequest, "e must be the id of one entry.")
	}
	return nil
}
