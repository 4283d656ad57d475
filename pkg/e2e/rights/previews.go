package rights

import (
	"net/url"
	"testing"

	"headless/pkg/e2e/kit"
)

// hiddenTargets makes a model that relates to itself and to a hidden one, and a role that reads and
// writes the first only. Both entries of the hidden model and the one that holds them have drafts.
func hiddenTargets(t *testing.T, s *kit.Suite) (model, hidden string, ids map[string]string, limited *kit.Client) {
	t.Helper()
	k := s.Key(t, nil)
	hidden = s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "text", nil)}})
	model = s.Model(t, nil)
	s.Admin(t).Put(t, "/models/"+model, kit.Obj{"fields": kit.List{kit.Field("body", "text", nil),
		kit.Field("rel", "relation", kit.Obj{"model": hidden}),
		kit.Field("rels", "relation", kit.Obj{"model": hidden, "many": true}),
		kit.Field("next", "relation", kit.Obj{"model": model})}})
	ids = map[string]string{
		"public": k.Publish(t, hidden, "Public", nil),
		"draft":  k.Create(t, hidden, kit.Obj{"title": "CANARY never published"}).Str(t, "data.id"),
	}
	k.Put(t, "/"+hidden+"/"+ids["public"]+"/draft", kit.Obj{"title": "CANARY draft"})
	ids["holder"] = k.Publish(t, model, "Holder", kit.Obj{"rel": ids["public"],
		"rels": kit.List{ids["public"], ids["draft"]}})
	ids["own"] = k.Publish(t, model, "Own", kit.Obj{"next": ids["holder"]})
	k.Put(t, "/"+model+"/"+ids["holder"]+"/draft", kit.Obj{"title": "Holder draft"})
	_, limited = s.Role(t, kit.Obj{"models": kit.List{model}})
	return model, hidden, ids, limited
}

// targetRights relates to what one may not read, in every way that saves a target.
func targetRights(t *testing.T, s *kit.Suite) {
	model, _, ids, limited := hiddenTargets(t, s)
	at := "/models/" + model + "/entries"
	k := s.Key(t, nil)
	all := func(rel string) kit.Obj { return kit.Obj{"title": "x", "data": kit.Obj{"rel": rel}} }
	narrow := s.Key(t, kit.Obj{"models": kit.List{model}})
	for name, id := range map[string]string{"hidden": ids["public"], "missing": kit.UnknownID} {
		refused := func(call string) kit.Step {
			return kit.Step{Name: name + " " + call, Call: call, Body: all(id), Invalid: "data.rel"}
		}
		limited.Run(t, refused("POST "+at), refused("POST "+at+"?draft=true"), refused("PUT "+at+"/"+ids["own"]),
			refused("PUT "+at+"/"+ids["own"]+"/draft"))
		narrow.Run(t, refused("POST /"+model), refused("POST /"+model+"?draft=true"),
			refused("PUT /"+model+"/"+ids["own"]), refused("PUT /"+model+"/"+ids["own"]+"/draft"))
	}
	k.Step(t, kit.Step{Name: "others may refer to what does not exist yet",
		Call: "PUT /" + model + "/" + ids["own"] + "/draft", Body: all(kit.UnknownID)})
	k.Delete(t, "/"+model+"/"+ids["own"]+"/draft")
	limited.Run(t,
		kit.Step{Name: "what stands there", Call: "PUT " + at + "/" + ids["holder"], Body: kit.Obj{"title": "New",
			"data": kit.Obj{"rel": ids["public"], "rels": kit.List{ids["draft"], ids["public"]}}}},
		kit.Step{Name: "what stands there, in a draft", Call: "PUT " + at + "/" + ids["holder"] + "/draft",
			Body: kit.Obj{"data": kit.Obj{"rel": ids["public"]}}},
		kit.Step{Name: "at another place", Call: "PUT " + at + "/" + ids["holder"],
			Body: kit.Obj{"data": kit.Obj{"rel": ids["draft"]}}, Invalid: "data.rel"},
		kit.Step{Name: "a revision keeps it", Call: "POST " + at + "/" + ids["holder"] + "/revisions/1/restore"},
	)
	copied := limited.Post(t, at+"/"+ids["holder"]+"/duplicate", nil).Str(t, "data.id")
	s.AdminKey(t).Step(t, kit.Step{Name: "a duplicate keeps it", Call: "GET /" + model + "/" + copied,
		Want: kit.Obj{"data.data.rel": ids["public"]}})
	k.Put(t, "/"+model+"/"+ids["own"]+"/draft", all(ids["public"]))
	limited.Step(t, kit.Step{Name: "publish what another wrote", Call: "POST " + at + "/" + ids["own"] + "/publish"})
}

