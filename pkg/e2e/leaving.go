package e2e

import (
	"testing"
)

// leaving: what a user has under way is shown, stops with the account, and does not come back.
func leaving(t *testing.T, s *suite) {
	admin, model := s.admin(t), s.model(t, nil)
	entries := "/models/" + model + "/entries"
	for _, reassigned := range []bool{false, true} {
		_, id, c := s.user(t, "editor")
		_, taker, other := s.user(t, "editor")
		_, viewer, _ := s.user(t, "viewer")
		draft := func() string { return c.ok(t, 201, "POST "+entries, obj{"title": "Post"}).str(t, "data.id") }
		planned, released, asked := draft(), draft(), draft()
		at := fromNow(2 * s.soon()) // after all that the user begins before leaving
		c.ok(t, 200, "PUT "+entries+"/"+planned+"/schedule", obj{"publish_at": at})
		release := c.ok(t, 201, "POST /releases", obj{"name": "R", "publish_at": at,
			"items": list{obj{"model": model, "id": released, "action": "publish"}}}).str(t, "data.id")
		c.ok(t, 201, "POST "+entries+"/"+planned+"/preview", obj{})
		c.ok(t, 201, "POST "+entries+"/"+planned+"/comments", obj{"text": "Check this", "assignee": id})
		c.ok(t, 201, "POST "+entries+"/"+asked+"/review", obj{"reviewers": list{id}})
		admin.run(t,
			step{name: "open work", call: "GET /users/" + id + "/open", status: 200, want: obj{
				"data.plans.#": 1, "data.plans.0.id": planned, "data.releases.#": 1, "data.releases.0.id": release,
				"data.jobs.#": 0, "data.reviews.#": 1, "data.reviews.0.id": asked, "data.comments.#": 1,
				"data.comments.0.entry": planned, "data.tokens.#": 0,
				"data.grants.#": 0, "data.previews.#": 1, "data.sessions.#": 1}},
			step{name: "nobody's", call: "GET /users/none/open", status: 404, code: "NOT_FOUND"},
			step{name: "a viewer takes nothing", call: "PUT /users/" + id,
				body: obj{"is_active": false, "reassign": viewer}, status: 422, code: "VALIDATION_FAILED",
				details: []string{"reassign"}},
		)
		c.step(t, step{call: "GET /users/" + id + "/open", status: 403, code: "FORBIDDEN"})
		leave, want := obj{"is_active": false}, "FORBIDDEN"
		if reassigned {
			leave, want = obj{"is_active": false, "reassign": taker}, ""
		}
		admin.ok(t, 200, "PUT /users/"+id, leave)
		waiting := 0
		if reassigned {
			waiting = 1
		}
		other.step(t, step{name: "what waits for the other user", call: "GET /tasks", status: 200, want: obj{
			"meta.counts.assigned": waiting, "meta.counts.review": waiting}})
		c.step(t, step{call: "GET /me", status: 401, code: "UNAUTHORIZED"})
		admin.step(t, step{call: "GET /users/" + id + "/open", status: 200, want: obj{
			"data.previews.#": 0, "data.sessions.#": 0, "data.tokens.#": 0}})
		admin.ok(t, 200, "PUT /users/"+id, obj{"is_active": true})
		s.clone(s.soon()).fired(t, "the plan and the release of a user who left", func() bool {
			plan := admin.do(t, "GET "+entries+"/"+planned+"/schedule", nil)
			r := admin.ok(t, 200, "GET /releases/"+release, nil)
			if reassigned {
				return plan.Status == 404 && r.get("data.status") == "published"
			}
			return plan.get("data.error.code") == want && r.get("data.problems.0.code") == want
		})
	}
}
