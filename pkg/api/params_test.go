package api_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"headless/pkg/api"
	"headless/pkg/api/openapi"
	"headless/pkg/must"
)

// refused are the parameters to which a route always answers 400.
var refused = map[string][]string{
	"/search": {"preview"}, "/upload/files": {"include"}, "/upload/files/{id}": {"include"},
}

// TestParameters compares the query parameters that routes know with those of the OpenAPI document.
func TestParameters(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(openapi.JSON())
	must.Do(t, err)
	for _, r := range slices.Concat(api.ContentRoutes(nil), api.PreviewRoutes(nil), api.SearchRoutes(nil),
		api.UploadRoutes(nil), api.ScheduleRoutes(nil), api.SiteRoutes()) {
		item := doc.Paths.Value(r.Pattern)
		if item == nil {
			t.Errorf("%s %s is not described", r.Method, r.Pattern)
			continue
		}
		var described []string
		for _, p := range slices.Concat(item.Parameters, item.GetOperation(r.Method).Parameters) {
			if p.Value.In == openapi3.ParameterInQuery {
				described = append(described, p.Value.Name)
			}
		}
		known := []string{}
		for _, name := range r.Params {
			name, _, _ = strings.Cut(name, "[")
			if !slices.Contains(refused[r.Pattern], name) {
				known = append(known, name)
			}
		}
		slices.Sort(known)
		slices.Sort(described)
		if !slices.Equal(described, known) {
			t.Errorf("%s %s describes %q, knows %q", r.Method, r.Pattern, described, known)
		}
	}
}

// TestRepeatedParameters holds that a parameter that takes one value is refused with two, on each route that has it.
func TestRepeatedParameters(t *testing.T) {
	c := newContent(t)
	c.model(thingsModel)
	c.model(`{"slug": "pages", "name": "Pages", "tree": true}`)
	e := c.create("things", `{"title": "T", "status": "published"}`)
	path := strings.NewReplacer("{model}", "things", "{idOrSlug}", e.ID, "{id}", e.ID, "{slug}", "main")
	for _, r := range slices.Concat(api.ContentRoutes(nil), api.SearchRoutes(nil)) {
		known := r.Params
		if r.Method == "GET" && r.Pattern == "/{model}/{idOrSlug}" {
			known = append(slices.Clone(known), "parent", "depth")
		}
		for _, name := range known {
			if name == "preview" || strings.HasPrefix(name, "filter") {
				continue
			}
			to := path.Replace(r.Pattern)
			if name == "parent" || name == "depth" {
				to = "/pages/tree"
			}
			a := c.call(c.admin, r.Method, to+"?"+name+"=1&"+name+"=2", "")
			if a.Code != 400 || !strings.Contains(a.Error.Message, name) {
				t.Errorf("%s %s with two of %s: %d %s", r.Method, to, name, a.Code, a.Body)
			}
		}
	}
}

// TestFlags holds that each parameter that is true or false refuses everything else, on each route that has it.
func TestFlags(t *testing.T) {
	c := newContent(t)
	c.model(thingsModel)
	e := c.create("things", `{"title": "T", "status": "published"}`)
	path := strings.NewReplacer("{model}", "things", "{idOrSlug}", e.ID, "{slug}", "main", "/resolve", "/resolve?path=/t")
	for _, r := range slices.Concat(api.ContentRoutes(nil), api.SearchRoutes(nil)) {
		for _, name := range []string{"draft", "fallback", "translations", "urls"} {
			if !slices.Contains(r.Params, name) {
				continue
			}
			for value, bad := range map[string]bool{"true": false, "false": false, "": true, "1": true, "yes": true,
				"TRUE": true, "true&" + name + "=true": true} {
				to := path.Replace(r.Pattern) + "?"
				if strings.Count(to, "?") == 2 {
					to = strings.TrimSuffix(to, "?") + "&"
				}
				a := c.call(c.admin, r.Method, to+name+"="+value, map[string]string{"POST": `{"title": "U"}`}[r.Method])
				refused := a.Code == 400 && strings.Contains(a.Error.Message, name+" must be true or false")
				if refused != bad {
					t.Errorf("%s %s: %d %s", r.Method, to+name+"="+value, a.Code, a.Body)
				}
			}
		}
	}
}
