package content

import (
	"path"
	"slices"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/e2e/kit"
)

// tooManyObjects sends more rows, blocks and groups than an entry may have through every door.
func tooManyObjects(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	rows := kit.Obj{"fields": kit.List{kit.Field("x", "text", nil)}}
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("rows", "list", rows), kit.Field("more", "list", rows),
		kit.Field("any", "json", nil)}})
	many := func(n int) kit.List { return slices.Repeat(kit.List{kit.Obj{}}, n) }
	entry := "/" + model + "/" + k.Step(t, kit.Step{Name: "as many as it may have", Call: "POST /" + model, Status: 201,
		Body: kit.Obj{"title": "One", "data": kit.Obj{"rows": many(25_000)}}}).Str(t, "data.id")
	more := kit.Obj{"data": kit.Obj{"more": many(1)}}
	k.Run(t,
		kit.Step{Name: "create", Call: "POST /" + model,
			Body: kit.Obj{"title": "Two", "data": kit.Obj{"rows": many(25_001)}}, Invalid: "data"},
		kit.Step{Name: "incomplete", Call: "POST /" + model + "?draft=true",
			Body: kit.Obj{"title": "Two", "data": kit.Obj{"rows": many(25_001)}}, Invalid: "data"},
		kit.Step{Name: "json", Call: "POST /" + model,
			Body: kit.Obj{"title": "Two", "data": kit.Obj{"any": kit.List{many(25_001)}}}, Invalid: "data"},
		kit.Step{Name: "update", Call: "PUT " + entry, Body: more, Invalid: "data"},
		kit.Step{Name: "draft", Call: "PUT " + entry + "/draft", Body: more, Invalid: "data"},
		kit.Step{Name: "others for them", Call: "PUT " + entry,
			Body: kit.Obj{"data": kit.Obj{"rows": many(24_999), "more": many(1)}}},
	)
	if text, ok := s.CallTool(t, kit.Credentials(k), "write_draft",
		kit.Obj{"model": model, "id": path.Base(entry), "data": kit.Obj{"more": many(2)}}); ok {
		t.Errorf("write_draft: %.200s", text)
	}
	admin.Step(t, kit.Step{Name: "import", Call: "POST /import", Want: kit.Obj{"data.0.result": "failed"},
		Body: kit.JSONLines(t, kit.Obj{"model": model, "id": uuid.NewString(), "title": "Three",
			"data": kit.Obj{"rows": many(25_001)}})})
}
