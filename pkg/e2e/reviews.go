package e2e

import (
	"strings"
	"testing"
)

// reviewScenarios are about reviews, comments and tasks (extensions §14).
var reviewScenarios = []scenario{
	{name: "review/colleagues", run: colleagues},
	{name: "review/review", run: reviews},
	{name: "review/left", run: approverLeft},
	{name: "review/several", run: severalReviews},
	{name: "review/required", run: approvalRequired},
	{name: "review/shared", run: approvalOfShared},
	{name: "review/comments", run: comments},
	{name: "review/tasks", run: waitingTasks},
	{name: "review/mails", run: taskMails},
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

// reviewed makes a model whose entries need approvals, with a number of them, a draft entry in it by
// a writer, and two editors.
type reviewed struct {
	model, id, at      string // at: path of the entry
	writer, anna, bert *client
	annaID, bertID     string
}

func (s *suite) reviewed(t *testing.T, approvals int) (w reviewed) {
	t.Helper()
	w.model = s.model(t, obj{"review": approvals})
	_, _, w.writer = s.named(t, "editor")
	_, w.annaID, w.anna = s.named(t, "editor")
	_, w.bertID, w.bert = s.named(t, "editor")
	w.id = w.writer.ok(t, 201, "POST /models/"+w.model+"/entries", obj{"title": unique("Entry"),
		"data": obj{"body": "one"}}).str(t, "data.id")
	w.at = "/models/" + w.model + "/entries/" + w.id
	return w
}

func reviews(t *testing.T, s *suite) {
	w := s.reviewed(t, 2)
	_, viewerID, viewer := s.named(t, "viewer")
	_, outsider := s.role(t, obj{"models": list{w.model}, "actions": list{"read"}})
	outsiderID := outsider.ok(t, 200, "GET /me", nil).str(t, "data.id")
	_, stranger := s.role(t)
	strangerID := stranger.ok(t, 200, "GET /me", nil).str(t, "data.id")
	writerID := w.writer.ok(t, 200, "GET /me", nil).str(t, "data.id")
	at := w.at + "/review"
	none := obj{"data.state": "none", "data.version": "1", "data.requested_by": nil, "data.requested_at": nil,
		"data.reviewers": list{}, "data.due": nil, "data.note": nil, "data.approvals": list{}}
	viewer.run(t,
		step{name: "none", call: "GET " + at, status: 200, want: none},
		step{name: "viewers ask for nothing", call: "POST " + at, body: obj{}, status: 403, code: "FORBIDDEN"},
	)
	outsider.run(t,
		step{name: "without write", call: "POST " + at, body: obj{}, status: 403, code: "FORBIDDEN"},
		step{name: "without approve", call: "POST " + at + "/approve", body: obj{"version": "1"}, status: 403, code: "FORBIDDEN"},
	)
	stranger.step(t, step{name: "unreadable", call: "GET " + at, status: 404, code: "NOT_FOUND"})
	w.anna.run(t,
		step{name: "nothing asked, approve", call: "POST " + at + "/approve", body: obj{"version": "1"}, status: 409, code: "CONFLICT"},
		step{name: "nothing asked, return", call: "POST " + at + "/return", body: obj{"version": "1", "note": "no"}, status: 409, code: "CONFLICT"},
		step{name: "nothing asked, withdraw", call: "DELETE " + at, status: 404, code: "NOT_FOUND"},
		step{name: "no entry", call: "GET /models/" + w.model + "/entries/" + nobody + "/review", status: 404, code: "NOT_FOUND"},
	)
	w.writer.run(t,
		step{name: "bad input", call: "POST " + at, body: obj{"reviewers": list{nobody, w.annaID, strangerID}, "due": "soon",
			"color": 1}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"reviewers.0", "reviewers.2", "due", "color"}},
		step{name: "ask", call: "POST " + at, body: obj{"reviewers": list{w.annaID, outsiderID, viewerID}, "due": "2030-01-31",
			"note": "Please"}, status: 201, want: obj{"data.state": "requested", "data.version": "1",
			"data.requested_by.id": writerID, "data.requested_at": timestamp, "data.reviewers.0.id": w.annaID,
			"data.reviewers.#": 3, "data.due": "2030-01-31", "data.note": "Please", "data.approvals": list{}}},
		step{name: "one's own", call: "POST " + at + "/approve", body: obj{"version": "1"}, status: 403, code: "FORBIDDEN"},
		step{name: "not changed", call: "GET " + w.at, status: 200, want: obj{"data.version": 1}},
	)
	w.anna.run(t,
		step{name: "no version", call: "POST " + at + "/approve", body: obj{}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"version"}},
		step{name: "another version", call: "POST " + at + "/approve", body: obj{"version": "2"}, status: 412,
			code: "PRECONDITION_FAILED"},
		step{name: "no note", call: "POST " + at + "/return", body: obj{"version": "1"}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"note"}},
		step{name: "approve", call: "POST " + at + "/approve", body: obj{"version": "1"}, status: 200,
			want: obj{"data.state": "requested", "data.approvals.0.user.id": w.annaID, "data.approvals.0.at": timestamp}},
		step{name: "once more", call: "POST " + at + "/approve", body: obj{"version": "1"}, status: 200,
			want: obj{"data.state": "requested", "data.approvals.#": 1}},
	)
	w.writer.step(t, step{name: "another request keeps approvals", call: "POST " + at, body: obj{"reviewers": list{w.bertID}},
		status: 201, want: obj{"data.approvals.#": 1, "data.reviewers.#": 1, "data.due": nil, "data.note": nil}})
	w.bert.step(t, step{name: "the second", call: "POST " + at + "/approve", body: obj{"version": "1"}, status: 200,
		want: obj{"data.state": "approved", "data.approvals.#": 2}})
	inReview := func(state string, n int) {
		t.Helper()
		viewer.step(t, step{call: "GET /models/" + w.model + "/entries?filter[review]=" + state, status: 200,
			want: obj{"data.#": n, "meta.total": n}})
	}
	inReview("approved", 1)
	inReview("requested", 0)
	viewer.step(t, step{call: "GET /models/" + w.model + "/entries?filter[review]=x", status: 400, code: "BAD_REQUEST"})
	w.writer.ok(t, 200, "POST "+w.at+"/unpublish", nil)
	w.writer.step(t, step{name: "a save without content", call: "GET " + at, status: 200,
		want: obj{"data.state": "approved", "data.version": "2", "data.approvals.#": 2}})
	draft := w.writer.ok(t, 200, "PUT "+w.at+"/draft", obj{"data": obj{"body": "two"}})
	if draft.get("meta.draft.version") != 1.0 {
		t.Errorf("%s", draft.Raw)
	}
	w.bert.run(t,
		step{name: "a draft ends approvals", call: "GET " + at, status: 200, want: obj{"data.state": "requested",
			"data.version": "d1", "data.approvals.#": 0, "data.reviewers.0.id": w.bertID}},
		step{name: "the entry's version", call: "POST " + at + "/approve", body: obj{"version": "2"}, status: 412,
			code: "PRECONDITION_FAILED"},
		step{name: "return", call: "POST " + at + "/return", body: obj{"version": "d1", "note": "Too long"}, status: 200,
			want: obj{"data.state": "returned", "data.note": "Too long"}},
		step{name: "returned, approve", call: "POST " + at + "/approve", body: obj{"version": "d1"}, status: 409, code: "CONFLICT"},
	)
	inReview("returned", 1)
	w.writer.ok(t, 201, "POST "+at, obj{})
	w.bert.ok(t, 200, "PUT "+w.at+"/draft", obj{"data": obj{"body": "three"}})
	w.writer.ok(t, 200, "PUT "+w.at+"/draft", obj{"data": obj{"body": "four"}})
	w.bert.step(t, step{name: "who saved an earlier revision", call: "POST " + at + "/approve", body: obj{"version": "d3"},
		status: 403, code: "FORBIDDEN"})
	w.anna.ok(t, 200, "POST "+at+"/approve", obj{"version": "d3"})
	w.writer.ok(t, 200, "PUT "+w.at, obj{"data": obj{"body": "beside"}})
	w.anna.run(t,
		step{name: "a save beside the draft", call: "GET " + at, status: 200, want: obj{"data.state": "requested",
			"data.version": "d3", "data.approvals.#": 0}},
		step{name: "outdated", call: "POST " + at + "/approve", body: obj{"version": "d3"}, status: 412, code: "PRECONDITION_FAILED"},
		step{name: "withdraw", call: "DELETE " + at, status: 204},
		step{name: "withdrawn", call: "GET " + at, status: 200, want: obj{"data.state": "none", "data.version": "d3"}},
	)
	w.writer.ok(t, 204, "DELETE "+w.at+"/draft", nil)
	w.writer.ok(t, 201, "POST "+at, nil)
	for _, end := range []struct{ call, back string }{
		{"DELETE " + w.at, "POST /trash/" + w.id + "/restore"}, {"PUT " + w.at, ""},
	} {
		w.writer.ok(t, 201, "POST "+at, obj{})
		var body any
		if end.back == "" {
			body = obj{"status": "archived"}
		}
		if a := w.writer.do(t, end.call, body); a.Status >= 300 {
			t.Fatalf("%s", a.Raw)
		}
		if end.back != "" {
			w.writer.ok(t, 200, end.back, nil)
		}
		w.writer.step(t, step{name: end.call, call: "GET " + at, status: 200, want: obj{"data.state": "none"}})
	}
	for _, event := range []string{"entry.review_requested", "entry.approved", "entry.returned"} {
		if !s.walk(t, "/activity", func(v any) bool { return dig(v, "event") == event && dig(v, "subject_id") == w.id }) {
			t.Errorf("no record of %s", event)
		}
	}
}

