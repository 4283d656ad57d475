package kit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"headless/pkg/api/openapi"
	"headless/pkg/must"
)

// contract checks requests and answers against the OpenAPI documents.
type contract struct{ api, admin, delivery *document }

func newContract(t *testing.T) *contract {
	t.Helper()
	openapi3filter.RegisterBodyDecoder("application/x-ndjson", openapi3filter.PlainBodyDecoder)
	openapi3filter.RegisterBodyDecoder("application/xliff+xml", openapi3filter.PlainBodyDecoder)
	return &contract{api: newDocument(t, openapi.JSON()), admin: newDocument(t, openapi.AdminJSON()),
		delivery: newDocument(t, openapi.DeliveryJSON())}
}

// document is an OpenAPI document. It compiles each schema of a body once; openapi3filter does so for each body.
type document struct {
	routers.Router
	spec       *openapi3.T
	components any // where references of schemas lead, decoded
	mu         sync.Mutex
	compiled   map[*openapi3.Schema]*jsonschema.Schema
}

func newDocument(t *testing.T, text []byte) *document {
	t.Helper()
	spec, err := openapi3.NewLoader().LoadFromData(text)
	must.Do(t, err)
	router, err := gorillamux.NewRouter(spec)
	must.Do(t, err)
	components, err := decoded(spec.Components)
	must.Do(t, err)
	return &document{Router: router, spec: spec, components: components,
		compiled: map[*openapi3.Schema]*jsonschema.Schema{}}
}

// decoded returns a part of a document in the form that jsonschema takes.
func decoded(part any) (any, error) {
	text, err := json.Marshal(part)
	if err != nil {
		return nil, err
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(text))
}

// schema returns the compiled form of a schema of the document.
func (d *document) schema(s *openapi3.Schema) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if compiled := d.compiled[s]; compiled != nil {
		return compiled, nil
	}
	body, err := decoded(s)
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	resource := map[string]any{"$defs": map[string]any{"body": body}, "components": d.components}
	if err := compiler.AddResource("urn:document", resource); err != nil {
		return nil, err
	}
	d.compiled[s], err = compiler.Compile("urn:document#/$defs/body")
	return d.compiled[s], err
}

// validate checks a decoded body against the schema for its media type.
func (d *document) validate(content openapi3.Content, mediaType string, body any) error {
	media := content.Get(mediaType)
	if media == nil {
		return fmt.Errorf("the OpenAPI document has no body of type %q", mediaType)
	}
	schema, err := d.schema(media.Schema.Value)
	if err != nil {
		return err
	}
	return schema.Validate(body)
}

// validateJSON is validate for a body as it was sent. It leaves other types than JSON to openapi3filter.
func (d *document) validateJSON(content openapi3.Content, header http.Header, body []byte) error {
	if len(content) == 0 || !isJSON(header) {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return d.validate(content, header.Get("Content-Type"), value)
}

func isJSON(header http.Header) bool {
	return strings.HasPrefix(header.Get("Content-Type"), "application/json")
}

// checkEvent checks the decoded body of a delivery against the document.
func (c *contract) checkEvent(body any) error {
	return c.api.validate(c.api.spec.Webhooks["event"].Post.RequestBody.Value.Content, "application/json", body)
}

// check checks a request and its answer against the documents and returns the differences. A
// request that was refused as malformed need not conform. A request to a route that no document has
// must have been refused.
func (c *contract) check(req *http.Request, sent []byte, a Answer) (problems []error) {
	document := c.api
	if strings.HasPrefix(req.URL.Path, AdminBase) {
		document = c.admin
	}
	if strings.HasPrefix(req.URL.Path, "/delivery/") {
		document = c.delivery
	}
	route, params, err := document.FindRoute(req)
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
		ExcludeRequestBody: sent == nil || isJSON(req.Header) ||
			strings.HasPrefix(req.Header.Get("Content-Type"), "multipart/"),
		ExcludeResponseBody: isJSON(a.Header),
	}
	input := &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route, Options: options}
	if mustConform(a.Status) {
		req.Body = io.NopCloser(bytes.NewReader(sent))
		err := openapi3filter.ValidateRequest(context.Background(), input)
		if body := route.Operation.RequestBody; err == nil && body != nil && sent != nil {
			err = document.validateJSON(body.Value.Content, req.Header, sent)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("the request is not as the OpenAPI document says: %w", err))
		}
		if document != c.delivery { // the delivery API ignores unknown parameters
			problems = append(problems, unknownParameters(req, route)...)
		}
	}
	err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: a.Status, Header: a.Header,
		Body: io.NopCloser(bytes.NewReader(a.Raw)), Options: options,
	})
	if response := responseOf(route, a.Status); err == nil && response != nil && req.Method != http.MethodHead {
		err = document.validateJSON(response.Value.Content, a.Header, a.Raw)
	}
	if err != nil {
		problems = append(problems, fmt.Errorf("the answer is not as the OpenAPI document says: %w", err))
	}
	return problems
}

// responseOf returns the document's response for a status, nil if there is none.
func responseOf(route *routers.Route, status int) *openapi3.ResponseRef {
	if r := route.Operation.Responses.Status(status); r != nil {
		return r
	}
	return route.Operation.Responses.Default()
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
