package pipeline

import (
	"context"
	"encoding/json"
	"net/http"

	"headless/pkg/cms"
	"headless/pkg/web"
)

// granted is the context key of the additional scope of requests.
type granted struct{}

// Grant returns a context whose requests have an additional scope. It is for callers that have
// checked another scope themselves.
func Grant(ctx context.Context, scope string) context.Context {
	return context.WithValue(ctx, granted{}, scope)
}

// CheckScope returns FORBIDDEN if the request does not have the scope that a route requires; "" means
// none.
func (c *Call) CheckScope(scope string) error {
	if scope == "" || c.Key.HasScope(scope) || c.Context().Value(granted{}) == scope {
		return nil
	}
	return cms.Errorf(cms.CodeForbidden, "This API key does not have the scope %q.", scope)
}

// Admit runs the pipeline of authenticated routes for a request that another protocol serves:
// origin, key and secret, limit. If the request passes, handle answers it; otherwise the answer is
// a plain text. The request is logged like any other one of the key. challenge is the header
// WWW-Authenticate of an answer 401.
func (a *API) Admit(w http.ResponseWriter, r *http.Request, challenge string, handle func(*Call)) {
	c := newCall(a, w, r)
	route := Route{Pattern: r.URL.Path, Handle: func(*Call) (Answer, error) { return Answer{}, nil }}
	if _, err := a.answerAuthorized(c, route); err != nil {
		e := c.Fail(a.log, err)
		if e.Code == cms.CodeUnauthorized {
			w.Header().Set("WWW-Authenticate", challenge)
		}
		w.Header().Set("Cache-Control", "no-store")
		c.Send(web.StatusOf(e.Code), "text/plain; charset=utf-8", []byte(e.Message+"\n"))
	} else {
		c.Status = http.StatusOK
		handle(c)
	}
	a.logRequest(c, route)
}

// ErrorJSON returns an error as answers of the API show it.
func (c *Call) ErrorJSON(err error) json.RawMessage {
	var answer struct {
		Error json.RawMessage `json:"error"`
	}
	_ = json.Unmarshal(web.ErrorEnvelope(web.Safe(c.a.log, c.RequestID, err)), &answer) // made here
	return answer.Error
}
