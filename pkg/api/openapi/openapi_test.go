package openapi_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"headless/pkg/api/openapi"
	"headless/pkg/must"
)

// TestDocuments validates both documents, their examples against their schemas included.
func TestDocuments(t *testing.T) {
	for name, text := range map[string][]byte{"api": openapi.JSON(), "admin": openapi.AdminJSON()} {
		t.Run(name, func(t *testing.T) {
			doc := load(t, text)
			must.Do(t, doc.Validate(t.Context()))
			if !strings.HasPrefix(doc.OpenAPI, "3.1") {
				t.Errorf("version %s, want 3.1", doc.OpenAPI)
			}
			for path, item := range doc.Paths.Map() {
				for method, op := range item.Operations() {
					checkOperation(t, method+" "+path, op)
				}
			}
		})
	}
}

// checkOperation holds an operation to what every answer of the service carries.
func checkOperation(t *testing.T, name string, op *openapi3.Operation) {
	if op.Summary == "" || op.OperationID == "" || len(op.Tags) == 0 {
		t.Errorf("%s: no summary, id or tag", name)
	}
	for _, p := range op.Parameters {
		if p.Value.Description == "" {
			t.Errorf("%s: parameter %s is not described", name, p.Value.Name)
		}
	}
	if op.Parameters.GetByInAndName(openapi3.ParameterInQuery, "preview") != nil && op.Responses.Value("409") == nil {
		t.Errorf("%s: 409 is not described, the answer where a preview changes too many entries", name)
	}
	for status, answer := range op.Responses.Map() {
		if answer.Value.Headers["X-Request-Id"] == nil {
			t.Errorf("%s: %s lacks X-Request-Id", name, status)
		}
	}
	if isPage(op.Responses.Value("200")) && op.Responses.Value("413") == nil {
		t.Errorf("%s: 413 is not described, the answer to a page that is too large", name)
	}
	for _, status := range []string{"400", "405", "500", "503"} {
		if op.Responses.Value(status) == nil {
			t.Errorf("%s: %s is not described", name, status)
		}
	}
}

// isPage reports whether an answer is a page of a list: its meta has page.
func isPage(answer *openapi3.ResponseRef) bool {
	if answer == nil || answer.Value.Content.Get("application/json") == nil {
		return false
	}
	meta := answer.Value.Content.Get("application/json").Schema.Value.Properties["meta"]
	return meta != nil && meta.Value.Properties["page"] != nil
}

// TestRoutes holds the document to the list of routes of specification §4. GET /{model}/single is
// one of GET /{model}/{idOrSlug}: as a path of its own it would be ambiguous beside /forms/{slug}.
func TestRoutes(t *testing.T) {
	want := []string{
		"GET /ping", "GET /i18n/locales", "GET /settings", "GET /openapi.json", "GET /types.ts",
		"GET /forms/{slug}", "POST /forms/{slug}/submit", "POST /forms/{slug}/upload",
		"GET /menus/{slug}", "GET /resolve", "GET /search", "POST /upload", "POST /upload/direct",
		"POST /upload/direct/{id}/complete",
		"GET /upload/files", "GET /upload/files/{id}", "DELETE /upload/files/{id}",
		"GET /{model}", "POST /{model}", "GET /{model}/tree",
		"GET /{model}/{idOrSlug}", "PUT /{model}/{idOrSlug}", "DELETE /{model}/{idOrSlug}",
		"GET /{model}/{idOrSlug}/schedule", "PUT /{model}/{idOrSlug}/schedule",
		"DELETE /{model}/{idOrSlug}/schedule",
		"GET /{model}/{idOrSlug}/draft", "PUT /{model}/{idOrSlug}/draft",
		"DELETE /{model}/{idOrSlug}/draft", "DELETE /{model}/{idOrSlug}/preview",
		"POST /{model}/{idOrSlug}/preview",
		"POST /{model}/{idOrSlug}/publish", "POST /{model}/{idOrSlug}/unpublish",
	}
	var got []string
	for path, item := range load(t, openapi.JSON()).Paths.Map() {
		for method := range item.Operations() {
			got = append(got, method+" "+path)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("routes %v,\nwant %v", got, want)
	}
}

// TestIgnored finds the names of unknown parameters in the meta of every answer that holds no other keys.
func TestIgnored(t *testing.T) {
	for path, item := range load(t, openapi.JSON()).Paths.Map() {
		for method, op := range item.Operations() {
			for status, answer := range op.Responses.Map() {
				body := answer.Value.Content.Get("application/json")
				if body == nil || body.Schema.Value.Properties["meta"] == nil {
					continue
				}
				meta := body.Schema.Value.Properties["meta"].Value
				if open := meta.AdditionalProperties.Has; open != nil && !*open && meta.Properties["ignored"] == nil {
					t.Errorf("%s %s: meta of %s lacks ignored", method, path, status)
				}
			}
		}
	}
}

// load parses a document.
func load(t *testing.T, text []byte) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(text)
	must.Do(t, err)
	return doc
}
