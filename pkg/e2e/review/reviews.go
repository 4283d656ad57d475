package review

import (
	"strings"
	"sync"
	"testing"

	"headless/pkg/e2e/kit"
)

// Scenarios are those of reviews, comments and tasks (extensions §14).
var Scenarios = []kit.Scenario{
	{Name: "review/colleagues", Run: colleagues},
	{Name: "review/review", Run: reviews},
	{Name: "review/left", Run: approverLeft},
	{Name: "review/several", Run: severalReviews},
	{Name: "review/atonce", Run: approvalsAtOnce},
	{Name: "review/required", Run: approvalRequired},
	{Name: "review/shared", Run: approvalOfShared},
	{Name: "review/comments", Run: comments},
	{Name: "review/tasks", Run: waitingTasks},
	{Name: "review/mails", Run: taskMails},
}

// named makes a user of a role with a name that no other user has.
func named(t *testing.T, s *kit.Suite, role string) (name, id string, c *kit.Client) {
	t.Helper()
	name, email := kit.Unique("Person"), kit.Unique("person")+"@example.com"
	id = s.Admin(t).Post(t, "/users", kit.Obj{"email": email, "name": name, "role": role,
		"password": kit.Password}).Str(t, "data.id")
	return name, id, s.AdminByToken(s.Login(t, email, kit.Password))
}

func colleagues(t *testing.T, s *kit.Suite) {
	admin, model, hidden := s.Admin(t), s.Model(t, nil), s.Model(t, nil)
	editor, editorID, _ := named(t, s, "editor")
	viewer, viewerID, reader := named(t, s, "viewer")
	role := func(actions ...any) string {
		slug := kit.Unique("role")
		admin.Post(t, "/roles", kit.Obj{"slug": slug, "name": slug,
			"rules": kit.List{kit.Obj{"models": kit.List{model}, "locales": kit.List{s.DefaultLocale(t)},
				"actions": append(kit.List{}, actions...)}}})
		return slug
	}
	all, _, writer := named(t, s, role())
	approver, approverID, _ := named(t, s, role("read", "approve"))
	find := func(query, name string, want any) kit.Step {
		return kit.Step{Name: query + " " + name, Call: "GET /colleagues?" + query + "&q=" + name,
			Want: kit.Obj{"data": want}}
	}
	person := func(id, name string) kit.List { return kit.List{kit.Obj{"id": id, "name": name}} }
	reader.Run(t,
		find("model="+model, editor, person(editorID, editor)),
		find("model="+model+"&may=read", viewer, person(viewerID, viewer)),
		find("may=approve", viewer, kit.List{}),
		find("model="+model+"&may=approve", editor, person(editorID, editor)),
		find("may=approve", all, kit.List{}),
		find("model="+model+"&may=approve&locale="+s.DefaultLocale(t), approver, person(approverID, approver)),
		find("model="+hidden+"&may=approve", approver, kit.List{}),
		find("model="+hidden, approver, kit.List{}),
		kit.Step{Name: "another action", Call: "GET /colleagues?may=write", Code: "BAD_REQUEST"},
		kit.Step{Name: "an unknown locale", Call: "GET /colleagues?locale=xx", Code: "BAD_REQUEST"},
		kit.Step{Name: "an unknown model", Call: "GET /colleagues?model=no-model", Code: "NOT_FOUND"},
	)
	writer.Step(t, kit.Step{Call: "GET /colleagues?model=" + hidden, Code: "NOT_FOUND"})
	s.AnonymousAdmin().Step(t, kit.Step{Call: "GET /colleagues", Code: "UNAUTHORIZED"})
	admin.Put(t, "/users/"+editorID, kit.Obj{"is_active": false})
	reader.Run(t, find("model="+model, editor, kit.List{}))
	admin.Run(t,
		kit.Step{Name: "editor", Call: "GET /roles/editor", Want: kit.Obj{"data.rules.1.actions": kit.List{"approve"}}},
		kit.Step{Name: "admin", Call: "GET /roles/admin",
			Want: kit.Obj{"data.rules.1.actions": kit.List{"approve", "skip_review"}}},
		kit.Step{Name: "viewer", Call: "GET /roles/viewer", Want: kit.Obj{"data.rules.#": 1}})
}

