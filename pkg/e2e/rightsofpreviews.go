package e2e

import (
	"net/url"
	"testing"
)

// hiddenTargets makes a model that relates to itself and to a hidden one, and a role that reads and
// writes the first only. Both entries of the hidden model and the one that holds them have drafts.
func (s *suite) hiddenTargets(t *testing.T) (model, hidden string, ids map[string]string, limited *client) {
	t.Helper()
	k := s.key(t, nil)
	hidden = s.model(t, obj{"fields": list{field("body", "text", nil)}})
	model = s.model(t, nil)
	s.admin(t).ok(t, 200, "PUT /models/"+model, obj{"fields": list{field("body", "text", nil),
		field("rel", "relation", obj{"model": hidden}), field("rels", "relation", obj{"model": hidden, "many": true}),
		field("next", "relation", obj{"model": model})}})
	ids = map[string]string{
		"public": k.publish(t, hidden, "Public", nil),
		"draft":  k.create(t, hidden, obj{"title": "CANARY never published"}).str(t, "data.id"),
	}
	k.ok(t, 200, "PUT /"+hidden+"/"+ids["public"]+"/draft", obj{"title": "CANARY draft"})
	ids["holder"] = k.publish(t, model, "Holder", obj{"rel": ids["public"],
		"rels": list{ids["public"], ids["draft"]}})
	ids["own"] = k.publish(t, model, "Own", obj{"next": ids["holder"]})
	k.ok(t, 200, "PUT /"+model+"/"+ids["holder"]+"/draft", obj{"title": "Holder draft"})
	_, limited = s.role(t, obj{"models": list{model}})
	return model, hidden, ids, limited
}

// targetRights relates to what one may not read, in every way that saves a target.
func targetRights(t *testing.T, s *suite) {
	model, _, ids, limited := s.hiddenTargets(t)
	at := "/models/" + model + "/entries"
	k := s.key(t, nil)
	all := func(rel string) obj { return obj{"title": "x", "data": obj{"rel": rel}} }
	narrow := s.key(t, obj{"models": list{model}})
	for name, id := range map[string]string{"hidden": ids["public"], "missing": noID} {
		refused := func(call string) step {
			return step{name: name + " " + call, call: call, body: all(id), status: 422,
				code: "VALIDATION_FAILED", details: []string{"data.rel"}}
		}
		limited.run(t, refused("POST "+at), refused("POST "+at+"?draft=true"), refused("PUT "+at+"/"+ids["own"]),
			refused("PUT "+at+"/"+ids["own"]+"/draft"))
		narrow.run(t, refused("POST /"+model), refused("POST /"+model+"?draft=true"),
			refused("PUT /"+model+"/"+ids["own"]), refused("PUT /"+model+"/"+ids["own"]+"/draft"))
	}
	k.step(t, step{name: "others may refer to what does not exist yet", call: "PUT /" + model + "/" + ids["own"] + "/draft",
		body: all(noID), status: 200})
	k.ok(t, 204, "DELETE /"+model+"/"+ids["own"]+"/draft", nil)
	limited.run(t,
		step{name: "what stands there", call: "PUT " + at + "/" + ids["holder"], body: obj{"title": "New",
			"data": obj{"rel": ids["public"], "rels": list{ids["draft"], ids["public"]}}}, status: 200},
		step{name: "what stands there, in a draft", call: "PUT " + at + "/" + ids["holder"] + "/draft",
			body: obj{"data": obj{"rel": ids["public"]}}, status: 200},
		step{name: "at another place", call: "PUT " + at + "/" + ids["holder"],
			body: obj{"data": obj{"rel": ids["draft"]}}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"data.rel"}},
		step{name: "a revision keeps it", call: "POST " + at + "/" + ids["holder"] + "/revisions/1/restore", status: 200},
	)
	copied := limited.ok(t, 201, "POST "+at+"/"+ids["holder"]+"/duplicate", nil).str(t, "data.id")
	s.adminKey(t).step(t, step{name: "a duplicate keeps it", call: "GET /" + model + "/" + copied, status: 200,
		want: obj{"data.data.rel": ids["public"]}})
	k.ok(t, 200, "PUT /"+model+"/"+ids["own"]+"/draft", all(ids["public"]))
	limited.step(t, step{name: "publish what another wrote", call: "POST " + at + "/" + ids["own"] + "/publish", status: 200})
}

