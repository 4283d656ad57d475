package schema

import (
	"testing"

	"headless/pkg/e2e/kit"
)

func redirectsInSchema(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	at := "/" + kit.Unique("schema")
	schema := kit.Obj{"redirects": kit.List{kit.Obj{"from": at + "/a", "to": at + "/b", "status": 302},
		kit.Obj{"from": at + "/gone", "to": nil, "status": 410}}}
	_, changes := planned(t, admin, schema)
	if got := changes["redirects."+at+"/a"]; kit.Compare(got["op"], "create") != nil ||
		kit.Compare(got["kind"], "redirect") != nil || kit.Compare(got["risk"], "safe") != nil {
		t.Errorf("%v", changes)
	}
	applied(t, admin, schema)
	a := admin.Get(t, "/schema")
	got := kit.Find(a.Get("data.redirects"), "from", at+"/a")
	if err := kit.Compare(got, kit.Obj{"from": at + "/a", "to": at + "/b", "status": 302}); err != nil {
		t.Error(err)
	}
	admin.Step(t, kit.Step{Name: "one address twice", Call: "POST /schema/plan", Body: kit.Obj{"schema": kit.Obj{
		"redirects": kit.List{kit.Obj{"from": at + "/a/", "to": at + "/c"}}}}, Invalid: "redirects.0.from"})
	back := kit.Obj{"redirects": kit.List{kit.Obj{"from": at + "/b", "to": at + "/a"},
		kit.Obj{"from": at + "/c", "to": "nowhere", "status": 303}}}
	admin.Step(t, kit.Step{Call: "POST /schema/plan", Body: kit.Obj{"schema": back},
		Invalid: "redirects.0.to redirects.1.status"})
	applied(t, admin,
		kit.Obj{"redirects": kit.List{kit.Obj{"from": at + "/a", "to": at + "/c"},
			kit.Obj{"from": at + "/b", "to": at + "/a"}}})
	admin.Get(t, "/schema").Has(t, "applied", kit.Obj{
		"data.redirects": kit.Item(kit.Obj{"from": at + "/b", "to": at + "/a"})})
	applied(t, admin, kit.Obj{"deletes": kit.Obj{"redirects": kit.List{at + "/a", at + "/b", at + "/gone"}}})
	admin.Get(t, "/schema").Has(t, "deleted", kit.Obj{"data.redirects": kit.Not(kit.Item(kit.Obj{"from": at + "/b"}))})
}
