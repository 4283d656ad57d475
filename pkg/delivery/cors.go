package delivery

import (
	"net/http"

	"headless/pkg/api/pipeline"
	"headless/pkg/apikeys"
	"headless/pkg/cms"
)

// corsExposed lists the response headers that pages of other origins may read.
const corsExposed = "ETag, Retry-After, X-Request-Id, X-Cache, Age"

// originAllowed reports whether the key allows the request's origin. Requests without the header
// Origin are allowed.
func (c *call) originAllowed(key *apikeys.Key) bool {
	return pipeline.OriginsAllowed(key.Origins, c.R.Header.Values("Origin"))
}

// isOpen reports whether pages of every origin may read the answer, because the key names no origins.
func (a *answer) isOpen() bool { return a.key == nil || len(a.key.Origins) == 0 }

// allowOrigin sets the CORS headers for the origin of the request if the key lists origins.
// Credentials are never allowed.
func (c *call) allowOrigin(a *answer) {
	if origin := c.R.Header.Get("Origin"); origin != "" && !a.isOpen() && !a.origin {
		c.W.Header().Set("Access-Control-Allow-Origin", origin)
		c.W.Header().Set("Access-Control-Expose-Headers", corsExposed)
	}
}

// preflight answers OPTIONS for any origin. The origin is checked when the real request comes.
func (c *call) preflight(req request) {
	o, err := c.h.openKey(c.R.Context(), req.key)
	if err != nil {
		c.writeAnswer(c.errorAnswer(err), nil)
		return
	}
	h := c.W.Header()
	origin := c.R.Header.Get("Origin")
	if origin == "" || len(o.Key.Origins) == 0 {
		origin = "*"
	}
	h.Set("Allow", methods)
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Methods", methods)
	h.Set("Access-Control-Allow-Headers", "Content-Type, If-None-Match")
	h.Set("Access-Control-Max-Age", "7200")
	h.Set("Vary", "Origin")
	h.Set("Cache-Control", "no-store")
	c.W.WriteHeader(http.StatusNoContent)
}

// refuseMethod answers requests with other methods with 405.
func (c *call) refuseMethod(req request) {
	c.W.Header().Set("Allow", methods)
	c.answerError(req, cms.Errorf(cms.CodeMethodNotAllowed, "%s is not allowed here. Allowed: %s.",
		c.R.Method, methods))
}