// previewRights reads a preview with nested includes: drafts are shown only of what its maker may
// read at that moment.
func previewRights(t *testing.T, s *kit.Suite) {
	model, hidden, ids, limited := hiddenTargets(t, s)
	k, admin, boss := s.Key(t, nil), s.Admin(t), s.AdminKey(t)
	at := "/models/" + model + "/entries/" + ids["own"] + "/preview"
	read := func(token string) string {
		return "GET /" + model + "/" + ids["own"] + "?include=next,next.rel,next.rels&preview=" + url.QueryEscape(token)
	}
	token := limited.Post(t, at, nil).Str(t, "data.token")
	masked := kit.Obj{"data.data.next.title": "Holder draft", "data.data.next.draft.version": 1,
		"data.data.next.draft.actor": nil, "data.data.next.data.rel.title": "Public",
		"data.data.next.data.rel.draft": nil, "data.data.next.data.rels.#": 1}
	k.Step(t, kit.Step{Name: "as published", Call: read(token), Want: masked})
	public := s.PublishableKey(t, nil)
	public.Step(t, kit.Step{Name: "by delivery", Call: "GET /" + model + "/" + ids["own"] +
		"?include=next,next.rel,next.rels&preview=" + url.QueryEscape(token), Status: 200, Want: masked})
	whole := admin.Post(t, at, nil).Str(t, "data.token")
	k.Step(t, kit.Step{Name: "by an admin", Call: read(whole), Want: kit.Obj{
		"data.data.next.data.rel.title": "CANARY draft", "data.data.next.data.rel.draft.actor": nil,
		"data.data.next.data.rels.#": 2}})
	boss.Step(t, kit.Step{Name: "a key with the role admin sees who", Call: read(whole),
		Want: kit.Obj{"data.data.next.draft.actor": kit.Present}})
	role := limited.Get(t, "/me").Str(t, "data.role")
	admin.Put(t, "/roles/"+role, kit.Obj{"rules": kit.List{kit.Obj{"models": kit.List{model, hidden}}}})
	k.Step(t, kit.Step{Name: "looked up at each read", Call: read(token),
		Want: kit.Obj{"data.data.next.data.rel.title": "CANARY draft"}})
	admin.Put(t, "/roles/"+role, kit.Obj{"rules": kit.List{kit.Obj{"models": kit.List{hidden}}}})
	k.Step(t, kit.Step{Name: "ends with the role", Call: read(token), Code: "FORBIDDEN"})
	k.Step(t, kit.Step{Name: "no actor in the meta of a draft", Call: "PUT /" + model + "/" + ids["own"] + "/draft",
		Body: kit.Obj{"title": "y"}, Want: kit.Obj{"meta.draft.version": 1, "meta.draft.actor": nil}})
}

// previewLinks lists and ends links that were made.
func previewLinks(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	k, admin := s.Key(t, nil), s.Admin(t)
	id := k.Create(t, model, kit.Obj{"title": "Hidden"}).Str(t, "data.id")
	_, user, editor := s.User(t, "editor")
	_, _, other := s.User(t, "editor")
	at, page := "GET /"+model+"/"+id+"?preview=", "/models/"+model+"/entries/"+id
	link := editor.Post(t, page+"/preview", kit.Obj{"expires_in": 600})
	token := url.QueryEscape(link.Str(t, "data.token"))
	k.OK(t, 200, at+token, nil)
	want := kit.Obj{"data.#": 1, "data.0.kind": "entry", "data.0.by.id": user, "data.0.by.name": kit.Present,
		"data.0.at": kit.Timestamp, "data.0.expires_at": link.Get("data.expires_at"), "data.0.token": nil}
	one := editor.Step(t, kit.Step{Name: "one's own", Call: "GET /previews", Want: want}).Str(t, "data.0.id")
	admin.Step(t, kit.Step{Name: "of a user", Call: "GET /previews?filter[by]=" + user, Want: want})
	other.Run(t,
		kit.Step{Name: "of an entry", Call: "GET " + page + "/previews", Want: want},
		kit.Step{Name: "not of others", Call: "GET /previews", Want: kit.Obj{"data.#": 0}},
		kit.Step{Name: "nor by a filter", Call: "GET /previews?filter[by]=" + user, Code: "FORBIDDEN"},
		kit.Step{Name: "end another's", Call: "DELETE /previews/" + one, Code: "NOT_FOUND"},
	)
	s.Listed(t, "/activity", kit.Obj{"event": "preview.created", "subject_id": id})
	editor.Delete(t, "/previews/"+one)
	editor.Step(t, kit.Step{Name: "end it twice", Call: "DELETE /previews/" + one, Code: "NOT_FOUND"})
	k.Step(t, kit.Step{Name: "ended", Call: at + token, Code: "FORBIDDEN"})
	again := url.QueryEscape(editor.Post(t, page+"/preview", nil).Str(t, "data.token"))
	k.OK(t, 200, at+again, nil)
	admin.Put(t, "/users/"+user, kit.Obj{"is_active": false})
	k.Step(t, kit.Step{Name: "ends with the account", Call: at + again, Code: "FORBIDDEN"})

	boss := s.AdminKey(t)
	made := url.QueryEscape(boss.Post(t, "/"+model+"/"+id+"/preview", nil).Str(t, "data.token"))
	k.OK(t, 200, at+made, nil)
	key := ""
	s.Walk(t, "/keys", func(v any) bool { key = kit.Str(kit.Dig(v, "id")); return kit.Dig(v, "name") == boss.Name })
	admin.Step(t, kit.Step{Name: "of a key", Call: "GET /previews?filter[by]=" + key, Want: kit.Obj{"data.#": 1}})
	admin.Put(t, "/keys/"+key, kit.Obj{"role": nil})
	k.Step(t, kit.Step{Name: "ends with the role of the key", Call: at + made, Code: "FORBIDDEN"})
}
