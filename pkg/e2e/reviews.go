package e2e

import "testing"

// reviewScenarios are about reviews, comments and tasks (extensions §14).
var reviewScenarios = []scenario{
	{name: "review/colleagues", run: colleagues},
}

// named makes a user of a role with a name that no other user has.
func (s *suite) named(t *testing.T, role string) (name, id string, c *client) {
	t.Helper()
	name, email := unique("Person"), unique("person")+"@example.com"
	id = s.admin(t).ok(t, 201, "POST /users", obj{"email": email, "name": name, "role": role,
		"password": password}).str(t, "data.id")
	return name, id, s.adminWith(s.login(t, email, password))
}

func colleagues(t *testing.T, s *suite) {
	admin, model, hidden := s.admin(t), s.model(t, nil), s.model(t, nil)
	editor, editorID, _ := s.named(t, "editor")
	viewer, viewerID, reader := s.named(t, "viewer")
	role := func(actions ...any) string {
		slug := unique("role")
		admin.ok(t, 201, "POST /roles", obj{"slug": slug, "name": slug,
			"rules": list{obj{"models": list{model}, "locales": list{s.defaultLocale(t)}, "actions": append(list{}, actions...)}}})
		return slug
	}
	all, _, writer := s.named(t, role())
	approver, approverID, _ := s.named(t, role("read", "approve"))
	find := func(query, name string, want any) step {
		return step{name: query + " " + name, call: "GET /colleagues?" + query + "&q=" + name, status: 200,
			want: obj{"data": want}}
	}
	person := func(id, name string) list { return list{obj{"id": id, "name": name}} }
	reader.run(t,
		find("model="+model, editor, person(editorID, editor)),
		find("model="+model+"&may=read", viewer, person(viewerID, viewer)),
		find("may=approve", viewer, list{}),
		find("model="+model+"&may=approve", editor, person(editorID, editor)),
		find("may=approve", all, list{}),
		find("model="+model+"&may=approve&locale="+s.defaultLocale(t), approver, person(approverID, approver)),
		find("model="+hidden+"&may=approve", approver, list{}),
		find("model="+hidden, approver, list{}),
		step{name: "another action", call: "GET /colleagues?may=write", status: 400, code: "BAD_REQUEST"},
		step{name: "an unknown locale", call: "GET /colleagues?locale=xx", status: 400, code: "BAD_REQUEST"},
		step{name: "an unknown model", call: "GET /colleagues?model=no-model", status: 404, code: "NOT_FOUND"},
	)
	writer.step(t, step{call: "GET /colleagues?model=" + hidden, status: 404, code: "NOT_FOUND"})
	s.anonymousAdmin().step(t, step{call: "GET /colleagues", status: 401, code: "UNAUTHORIZED"})
	admin.ok(t, 200, "PUT /users/"+editorID, obj{"is_active": false})
	reader.run(t, find("model="+model, editor, list{}))
	admin.run(t,
		step{name: "editor", call: "GET /roles/editor", status: 200, want: obj{"data.rules.1.actions": list{"approve"}}},
		step{name: "admin", call: "GET /roles/admin", status: 200,
			want: obj{"data.rules.1.actions": list{"approve", "skip_review"}}},
		step{name: "viewer", call: "GET /roles/viewer", status: 200, want: obj{"data.rules.#": 1}})
}