// reviewed makes a model whose entries need approvals, with a number of them, a draft entry in it by
// a writer, and two editors.
type reviewed struct {
	model, id, at      string // at: path of the entry
	writer, anna, bert *kit.Client
	annaID, bertID     string
}

func newReviewed(t *testing.T, s *kit.Suite, approvals int) (w reviewed) {
	t.Helper()
	w.model = s.Model(t, kit.Obj{"review": approvals})
	_, _, w.writer = named(t, s, "editor")
	_, w.annaID, w.anna = named(t, s, "editor")
	_, w.bertID, w.bert = named(t, s, "editor")
	w.id = w.writer.Post(t, "/models/"+w.model+"/entries", kit.Obj{"title": kit.Unique("Entry"),
		"data": kit.Obj{"body": "one"}}).Str(t, "data.id")
	w.at = "/models/" + w.model + "/entries/" + w.id
	return w
}

func reviews(t *testing.T, s *kit.Suite) {
	w := newReviewed(t, s, 2)
	_, viewerID, viewer := named(t, s, "viewer")
	_, outsider := s.Role(t, kit.Obj{"models": kit.List{w.model}, "actions": kit.List{"read"}})
	outsiderID := outsider.Get(t, "/me").Str(t, "data.id")
	_, stranger := s.Role(t)
	strangerID := stranger.Get(t, "/me").Str(t, "data.id")
	writerID := w.writer.Get(t, "/me").Str(t, "data.id")
	at := w.at + "/review"
	none := kit.Obj{"data.state": "none", "data.version": "1", "data.requested_by": nil, "data.requested_at": nil,
		"data.reviewers": kit.List{}, "data.due": nil, "data.note": nil, "data.approvals": kit.List{}}
	viewer.Run(t,
		kit.Step{Name: "none", Call: "GET " + at, Want: none},
		kit.Step{Name: "viewers ask for nothing", Call: "POST " + at, Body: kit.Obj{}, Code: "FORBIDDEN"},
	)
	outsider.Run(t,
		kit.Step{Name: "without write", Call: "POST " + at, Body: kit.Obj{}, Code: "FORBIDDEN"},
		kit.Step{Name: "without approve", Call: "POST " + at + "/approve", Body: kit.Obj{"version": "1"},
			Code: "FORBIDDEN"},
	)
	stranger.Step(t, kit.Step{Name: "unreadable", Call: "GET " + at, Code: "NOT_FOUND"})
	w.anna.Run(t,
		kit.Step{Name: "nothing asked, approve", Call: "POST " + at + "/approve", Body: kit.Obj{"version": "1"},
			Code: "CONFLICT"},
		kit.Step{Name: "nothing asked, return", Call: "POST " + at + "/return", Body: kit.Obj{"version": "1", "note": "no"},
			Code: "CONFLICT"},
		kit.Step{Name: "nothing asked, withdraw", Call: "DELETE " + at, Code: "NOT_FOUND"},
		kit.Step{Name: "no entry", Call: "GET /models/" + w.model + "/entries/" + kit.UnknownID + "/review",
			Code: "NOT_FOUND"},
	)
	w.writer.Run(t,
		kit.Step{Name: "bad input", Call: "POST " + at,
			Body:    kit.Obj{"reviewers": kit.List{kit.UnknownID, w.annaID, strangerID}, "due": "soon", "color": 1},
			Invalid: "reviewers.0 reviewers.2 due color"},
		kit.Step{Name: "ask", Call: "POST " + at,
			Body:   kit.Obj{"reviewers": kit.List{w.annaID, outsiderID, viewerID}, "due": "2030-01-31", "note": "Please"},
			Status: 201, Want: kit.Obj{"data.state": "requested", "data.version": "1",
				"data.requested_by.id": writerID, "data.requested_at": kit.Timestamp, "data.reviewers.0.id": w.annaID,
				"data.reviewers.#": 3, "data.due": "2030-01-31", "data.note": "Please", "data.approvals": kit.List{}}},
		kit.Step{Name: "one's own", Call: "POST " + at + "/approve", Body: kit.Obj{"version": "1"}, Code: "FORBIDDEN"},
		kit.Step{Name: "not changed", Call: "GET " + w.at, Want: kit.Obj{"data.version": 1}},
	)
	w.anna.Run(t,
		kit.Step{Name: "no version", Call: "POST " + at + "/approve", Body: kit.Obj{}, Invalid: "version"},
		kit.Step{Name: "another version", Call: "POST " + at + "/approve", Body: kit.Obj{"version": "2"},
			Code: "PRECONDITION_FAILED"},
		kit.Step{Name: "no note", Call: "POST " + at + "/return", Body: kit.Obj{"version": "1"}, Invalid: "note"},
		kit.Step{Name: "nothing but space, of no version", Call: "POST " + at + "/return",
			Body: kit.Obj{"version": nil, "note": " \n"}, Invalid: "note version"},
		kit.Step{Name: "approve", Call: "POST " + at + "/approve", Body: kit.Obj{"version": "1"},
			Want: kit.Obj{"data.state": "requested", "data.approvals.0.user.id": w.annaID,
				"data.approvals.0.at": kit.Timestamp}},
		kit.Step{Name: "once more", Call: "POST " + at + "/approve", Body: kit.Obj{"version": "1"},
			Want: kit.Obj{"data.state": "requested", "data.approvals.#": 1}},
	)
	w.writer.Step(t, kit.Step{Name: "another request keeps approvals", Call: "POST " + at,
		Body: kit.Obj{"reviewers": kit.List{w.bertID}}, Status: 201,
		Want: kit.Obj{"data.approvals.#": 1, "data.reviewers.#": 1, "data.due": nil, "data.note": nil}})
	w.bert.Step(t, kit.Step{Name: "the second", Call: "POST " + at + "/approve", Body: kit.Obj{"version": "1"},
		Want: kit.Obj{"data.state": "approved", "data.approvals.#": 2}})
	inReview := func(state string, n int) {
		t.Helper()
		viewer.Step(t, kit.Step{Call: "GET /models/" + w.model + "/entries?filter[review]=" + state,
			Want: kit.Obj{"data.#": n, "meta.total": n}})
	}
	inReview("approved", 1)
	inReview("requested", 0)
	viewer.Step(t, kit.Step{Call: "GET /models/" + w.model + "/entries?filter[review]=x", Code: "BAD_REQUEST"})
	w.writer.OK(t, 200, "POST "+w.at+"/unpublish", nil)
	w.writer.Step(t, kit.Step{Name: "a save without content", Call: "GET " + at,
		Want: kit.Obj{"data.state": "approved", "data.version": "2", "data.approvals.#": 2}})
	draft := w.writer.Put(t, w.at+"/draft", kit.Obj{"data": kit.Obj{"body": "two"}})
	draft.Has(t, "the draft", kit.Obj{"meta.draft.version": 1})
	w.bert.Run(t,
		kit.Step{Name: "a draft ends approvals", Call: "GET " + at, Want: kit.Obj{"data.state": "requested",
			"data.version": "d1", "data.approvals.#": 0, "data.reviewers.0.id": w.bertID}},
		kit.Step{Name: "the entry's version", Call: "POST " + at + "/approve", Body: kit.Obj{"version": "2"},
			Code: "PRECONDITION_FAILED"},
		kit.Step{Name: "return", Call: "POST " + at + "/return", Body: kit.Obj{"version": "d1", "note": "Too long"},
			Want: kit.Obj{"data.state": "returned", "data.note": "Too long"}},
		kit.Step{Name: "returned, approve", Call: "POST " + at + "/approve", Body: kit.Obj{"version": "d1"},
			Code: "CONFLICT"},
	)
	inReview("returned", 1)
	w.writer.Post(t, at, kit.Obj{})
	w.bert.Put(t, w.at+"/draft", kit.Obj{"data": kit.Obj{"body": "three"}})
	w.writer.Put(t, w.at+"/draft", kit.Obj{"data": kit.Obj{"body": "four"}})
	w.bert.Step(t, kit.Step{Name: "who saved an earlier revision", Call: "POST " + at + "/approve",
		Body: kit.Obj{"version": "d3"}, Code: "FORBIDDEN"})
	w.anna.OK(t, 200, "POST "+at+"/approve", kit.Obj{"version": "d3"})
	w.writer.Put(t, w.at, kit.Obj{"data": kit.Obj{"body": "beside"}})
	w.anna.Run(t,
		kit.Step{Name: "a save beside the draft", Call: "GET " + at,
			Want: kit.Obj{"data.state": "requested", "data.version": "d3", "data.approvals.#": 0}},
		kit.Step{Name: "outdated", Call: "POST " + at + "/approve", Body: kit.Obj{"version": "d3"},
			Code: "PRECONDITION_FAILED"},
		kit.Step{Name: "withdraw", Call: "DELETE " + at, Status: 204},
		kit.Step{Name: "withdrawn", Call: "GET " + at, Want: kit.Obj{"data.state": "none", "data.version": "d3"}},
	)
	w.writer.Delete(t, w.at+"/draft")
	w.writer.Post(t, at, nil)
	for _, end := range []struct {
		call, back string
		status     int
	}{{"DELETE " + w.at, "POST /trash/" + w.id + "/restore", 204}, {"PUT " + w.at, "", 200}} {
		w.writer.Post(t, at, kit.Obj{})
		var body any
		if end.back == "" {
			body = kit.Obj{"status": "archived"}
		}
		w.writer.Step(t, kit.Step{Call: end.call, Body: body, Status: end.status})
		if end.back != "" {
			w.writer.OK(t, 200, end.back, nil)
		}
		w.writer.Step(t, kit.Step{Name: end.call, Call: "GET " + at, Want: kit.Obj{"data.state": "none"}})
	}
	for _, event := range []string{"entry.review_requested", "entry.approved", "entry.returned"} {
		s.Listed(t, "/activity", kit.Obj{"event": event, "subject_id": w.id})
	}
}

