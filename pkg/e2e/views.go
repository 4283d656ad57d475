package e2e

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

// viewsWait is how long it may take until views are listed where the target counts them.
const viewsWait = 2 * time.Minute

// countViews counts views of entries. It changes a setting that all share.
func countViews(t *testing.T, s *suite) {
	admin, writer := s.admin(t), s.adminKey(t)
	model := s.model(t, nil)
	first, second := writer.publish(t, model, "First", nil), writer.publish(t, model, "Second", nil)
	third := writer.publish(t, model, "Third", nil)
	draft := writer.create(t, model, obj{"title": "Draft"}).str(t, "data.id")
	d, lists := s.publishable(t, nil), "GET /models/"+model+"/entries"
	enable := func(value string) step {
		return step{name: "views.enabled " + value, call: "PUT /settings", status: 200,
			body: list{obj{"group": "views", "key": "enabled", "value": value}}}
	}
	admin.run(t, enable("false"),
		step{name: "another value", call: "PUT /settings", body: list{obj{"group": "views", "key": "enabled", "value": "x"}},
			status: 422, code: "VALIDATION_FAILED", details: []string{"0.value"}},
		step{name: "no views", call: lists, status: 200, want: obj{"data.0.views": nil}},
		step{name: "no sort", call: lists + "?sort=-views", status: 400, code: "BAD_REQUEST"})
	if !s.target.BehindCDN { // its edge does not know the setting
		d.step(t, step{call: "GET /seen?e=" + first, status: 404, code: "NOT_FOUND"})
	}
	admin.step(t, enable("true"))
	defer func() { admin.step(t, enable("false")) }()
	seen := func(id string) step {
		return step{name: "seen " + id, call: "GET /seen?e=" + id, status: 204, header: obj{"Cache-Control": "no-store",
			"Set-Cookie": "", "Access-Control-Allow-Origin": "*"}}
	}
	d.run(t, seen(first), seen(second), seen(second), seen(draft), seen(uuid.NewString()),
		step{name: "no id", call: "GET /seen", status: 400, code: "BAD_REQUEST", header: obj{"Cache-Control": "no-store"}},
		step{name: "malformed", call: "GET /seen?e=x", status: 400, code: "BAD_REQUEST"},
		step{name: "two", call: "GET /seen?e=" + first + "&e=" + second, status: 400, code: "BAD_REQUEST"},
		step{name: "POST", call: "POST /seen?e=" + first, status: 405, code: "METHOD_NOT_ALLOWED"})
	if !s.target.BehindCDN { // its edge does not know the keys
		s.public().step(t, step{call: "GET /delivery/v1/pub_unknown/seen?e=" + first, status: 404, code: "NOT_FOUND"})
	}
	admin.step(t, step{name: "all have views", call: lists, status: 200, want: obj{"data.0.views.d30": present}})
	writer.step(t, step{name: "not in the API", call: "GET /" + model, status: 200, want: obj{"data.0.views": nil}})
	if !s.target.CountsViews {
		return
	}
	s.clone(viewsWait).eventually(t, "views are listed", func() bool {
		return admin.ok(t, 200, "GET /models/"+model+"/entries/"+second, nil).get("data.views.d30") == 2.0
	})
	next := admin.step(t, step{name: "most first", call: lists + "?sort=-views&per_page=2", status: 200, want: obj{
		"data.0.id": second, "data.0.views.d30": 2, "data.1.id": first, "data.1.views.d30": 1, "meta.total": 4}})
	admin.run(t,
		step{name: "next page", call: lists + "?sort=-views&per_page=2&cursor=" + next.str(t, "meta.next_cursor"), status: 200,
			want: obj{"data.0.views.d30": 0, "data.1.views.d30": 0}},
		step{name: "fewest first", call: lists + "?sort=views&filter%5Bstatus%5D=published", status: 200, want: obj{
			"data.0.id": third, "data.1.id": first, "data.2.id": second, "meta.total": 3}},
		step{name: "what was read can be sent", call: "PUT /models/" + model + "/entries/" + first,
			body: obj{"title": "Again", "views": obj{"d30": 9}}, status: 200, want: obj{"data.views.d30": 1}})
}
