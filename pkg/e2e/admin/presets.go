package admin

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// presets are saved, listed, changed and deleted by who may write entries of the model. What the model does not take is
// left out.
func presets(t *testing.T, s *kit.Suite) {
	model := s.Model(t, kit.Obj{"fields": kit.List{
		kit.Field("lead", "textarea", nil), kit.Field("body", "richtext", kit.Obj{"fields": kit.List{
			kit.Field("note", "group", kit.Obj{"fields": kit.List{kit.Field("words", "text", nil)}})}}),
		kit.Field("code", "text", kit.Obj{"unique": true}),
		kit.Field("parts", "blocks", kit.Obj{"fields": kit.List{
			kit.Field("call", "group", kit.Obj{"label": "Call", "fields": kit.List{
				kit.Field("head", "text", nil), kit.Field("picture", "media", nil)}})}})}})
	k, admin, at := s.AdminKey(t), s.Admin(t), "/models/"+model+"/presets"
	picture := k.Upload(t, "a.png", kit.PNG(1, 1), nil).Str(t, "data.id")
	entry := k.Create(t, model, kit.Obj{"title": "One", "data": kit.Obj{"lead": "Live", "code": "A",
		"parts": kit.List{kit.Obj{"type": "call", "head": "Buy", "picture": picture}}}}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+entry+"/draft", kit.Obj{"data": kit.Obj{"lead": "Draft"}})
	_, writer := s.Role(t, kit.Obj{"models": kit.List{model}, "actions": kit.List{"read", "write"}})
	_, reader := s.Role(t, kit.Obj{"models": kit.List{model}, "actions": kit.List{"read"}})
	block := writer.Step(t, kit.Step{Name: "of a block", Call: "POST " + at, Status: 201,
		Body: kit.Obj{"name": " Sale ", "field": "parts", "kind": "call", "image": picture,
			"values": kit.Obj{"head": "Buy now", "picture": picture, "gone": 1}},
		Want: kit.Obj{"data.name": "Sale", "data.field": "parts", "data.kind": "call", "data.image": picture,
			"data.values": kit.Obj{"head": "Buy now", "picture": picture}, "data.created_at": kit.Timestamp}}).Str(t, "data.id")
	ofText := writer.Step(t, kit.Step{Name: "of a block in a text", Call: "POST " + at, Status: 201,
		Body: kit.Obj{"name": "Note", "field": "body", "kind": "note", "values": kit.Obj{"words": "Mind", "gone": 1}},
		Want: kit.Obj{"data.field": "body", "data.values": kit.Obj{"words": "Mind"}}}).Str(t, "data.id")
	writer.Delete(t, at+"/"+ofText)
	template := writer.Step(t, kit.Step{Name: "of an entry", Call: "POST " + at, Status: 201,
		Body: kit.Obj{"name": "Page", "entry": entry}, Want: kit.Obj{"data.field": "", "data.values": kit.Obj{"lead": "Draft",
			"parts": kit.List{kit.Obj{"type": "call", "head": "Buy", "picture": picture}}}}}).Str(t, "data.id")
	admin.Run(t,
		kit.Step{Name: "list", Call: "GET " + at,
			Want: kit.Obj{"meta.total": 2, "data.0.id": template, "data.1.id": block}},
		kit.Step{Name: "a taken name", Call: "POST " + at, Body: kit.Obj{"name": "sale"}, Code: "CONFLICT"},
		kit.Step{Name: "no name", Call: "POST " + at, Body: kit.Obj{}, Invalid: "name"},
		kit.Step{Name: "no such block", Call: "POST " + at, Body: kit.Obj{"name": "x", "field": "lead", "kind": "call"},
			Invalid: "kind"},
		kit.Step{Name: "no picture", Call: "PUT " + at + "/" + block, Body: kit.Obj{"image": entry}, Invalid: "image"},
		kit.Step{Name: "rename", Call: "PUT " + at + "/" + block, Body: kit.Obj{"name": "Big sale", "image": ""},
			Want: kit.Obj{"data.name": "Big sale", "data.image": "", "data.values.head": "Buy now"}},
		kit.Step{Name: "activity", Call: "GET /activity?filter[subject_id]=" + block,
			Want: kit.Obj{"data.0.event": "preset.updated", "data.1.event": "preset.created", "data.1.subject": "preset Sale"}},
	)
	for _, call := range []string{"GET " + at, "GET " + at + "/" + block, "PUT " + at + "/" + block, "DELETE " + at + "/" +
		block} {
		reader.Step(t, kit.Step{Name: "a reader", Call: call, Code: "FORBIDDEN"})
	}
	writer.Delete(t, at+"/"+block)
	admin.Step(t, kit.Step{Name: "deleted", Call: "GET " + at + "/" + block, Code: "NOT_FOUND"})
}
