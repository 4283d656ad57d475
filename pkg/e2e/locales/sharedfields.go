package locales

import (
	"fmt"
	"testing"

	"headless/pkg/e2e/kit"
)

// sharedFields saves the values of fields that are not translatable in all members of a group.
func sharedFields(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	s.UseLocale(t, "fr", "Français")
	s.UseLocale(t, "es", "Español")
	admin, k, boss := s.Admin(t), s.Key(t, nil), s.AdminKey(t)
	model := s.Model(t,
		kit.Obj{"localized": true, "fields": kit.List{kit.SharedField("price", "number"), kit.Field("body", "text", nil)}})
	admin.Run(t,
		kit.Step{Name: "definition", Call: "GET /models/" + model,
			Want: kit.Obj{"data.fields.0.translatable": false, "data.fields.1.translatable": nil}},
		kit.Step{Name: "true is the default", Call: "PUT /models/" + model,
			Body: kit.Obj{"fields": kit.List{kit.SharedField("price", "number"),
				kit.Field("body", "text", kit.Obj{"translatable": true})}}, Want: kit.Obj{"data.fields.1.translatable": nil}},
		kit.Step{Name: "inside of a field", Call: "PUT /models/" + model,
			Body: kit.Obj{"fields": kit.List{kit.Field("g", "group",
				kit.Obj{"fields": kit.List{kit.SharedField("x", "text")}})}}, Invalid: "fields.0.fields.0.translatable"},
		kit.Step{Name: "no truth value", Call: "PUT /models/" + model,
			Body: kit.Obj{"fields": kit.List{kit.Field("x", "text", kit.Obj{"translatable": "no"})}},
			Code: "VALIDATION_FAILED"},
	)
	en := k.Create(t, model, kit.Obj{"title": "One", "status": "published",
		"data": kit.Obj{"price": 5, "body": "en"}}).Str(t, "data.id")
	de := k.Create(t, model, kit.Obj{"title": "Eins", "locale": "de", "translation_of": en,
		"data": kit.Obj{"body": "de"}}).Str(t, "data.id")
	at := func(id string) string { return "/" + model + "/" + id }
	boss.Step(t, kit.Step{Name: "taken over", Call: "GET " + at(de),
		Want: kit.Obj{"data.data.price": 5, "data.data.body": "de"}})
	k.Put(t, at(de), kit.Obj{"data": kit.Obj{"price": 6, "body": "zwei"}})
	boss.Run(t,
		kit.Step{Name: "saved in the other", Call: "GET " + at(en),
			Want: kit.Obj{"data.data.price": 6, "data.data.body": "en", "data.version": 2, "data.status": "published"}},
		kit.Step{Name: "and here", Call: "GET " + at(de),
			Want: kit.Obj{"data.data.price": 6, "data.data.body": "zwei", "data.status": "draft"}},
	)
	k.Put(t, at(en), kit.Obj{"data": kit.Obj{"body": "other"}})
	boss.Step(t, kit.Step{Name: "what is translatable is left alone", Call: "GET " + at(de),
		Want: kit.Obj{"data.data.body": "zwei", "data.version": 2}})
	es := k.Create(t, model, kit.Obj{"title": "Uno", "locale": "es", "translation_of": de,
		"data": kit.Obj{"price": nil}}).Str(t, "data.id")
	boss.Run(t,
		kit.Step{Name: "null counts as left out", Call: "GET " + at(es), Want: kit.Obj{"data.data.price": 6}},
		kit.Step{Name: "and clears nothing", Call: "GET " + at(en), Want: kit.Obj{"data.data.price": 6}},
	)
	fr := k.Create(t, model, kit.Obj{"title": "Un", "locale": "fr", "translation_of": de,
		"data": kit.Obj{"price": 7}}).Str(t, "data.id")
	boss.Step(t, kit.Step{Name: "a new member's value counts", Call: "GET " + at(en),
		Want: kit.Obj{"data.data.price": 7}})
	k.Put(t, at(fr), kit.Obj{"data": kit.Obj{"price": nil}})
	boss.Step(t, kit.Step{Name: "cleared", Call: "GET " + at(de), Want: kit.Obj{"data.data.price": nil}})
	k.Put(t, at(en)+"/draft", kit.Obj{"data": kit.Obj{"price": 8}})
	boss.Step(t, kit.Step{Name: "not by a draft", Call: "GET " + at(de), Want: kit.Obj{"data.data.price": nil}})
	k.OK(t, 200, "POST "+at(en)+"/publish", nil)
	boss.Step(t, kit.Step{Name: "by its publishing", Call: "GET " + at(fr), Want: kit.Obj{"data.data.price": 8}})
	alone := k.Create(t, model, kit.Obj{"title": "Alone", "locale": "de", "data": kit.Obj{"price": 1}}).Str(t, "data.id")
	other := k.Create(t, model, kit.Obj{"title": "Other", "data": kit.Obj{"price": 2}}).Str(t, "data.id")
	k.Put(t, at(alone), kit.Obj{"translation_of": other})
	boss.Step(t, kit.Step{Name: "by joining", Call: "GET " + at(alone), Want: kit.Obj{"data.data.price": 2}})
	k.Put(t, at(alone), kit.Obj{"translation_of": nil})
	k.Put(t, at(other), kit.Obj{"data": kit.Obj{"price": 3}})
	boss.Step(t, kit.Step{Name: "not after leaving", Call: "GET " + at(alone), Want: kit.Obj{"data.data.price": 2}})
}