// approverLeft has approvals whose givers were deactivated, deleted, or lost the right: lists, reviews and
// publications stop counting them together.
func approverLeft(t *testing.T, s *kit.Suite) {
	admin, w := s.Admin(t), newReviewed(t, s, 1)
	slug := kit.Unique("role")
	role := func(actions ...any) kit.Obj {
		return kit.Obj{"slug": slug, "name": "Approver",
			"rules": kit.List{kit.Obj{"actions": append(kit.List{"read"}, actions...)}}}
	}
	admin.Post(t, "/roles", role("approve"))
	_, carlID, carl := named(t, s, slug)
	for name, way := range map[string]struct {
		by          *kit.Client
		leave, back func()
	}{
		"deactivated": {w.anna, func() { admin.Put(t, "/users/"+w.annaID, kit.Obj{"is_active": false}) },
			func() { admin.Put(t, "/users/"+w.annaID, kit.Obj{"is_active": true}) }},
		"without the right": {carl, func() { admin.Put(t, "/roles/"+slug, role()) },
			func() { admin.Put(t, "/roles/"+slug, role("approve")) }},
	} {
		w.writer.Post(t, w.at+"/review", kit.Obj{})
		way.by.OK(t, 200, "POST "+w.at+"/review/approve", kit.Obj{"version": "1"})
		is := func(state, not string) {
			t.Helper()
			w.bert.Run(t,
				kit.Step{Name: name, Call: "GET " + w.at + "/review", Want: kit.Obj{"data.state": state, "data.approvals.#": 1}},
				kit.Step{Name: name, Call: "GET /models/" + w.model + "/entries?filter[review]=" + state,
					Want: kit.Obj{"meta.total": 1}},
				kit.Step{Name: name, Call: "GET /models/" + w.model + "/entries?filter[review]=" + not,
					Want: kit.Obj{"meta.total": 0}})
		}
		is("approved", "requested")
		way.leave()
		is("requested", "approved")
		w.writer.Step(t, kit.Step{Name: name, Call: "POST " + w.at + "/publish", Code: "APPROVAL_REQUIRED",
			Want: kit.Obj{"error.details.review": kit.List{"requested", "1 of 1 approvals is missing"}}})
		way.back()
		is("approved", "requested")
		w.writer.Delete(t, w.at+"/review")
	}
	w.writer.Post(t, w.at+"/review", kit.Obj{})
	carl.OK(t, 200, "POST "+w.at+"/review/approve", kit.Obj{"version": "1"})
	admin.Delete(t, "/users/"+carlID)
	w.bert.Step(t, kit.Step{Name: "deleted", Call: "GET /models/" + w.model + "/entries?filter[review]=requested",
		Want: kit.Obj{"meta.total": 1}})
}