// approverLeft has approvals whose givers were deactivated, deleted, or lost the right: lists, reviews and
// publications stop counting them together.
func approverLeft(t *testing.T, s *suite) {
	admin, w := s.admin(t), s.reviewed(t, 1)
	slug := unique("role")
	role := func(actions ...any) obj {
		return obj{"slug": slug, "name": "Approver", "rules": list{obj{"actions": append(list{"read"}, actions...)}}}
	}
	admin.ok(t, 201, "POST /roles", role("approve"))
	_, carlID, carl := s.named(t, slug)
	for name, way := range map[string]struct {
		by          *client
		leave, back func()
	}{
		"deactivated": {w.anna, func() { admin.ok(t, 200, "PUT /users/"+w.annaID, obj{"is_active": false}) },
			func() { admin.ok(t, 200, "PUT /users/"+w.annaID, obj{"is_active": true}) }},
		"without the right": {carl, func() { admin.ok(t, 200, "PUT /roles/"+slug, role()) },
			func() { admin.ok(t, 200, "PUT /roles/"+slug, role("approve")) }},
	} {
		w.writer.ok(t, 201, "POST "+w.at+"/review", obj{})
		way.by.ok(t, 200, "POST "+w.at+"/review/approve", obj{"version": "1"})
		is := func(state, not string) {
			t.Helper()
			w.bert.run(t,
				step{name: name, call: "GET " + w.at + "/review", status: 200,
					want: obj{"data.state": state, "data.approvals.#": 1}},
				step{name: name, call: "GET /models/" + w.model + "/entries?filter[review]=" + state, status: 200,
					want: obj{"meta.total": 1}},
				step{name: name, call: "GET /models/" + w.model + "/entries?filter[review]=" + not, status: 200,
					want: obj{"meta.total": 0}})
		}
		is("approved", "requested")
		way.leave()
		is("requested", "approved")
		w.writer.step(t, step{name: name, call: "POST " + w.at + "/publish", status: 409, code: "APPROVAL_REQUIRED",
			want: obj{"error.details.review": list{"requested", "1 of 1 approvals is missing"}}})
		way.back()
		is("approved", "requested")
		w.writer.ok(t, 204, "DELETE "+w.at+"/review", nil)
	}
	w.writer.ok(t, 201, "POST "+w.at+"/review", obj{})
	carl.ok(t, 200, "POST "+w.at+"/review/approve", obj{"version": "1"})
	admin.ok(t, 204, "DELETE /users/"+carlID, nil)
	w.bert.step(t, step{name: "deleted", call: "GET /models/" + w.model + "/entries?filter[review]=requested",
		status: 200,
		want:   obj{"meta.total": 1}})
}

