package e2e

import (
	"strings"
	"testing"
)

// people: what the service holds about an address is found, by admins alone.
func people(t *testing.T, s *suite) {
	email, id, c := s.user(t, "editor")
	admin := s.admin(t)
	invited := unique("invited") + "@example.com"
	admin.ok(t, 201, "POST /invitations", obj{"email": invited, "role": "editor"})
	admin.run(t,
		step{name: "an account", call: "GET /people?email=" + email, status: 200, want: obj{"data.users.#": 1,
			"data.users.0.id": id, "data.submissions.#": 0, "data.comments.#": 0, "data.activity.0.event": present,
			"data.invitations.#": 0}},
		step{name: "an invitation", call: "GET /people?email=" + invited, status: 200,
			want: obj{"data.users.#": 0, "data.invitations.#": 1}},
		step{name: "no address", call: "GET /people?email=x", status: 422, code: "VALIDATION_FAILED",
			details: []string{"email"}},
	)
	c.step(t, step{call: "GET /people?email=" + email, status: 403, code: "FORBIDDEN"})
	erased(t, s, email, id, c)
}

// erased erases what the service holds about the address of an editor.
func erased(t *testing.T, s *suite, email, id string, c *client) {
	admin := s.admin(t)
	model := s.model(t, nil)
	at := "/models/" + model + "/entries/" + c.ok(t, 201, "POST /models/"+model+"/entries", obj{"title": "One"}).str(t, "data.id")
	c.ok(t, 201, "POST "+at+"/comments", obj{"text": "Look"})
	c.ok(t, 200, "PUT "+at+"/draft", obj{"title": "Two"})
	c.ok(t, 201, "POST "+at+"/preview", obj{}) // a later record of the entry than those of its saves
	called := unique("Vera")
	admin.ok(t, 200, "PUT /users/"+id, obj{"name": called})
	call := "/people?email=" + email
	admin.step(t, step{name: "with an account", call: "DELETE " + call, status: 409, code: "CONFLICT"})
	admin.ok(t, 204, "DELETE /users/"+id, nil)
	admin.run(t,
		step{name: "erase", call: "DELETE " + call, status: 204},
		step{name: "erased", call: "GET " + call, status: 200, want: obj{"data.comments": list{}, "data.activity": list{}}},
		step{name: "no author", call: "GET " + at + "/comments", status: 200,
			want: obj{"data.0.author": nil, "data.0.text": "Look"}},
		step{name: "draft", call: "GET " + at + "/draft", status: 200, want: obj{"data.title": "Two"}},
		step{name: "no address", call: "DELETE /people", status: 422, code: "VALIDATION_FAILED", details: []string{"email"}},
	)
	if log := admin.ok(t, 200, "GET /activity?filter[subject_id]="+id, nil); strings.Contains(string(log.Raw), called) {
		t.Errorf("the name is in the activity log: %s", log.Raw)
	}
	revisions := admin.ok(t, 200, "GET "+at+"/revisions", nil)
	name := revisions.str(t, "data.0.actor")
	if !strings.HasPrefix(name, "erased-") || len(name) != len("erased-")+8 || strings.Contains(string(revisions.Raw), email) {
		t.Errorf("revisions: %s", revisions.Raw)
	}
	admin.step(t, step{name: "the record", call: "GET /activity?filter[event]=person.erased&filter[subject]=" + name, status: 200,
		want: obj{"data.#": 1}})
}