// severalReviews asks, approves and sends back for several entries: each is checked as by its own route.
func severalReviews(t *testing.T, s *kit.Suite) {
	w := newReviewed(t, s, 1)
	entries := "/models/" + w.model + "/entries"
	annas := w.anna.Post(t, entries, kit.Obj{"title": kit.Unique("Anna's")}).Str(t, "data.id")
	third := w.writer.Post(t, entries, kit.Obj{"title": kit.Unique("Third")}).Str(t, "data.id")
	ids := kit.List{w.id, annas, third}
	body := func(action string, more kit.Obj) kit.Obj {
		return kit.Merge(kit.Obj{"action": action, "model": w.model, "ids": ids}, more)
	}
	refused := func(name string, body kit.Obj, invalid string) kit.Step {
		return kit.Step{Name: name, Call: "POST /reviews", Body: body, Invalid: invalid}
	}
	none := make(kit.List, 101)
	for i := range none {
		none[i] = kit.UnknownID
	}
	w.writer.Run(t,
		refused("an unknown action", kit.Obj{"action": "publish", "model": w.model, "ids": ids, "color": 1},
			"action color"),
		refused("no ids", kit.Obj{"action": "ask", "model": w.model, "ids": kit.List{}}, "ids"),
		refused("too many", kit.Obj{"action": "ask", "model": w.model, "ids": none}, "ids"),
		refused("sent back without a note", body("return", nil), "note"),
		refused("a wrong date", body("ask", kit.Obj{"due": "soon"}), "due"),
		kit.Step{Name: "an unknown model", Call: "POST /reviews",
			Body: kit.Obj{"action": "ask", "model": "no-model", "ids": ids}, Code: "NOT_FOUND"},
		kit.Step{Name: "nobody asked", Call: "POST /reviews",
			Body: body("approve", kit.Obj{"versions": kit.Obj{w.id: "1"}}),
			Want: kit.Obj{"data.done": 0, "data.failed.#": 3, "data.failed.0.code": "CONFLICT",
				"data.failed.1.code": "VALIDATION_FAILED"}},
		kit.Step{Name: "ask", Call: "POST /reviews",
			Body: body("ask", kit.Obj{"reviewers": kit.List{w.annaID}, "due": "2030-01-31", "note": "Please"}),
			Want: kit.Obj{"data.done": 3, "data.failed": kit.List{}}},
		kit.Step{Name: "one", Call: "GET " + entries + "/" + third + "/review", Want: kit.Obj{"data.state": "requested",
			"data.reviewers.0.id": w.annaID, "data.due": "2030-01-31", "data.note": "Please"}},
	)
	w.writer.Put(t, entries+"/"+third, kit.Obj{"title": kit.Unique("Changed")})
	versions := kit.Obj{"versions": kit.Obj{w.id: "1", annas: "1", third: "1"}}
	w.anna.Step(t, kit.Step{Name: "approve", Call: "POST /reviews", Body: body("approve", versions),
		Want: kit.Obj{"data.done": 1, "data.failed.#": 2, "data.failed.0.id": annas, "data.failed.0.code": "FORBIDDEN",
			"data.failed.1.id": third, "data.failed.1.code": "PRECONDITION_FAILED",
			"data.failed.1.message": kit.Present}})
	w.anna.Step(t, kit.Step{Call: "GET " + entries + "?filter[review]=approved",
		Want: kit.Obj{"meta.total": 1, "data.0.id": w.id}})
	_, reader := s.Role(t, kit.Obj{"models": kit.List{w.model}, "actions": kit.List{"read"}})
	for _, action := range []string{"ask", "approve"} {
		reader.Step(t, kit.Step{Name: "without the right to " + action, Call: "POST /reviews", Body: body(action, versions),
			Want: kit.Obj{"data.done": 0, "data.failed.0.code": "FORBIDDEN", "data.failed.2.code": "FORBIDDEN"}})
	}
	w.bert.Step(t, kit.Step{Name: "send back", Call: "POST /reviews", Body: body("return", kit.Obj{"note": "Too long",
		"versions": kit.Obj{w.id: "1", annas: "1", third: "2"}}), Status: 200, Want: kit.Obj{"data.done": 3}})
	w.bert.Step(t, kit.Step{Call: "GET " + entries + "?filter[review]=returned", Want: kit.Obj{"meta.total": 3}})
	_, _, viewer := named(t, s, "viewer")
	viewer.Step(t, kit.Step{Name: "viewers", Call: "POST /reviews", Body: body("ask", nil), Code: "FORBIDDEN"})
}

