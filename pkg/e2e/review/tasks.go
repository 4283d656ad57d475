package review

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

func waitingTasks(t *testing.T, s *kit.Suite) {
	w := newReviewed(t, s, 1)
	counts := func(review, returned, assigned, mention int) kit.Obj {
		return kit.Obj{"meta.counts": kit.Obj{"review": review, "returned": returned, "assigned": assigned,
			"mention": mention},
			"meta.total": review + returned + assigned + mention}
	}
	has := func(c *kit.Client, name string, want kit.Obj) {
		t.Helper()
		c.Step(t, kit.Step{Name: name, Call: "GET /tasks", Want: want})
	}
	has(w.anna, "nothing", counts(0, 0, 0, 0))
	w.writer.Post(t, w.at+"/review", kit.Obj{"reviewers": kit.List{w.annaID}, "note": "Please"})
	a := w.anna.Step(t, kit.Step{Call: "GET /tasks", Want: kit.Obj{"data.0.kind": "review", "data.0.model": w.model,
		"data.0.id": w.id, "data.0.title": kit.Present, "data.0.locale": s.DefaultLocale(t), "data.0.comment": nil,
		"data.0.field": nil, "data.0.text": "Please", "data.0.by.id": kit.Present, "data.0.at": kit.Timestamp,
		"data.0.due": nil}})
	writerID := a.Str(t, "data.0.by.id")
	comment := w.writer.Post(t, w.at+"/comments", kit.Obj{"field": "data.body",
		"text":     "See @" + w.annaID + " and @" + strings.ToUpper(w.annaID) + ", says @" + writerID, // one mention
		"assignee": w.annaID, "due": "2030-01-31"}).Str(t, "data.id")
	has(w.anna, "with a comment", counts(1, 0, 1, 1))
	w.anna.Step(t, kit.Step{Name: "due first", Call: "GET /tasks?per_page=1",
		Want: kit.Obj{"data.#": 1, "data.0.comment": comment, "data.0.due": "2030-01-31", "data.0.field": "data.body"}})
	for _, c := range []*kit.Client{w.anna, w.bert} { // whoever changes something else, the mentions are the same
		c.OK(t, 200, "PATCH "+w.at+"/comments/"+comment, kit.Obj{"due": "2030-01-31"})
		has(w.anna, "with a due date", counts(1, 0, 1, 1))
		has(w.writer, "who mentioned", counts(0, 0, 0, 0))
	}
	w.anna.OK(t, 200, "PATCH "+w.at+"/comments/"+comment, kit.Obj{"resolved": true})
	has(w.anna, "resolved", counts(1, 0, 0, 0))
	w.bert.OK(t, 200, "PATCH "+w.at+"/comments/"+comment, kit.Obj{"resolved": false})
	has(w.anna, "reopened", counts(1, 0, 1, 1))
	w.anna.OK(t, 200, "POST "+w.at+"/review/approve", kit.Obj{"version": "1"})
	has(w.anna, "approved", counts(0, 0, 1, 1))
	w.writer.Put(t, w.at, kit.Obj{"data": kit.Obj{"body": "two"}})
	has(w.anna, "another version", counts(1, 0, 1, 1))
	w.anna.OK(t, 200, "POST "+w.at+"/review/return", kit.Obj{"version": "2", "note": "No"})
	has(w.anna, "returned", counts(0, 0, 1, 1))
	has(w.writer, "to who asked", counts(0, 1, 0, 0))
	w.writer.Post(t, w.at+"/review", kit.Obj{"reviewers": kit.List{w.annaID}})
	has(w.writer, "asked again", counts(0, 0, 0, 0))
	has(w.anna, "asked again", counts(1, 0, 1, 1))
	w.writer.Delete(t, w.at)
	has(w.anna, "in the trash", counts(0, 0, 0, 0))
	w.writer.OK(t, 200, "POST /trash/"+w.id+"/restore", nil)
	has(w.anna, "back, the review has ended", counts(0, 0, 1, 1))
	s.Admin(t).Step(t, kit.Step{Name: "of another", Call: "GET /tasks?filter[assignee]=" + w.annaID,
		Want: counts(0, 0, 1, 1)})
	w.bert.Step(t, kit.Step{Name: "of another, by an editor", Call: "GET /tasks?filter[assignee]=" + writerID,
		Code: "FORBIDDEN"})
	w.bert.Step(t, kit.Step{Name: "unknown filter", Call: "GET /tasks?filter[x]=1", Code: "BAD_REQUEST"})
}

func taskMails(t *testing.T, s *kit.Suite) {
	w := newReviewed(t, s, 1)
	w.bert.Step(t, kit.Step{Name: "on at first", Call: "GET /profile", Want: kit.Obj{"data.mail": true}})
	w.bert.Step(t, kit.Step{Name: "off", Call: "PUT /profile", Body: kit.Obj{"mail": false},
		Want: kit.Obj{"data.mail": false}})
	w.anna.Step(t, kit.Step{Name: "in German", Call: "PUT /profile", Body: kit.Obj{"language": "de"}})
	w.writer.Post(t, w.at+"/review", kit.Obj{"reviewers": kit.List{w.annaID, w.bertID}, "note": "secret note"})
	anna := w.anna.Get(t, "/me").Str(t, "data.email")
	var mail string
	s.Eventually(t, "the mail to who is asked", func() bool {
		mails := s.MailsTo(t, anna)
		if len(mails) == 0 {
			return false
		}
		mail = mails[0]
		return true
	})
	if !strings.Contains(mail, w.id) || !strings.Contains(mail, "bittet Sie um die") ||
		strings.Contains(mail, "secret note") {
		t.Errorf("the mail says %s", mail)
	}
	if bert := w.bert.Get(t, "/me").Str(t, "data.email"); len(s.MailsTo(t, bert)) > 0 {
		t.Error("a mail to who wants none")
	}
}
