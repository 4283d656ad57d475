package kit

import (
	"net/http"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestContract shows that the checks against the documents find faults: a suite that
// accepts all is worth nothing.
func TestContract(t *testing.T) {
	const (
		entry = `{"id":"018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f","slug":"a","title":"A","status":"draft","locale":"en","data":{},"seo":{"title":"","description":""},` +
			`"published_at":null,"created_at":"2026-03-04T09:30:00.000Z","updated_at":"2026-03-04T09:30:00.000Z","version":1}`
		list = `{"data":[` + entry +
			`],"meta":{"page":1,"per_page":25,"total":1,"next_cursor":null},"error":null}`
	)
	c := newContract(t)
	for _, row := range []struct {
		name, call, sent string
		status           int
		answer           string
		problem          string // part of the message; "" when there is none
	}{
		{"created", "POST /api/v1/posts", `{"title":"A"}`, 201, `{"data":` + entry + `,"meta":{},"error":null}`, ""},
		{"listed", "GET /api/v1/posts?page=1&filter[data.a.b][gte]=1&filter[title]=x", "", 200, list, ""},
		{"file", "GET /api/v1/upload/files/x", "", 404,
			`{"data":null,"error":{"code":"FILE_NOT_FOUND","message":"x"}}`, ""},
		{"admin", "GET /admin/keys?page=2", "", 200,
			`{"data":[],"meta":{"page":2,"per_page":25,"total":0},"error":null}`, ""},
		{"unknown route, refused", "GET /api/v1/a/b/c", "", 404,
			`{"data":null,"error":{"code":"NOT_FOUND","message":"x"}}`, ""},
		{"unknown route, taken", "GET /api/v1/a/b/c", "", 200, list, "no such route"},
		{"key left out", "POST /api/v1/posts", `{"title":"A"}`, 201,
			strings.Replace(`{"data":`+entry+`,"meta":{},"error":null}`, `"version":1`, `"versio":1`, 1), "versio"},
		{"bad time", "GET /api/v1/posts", "", 200, strings.Replace(list, "2026-03-04T09", "04.03.2026 09", 1), "answer"},
		{"bad meta", "GET /api/v1/posts", "", 200, strings.Replace(list, `"page":1`, `"page":0`, 1), "answer"},
		{"foreign code", "GET /api/v1/upload/files/x", "", 404,
			`{"data":null,"error":{"code":"ENTRY_NOT_FOUND","message":"x"}}`, "answer"},
		{"unknown status", "GET /api/v1/ping", "", 418, `{}`, "status"},
		{"unknown parameter", "GET /api/v1/posts?sorted=a", "", 200, list, "sorted"},
		{"bad parameter", "GET /api/v1/posts?page=x", "", 200, list, "request"},
		{"bad request taken", "POST /api/v1/posts", `{"name":"A"}`, 201, `{"data":` + entry +
			`,"meta":{},"error":null}`, "request"},
	} {
		t.Run(row.name, func(t *testing.T) {
			method, path, _ := strings.Cut(row.call, " ")
			req, err := http.NewRequestWithContext(t.Context(), method,
				"http://127.0.0.1:1"+strings.NewReplacer("[", "%5B", "]", "%5D").Replace(path),
				strings.NewReader(row.sent))
			must.Do(t, err)
			var sent []byte
			if row.sent != "" {
				sent = []byte(row.sent)
				req.Header.Set("Content-Type", "application/json")
			}
			header := http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"0123456789"}, "Etag": {`"x"`}}
			problems := c.check(req, sent, Answer{Status: row.status, Header: header, Raw: []byte(row.answer)})
			if row.problem == "" && len(problems) > 0 || row.problem != "" &&
				(len(problems) == 0 || !strings.Contains(problems[0].Error(), row.problem)) {
				t.Errorf("problems %v, want %q", problems, row.problem)
			}
		})
	}
}

// TestContractEvents does the same for the bodies of deliveries.
func TestContractEvents(t *testing.T) {
	c := newContract(t)
	entry := func() Obj {
		return Obj{"id": "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f", "model_slug": "m", "title": "T",
			"slug": "t", "locale": "en", "status": "draft", "published_at": "", "url": ""}
	}
	event := func(kind string, data Obj) Obj {
		return Obj{"event": kind, "occurred_at": "2026-03-04T09:30:00.000Z", "data": data}
	}
	null := entry()
	null["published_at"] = nil
	for _, row := range []struct {
		name string
		body Obj
		ok   bool
	}{
		{"entry", event("entry.created", entry()), true},
		{"form",
			event("form.submission.created",
				Obj{"id": "x", "form_slug": "f", "received_at": "2026-03-04T09:30:00.000Z", "fields": Obj{}}), true},
		{"truncated", event("form.submission.created", Obj{"id": "x", "truncated": true}), true},
		{"test", event("webhook.test", Obj{"message": "x"}), true},
		{"null", event("entry.created", null), false},
		{"another kind's data", event("user.created", entry()), false},
		{"unknown kind", event("entry.exploded", entry()), false},
		{"no data", Obj{"event": "entry.created", "occurred_at": "2026-03-04T09:30:00.000Z"}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if err := c.checkEvent(row.body); (err == nil) != row.ok {
				t.Errorf("error %v, want conformance %v", err, row.ok)
			}
		})
	}
}
