package e2e

import "testing"

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
}
