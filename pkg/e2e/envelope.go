package e2e

import (
	"strings"
	"testing"
	"time"
)

var envelopeScenarios = []scenario{
	{name: "envelope/routes", run: unknownRoutes},
	{name: "envelope/methods", run: wrongMethods},
	{name: "envelope/bodies", run: badBodies},
	{name: "envelope/queries", run: badQueries},
	{name: "envelope/etag", run: entityTags},
	{name: "envelope/document", run: documentServed},
}

func unknownRoutes(t *testing.T, s *suite) {
	k := s.key(t, nil)
	var steps []step
	for _, path := range []string{
		"/", "/upload/none", "/upload/files/a/b", "/upload/direct/a/b", "/search/none", "/i18n",
		"/i18n/none", "/forms", "/forms/a/b", "/forms/a/submit/b",
		"/settings/none", "/ping/none", "/some-model/a/b", "/a/b/c/d",
	} {
		steps = append(steps, step{name: path, call: "GET " + path, status: 404, code: "NOT_FOUND"})
	}
	k.run(t, steps...)
	k.run(t,
		step{name: "unknown model", call: "GET /" + unique("none"), status: 404, code: "MODEL_NOT_FOUND"},
		step{name: "unknown model, write", call: "POST /" + unique("none"), body: obj{"title": "x"},
			status: 404, code: "MODEL_NOT_FOUND"},
		step{name: "not a slug", call: "GET /Not_A_Slug", status: 404, code: "MODEL_NOT_FOUND"},
		step{name: "slash at the end", call: "GET /ping/", status: 404, code: "NOT_FOUND"},
	)
}

func wrongMethods(t *testing.T, s *suite) {
	k := s.key(t, nil)
	model := s.model(t, nil)
	for _, row := range []struct{ call, allow string }{
		{"POST /ping", "GET"}, {"DELETE /ping", "GET"}, {"POST /settings", "GET"},
		{"PUT /i18n/locales", "GET"}, {"POST /search", "GET"},
		{"GET /upload", "POST"}, {"GET /upload/direct", "POST"}, {"POST /upload/files", "GET"},
		{"PUT /upload/files/x", "DELETE"}, {"GET /forms/x/submit", "POST"}, {"POST /forms/x", "GET"},
		{"PATCH /" + model, "POST"}, {"DELETE /" + model, "GET"}, {"PATCH /" + model + "/x", "PUT"},
		{"POST /" + model + "/x", "DELETE"},
		{"PURGE /ping", "GET"},
	} {
		if s.target.StandardMethods && strings.HasPrefix(row.call, "PURGE") {
			continue
		}
		k.run(t, step{name: row.call, call: row.call, body: obj{}, status: 405,
			code: "METHOD_NOT_ALLOWED", header: obj{"Allow": contains(row.allow)}})
	}
}

func badBodies(t *testing.T, s *suite) {
	k := s.key(t, nil)
	post := "POST /" + s.model(t, obj{"fields": list{field("body", "text", nil), field("tree", "json", nil)}})
	const js = "application/json"
	rows := []struct {
		name   string
		body   any
		status int
		code   string
	}{
		{"nothing", text(js, ""), 400, "BAD_REQUEST"},
		{"cut off", text(js, `{"title": "x"`), 400, "BAD_REQUEST"},
		{"two values", text(js, `{"title": "x"} {"title": "y"}`), 400, "BAD_REQUEST"},
		{"trailing comma", text(js, `{"title": "x",}`), 400, "BAD_REQUEST"},
		{"invalid UTF-8", text(js, "{\"title\": \"a\xff\"}"), 400, "BAD_REQUEST"},
		{"too deep",
			text(js, `{"title":"x","data":{"tree":`+strings.Repeat("[", 20000)+strings.Repeat("]",
				20000)+`}}`), 400, "BAD_REQUEST"},
		{"too large", text(js, `{"title":"x","data":{"body":"`+strings.Repeat("a", 1<<20)+`"}}`),
			413, "PAYLOAD_TOO_LARGE"},
		{"no content type", raw{"", []byte(`{"title":"x"}`)}, 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"text", text("text/plain", `{"title":"x"}`), 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"form", text("application/x-www-form-urlencoded", "title=x"), 415, "UNSUPPORTED_MEDIA_TYPE"},
		{"charset", text(js+"; charset=utf-8", `{"title":"x"}`), 201, ""},
	}
	for _, row := range rows {
		k.run(t, step{name: row.name, call: post, body: row.body, status: row.status, code: row.code})
	}
	for _, body := range []string{"[]", `"x"`, "1", "null", "true"} {
		t.Run("a body of "+body, func(t *testing.T) {
			if a := k.do(t, post, text(js, body)); a.Status != 400 && a.Status != 422 {
				t.Errorf("%d %s", a.Status, a.Raw)
			}
		})
	}
}