// severalReviews asks, approves and sends back for several entries: each is checked as by its own route.
func severalReviews(t *testing.T, s *suite) {
	w := s.reviewed(t, 1)
	entries := "/models/" + w.model + "/entries"
	annas := w.anna.ok(t, 201, "POST "+entries, obj{"title": unique("Anna's")}).str(t, "data.id")
	third := w.writer.ok(t, 201, "POST "+entries, obj{"title": unique("Third")}).str(t, "data.id")
	ids := list{w.id, annas, third}
	body := func(action string, more obj) obj {
		b := obj{"action": action, "model": w.model, "ids": ids}
		for k, v := range more {
			b[k] = v
		}
		return b
	}
	refused := func(name string, body obj, details ...string) step {
		return step{name: name, call: "POST /reviews", body: body, status: 422, code: "VALIDATION_FAILED",
			details: details}
	}
	none := make(list, 101)
	for i := range none {
		none[i] = nobody
	}
	w.writer.run(t,
		refused("an unknown action", obj{"action": "publish", "model": w.model, "ids": ids, "color": 1},
			"action", "color"),
		refused("no ids", obj{"action": "ask", "model": w.model, "ids": list{}}, "ids"),
		refused("too many", obj{"action": "ask", "model": w.model, "ids": none}, "ids"),
		refused("sent back without a note", body("return", nil), "note"),
		refused("a wrong date", body("ask", obj{"due": "soon"}), "due"),
		step{name: "an unknown model", call: "POST /reviews",
			body:   obj{"action": "ask", "model": "no-model", "ids": ids},
			status: 404, code: "NOT_FOUND"},
		step{name: "nobody asked", call: "POST /reviews", status: 200,
			body: body("approve", obj{"versions": obj{w.id: "1"}}),
			want: obj{"data.done": 0, "data.failed.#": 3, "data.failed.0.code": "CONFLICT",
				"data.failed.1.code": "VALIDATION_FAILED"}},
		step{name: "ask", call: "POST /reviews",
			body:   body("ask", obj{"reviewers": list{w.annaID}, "due": "2030-01-31", "note": "Please"}),
			status: 200, want: obj{"data.done": 3, "data.failed": list{}}},
		step{name: "one", call: "GET " + entries + "/" + third + "/review", status: 200,
			want: obj{"data.state": "requested",
				"data.reviewers.0.id": w.annaID, "data.due": "2030-01-31", "data.note": "Please"}},
	)
	w.writer.ok(t, 200, "PUT "+entries+"/"+third, obj{"title": unique("Changed")})
	versions := obj{"versions": obj{w.id: "1", annas: "1", third: "1"}}
	w.anna.step(t, step{name: "approve", call: "POST /reviews", body: body("approve", versions), status: 200,
		want: obj{"data.done": 1, "data.failed.#": 2, "data.failed.0.id": annas, "data.failed.0.code": "FORBIDDEN",
			"data.failed.1.id": third, "data.failed.1.code": "PRECONDITION_FAILED", "data.failed.1.message": present}})
	w.anna.step(t, step{call: "GET " + entries + "?filter[review]=approved", status: 200,
		want: obj{"meta.total": 1, "data.0.id": w.id}})
	_, reader := s.role(t, obj{"models": list{w.model}, "actions": list{"read"}})
	for _, action := range []string{"ask", "approve"} {
		reader.step(t, step{name: "without the right to " + action, call: "POST /reviews", status: 200,
			body: body(action, versions),
			want: obj{"data.done": 0, "data.failed.0.code": "FORBIDDEN", "data.failed.2.code": "FORBIDDEN"}})
	}
	w.bert.step(t, step{name: "send back", call: "POST /reviews", body: body("return", obj{"note": "Too long",
		"versions": obj{w.id: "1", annas: "1", third: "2"}}), status: 200, want: obj{"data.done": 3}})
	w.bert.step(t, step{call: "GET " + entries + "?filter[review]=returned", status: 200, want: obj{"meta.total": 3}})
	_, _, viewer := s.named(t, "viewer")
	viewer.step(t, step{name: "viewers", call: "POST /reviews", body: body("ask", nil), status: 403, code: "FORBIDDEN"})
}

