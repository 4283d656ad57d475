package e2e

import (
	"fmt"
	"testing"
)

// shared is the definition of a field whose value all translations share.
func shared(name, kind string) obj { return field(name, kind, obj{"translatable": false}) }

// sharedFields saves the values of fields that are not translatable in all members of a group.
func sharedFields(t *testing.T, s *suite) {
	s.useLocale(t, "de", "Deutsch")
	s.useLocale(t, "fr", "Français")
	s.useLocale(t, "es", "Español")
	admin, k, boss := s.admin(t), s.key(t, nil), s.adminKey(t)
	model := s.model(t,
		obj{"localized": true, "fields": list{shared("price", "number"), field("body", "text", nil)}})
	admin.run(t,
		step{name: "definition", call: "GET /models/" + model, status: 200,
			want: obj{"data.fields.0.translatable": false, "data.fields.1.translatable": nil}},
		step{name: "true is the default", call: "PUT /models/" + model,
			body: obj{"fields": list{shared("price", "number"),
				field("body", "text", obj{"translatable": true})}}, status: 200,
			want: obj{"data.fields.1.translatable": nil}},
		step{name: "inside of a field", call: "PUT /models/" + model,
			body: obj{"fields": list{field("g", "group",
				obj{"fields": list{shared("x", "text")}})}}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"fields.0.fields.0.translatable"}},
		step{name: "no truth value", call: "PUT /models/" + model,
			body: obj{"fields": list{field("x", "text", obj{"translatable": "no"})}}, status: 422,
			code: "VALIDATION_FAILED"},
	)
	en := k.create(t, model, obj{"title": "One", "status": "published",
		"data": obj{"price": 5, "body": "en"}}).str(t, "data.id")
	de := k.create(t, model, obj{"title": "Eins", "locale": "de", "translation_of": en,
		"data": obj{"body": "de"}}).str(t, "data.id")
	at := func(id string) string { return "/" + model + "/" + id }
	boss.step(t, step{name: "taken over", call: "GET " + at(de), status: 200,
		want: obj{"data.data.price": 5, "data.data.body": "de"}})
	k.ok(t, 200, "PUT "+at(de), obj{"data": obj{"price": 6, "body": "zwei"}})
	boss.run(t,
		step{name: "saved in the other", call: "GET " + at(en), status: 200,
			want: obj{"data.data.price": 6, "data.data.body": "en", "data.version": 2,
				"data.status": "published"}},
		step{name: "and here", call: "GET " + at(de), status: 200,
			want: obj{"data.data.price": 6, "data.data.body": "zwei", "data.status": "draft"}},
	)
	k.ok(t, 200, "PUT "+at(en), obj{"data": obj{"body": "other"}})
	boss.step(t, step{name: "what is translatable is left alone", call: "GET " + at(de),
		status: 200, want: obj{"data.data.body": "zwei", "data.version": 2}})
	es := k.create(t, model, obj{"title": "Uno", "locale": "es", "translation_of": de,
		"data": obj{"price": nil}}).str(t, "data.id")
	boss.run(t,
		step{name: "null counts as left out", call: "GET " + at(es), status: 200, want: obj{"data.data.price": 6}},
		step{name: "and clears nothing", call: "GET " + at(en), status: 200, want: obj{"data.data.price": 6}},
	)
	fr := k.create(t, model, obj{"title": "Un", "locale": "fr", "translation_of": de,
		"data": obj{"price": 7}}).str(t, "data.id")
	boss.step(t, step{name: "a new member's value counts", call: "GET " + at(en), status: 200,
		want: obj{"data.data.price": 7}})
	k.ok(t, 200, "PUT "+at(fr), obj{"data": obj{"price": nil}})
	boss.step(t, step{name: "cleared", call: "GET " + at(de), status: 200, want: obj{"data.data.price": nil}})
	k.ok(t, 200, "PUT "+at(en)+"/draft", obj{"data": obj{"price": 8}})
	boss.step(t, step{name: "not by a draft", call: "GET " + at(de), status: 200,
		want: obj{"data.data.price": nil}})
	k.ok(t, 200, "POST "+at(en)+"/publish", nil)
	boss.step(t, step{name: "by its publishing", call: "GET " + at(fr), status: 200,
		want: obj{"data.data.price": 8}})
	alone := k.create(t, model,
		obj{"title": "Alone", "locale": "de", "data": obj{"price": 1}}).str(t, "data.id")
	other := k.create(t, model, obj{"title": "Other", "data": obj{"price": 2}}).str(t, "data.id")
	k.ok(t, 200, "PUT "+at(alone), obj{"translation_of": other})
	boss.step(t, step{name: "by joining", call: "GET " + at(alone), status: 200,
		want: obj{"data.data.price": 2}})
	k.ok(t, 200, "PUT "+at(alone), obj{"translation_of": nil})
	k.ok(t, 200, "PUT "+at(other), obj{"data": obj{"price": 3}})
	boss.step(t, step{name: "not after leaving", call: "GET " + at(alone), status: 200,
		want: obj{"data.data.price": 2}})
}

// sharedFieldsOfMany changes a shared value in a group too large for one transaction.
func sharedFieldsOfMany(t *testing.T, s *suite) {
	k, boss := s.key(t, nil), s.adminKey(t)
	model := s.model(t,
		obj{"localized": true, "fields": list{shared("price", "number"), shared("code", "text"),
			shared("day", "date")}})
	first := k.create(t, model, obj{"title": "First", "data": obj{"price": 1}}).str(t, "data.id")
	members := []string{first}
	for i := range 11 {
		code := fmt.Sprintf("x%c", 'a'+i)
		s.useLocale(t, code, code)
		members = append(members,
			k.create(t, model, obj{"title": code, "locale": code, "translation_of": first}).str(t, "data.id"))
	}
	k.ok(t, 200, "PUT /"+model+"/"+members[3], obj{"data": obj{"price": 2, "code": "b", "day": "2026-01-02"}})
	k.ok(t, 200, "PUT /"+model+"/"+members[5], obj{"data": obj{"price": 3, "code": "c", "day": "2026-01-03"}})
	s.fired(t, "all members have the value", func() bool {
		for _, id := range members {
			if boss.ok(t, 200, "GET /"+model+"/"+id, nil).get("data.data.price") != 3.0 {
				return false
			}
		}
		return true
	})
	boss.step(t, step{name: "whole", call: "GET /" + model + "/" + first, status: 200,
		want: obj{"data.data.code": "c", "data.data.day": "2026-01-03"}})
}