func badQueries(t *testing.T, s *suite) {
	k := s.key(t, nil)
	model := s.model(t, nil)
	for _, q := range []string{
		"page=0", "page=-1", "page=x", "page=1.5", "per_page=0", "per_page=x", "sort=nothing",
		"sort=-data.nothing",
		"filter[nothing]=1", "filter[data.nothing]=1", "filter[title][near]=1", "include=nothing",
		"include=body", "fields=nothing", "fields=data.nothing",
		"include=a.b.c.d", "cursor=rubbish", "filter[=x", "filter[title][null]=perhaps",
		"sort=" + strings.TrimSuffix(strings.Repeat("title,", 9), ","), "filter[title]=" +
			strings.Repeat("a", 3501),
	} {
		name := q[:min(len(q), 30)]
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			a := k.step(t,
				step{call: "GET /" + model + "?" +
					strings.NewReplacer("[", "%5B", "]", "%5D").Replace(q), status: 400, code: "BAD_REQUEST"})
			if took := time.Since(start); took > s.target.Wait {
				t.Errorf("held for %s", took)
			}
			if known := strings.HasPrefix(q, "sort=nothing"); known &&
				!strings.Contains(a.str(t, "error.message"), "nothing") {
				t.Errorf("the message does not name the field: %s", a.Raw)
			}
		})
	}
}

func entityTags(t *testing.T, s *suite) {
	k := s.key(t, nil)
	model := s.model(t, nil)
	id := k.publish(t, model, "Tagged", nil)
	form := makeForm(t, s, nil)
	for _, path := range []string{
		"/ping", "/i18n/locales", "/settings", "/openapi.json", "/forms/" + form, "/search?q=zzz",
		"/upload/files?per_page=1&filter%5Bfolder%5D=none",
		"/" + model, "/" + model + "/" + id, "/" + model + "/" + id + "?fields=title",
	} {
		k := k
		if path == "/openapi.json" { // with a key it changes with the models of other scenarios
			k = s.public()
		}
		t.Run(path, func(t *testing.T) {
			tag := k.ok(t, 200, "GET "+path, nil).Header.Get("ETag")
			if strings.HasPrefix(tag, "W/") || tag == "" {
				t.Fatalf("ETag %q is not a strong one", tag)
			}
			if strings.HasPrefix(path, "/"+model) {
				k.step(t,
					step{call: "GET " + path, status: 200, header: obj{"Cache-Control": "private, no-cache"}})
			}
			for _, header := range []string{tag, "*", `"x", ` + tag, "W/" + tag} {
				k.with("If-None-Match", header).step(t,
					step{call: "GET " + path, status: 304, header: obj{"ETag": tag}})
			}
			k.with("If-None-Match", `"x"`).ok(t, 200, "GET "+path, nil)
		})
	}
	t.Run("a change changes it", func(t *testing.T) {
		before := k.ok(t, 200, "GET /"+model, nil).Header.Get("ETag")
		k.ok(t, 200, "PUT /"+model+"/"+id, obj{"title": "Changed"})
		k.with("If-None-Match", before).ok(t, 200, "GET /"+model, nil)
	})
}

func documentServed(t *testing.T, s *suite) {
	a := s.public().ok(t, 200, "GET /openapi.json", nil)
	if v := a.get("openapi"); v != "3.1.0" {
		t.Errorf("version %v", v)
	}
	if _, ok := dig(a.JSON, "paths").(obj)["/{model}"]; !ok {
		t.Error("no path /{model}")
	}
	t.Run("head", func(t *testing.T) {
		if a := s.public().do(t, "HEAD /i18n/locales", nil); a.Status != 200 || len(a.Raw) != 0 {
			t.Errorf("%d with %d bytes", a.Status, len(a.Raw))
		}
	})
	t.Run("request ids differ", func(t *testing.T) {
		seen := map[string]bool{}
		for range 3 {
			seen[s.public().ok(t, 200, "GET /settings", nil).Header.Get("X-Request-Id")] = true
		}
		if len(seen) != 3 {
			t.Errorf("%d different ids in 3 answers", len(seen))
		}
	})
}
