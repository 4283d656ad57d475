package api

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Envelope has the scenarios of routes, methods, bodies and the shape of answers.
var Envelope = []kit.Scenario{
	{Name: "envelope/routes", Run: unknownRoutes},
	{Name: "envelope/methods", Run: wrongMethods},
	{Name: "envelope/bodies", Run: badBodies},
	{Name: "envelope/queries", Run: badQueries},
	{Name: "envelope/etag", Run: entityTags},
	{Name: "envelope/document", Run: documentServed},
}

func unknownRoutes(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	var steps []kit.Step
	for _, path := range []string{
		"/", "/upload/none", "/upload/files/a/b", "/upload/direct/a/b", "/search/none", "/i18n",
		"/i18n/none", "/forms", "/forms/a/b", "/forms/a/submit/b",
		"/settings/none", "/ping/none", "/some-model/a/b", "/a/b/c/d",
	} {
		steps = append(steps, kit.Step{Name: path, Call: "GET " + path, Code: "NOT_FOUND"})
	}
	k.Run(t, steps...)
	k.Run(t,
		kit.Step{Name: "unknown model", Call: "GET /" + kit.Unique("none"), Code: "MODEL_NOT_FOUND"},
		kit.Step{Name: "unknown model, write", Call: "POST /" + kit.Unique("none"), Body: kit.Obj{"title": "x"},
			Code: "MODEL_NOT_FOUND"},
		kit.Step{Name: "not a slug", Call: "GET /Not_A_Slug", Code: "MODEL_NOT_FOUND"},
		kit.Step{Name: "slash at the end", Call: "GET /ping/", Code: "NOT_FOUND"},
	)
}

func wrongMethods(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	model := s.Model(t, nil)
	for _, row := range []struct{ call, allow string }{
		{"POST /ping", "GET"}, {"DELETE /ping", "GET"}, {"POST /settings", "GET"},
		{"PUT /i18n/locales", "GET"}, {"POST /search", "GET"},
		{"GET /upload", "POST"}, {"GET /upload/direct", "POST"}, {"POST /upload/files", "GET"},
		{"PUT /upload/files/x", "DELETE"}, {"GET /forms/x/submit", "POST"}, {"POST /forms/x", "GET"},
		{"PATCH /" + model, "POST"}, {"DELETE /" + model, "GET"}, {"PATCH /" + model + "/x", "PUT"},
		{"POST /" + model + "/x", "DELETE"},
		{"PURGE /ping", "GET"},
	} {
		if s.Target.StrictGateway && strings.HasPrefix(row.call, "PURGE") {
			continue
		}
		k.Run(t, kit.Step{Name: row.call, Call: row.call, Body: kit.Obj{}, Code: "METHOD_NOT_ALLOWED",
			Header: kit.Obj{"Allow": kit.Contains(row.allow)}})
	}
}

func badBodies(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	post := "POST /" + s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "text", nil),
		kit.Field("tree", "json", nil)}})
	const js = "application/json"
	rows := []struct {
		name   string
		body   any
		status int
		code   string
	}{
		{"nothing", kit.Text(js, ""), 400, "BAD_REQUEST"},
		{"cut off", kit.Text(js, `{"title": "x"`), 400, "BAD_REQUEST"},
		{"two values", kit.Text(js, `{"title": "x"} {"title": "y"}`), 400, "BAD_REQUEST"},
		{"trailing comma", kit.Text(js, `{"title": "x",}`), 400, "BAD_REQUEST"},
		{"invalid UTF-8", kit.Text(js, "{\"title\": \"a\xff\"}"), 400, "BAD_REQUEST"},
		{"too deep",
			kit.Text(js, `{"title":"x","data":{"tree":`+strings.Repeat("[", 20000)+strings.Repeat("]",
				20000)+`}}`), 400, "BAD_REQUEST"},
		{"too large", kit.Text(js, `{"title":"x","data":{"body":"`+strings.Repeat("a", 1<<20)+`"}}`),
			413, "PAYLOAD_TOO_LARGE"},
		{"no content type", kit.Text("", `{"title":"x"}`), 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"text", kit.Text("text/plain", `{"title":"x"}`), 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"form", kit.Text("application/x-www-form-urlencoded", "title=x"), 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"charset", kit.Text(js+"; charset=utf-8", `{"title":"x"}`), 201, ""},
	}
	for _, row := range rows {
		k.Run(t, kit.Step{Name: row.name, Call: post, Body: row.body, Status: row.status, Code: row.code})
	}
	if !s.Target.StrictGateway {
		k.With("Content-Encoding", "gzip").Run(t, kit.Step{Name: "compressed", Call: post, Body: kit.Obj{"title": "x"},
			Code: "UNSUPPORTED_MEDIA_TYPE"})
	}
	for _, body := range []string{"[]", `"x"`, "1", "null", "true"} {
		t.Run("a body of "+body, func(t *testing.T) {
			if a := k.Do(t, post, kit.Text(js, body)); a.Status != 400 && a.Status != 422 {
				t.Errorf("%d %s", a.Status, a.Raw)
			}
		})
	}
}