// approvalsAtOnce: approvals that two give at the same moment both count, and each is recorded once.
func approvalsAtOnce(t *testing.T, s *kit.Suite) {
	w := newReviewed(t, s, 2)
	w.writer.Post(t, w.at+"/review", kit.Obj{})
	var both sync.WaitGroup
	for _, c := range []*kit.Client{w.anna, w.bert} {
		both.Go(func() {
			if a := c.Do(t, "POST "+w.at+"/review/approve", kit.Obj{"version": "1"}); a.Status != 200 {
				t.Errorf("%d %s", a.Status, a.Raw)
			}
		})
	}
	both.Wait()
	w.writer.Step(t, kit.Step{Name: "both", Call: "GET " + w.at + "/review",
		Want: kit.Obj{"data.state": "approved", "data.approvals.#": 2}})
	s.Admin(t).Step(t, kit.Step{Name: "recorded", Call: "GET /activity?filter[event]=entry.approved&filter[subject_id]=" +
		w.id, Want: kit.Obj{"meta.total": 2}})
	w.writer.Step(t, kit.Step{Name: "publish", Call: "POST " + w.at + "/publish", Body: kit.Obj{}, Status: 200})
}

// approvalRequired tries every way to the public as somebody whose publications need approvals.
func approvalRequired(t *testing.T, s *kit.Suite) {
	w := newReviewed(t, s, 1)
	k, admin := s.Key(t, nil), s.Admin(t)
	list1, at := "/models/"+w.model+"/entries", w.at
	missing := kit.Obj{"error.details.review": kit.List{"none", "1 of 1 approvals is missing"}}
	refused := func(name, call string, body any) kit.Step {
		return kit.Step{Name: name, Call: call, Body: body, Code: "APPROVAL_REQUIRED"}
	}
	create := refused("create", "POST "+list1, kit.Obj{"title": "New", "status": "published"})
	create.Want = missing
	public := k.Create(t, w.model, kit.Obj{"title": "Public", "status": "published",
		"data": kit.Obj{"body": "one"}}).Str(t, "data.id")
	k.Put(t, "/"+w.model+"/"+public, kit.Obj{"data": kit.Obj{"body": "two"}})
	w.writer.Run(t, create,
		refused("publish", "POST "+at+"/publish", nil),
		refused("status", "PUT "+at, kit.Obj{"status": "published"}),
		refused("content of what is public", "PUT "+list1+"/"+public, kit.Obj{"title": "Other"}),
		refused("restore a revision", "POST "+list1+"/"+public+"/revisions/1/restore", nil),
		kit.Step{Name: "nothing changes", Call: "PUT " + list1 + "/" + public, Body: kit.Obj{"title": "Public"}},
		kit.Step{Name: "unpublish", Call: "POST " + list1 + "/" + public + "/unpublish"},
		refused("publish again", "POST "+list1+"/"+public+"/publish", nil),
	)
	k.OK(t, 200, "POST /"+w.model+"/"+public+"/publish", nil)
	w.writer.Delete(t, list1+"/"+public)
	w.writer.OK(t, 200, "POST /trash/"+public+"/restore", nil)
	k.Step(t, kit.Step{Name: "back from the trash", Call: "GET /" + w.model + "/" + public})

	token := w.writer.Post(t, "/tokens", kit.Obj{"name": "T"}).Str(t, "data.token")
	s.AdminByToken(token).Run(t, refused("access token", "POST "+at+"/publish", nil))

	job := w.writer.OK(t, 202, "POST /jobs", kit.Obj{"action": "publish", "model": w.model,
		"ids": kit.List{w.id}}).Str(t, "data.id")
	s.Eventually(t, "the end of the job", func() bool {
		return w.writer.Get(t, "/jobs/"+job).Get("data.status") == "done"
	})
	w.writer.Step(t, kit.Step{Name: "job", Call: "GET /jobs/" + job,
		Want: kit.Obj{"data.failed.0.code": "APPROVAL_REQUIRED"}})

	rows := w.writer.OK(t, 202, "POST "+list1+".csv",
		kit.FileBody(t, "a.csv", []byte("id,title\n"+w.id+",By CSV\n"), map[string]string{"mode": "publish"}))
	s.EndOfJob(t, rows.Str(t, "data.id")).Has(t, "CSV", kit.Obj{"data.failed.0.code": "APPROVAL_REQUIRED"})

	release := "/releases/" + w.writer.Post(t, "/releases",
		kit.Obj{"name": "R", "items": kit.List{kit.ReleaseItem(w.model, w.id, "publish")}}).Str(t, "data.id")
	w.writer.Step(t, kit.Step{Name: "check", Call: "POST " + release + "/check",
		Want: kit.Obj{"data.0.code": "APPROVAL_REQUIRED", "data.0.details.review": missing["error.details.review"]}})
	w.writer.OK(t, 202, "POST "+release+"/publish", nil)
	s.EndOfRelease(t, release).Has(t, "the release", kit.Obj{"data.problems.0.code": "APPROVAL_REQUIRED"})
	w.writer.Put(t, at+"/schedule", kit.Obj{"publish_at": kit.FromNow(s.Target.Soon)})
	s.Eventually(t, "the plan fails", func() bool {
		return w.writer.Do(t, "GET "+at+"/schedule", nil).Get("data.error.code") == "APPROVAL_REQUIRED"
	})

	agent := s.Key(t, kit.Obj{"scopes": kit.List{"read", "write", "publish"}, "role": "admin"})
	if text, ok := s.CallTool(t, kit.Credentials(agent), "publish", kit.Obj{"model": w.model, "id": w.id}); ok ||
		!strings.Contains(text, "APPROVAL_REQUIRED") {
		t.Errorf("/mcp: %s", text)
	}
	asked := s.Key(t, kit.Obj{"review": true})
	asked.Run(t, refused("a key that is asked", "POST /"+w.model+"/"+w.id+"/publish", nil))
	k.Step(t, kit.Step{Name: "nothing is public", Call: "GET /" + w.model + "/" + w.id, Code: "ENTRY_NOT_FOUND"})

	w.writer.Post(t, at+"/review", kit.Obj{})
	w.writer.Step(t, kit.Step{Call: "POST " + at + "/publish", Code: "APPROVAL_REQUIRED",
		Want: kit.Obj{"error.details.review": kit.List{"requested", "1 of 1 approvals is missing"}}})
	version := w.anna.Get(t, at+"/review").Str(t, "data.version")
	w.anna.OK(t, 200, "POST "+at+"/review/approve", kit.Obj{"version": version})
	admin.Put(t, "/users/"+w.annaID, kit.Obj{"is_active": false})
	w.writer.Run(t,
		kit.Step{Name: "the approver left", Call: "GET " + at + "/review", Want: kit.Obj{"data.state": "requested"}},
		refused("an approval of who left", "POST "+at+"/publish", nil))
	w.bert.OK(t, 200, "POST "+at+"/review/approve", kit.Obj{"version": version})
	w.writer.Run(t,
		refused("status and content", "PUT "+at, kit.Obj{"status": "published", "data": kit.Obj{"body": "slipped in"}}),
		kit.Step{Name: "the approved version", Call: "PUT " + at, Body: kit.Obj{"status": "published"}},
		kit.Step{Name: "publishing ends the review", Call: "GET " + at + "/review", Want: kit.Obj{"data.state": "none"}},
	)
	w.writer.Put(t, at+"/draft", kit.Obj{"data": kit.Obj{"body": "draft"}})
	w.writer.Post(t, at+"/review", kit.Obj{})
	w.bert.OK(t, 200, "POST "+at+"/review/approve", kit.Obj{"version": "d1"})
	k.Put(t, "/"+w.model+"/"+w.id, kit.Obj{"title": "Beside"})
	w.writer.Run(t,
		kit.Step{Name: "outdated", Call: "POST " + at + "/publish", Code: "PRECONDITION_FAILED"},
		refused("by force", "POST "+at+"/publish", kit.Obj{"force": true}))
	now := k.Get(t, "/"+w.model+"/"+w.id).Get("data.version")
	w.writer.Put(t, at+"/draft", kit.Obj{"data": kit.Obj{"body": "draft 2"}, "base_version": now})
	w.bert.OK(t, 200, "POST "+at+"/review/approve", kit.Obj{"version": "d2"})
	w.writer.Step(t, kit.Step{Name: "the approved draft", Call: "POST " + at + "/publish",
		Want: kit.Obj{"data.data.body": "draft 2", "data.status": "published"}})
	admin.Put(t, at, kit.Obj{"title": "By an admin"})
	s.Listed(t, "/activity", kit.Obj{"event": "entry.published_unreviewed", "subject_id": w.id})
}

