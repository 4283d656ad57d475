package review

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

func comments(t *testing.T, s *kit.Suite) {
	w := newReviewed(t, s, 0)
	name, viewerID, viewer := named(t, s, "viewer")
	_, stranger := s.Role(t)
	strangerID := stranger.Get(t, "/me").Str(t, "data.id")
	at := w.at + "/comments"
	before := w.writer.Get(t, w.at)
	first := viewer.Step(t, kit.Step{Name: "a viewer comments", Call: "POST " + at,
		Body: kit.Obj{"field": "data.body", "quote": "one",
			"text": "Is that so? @" + w.annaID + " @" + strangerID, "assignee": w.bertID, "due": "2030-01-31"}, Status: 201,
		Want: kit.Obj{
			"data.field": "data.body", "data.quote": "one", "data.text": kit.Present, "data.parent": nil,
			"data.author": kit.Obj{"id": viewerID, "name": name}, "data.assignee.id": w.bertID,
			"data.due": "2030-01-31", "data.resolved": false, "data.resolved_by": nil, "data.created_at": kit.Timestamp,
			"data.edited_at": nil}}).Str(t, "data.id")
	reply := w.anna.Step(t, kit.Step{Call: "POST " + at, Body: kit.Obj{"text": "Yes", "parent": first}, Status: 201,
		Want: kit.Obj{"data.parent": first, "data.assignee": nil}}).Str(t, "data.id")
	w.anna.Run(t,
		kit.Step{Name: "a reply to a reply", Call: "POST " + at, Body: kit.Obj{"text": "No", "parent": reply},
			Invalid: "parent"},
		kit.Step{Name: "bad input", Call: "POST " + at,
			Body: kit.Obj{"text": " ", "field": strings.Repeat("x", 201), "quote": strings.Repeat("x", 1001),
				"assignee": strangerID, "due": "x", "parent": kit.UnknownID, "color": 1},
			Invalid: "text field quote assignee due parent color"},
		kit.Step{Name: "long", Call: "POST " + at, Body: kit.Obj{"text": strings.Repeat("x", 5001)}, Invalid: "text"},
		kit.Step{Name: "list", Call: "GET " + at, Want: kit.Obj{"data.0.id": first, "data.1.id": reply, "meta.total": 2}},
		kit.Step{Name: "by field", Call: "GET " + at + "?filter[field]=data.body", Want: kit.Obj{"data.#": 1}},
		kit.Step{Name: "unknown filter", Call: "GET " + at + "?filter[x]=1", Code: "BAD_REQUEST"},
		kit.Step{Name: "another's text", Call: "PATCH " + at + "/" + first, Body: kit.Obj{"text": "x"}, Code: "FORBIDDEN"},
		kit.Step{Name: "resolve a reply", Call: "PATCH " + at + "/" + reply, Body: kit.Obj{"resolved": true},
			Invalid: "resolved"},
		kit.Step{Name: "assign a reply", Call: "PATCH " + at + "/" + reply,
			Body: kit.Obj{"assignee": w.bertID, "due": "2030-01-01"}, Invalid: "assignee due"},
		kit.Step{Name: "one's own text", Call: "PATCH " + at + "/" + reply, Body: kit.Obj{"text": "Yes!"},
			Want: kit.Obj{"data.text": "Yes!", "data.edited_at": kit.Timestamp}},
		kit.Step{Name: "resolve", Call: "PATCH " + at + "/" + first, Body: kit.Obj{"resolved": true},
			Want: kit.Obj{"data.resolved": true, "data.resolved_by.id": w.annaID}},
		kit.Step{Name: "open ones", Call: "GET " + at + "?filter[resolved]=false", Want: kit.Obj{"data.#": 0}},
		kit.Step{Name: "resolved ones", Call: "GET " + at + "?filter[resolved]=true", Want: kit.Obj{"data.#": 2}},
		kit.Step{Name: "reopen", Call: "PATCH " + at + "/" + first, Body: kit.Obj{"resolved": false, "assignee": nil},
			Want: kit.Obj{"data.resolved": false, "data.resolved_by": nil, "data.assignee": nil}},
		kit.Step{Name: "delete another's", Call: "DELETE " + at + "/" + first, Code: "FORBIDDEN"},
		kit.Step{Name: "no comment", Call: "PATCH " + at + "/" + kit.UnknownID, Body: kit.Obj{}, Code: "NOT_FOUND"},
	)
	stranger.Step(t, kit.Step{Call: "GET " + at, Code: "NOT_FOUND"})
	stamp := viewer.Get(t, w.at+"/presence").Get("meta.comments")
	w.anna.OK(t, 200, "PATCH "+at+"/"+first, kit.Obj{"resolved": true})
	w.anna.OK(t, 200, "PATCH "+at+"/"+first, kit.Obj{"resolved": false})
	if now := viewer.Get(t, w.at+"/presence").Get("meta.comments"); now == stamp || stamp == nil {
		t.Errorf("the stamp of the comments stays %v", stamp)
	}
	stamp = viewer.Get(t, w.at+"/presence").Get("meta.review")
	w.writer.Post(t, w.at+"/review", kit.Obj{})
	if now := viewer.Get(t, w.at+"/presence").Get("meta.review"); now == stamp || stamp == nil {
		t.Errorf("the stamp of the review stays %v", stamp)
	}
	w.writer.Step(t, kit.Step{Name: "the entry is the same", Call: "GET " + w.at,
		Want: kit.Obj{"data.version": before.Get("data.version"), "data.updated_at": before.Get("data.updated_at")}})
	email := viewer.Get(t, "/me").Str(t, "data.email")
	s.Admin(t).Step(t, kit.Step{Name: "of a person", Call: "GET /people?email=" + email,
		Want: kit.Obj{"data.comments.#": 1, "data.comments.0.id": first, "data.comments.0.entry": w.id}})
	w.writer.Delete(t, w.at)
	w.writer.Step(t, kit.Step{Name: "in the trash", Call: "GET " + at, Code: "NOT_FOUND"})
	w.writer.OK(t, 200, "POST /trash/"+w.id+"/restore", nil)
	viewer.Run(t,
		kit.Step{Name: "back", Call: "GET " + at, Want: kit.Obj{"data.#": 2}},
		kit.Step{Name: "delete", Call: "DELETE " + at + "/" + first, Status: 204},
		kit.Step{Name: "its place", Call: "GET " + at,
			Want: kit.Obj{"data.#": 2, "data.0.id": first, "data.0.text": nil, "data.0.author": nil}},
	)
	s.Admin(t).Delete(t, at+"/"+reply)
	viewer.Step(t, kit.Step{Name: "nothing is left", Call: "GET " + at, Want: kit.Obj{"data.#": 0}})
	records := 0
	s.Walk(t, "/activity", func(v any) bool {
		if kit.Dig(v, "subject_id") == w.id && strings.HasPrefix(kit.Str(kit.Dig(v, "event")), "entry.comment") {
			records++
		}
		return false
	})
	kit.Same(t, "records of the activity", records, 9)
}