// sharedFieldsOfDrafts keeps the drafts of other members valid when a shared value changes, unless they change it too.
func sharedFieldsOfDrafts(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	s.UseLocale(t, "fr", "Français")
	admin, k, boss := s.Admin(t), s.Key(t, nil), s.AdminKey(t)
	model := s.Model(t, kit.Obj{"localized": true, "fields": kit.List{
		kit.SharedField("price", "number"), kit.SharedField("code", "text"), kit.Field("body", "text", nil)}})
	entry := func(body kit.Obj) string {
		return k.Create(t, model, kit.Merge(kit.Obj{"title": "T", "status": "published"}, body)).Str(t, "data.id")
	}
	at := func(id string) string { return "/" + model + "/" + id }
	en := entry(kit.Obj{"data": kit.Obj{"price": 1, "code": "a"}})
	de := entry(kit.Obj{"locale": "de", "translation_of": en})
	fr := entry(kit.Obj{"locale": "fr", "translation_of": en})
	k.Put(t, at(en)+"/draft", kit.Obj{"data": kit.Obj{"price": 2}})
	k.Put(t, at(de)+"/draft", kit.Obj{"data": kit.Obj{"price": 2, "code": "b", "body": "neu"}})
	k.Put(t, at(fr)+"/draft", kit.Obj{"data": kit.Obj{"price": 3}})
	of := func(ids ...string) string {
		items := kit.List{}
		for _, id := range ids {
			items = append(items, kit.ReleaseItem(model, id, "publish"))
		}
		return "/releases/" + admin.Post(t, "/releases", kit.Obj{"name": "R", "items": items}).Str(t, "data.id")
	}
	admin.Step(t, kit.Step{Name: "two values of one field", Call: "POST " + of(en, de, fr) + "/check",
		Want: kit.Obj{"data.#": 1, "data.0.id": fr, "data.0.code": "PRECONDITION_FAILED"}})
	release := of(en, de)
	admin.OK(t, 202, "POST "+release+"/publish", nil)
	s.EndOfRelease(t, release).Has(t, "a release of two members", kit.Obj{"data.status": "published"})
	boss.Run(t,
		kit.Step{Name: "both changes", Call: "GET " + at(en), Want: kit.Obj{"data.data.price": 2, "data.data.code": "b"}},
		kit.Step{Name: "both changes in the other", Call: "GET " + at(de),
			Want: kit.Obj{"data.data.price": 2, "data.data.code": "b", "data.data.body": "neu"}},
		kit.Step{Name: "a draft of the same field", Call: "POST " + at(fr) + "/publish", Code: "PRECONDITION_FAILED"},
	)
	k.OK(t, 204, "DELETE "+at(fr)+"/draft", nil)
	k.Put(t, at(fr)+"/draft", kit.Obj{"data": kit.Obj{"body": "nouveau"}})
	k.Put(t, at(fr), kit.Obj{"title": "Un"})
	k.Put(t, at(en), kit.Obj{"data": kit.Obj{"price": 4}})
	boss.Step(t, kit.Step{Name: "a draft that was outdated", Call: "POST " + at(fr) + "/publish",
		Code: "PRECONDITION_FAILED"})
}

// sharedFieldsOfMany changes a shared value in a group too large for one transaction.
func sharedFieldsOfMany(t *testing.T, s *kit.Suite) {
	k, boss := s.Key(t, nil), s.AdminKey(t)
	model := s.Model(t,
		kit.Obj{"localized": true, "fields": kit.List{kit.SharedField("price", "number"),
			kit.SharedField("code", "text"), kit.SharedField("day", "date")}})
	first := k.Create(t, model, kit.Obj{"title": "First", "data": kit.Obj{"price": 1}}).Str(t, "data.id")
	members := []string{first}
	for i := range 11 {
		code := fmt.Sprintf("x%c", 'a'+i)
		s.UseLocale(t, code, code)
		members = append(members,
			k.Create(t, model, kit.Obj{"title": code, "locale": code, "translation_of": first}).Str(t, "data.id"))
	}
	k.Put(t, "/"+model+"/"+members[3], kit.Obj{"data": kit.Obj{"price": 2, "code": "b", "day": "2026-01-02"}})
	k.Put(t, "/"+model+"/"+members[5], kit.Obj{"data": kit.Obj{"price": 3, "code": "c", "day": "2026-01-03"}})
	wait := func(price float64) {
		s.Eventually(t, "all members have the value", func() bool {
			for _, id := range members {
				if boss.Get(t, "/"+model+"/"+id).Get("data.data.price") != price {
					return false
				}
			}
			return true
		})
	}
	wait(3)
	boss.Step(t, kit.Step{Name: "whole", Call: "GET /" + model + "/" + first,
		Want: kit.Obj{"data.data.code": "c", "data.data.day": "2026-01-03"}})
	// A body may name the group that the entry is in.
	k.Put(t, "/"+model+"/"+members[4], kit.Obj{"translation_of": first, "data": kit.Obj{"price": 4}})
	wait(4)
}