// approvalRequired tries every way to the public as somebody whose publications need approvals.
func approvalRequired(t *testing.T, s *suite) {
	w := s.reviewed(t, 1)
	k, admin := s.key(t, nil), s.admin(t)
	list1, at := "/models/"+w.model+"/entries", w.at
	missing := obj{"error.details.review": list{"none", "1 of 1 approvals is missing"}}
	refused := func(name, call string, body any) step {
		return step{name: name, call: call, body: body, status: 409, code: "APPROVAL_REQUIRED"}
	}
	create := refused("create", "POST "+list1, obj{"title": "New", "status": "published"})
	create.want = missing
	public := k.create(t, w.model, obj{"title": "Public", "status": "published", "data": obj{"body": "one"}}).str(t, "data.id")
	k.ok(t, 200, "PUT /"+w.model+"/"+public, obj{"data": obj{"body": "two"}})
	w.writer.run(t, create,
		refused("publish", "POST "+at+"/publish", nil),
		refused("status", "PUT "+at, obj{"status": "published"}),
		refused("content of what is public", "PUT "+list1+"/"+public, obj{"title": "Other"}),
		refused("restore a revision", "POST "+list1+"/"+public+"/revisions/1/restore", nil),
		step{name: "nothing changes", call: "PUT " + list1 + "/" + public, body: obj{"title": "Public"}, status: 200},
		step{name: "unpublish", call: "POST " + list1 + "/" + public + "/unpublish", status: 200},
		refused("publish again", "POST "+list1+"/"+public+"/publish", nil),
	)
	k.ok(t, 200, "POST /"+w.model+"/"+public+"/publish", nil)
	w.writer.ok(t, 204, "DELETE "+list1+"/"+public, nil)
	w.writer.ok(t, 200, "POST /trash/"+public+"/restore", nil)
	k.step(t, step{name: "back from the trash", call: "GET /" + w.model + "/" + public, status: 200})

	token := w.writer.ok(t, 201, "POST /tokens", obj{"name": "T"}).str(t, "data.token")
	s.adminWith(token).run(t, refused("access token", "POST "+at+"/publish", nil))

	job := w.writer.ok(t, 202, "POST /jobs", obj{"action": "publish", "model": w.model, "ids": list{w.id}}).str(t, "data.id")
	s.eventually(t, "the end of the job", func() bool {
		return w.writer.ok(t, 200, "GET /jobs/"+job, nil).get("data.status") == "done"
	})
	w.writer.step(t, step{name: "job", call: "GET /jobs/" + job, status: 200, want: obj{"data.failed.0.code": "APPROVAL_REQUIRED"}})

	rows := w.writer.ok(t, 202, "POST "+list1+".csv",
		form(t, "a.csv", []byte("id,title\n"+w.id+",By CSV\n"), map[string]string{"mode": "publish"}))
	s.jobEnd(t, rows.str(t, "data.id")).has(t, "CSV", obj{"data.failed.0.code": "APPROVAL_REQUIRED"})

	release := "/releases/" + w.writer.ok(t, 201, "POST /releases", obj{"name": "R", "items": list{item(w.model, w.id, "publish")}}).str(t, "data.id")
	w.writer.step(t, step{name: "check", call: "POST " + release + "/check", status: 200,
		want: obj{"data.0.code": "APPROVAL_REQUIRED", "data.0.details.review": missing["error.details.review"]}})
	w.writer.ok(t, 202, "POST "+release+"/publish", nil)
	if a := s.ended(t, release); a.get("data.problems.0.code") != "APPROVAL_REQUIRED" {
		t.Errorf("release: %s", a.Raw)
	}
	w.writer.ok(t, 200, "PUT "+at+"/schedule", obj{"publish_at": fromNow(s.soon())})
	s.fired(t, "the plan fails", func() bool {
		return w.writer.do(t, "GET "+at+"/schedule", nil).get("data.error.code") == "APPROVAL_REQUIRED"
	})

	agent := s.key(t, obj{"scopes": list{"read", "write", "publish"}, "role": "admin"})
	if text, ok := s.tool(t, identity(agent), "publish", obj{"model": w.model, "id": w.id}); ok ||
		!strings.Contains(text, "APPROVAL_REQUIRED") {
		t.Errorf("/mcp: %s", text)
	}
	asked := s.key(t, obj{"review": true})
	asked.run(t, refused("a key that is asked", "POST /"+w.model+"/"+w.id+"/publish", nil))
	k.step(t, step{name: "nothing is public", call: "GET /" + w.model + "/" + w.id, status: 404, code: "ENTRY_NOT_FOUND"})

	w.writer.ok(t, 201, "POST "+at+"/review", obj{})
	w.writer.step(t, step{call: "POST " + at + "/publish", status: 409, code: "APPROVAL_REQUIRED",
		want: obj{"error.details.review": list{"requested", "1 of 1 approvals is missing"}}})
	version := w.anna.ok(t, 200, "GET "+at+"/review", nil).str(t, "data.version")
	w.anna.ok(t, 200, "POST "+at+"/review/approve", obj{"version": version})
	admin.ok(t, 200, "PUT /users/"+w.annaID, obj{"is_active": false})
	w.writer.run(t,
		step{name: "the approver left", call: "GET " + at + "/review", status: 200, want: obj{"data.state": "requested"}},
		refused("an approval of who left", "POST "+at+"/publish", nil))
	w.bert.ok(t, 200, "POST "+at+"/review/approve", obj{"version": version})
	w.writer.run(t,
		refused("status and content", "PUT "+at, obj{"status": "published", "data": obj{"body": "slipped in"}}),
		step{name: "the approved version", call: "PUT " + at, body: obj{"status": "published"}, status: 200},
		step{name: "publishing ends the review", call: "GET " + at + "/review", status: 200, want: obj{"data.state": "none"}},
	)
	w.writer.ok(t, 200, "PUT "+at+"/draft", obj{"data": obj{"body": "draft"}})
	w.writer.ok(t, 201, "POST "+at+"/review", obj{})
	w.bert.ok(t, 200, "POST "+at+"/review/approve", obj{"version": "d1"})
	k.ok(t, 200, "PUT /"+w.model+"/"+w.id, obj{"title": "Beside"})
	w.writer.run(t,
		step{name: "outdated", call: "POST " + at + "/publish", status: 412, code: "PRECONDITION_FAILED"},
		refused("by force", "POST "+at+"/publish", obj{"force": true}))
	now := k.ok(t, 200, "GET /"+w.model+"/"+w.id, nil).get("data.version")
	w.writer.ok(t, 200, "PUT "+at+"/draft", obj{"data": obj{"body": "draft 2"}, "base_version": now})
	w.bert.ok(t, 200, "POST "+at+"/review/approve", obj{"version": "d2"})
	w.writer.step(t, step{name: "the approved draft", call: "POST " + at + "/publish", status: 200,
		want: obj{"data.data.body": "draft 2", "data.status": "published"}})
	admin.ok(t, 200, "PUT "+at, obj{"title": "By an admin"})
	if !s.walk(t, "/activity", func(v any) bool {
		return dig(v, "event") == "entry.published_unreviewed" && dig(v, "subject_id") == w.id
	}) {
		t.Error("no record of the publication without approval")
	}
}

