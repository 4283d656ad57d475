package e2e

import (
	"strings"
	"testing"
)

func comments(t *testing.T, s *suite) {
	w := s.reviewed(t, 0)
	name, viewerID, viewer := s.named(t, "viewer")
	_, stranger := s.role(t)
	strangerID := stranger.ok(t, 200, "GET /me", nil).str(t, "data.id")
	at := w.at + "/comments"
	before := w.writer.ok(t, 200, "GET "+w.at, nil)
	first := viewer.step(t, step{name: "a viewer comments", call: "POST " + at, body: obj{"field": "data.body", "quote": "one",
		"text": "Is that so? @" + w.annaID + " @" + strangerID, "assignee": w.bertID, "due": "2030-01-31"}, status: 201, want: obj{
		"data.field": "data.body", "data.quote": "one", "data.text": present, "data.parent": nil, "data.author": obj{"id": viewerID, "name": name},
		"data.assignee.id": w.bertID, "data.due": "2030-01-31", "data.resolved": false, "data.resolved_by": nil,
		"data.created_at": timestamp, "data.edited_at": nil}}).str(t, "data.id")
	reply := w.anna.step(t, step{call: "POST " + at, body: obj{"text": "Yes", "parent": first}, status: 201,
		want: obj{"data.parent": first, "data.assignee": nil}}).str(t, "data.id")
	w.anna.run(t,
		step{name: "a reply to a reply", call: "POST " + at, body: obj{"text": "No", "parent": reply}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"parent"}},
		step{name: "bad input", call: "POST " + at, body: obj{"text": " ", "field": strings.Repeat("x", 201), "quote": strings.Repeat("x", 1001),
			"assignee": strangerID, "due": "x", "parent": nobody, "color": 1}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"text", "field", "quote", "assignee", "due", "parent", "color"}},
		step{name: "long", call: "POST " + at, body: obj{"text": strings.Repeat("x", 5001)}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"text"}},
		step{name: "list", call: "GET " + at, status: 200, want: obj{"data.0.id": first, "data.1.id": reply, "meta.total": 2}},
		step{name: "by field", call: "GET " + at + "?filter[field]=data.body", status: 200, want: obj{"data.#": 1}},
		step{name: "unknown filter", call: "GET " + at + "?filter[x]=1", status: 400, code: "BAD_REQUEST"},
		step{name: "another's text", call: "PATCH " + at + "/" + first, body: obj{"text": "x"}, status: 403, code: "FORBIDDEN"},
		step{name: "resolve a reply", call: "PATCH " + at + "/" + reply, body: obj{"resolved": true}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"resolved"}},
		step{name: "assign a reply", call: "PATCH " + at + "/" + reply, body: obj{"assignee": w.bertID, "due": "2030-01-01"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"assignee", "due"}},
		step{name: "one's own text", call: "PATCH " + at + "/" + reply, body: obj{"text": "Yes!"}, status: 200,
			want: obj{"data.text": "Yes!", "data.edited_at": timestamp}},
		step{name: "resolve", call: "PATCH " + at + "/" + first, body: obj{"resolved": true}, status: 200,
			want: obj{"data.resolved": true, "data.resolved_by.id": w.annaID}},
		step{name: "open ones", call: "GET " + at + "?filter[resolved]=false", status: 200, want: obj{"data.#": 0}},
		step{name: "resolved ones", call: "GET " + at + "?filter[resolved]=true", status: 200, want: obj{"data.#": 2}},
		step{name: "reopen", call: "PATCH " + at + "/" + first, body: obj{"resolved": false, "assignee": nil}, status: 200,
			want: obj{"data.resolved": false, "data.resolved_by": nil, "data.assignee": nil}},
		step{name: "delete another's", call: "DELETE " + at + "/" + first, status: 403, code: "FORBIDDEN"},
		step{name: "no comment", call: "PATCH " + at + "/" + nobody, body: obj{}, status: 404, code: "NOT_FOUND"},
	)
	stranger.step(t, step{call: "GET " + at, status: 404, code: "NOT_FOUND"})
	stamp := viewer.ok(t, 200, "GET "+w.at+"/presence", nil).get("meta.comments")
	w.anna.ok(t, 200, "PATCH "+at+"/"+first, obj{"resolved": true})
	w.anna.ok(t, 200, "PATCH "+at+"/"+first, obj{"resolved": false})
	if now := viewer.ok(t, 200, "GET "+w.at+"/presence", nil).get("meta.comments"); now == stamp || stamp == nil {
		t.Errorf("the stamp of the comments stays %v", stamp)
	}
	stamp = viewer.ok(t, 200, "GET "+w.at+"/presence", nil).get("meta.review")
	w.writer.ok(t, 201, "POST "+w.at+"/review", obj{})
	if now := viewer.ok(t, 200, "GET "+w.at+"/presence", nil).get("meta.review"); now == stamp || stamp == nil {
		t.Errorf("the stamp of the review stays %v", stamp)
	}
	w.writer.step(t, step{name: "the entry is the same", call: "GET " + w.at, status: 200,
		want: obj{"data.version": before.get("data.version"), "data.updated_at": before.get("data.updated_at")}})
	email := viewer.ok(t, 200, "GET /me", nil).str(t, "data.email")
	s.admin(t).step(t, step{name: "of a person", call: "GET /people?email=" + email, status: 200,
		want: obj{"data.comments.#": 1, "data.comments.0.id": first, "data.comments.0.entry": w.id}})
	w.writer.ok(t, 204, "DELETE "+w.at, nil)
	w.writer.step(t, step{name: "in the trash", call: "GET " + at, status: 404, code: "NOT_FOUND"})
	w.writer.ok(t, 200, "POST /trash/"+w.id+"/restore", nil)
	viewer.run(t,
		step{name: "back", call: "GET " + at, status: 200, want: obj{"data.#": 2}},
		step{name: "delete", call: "DELETE " + at + "/" + first, status: 204},
		step{name: "its place", call: "GET " + at, status: 200, want: obj{"data.#": 2, "data.0.id": first, "data.0.text": nil,
			"data.0.author": nil}},
	)
	s.admin(t).ok(t, 204, "DELETE "+at+"/"+reply, nil)
	viewer.step(t, step{name: "nothing is left", call: "GET " + at, status: 200, want: obj{"data.#": 0}})
	records := 0
	s.walk(t, "/activity", func(v any) bool {
		if dig(v, "subject_id") == w.id && strings.HasPrefix(str(dig(v, "event")), "entry.comment") {
			records++
		}
		return false
	})
	if records != 9 {
		t.Errorf("%d activity records", records)
	}
}