func badQueries(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	model := s.Model(t, nil)
	for _, q := range []string{
		"page=0", "page=-1", "page=x", "page=1.5", "page=", "per_page=0", "per_page=x", "sort=nothing", "sort=title,,slug",
		"sort=-data.nothing",
		"filter[nothing]=1", "filter[data.nothing]=1", "filter[title][near]=1", "include=nothing",
		"include=body", "fields=nothing", "fields=data.nothing",
		"include=a.b.c.d", "cursor=rubbish", "filter[=x", "filter[title][null]=perhaps",
		"sort=" + strings.TrimSuffix(strings.Repeat("title,", 9), ","), "filter[title]=" +
			strings.Repeat("a", 3501), "q=" + strings.Repeat("x", 501), "q=" + kit.Words(45),
	} {
		name := q[:min(len(q), 30)]
		t.Run(name, func(t *testing.T) {
			a := k.Step(t, kit.Step{Call: "GET /" + model + "?" + strings.NewReplacer("[", "%5B", "]", "%5D").Replace(q),
				Code: "BAD_REQUEST"})
			if known := strings.HasPrefix(q, "sort=nothing"); known &&
				!strings.Contains(a.Str(t, "error.message"), "nothing") {
				t.Errorf("the message does not name the field: %s", a.Raw)
			}
		})
	}
}

func entityTags(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	model := s.Model(t, nil)
	id := k.Publish(t, model, "Tagged", nil)
	form := kit.MakeForm(t, s, nil)
	for _, path := range []string{
		"/ping", "/i18n/locales", "/settings", "/openapi.json", "/forms/" + form, "/search?q=zzz",
		"/upload/files?per_page=1&filter%5Bfolder%5D=none",
		"/" + model, "/" + model + "/" + id, "/" + model + "/" + id + "?fields=title",
	} {
		k := k
		if path == "/openapi.json" { // with a key it changes with the models of other scenarios
			k = s.Public()
		}
		t.Run(path, func(t *testing.T) {
			tag := k.Get(t, path).Header.Get("ETag")
			if strings.HasPrefix(tag, "W/") || tag == "" {
				t.Fatalf("ETag %q is not a strong one", tag)
			}
			if strings.HasPrefix(path, "/"+model) {
				k.Step(t, kit.Step{Call: "GET " + path, Header: kit.Obj{"Cache-Control": "private, no-cache"}})
			}
			for _, header := range []string{tag, "*", `"x", ` + tag, "W/" + tag} {
				k.With("If-None-Match", header).Step(t, kit.Step{Call: "GET " + path, Status: 304, Header: kit.Obj{"ETag": tag}})
			}
			k.With("If-None-Match", `"x"`).Get(t, path)
		})
	}
	t.Run("a change changes it", func(t *testing.T) {
		before := k.Get(t, "/"+model).Header.Get("ETag")
		k.Put(t, "/"+model+"/"+id, kit.Obj{"title": "Changed"})
		k.With("If-None-Match", before).Get(t, "/"+model)
	})
}

func documentServed(t *testing.T, s *kit.Suite) {
	a := s.Public().Get(t, "/openapi.json")
	a.Has(t, "version", kit.Obj{"openapi": "3.1.0"})
	if _, ok := kit.Dig(a.JSON, "paths").(kit.Obj)["/{model}"]; !ok {
		t.Error("no path /{model}")
	}
	t.Run("head", func(t *testing.T) {
		if a := s.Public().Do(t, "HEAD /i18n/locales", nil); a.Status != 200 || len(a.Raw) != 0 {
			t.Errorf("%d with %d bytes", a.Status, len(a.Raw))
		}
	})
	t.Run("request ids differ", func(t *testing.T) {
		seen := map[string]bool{}
		for range 3 {
			seen[s.Public().Get(t, "/settings").Header.Get("X-Request-Id")] = true
		}
		kit.Same(t, "different ids in 3 answers", len(seen), 3)
	})
}
