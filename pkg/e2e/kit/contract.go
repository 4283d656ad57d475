package kit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"headless/pkg/api/openapi"
	"headless/pkg/must"
)

// contract checks requests and answers against the OpenAPI documents.
type contract struct {
	api, admin, delivery routers.Router
	body                 *openapi3.Schema // of a webhook's delivery
}

func newContract(t *testing.T) *contract {
	t.Helper()
	openapi3filter.RegisterBodyDecoder("application/x-ndjson", openapi3filter.PlainBodyDecoder)
	openapi3filter.RegisterBodyDecoder("application/xliff+xml", openapi3filter.PlainBodyDecoder)
	api, doc := newRouter(t, openapi.JSON())
	admin, _ := newRouter(t, openapi.AdminJSON())
	delivery, _ := newRouter(t, openapi.DeliveryJSON())
	return &contract{api: api, admin: admin, delivery: delivery, body: eventBody(doc)}
}

// eventBody returns the schema of the body that a webhook receives.
func eventBody(doc *openapi3.T) *openapi3.Schema {
	return doc.Webhooks["event"].Post.RequestBody.Value.Content.Get("application/json").Schema.Value
}

func newRouter(t *testing.T, text []byte) (routers.Router, *openapi3.T) {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(text)
	must.Do(t, err)
	router, err := gorillamux.NewRouter(doc)
	must.Do(t, err)
	return router, doc
}

// checkEvent checks the decoded body of a delivery against the document.
func (c *contract) checkEvent(body any) error {
	return c.body.VisitJSON(body, openapi3.EnableJSONSchema2020())
}

// check checks a request and its answer against the documents and returns the differences. A
// request that was refused as malformed need not conform. A request to a route that no document has
// must have been refused.
func (c *contract) check(req *http.Request, sent []byte, a Answer) (problems []error) {
	router := c.api
	if strings.HasPrefix(req.URL.Path, AdminBase) {
		router = c.admin
	}
	if strings.HasPrefix(req.URL.Path, "/delivery/") {
		router = c.delivery
	}
	route, params, err := router.FindRoute(req)
	if err != nil {
		if known := req.Method == http.MethodOptions || req.Method == http.MethodHead; !known &&
			a.Status < 400 {
			problems = append(problems, errors.New("the OpenAPI document has no such route"))
		}
		return problems
	}
	options := &openapi3filter.Options{
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true,
		SkipSettingDefaults: true,
		ExcludeRequestBody:  sent == nil || strings.HasPrefix(req.Header.Get("Content-Type"), "multipart/"),
	}
	input := &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route, Options: options}
	if mustConform(a.Status) {
		req.Body = io.NopCloser(bytes.NewReader(sent))
		if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
			problems = append(problems, fmt.Errorf("the request is not as the OpenAPI document says: %w", err))
		}
		if router != c.delivery { // the delivery API ignores unknown parameters
			problems = append(problems, unknownParameters(req, route)...)
		}
	}
	err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: a.Status, Header: a.Header,
		Body: io.NopCloser(bytes.NewReader(a.Raw)), Options: options,
	})
	if err != nil {
		problems = append(problems, fmt.Errorf("the answer is not as the OpenAPI document says: %w", err))
	}
	return problems
}

func mustConform(status int) bool {
	return status < 300 || status == http.StatusNotModified || status == http.StatusConflict ||
		status == http.StatusPreconditionFailed
}

// unknownParameters returns an error for each query parameter that the document does not have.
func unknownParameters(req *http.Request, route *routers.Route) (problems []error) {
	for name := range req.URL.Query() {
		first, _, _ := strings.Cut(name, "[")
		if p := route.Operation.Parameters; p.GetByInAndName("query", first) == nil &&
			p.GetByInAndName("query", name) == nil {
			problems = append(problems, fmt.Errorf("the OpenAPI document has no parameter %q", name))
		}
	}
	return problems
}
