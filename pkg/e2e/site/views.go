package site

import (
	"testing"

	"github.com/google/uuid"

	"headless/pkg/e2e/kit"
)

// countViews counts views of entries. It changes a setting that all share.
func countViews(t *testing.T, s *kit.Suite) {
	admin, writer := s.Admin(t), s.AdminKey(t)
	model := s.Model(t, nil)
	first, second := writer.Publish(t, model, "First", nil), writer.Publish(t, model, "Second", nil)
	third := writer.Publish(t, model, "Third", nil)
	draft := writer.Create(t, model, kit.Obj{"title": "Draft"}).Str(t, "data.id")
	d, lists := s.PublishableKey(t, nil), "GET /models/"+model+"/entries"
	enable := func(value string) kit.Step {
		return kit.Step{Name: "views.enabled " + value, Call: "PUT /settings",
			Body: kit.List{kit.Obj{"group": "views", "key": "enabled", "value": value}}}
	}
	admin.Run(t, enable("false"),
		kit.Step{Name: "another value", Call: "PUT /settings",
			Body: kit.List{kit.Obj{"group": "views", "key": "enabled", "value": "x"}}, Invalid: "0.value"},
		kit.Step{Name: "no views", Call: lists, Want: kit.Obj{"data.0.views": nil}},
		kit.Step{Name: "no sort", Call: lists + "?sort=-views", Code: "BAD_REQUEST"})
	if !s.Target.BehindCDN { // its edge does not know the setting
		d.Step(t, kit.Step{Call: "GET /seen?e=" + first, Code: "NOT_FOUND"})
	}
	admin.Step(t, enable("true"))
	defer func() { admin.Step(t, enable("false")) }()
	seen := func(id string) kit.Step {
		return kit.Step{Name: "seen " + id, Call: "GET /seen?e=" + id, Status: 204,
			Header: kit.Obj{"Cache-Control": "no-store", "Set-Cookie": "", "Access-Control-Allow-Origin": "*"}}
	}
	d.Run(t, seen(first), seen(second), seen(second), seen(draft), seen(uuid.NewString()),
		kit.Step{Name: "no id", Call: "GET /seen", Code: "BAD_REQUEST", Header: kit.Obj{"Cache-Control": "no-store"}},
		kit.Step{Name: "malformed", Call: "GET /seen?e=x", Code: "BAD_REQUEST"},
		kit.Step{Name: "two", Call: "GET /seen?e=" + first + "&e=" + second, Code: "BAD_REQUEST"},
		kit.Step{Name: "POST", Call: "POST /seen?e=" + first, Code: "METHOD_NOT_ALLOWED"})
	if !s.Target.BehindCDN { // its edge does not know the keys
		s.Public().Step(t, kit.Step{Call: "GET /delivery/v1/pub_unknown/seen?e=" + first, Code: "NOT_FOUND"})
	}
	admin.Step(t, kit.Step{Name: "all have views", Call: lists, Want: kit.Obj{"data.0.views.d30": kit.Present}})
	writer.Step(t, kit.Step{Name: "not in the API", Call: "GET /" + model, Want: kit.Obj{"data.0.views": nil}})
	if !s.Target.CountsViews {
		return
	}
	s.Eventually(t, "views are listed", func() bool {
		return admin.Get(t, "/models/"+model+"/entries/"+second).Get("data.views.d30") == 2.0
	})
	next := admin.Step(t, kit.Step{Name: "most first", Call: lists + "?sort=-views&per_page=2", Want: kit.Obj{
		"data.0.id": second, "data.0.views.d30": 2, "data.1.id": first, "data.1.views.d30": 1, "meta.total": 4}})
	admin.Run(t,
		kit.Step{Name: "next page", Call: lists + "?sort=-views&per_page=2&cursor=" + next.Str(t, "meta.next_cursor"),
			Want: kit.Obj{"data.0.views.d30": 0, "data.1.views.d30": 0}},
		kit.Step{Name: "fewest first", Call: lists + "?sort=views&filter%5Bstatus%5D=published",
			Want: kit.Obj{"data.0.id": third, "data.1.id": first, "data.2.id": second, "meta.total": 3}},
		kit.Step{Name: "what was read can be sent", Call: "PUT /models/" + model + "/entries/" + first,
			Body: kit.Obj{"title": "Again", "views": kit.Obj{"d30": 9}}, Want: kit.Obj{"data.views.d30": 1}})
}
