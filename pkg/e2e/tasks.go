package e2e

import (
	"strings"
	"testing"
)

func waitingTasks(t *testing.T, s *suite) {
	w := s.reviewed(t, 1)
	counts := func(review, returned, assigned, mention int) obj {
		return obj{"meta.counts": obj{"review": review, "returned": returned, "assigned": assigned, "mention": mention},
			"meta.total": review + returned + assigned + mention}
	}
	has := func(c *client, name string, want obj) {
		t.Helper()
		c.step(t, step{name: name, call: "GET /tasks", status: 200, want: want})
	}
	has(w.anna, "nothing", counts(0, 0, 0, 0))
	w.writer.ok(t, 201, "POST "+w.at+"/review", obj{"reviewers": list{w.annaID}, "note": "Please"})
	a := w.anna.step(t, step{call: "GET /tasks", status: 200, want: obj{"data.0.kind": "review", "data.0.model": w.model,
		"data.0.id": w.id, "data.0.title": present, "data.0.locale": s.defaultLocale(t), "data.0.comment": nil, "data.0.field": nil,
		"data.0.text": "Please", "data.0.by.id": present, "data.0.at": timestamp, "data.0.due": nil}})
	writerID := a.str(t, "data.0.by.id")
	comment := w.writer.ok(t, 201, "POST "+w.at+"/comments", obj{"field": "data.body", "text": "See @" + w.annaID,
		"assignee": w.annaID, "due": "2030-01-31"}).str(t, "data.id")
	has(w.anna, "with a comment", counts(1, 0, 1, 1))
	w.anna.step(t, step{name: "due first", call: "GET /tasks?per_page=1", status: 200, want: obj{"data.#": 1,
		"data.0.comment": comment, "data.0.due": "2030-01-31", "data.0.field": "data.body"}})
	w.anna.ok(t, 200, "PATCH "+w.at+"/comments/"+comment, obj{"resolved": true})
	has(w.anna, "resolved", counts(1, 0, 0, 0))
	w.bert.ok(t, 200, "PATCH "+w.at+"/comments/"+comment, obj{"resolved": false})
	has(w.anna, "reopened", counts(1, 0, 1, 1))
	w.anna.ok(t, 200, "POST "+w.at+"/review/approve", obj{"version": "1"})
	has(w.anna, "approved", counts(0, 0, 1, 1))
	w.writer.ok(t, 200, "PUT "+w.at, obj{"data": obj{"body": "two"}})
	has(w.anna, "another version", counts(1, 0, 1, 1))
	w.anna.ok(t, 200, "POST "+w.at+"/review/return", obj{"version": "2", "note": "No"})
	has(w.anna, "returned", counts(0, 0, 1, 1))
	has(w.writer, "to who asked", counts(0, 1, 0, 0))
	w.writer.ok(t, 201, "POST "+w.at+"/review", obj{"reviewers": list{w.annaID}})
	has(w.writer, "asked again", counts(0, 0, 0, 0))
	has(w.anna, "asked again", counts(1, 0, 1, 1))
	w.writer.ok(t, 204, "DELETE "+w.at, nil)
	has(w.anna, "in the trash", counts(0, 0, 0, 0))
	w.writer.ok(t, 200, "POST /trash/"+w.id+"/restore", nil)
	has(w.anna, "back, the review has ended", counts(0, 0, 1, 1))
	s.admin(t).step(t, step{name: "of another", call: "GET /tasks?filter[assignee]=" + w.annaID, status: 200, want: counts(0, 0, 1, 1)})
	w.bert.step(t, step{name: "of another, by an editor", call: "GET /tasks?filter[assignee]=" + writerID, status: 403, code: "FORBIDDEN"})
	w.bert.step(t, step{name: "unknown filter", call: "GET /tasks?filter[x]=1", status: 400, code: "BAD_REQUEST"})
}

func taskMails(t *testing.T, s *suite) {
	w := s.reviewed(t, 1)
	w.bert.step(t, step{name: "on at first", call: "GET /profile", status: 200, want: obj{"data.mail": true}})
	w.bert.step(t, step{name: "off", call: "PUT /profile", body: obj{"mail": false}, status: 200, want: obj{"data.mail": false}})
	w.anna.step(t, step{name: "in German", call: "PUT /profile", body: obj{"language": "de"}, status: 200})
	w.writer.ok(t, 201, "POST "+w.at+"/review", obj{"reviewers": list{w.annaID, w.bertID}, "note": "secret note"})
	anna := w.anna.ok(t, 200, "GET /me", nil).str(t, "data.email")
	var mail string
	s.fired(t, "the mail to who is asked", func() bool {
		mails := s.mails(t, anna)
		if len(mails) == 0 {
			return false
		}
		mail = mails[0]
		return true
	})
	if !strings.Contains(mail, w.id) || !strings.Contains(mail, "bittet Sie um die") || strings.Contains(mail, "secret note") {
		t.Errorf("the mail says %s", mail)
	}
	if bert := w.bert.ok(t, 200, "GET /me", nil).str(t, "data.email"); len(s.mails(t, bert)) > 0 {
		t.Error("a mail to who wants none")
	}
}

// mails returns the mails to an address.
func (s *suite) mails(t *testing.T, email string) (mails []string) {
	t.Helper()
	for _, m := range s.target.Mail(t) {
		text := strings.ReplaceAll(strings.ReplaceAll(string(m), "=\r\n", ""), "=\n", "")
		if strings.Contains(text, "To: "+email) || strings.Contains(text, "To: <"+email+">") {
			mails = append(mails, text)
		}
	}
	return mails
}
