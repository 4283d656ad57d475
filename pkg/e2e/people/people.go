package people

import (
	"path"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// people: what the service holds about an address is found, by admins alone.
func people(t *testing.T, s *kit.Suite) {
	email, id, c := s.User(t, "editor")
	admin := s.Admin(t)
	invited := kit.Unique("invited") + "@example.com"
	admin.Post(t, "/invitations", kit.Obj{"email": invited, "role": "editor"})
	admin.Run(t,
		kit.Step{Name: "an account", Call: "GET /people?email=" + email, Want: kit.Obj{"data.users.#": 1,
			"data.users.0.id": id, "data.submissions.#": 0, "data.comments.#": 0, "data.activity.0.event": kit.Present,
			"data.invitations.#": 0}},
		kit.Step{Name: "an invitation", Call: "GET /people?email=" + invited,
			Want: kit.Obj{"data.users.#": 0, "data.invitations.#": 1}},
		kit.Step{Name: "no address", Call: "GET /people?email=x", Invalid: "email"},
	)
	c.Step(t, kit.Step{Call: "GET /people?email=" + email, Code: "FORBIDDEN"})
	erased(t, s, email, id, c)
}

// erasedDeliveries erases a person who has sent a form: the log of a webhook does not tell what was sent.
func erasedDeliveries(t *testing.T, s *kit.Suite) {
	admin, v, r := s.Admin(t), s.Visitor(t), kit.NewReceiver(t)
	slug, email := kit.MakeForm(t, s, nil), kit.Unique("vera")+"@example.com"
	hook := s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"form.submission.created"}})
	texts := map[string]string{email: "Call 555 1234", "other-" + email: "Call 555 5678"}
	for from, text := range texts {
		a := v.Post(t, "/forms/"+slug+"/submit", kit.Obj{"email": from, "message": text})
		s.WaitAbout(t, r, "form.submission.created", "id", a.Str(t, "data.id"))
	}
	admin.OK(t, 204, "DELETE /people?email="+email, nil)
	raw := string(admin.Get(t, "/webhooks/"+hook).Raw)
	if strings.Contains(raw, `"`+email) || strings.Contains(raw, "555 1234") || !strings.Contains(raw, "555 5678") {
		t.Errorf("the log of the webhook: %s", raw)
	}
}

// erased erases what the service holds about the address of an editor.
func erased(t *testing.T, s *kit.Suite, email, id string, c *kit.Client) {
	admin := s.Admin(t)
	model := s.Model(t, nil)
	at := "/models/" + model + "/entries/" + c.Post(t, "/models/"+model+"/entries",
		kit.Obj{"title": "One"}).Str(t, "data.id")
	trashed := "/models/" + model + "/entries/" + c.Post(t, "/models/"+model+"/entries",
		kit.Obj{"title": "Gone"}).Str(t, "data.id")
	c.Delete(t, trashed)
	c.Post(t, at+"/comments", kit.Obj{"text": "Look"})
	c.Put(t, at+"/draft", kit.Obj{"title": "Two"})
	c.Post(t, at+"/preview", kit.Obj{}) // a later record of the entry than those of its saves
	called := kit.Unique("Vera")
	admin.Put(t, "/users/"+id, kit.Obj{"name": called})
	call := "/people?email=" + email
	admin.Step(t, kit.Step{Name: "with an account", Call: "DELETE " + call, Code: "CONFLICT"})
	admin.Delete(t, "/users/"+id)
	renamed := kit.Unique("renamed") // the log has the former slug
	admin.Put(t, "/models/"+model, kit.Obj{"slug": renamed})
	at, trashed = strings.Replace(at, model, renamed, 1), strings.Replace(trashed, model, renamed, 1)
	admin.Run(t,
		kit.Step{Name: "erase", Call: "DELETE " + call, Status: 204},
		kit.Step{Name: "erased", Call: "GET " + call,
			Want: kit.Obj{"data.comments": kit.List{}, "data.activity": kit.List{}}},
		kit.Step{Name: "no author", Call: "GET " + at + "/comments",
			Want: kit.Obj{"data.0.author": nil, "data.0.text": "Look"}},
		kit.Step{Name: "draft", Call: "GET " + at + "/draft", Want: kit.Obj{"data.title": "Two"}},
		kit.Step{Name: "no address", Call: "DELETE /people", Invalid: "email"},
	)
	admin.Get(t, "/activity?filter[subject_id]="+id).Lacks(t, "the activity log", called)
	revisions := admin.Get(t, at+"/revisions")
	name := revisions.Str(t, "data.0.actor")
	if !strings.HasPrefix(name, "erased-") || len(name) != len("erased-")+8 ||
		strings.Contains(string(revisions.Raw), email) {
		t.Errorf("revisions: %s", revisions.Raw)
	}
	admin.OK(t, 200, "POST /trash/"+path.Base(trashed)+"/restore", nil)
	admin.Get(t, trashed+"/revisions").Lacks(t, "an entry from the trash", email)
	admin.Step(t, kit.Step{Name: "the record", Call: "GET /activity?filter[event]=person.erased&filter[subject]=" + name,
		Want: kit.Obj{"data.#": 1}})
}