// approvalOfShared changes a shared field: published translations that are not approved keep theirs.
func approvalOfShared(t *testing.T, s *suite) {
	k := s.key(t, nil)
	s.useLocale(t, "de", "Deutsch")
	model := s.model(t, obj{"localized": true, "review": 1, "fields": list{shared("price", "number")}})
	en := k.create(t, model, obj{"title": "One", "status": "published", "data": obj{"price": 1}}).str(t, "data.id")
	de := k.create(t, model, obj{"title": "Eins", "locale": "de", "translation_of": en}).str(t, "data.id")
	_, _, writer := s.named(t, "editor")
	writer.ok(t, 200, "PUT /models/"+model+"/entries/"+de, obj{"data": obj{"price": 2}})
	k.step(t, step{call: "GET /" + model + "/" + en, status: 200, want: obj{"data.data.price": 1, "data.version": 1}})
	if !s.walk(t, "/activity", func(v any) bool {
		return dig(v, "event") == "entry.share_kept" && dig(v, "subject_id") == en
	}) {
		t.Error("the published translation is not named")
	}
	s.admin(t).ok(t, 200, "PUT /models/"+model+"/entries/"+de, obj{"data": obj{"price": 3}})
	k.step(t, step{call: "GET /" + model + "/" + en, status: 200, want: obj{"data.data.price": 3}})
}