// previewRights reads a preview with nested includes: drafts are shown only of what its maker may
// read at that moment.
func previewRights(t *testing.T, s *suite) {
	model, hidden, ids, limited := s.hiddenTargets(t)
	k, admin, boss := s.key(t, nil), s.admin(t), s.adminKey(t)
	at := "/models/" + model + "/entries/" + ids["own"] + "/preview"
	read := func(token string) string {
		return "GET /" + model + "/" + ids["own"] + "?include=next,next.rel,next.rels&preview=" + url.QueryEscape(token)
	}
	token := limited.ok(t, 201, "POST "+at, nil).str(t, "data.token")
	masked := obj{"data.data.next.title": "Holder draft", "data.data.next.draft.version": 1,
		"data.data.next.draft.actor": nil, "data.data.next.data.rel.title": "Public",
		"data.data.next.data.rel.draft": nil, "data.data.next.data.rels.#": 1}
	k.step(t, step{name: "as published", call: read(token), status: 200, want: masked})
	public := s.publishable(t, nil)
	public.step(t, step{name: "by delivery", call: "GET /" + model + "/" + ids["own"] +
		"?include=next,next.rel,next.rels&preview=" + url.QueryEscape(token), status: 200, want: masked})
	whole := admin.ok(t, 201, "POST "+at, nil).str(t, "data.token")
	k.step(t, step{name: "by an admin", call: read(whole), status: 200, want: obj{
		"data.data.next.data.rel.title": "CANARY draft", "data.data.next.data.rel.draft.actor": nil,
		"data.data.next.data.rels.#": 2}})
	boss.step(t, step{name: "a key with the role admin sees who", call: read(whole), status: 200,
		want: obj{"data.data.next.draft.actor": present}})
	role := limited.ok(t, 200, "GET /me", nil).str(t, "data.role")
	admin.ok(t, 200, "PUT /roles/"+role, obj{"rules": list{obj{"models": list{model, hidden}}}})
	k.step(t, step{name: "looked up at each read", call: read(token), status: 200,
		want: obj{"data.data.next.data.rel.title": "CANARY draft"}})
	admin.ok(t, 200, "PUT /roles/"+role, obj{"rules": list{obj{"models": list{hidden}}}})
	k.step(t, step{name: "ends with the role", call: read(token), status: 403, code: "FORBIDDEN"})
	k.step(t, step{name: "no actor in the meta of a draft", call: "PUT /" + model + "/" + ids["own"] + "/draft",
		body: obj{"title": "y"}, status: 200, want: obj{"meta.draft.version": 1, "meta.draft.actor": nil}})
}

// previewLinks lists and ends links that were made.
func previewLinks(t *testing.T, s *suite) {
	model := s.model(t, nil)
	k, admin := s.key(t, nil), s.admin(t)
	id := k.create(t, model, obj{"title": "Hidden"}).str(t, "data.id")
	_, user, editor := s.user(t, "editor")
	_, _, other := s.user(t, "editor")
	at, page := "GET /"+model+"/"+id+"?preview=", "/models/"+model+"/entries/"+id
	link := editor.ok(t, 201, "POST "+page+"/preview", obj{"expires_in": 600})
	token := url.QueryEscape(link.str(t, "data.token"))
	k.ok(t, 200, at+token, nil)
	want := obj{"data.#": 1, "data.0.kind": "entry", "data.0.by.id": user, "data.0.by.name": present,
		"data.0.at": timestamp, "data.0.expires_at": link.get("data.expires_at"), "data.0.token": nil}
	one := editor.step(t, step{name: "one's own", call: "GET /previews", status: 200, want: want}).str(t, "data.0.id")
	admin.step(t, step{name: "of a user", call: "GET /previews?filter[by]=" + user, status: 200, want: want})
	other.run(t,
		step{name: "of an entry", call: "GET " + page + "/previews", status: 200, want: want},
		step{name: "not of others", call: "GET /previews", status: 200, want: obj{"data.#": 0}},
		step{name: "nor by a filter", call: "GET /previews?filter[by]=" + user, status: 403, code: "FORBIDDEN"},
		step{name: "end another's", call: "DELETE /previews/" + one, status: 404, code: "NOT_FOUND"},
	)
	if !s.walk(t, "/activity", func(v any) bool {
		return dig(v, "event") == "preview.created" && dig(v, "subject_id") == id
	}) {
		t.Error("no activity record")
	}
	editor.ok(t, 204, "DELETE /previews/"+one, nil)
	editor.step(t, step{name: "end it twice", call: "DELETE /previews/" + one, status: 404, code: "NOT_FOUND"})
	k.step(t, step{name: "ended", call: at + token, status: 403, code: "FORBIDDEN"})
	again := url.QueryEscape(editor.ok(t, 201, "POST "+page+"/preview", nil).str(t, "data.token"))
	k.ok(t, 200, at+again, nil)
	admin.ok(t, 200, "PUT /users/"+user, obj{"is_active": false})
	k.step(t, step{name: "ends with the account", call: at + again, status: 403, code: "FORBIDDEN"})

	boss := s.adminKey(t)
	made := url.QueryEscape(boss.ok(t, 201, "POST /"+model+"/"+id+"/preview", nil).str(t, "data.token"))
	k.ok(t, 200, at+made, nil)
	key := ""
	s.walk(t, "/keys", func(v any) bool { key = str(dig(v, "id")); return dig(v, "name") == boss.name })
	admin.step(t, step{name: "of a key", call: "GET /previews?filter[by]=" + key, status: 200, want: obj{"data.#": 1}})
	admin.ok(t, 200, "PUT /keys/"+key, obj{"role": nil})
	k.step(t, step{name: "ends with the role of the key", call: at + made, status: 403, code: "FORBIDDEN"})
}
