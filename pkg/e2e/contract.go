package e2e

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"headless/pkg/api/openapi"
)

// contract checks requests and answers against the OpenAPI documents.
type contract struct{ api, admin routers.Router }

func newContract(t *testing.T) *contract {
	t.Helper()
	return &contract{api: newRouter(t, openapi.JSON()), admin: newRouter(t, openapi.AdminJSON())}
}

func newRouter(t *testing.T, text []byte) routers.Router {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	return router
}

// check holds one exchange to the documents. A request that was refused for its form need not conform; a route
// that no document has must have been refused.
func (c *contract) check(t *testing.T, call string, req *http.Request, sent []byte, a answer) {
	t.Helper()
	router := c.api
	if strings.HasPrefix(req.URL.Path, adminBase) {
		router = c.admin
	}
	route, params, err := router.FindRoute(req)
	if err != nil {
		if known := req.Method == http.MethodOptions || req.Method == http.MethodHead; !known && a.Status < 400 {
			t.Errorf("%s: %d, but the OpenAPI document has no such route", call, a.Status)
		}
		return
	}
	options := &openapi3filter.Options{
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true, SkipSettingDefaults: true,
		ExcludeRequestBody: sent == nil || strings.HasPrefix(req.Header.Get("Content-Type"), "multipart/"),
	}
	input := &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route, Options: options}
	if mustConform(a.Status) {
		req.Body = io.NopCloser(bytes.NewReader(sent))
		if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
			t.Errorf("%s: %d, but the request is not as the OpenAPI document says: %v", call, a.Status, err)
		}
		checkQuery(t, call, req, route)
	}
	err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: a.Status, Header: a.Header, Body: io.NopCloser(bytes.NewReader(a.Raw)), Options: options,
	})
	if err != nil {
		t.Errorf("%s: the answer %d is not as the OpenAPI document says: %v", call, a.Status, err)
	}
}

func mustConform(status int) bool {
	return status < 300 || status == http.StatusNotModified || status == http.StatusConflict || status == http.StatusPreconditionFailed
}

// checkQuery finds query parameters that the document does not have.
func checkQuery(t *testing.T, call string, req *http.Request, route *routers.Route) {
	t.Helper()
	for name := range req.URL.Query() {
		name, _, _ = strings.Cut(name, "[")
		if route.Operation.Parameters.GetByInAndName("query", name) == nil {
			t.Errorf("%s: the OpenAPI document has no parameter %s", call, name)
		}
	}
}