// approvalOfShared changes a shared field: published translations that are not approved keep theirs.
func approvalOfShared(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	s.UseLocale(t, "de", "Deutsch")
	model := s.Model(t, kit.Obj{"localized": true, "review": 1, "fields": kit.List{kit.SharedField("price", "number")}})
	en := k.Create(t, model, kit.Obj{"title": "One", "status": "published", "data": kit.Obj{"price": 1}}).Str(t,
		"data.id")
	de := k.Create(t, model, kit.Obj{"title": "Eins", "locale": "de", "translation_of": en}).Str(t, "data.id")
	_, _, writer := named(t, s, "editor")
	writer.Put(t, "/models/"+model+"/entries/"+de, kit.Obj{"data": kit.Obj{"price": 2}})
	k.Step(t, kit.Step{Call: "GET /" + model + "/" + en, Want: kit.Obj{"data.data.price": 1, "data.version": 1}})
	s.Listed(t, "/activity", kit.Obj{"event": "entry.share_kept", "subject_id": en})
	s.Admin(t).Put(t, "/models/"+model+"/entries/"+de, kit.Obj{"data": kit.Obj{"price": 3}})
	k.Step(t, kit.Step{Call: "GET /" + model + "/" + en, Want: kit.Obj{"data.data.price": 3}})

	// A save of shared fields is nobody's change: who wrote the translation before cannot approve it, and who changed the
	// original can.
	_, _, other := named(t, s, "editor")
	review := "/models/" + model + "/entries/" + de + "/review"
	writer.Put(t, "/models/"+model+"/entries/"+de, kit.Obj{"title": "Zwei"})
	s.Admin(t).Put(t, "/models/"+model+"/entries/"+en, kit.Obj{"data": kit.Obj{"price": 4}})
	approve := kit.Obj{"version": other.Post(t, review, nil).Str(t, "data.version")}
	writer.Step(t, kit.Step{Call: "POST " + review + "/approve", Body: approve, Code: "FORBIDDEN"})
	s.Admin(t).Step(t, kit.Step{Call: "POST " + review + "/approve", Body: approve,
		Want: kit.Obj{"data.state": "approved"}})
}
