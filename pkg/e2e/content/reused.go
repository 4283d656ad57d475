package content

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// reusedBlocks shows one saved block on several pages by a relation in a block (docs/map.md): a change of the saved
// block is seen on all of them, and a draft of it on none.
func reusedBlocks(t *testing.T, s *kit.Suite) {
	saved := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("text", "textarea", nil)}})
	pages := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("sections", "blocks", kit.Obj{"fields": kit.List{
		kit.Field("copy", "group", kit.Obj{"fields": kit.List{kit.Field("text", "textarea", nil)}}),
		kit.Field("saved", "group",
			kit.Obj{"fields": kit.List{kit.Field("block", "relation", kit.Obj{"model": saved})}})}})}})
	k, public, admin := s.AdminKey(t), s.PublishableKey(t, nil), s.Admin(t)
	call := k.Publish(t, saved, "Call "+kit.Unique("c"), kit.Obj{"text": "Buy now"})
	sections := kit.Obj{"sections": kit.List{kit.Obj{"type": "copy", "text": "Own"},
		kit.Obj{"type": "saved", "block": call}}}
	for _, title := range []string{"One", "Two"} {
		k.Publish(t, pages, title, sections)
	}
	read := func(text any) kit.Step {
		return kit.Step{Call: "GET /" + pages + "?include=sections.block&sort=title",
			Want: kit.Obj{"meta.total": 2, "data.0.data.sections.0.text": "Own", "data.0.data.sections.1.block.data.text": text,
				"data.1.data.sections.1.block.data.text": text}}
	}
	public.Step(t, read("Buy now"))
	k.Put(t, "/"+saved+"/"+call+"/draft", kit.Obj{"data": kit.Obj{"text": "Buy today"}})
	public.Step(t, read("Buy now"))
	k.OK(t, 200, "POST /"+saved+"/"+call+"/publish", nil)
	s.Eventually(t, "both pages show the change", func() bool {
		a := public.Do(t, read(nil).Call, nil)
		return a.Get("data.0.data.sections.1.block.data.text") == "Buy today" &&
			a.Get("data.1.data.sections.1.block.data.text") == "Buy today"
	})
	k.OK(t, 200, "POST /"+saved+"/"+call+"/unpublish", nil)
	s.Eventually(t, "neither page shows it", func() bool {
		a := public.Do(t, read(nil).Call, nil)
		return a.Get("data.0.data.sections.1.type") == "saved" && a.Get("data.0.data.sections.1.block") == nil &&
			a.Get("data.1.data.sections.1.block") == nil
	})
	admin.Step(t, kit.Step{Name: "used in", Call: "GET /models/" + saved + "/entries/" + call + "/usage",
		Want: kit.Obj{"meta.total": 2}})
}
