package lists

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Includes has the scenarios of entries that are included in others.
var Includes = []kit.Scenario{{Name: "lists/include", Run: includes}}

func includes(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.AdminKey(t)
	country := s.Model(t, nil)
	authors := s.Model(t,
		kit.Obj{"fields": kit.List{kit.Field("land", "relation", kit.Obj{"model": country}),
			kit.Field("photo", "media", nil), kit.Field("note", "text", nil), kit.Field("hidden", "text", nil),
			kit.Field("kin", "relation", kit.Obj{"model": country})},
			"visible_fields": kit.List{"land", "photo", "note"}})
	model := s.Model(t, kit.Obj{"fields": kit.List{
		kit.Field("author", "relation", kit.Obj{"model": authors}),
		kit.Field("others", "relation", kit.Obj{"model": authors, "many": true}), kit.Field("cover", "media", nil),
		kit.Field("gallery", "media", kit.Obj{"many": true}),
		kit.Field("box", "group", kit.Obj{"fields": kit.List{kit.Field("author", "relation", kit.Obj{"model": authors})}}),
		kit.Field("parts", "blocks", kit.Obj{"fields": kit.List{kit.Field("hero", "group",
			kit.Obj{"fields": kit.List{kit.Field("image", "media", nil)}})}}),
	}})
	file := k.Upload(t, "photo.png", kit.PNG(3, 2), map[string]string{"alt": "A door"}).Str(t, "data.id")
	land := k.Publish(t, country, "Wales", nil)
	ada := k.Publish(t, authors, "Ada", kit.Obj{"land": land, "photo": file, "note": "n", "hidden": "h", "kin": land})
	bob := k.Publish(t, authors, "Bob", nil)
	draft := k.Create(t, authors, kit.Obj{"title": "Draft"}).Str(t, "data.id")
	id := k.Publish(t, model, "Post", kit.Obj{"author": ada, "others": kit.List{bob, draft, ada},
		"cover": file, "gallery": kit.List{file}, "box": kit.Obj{"author": bob},
		"parts": kit.List{kit.Obj{"type": "hero", "image": file}}})
	entry, l := "GET /"+model+"/"+id, "GET /"+model
	media := kit.Obj{"id": file, "alt": "A door", "name": "photo.png", "mime": "image/png", "width": 3, "height": 2}
	k.Run(t,
		kit.Step{Name: "without", Call: entry,
			Want: kit.Obj{"data.data.author": ada, "data.data.cover": file, "data.data.others": kit.List{bob, draft, ada}}},
		kit.Step{Name: "relation", Call: entry + "?include=author", Want: kit.Obj{
			"data.data.author.id": ada, "data.data.author.model": authors,
			"data.data.author.slug": "ada", "data.data.author.title": "Ada",
			"data.data.author.data": kit.Obj{"land": land, "photo": file, "note": "n"}, "data.data.cover": file,
		}},
		kit.Step{Name: "many", Call: entry + "?include=others",
			Want: kit.Obj{"data.data.others.#": 2, "data.data.others.0.id": bob, "data.data.others.1.id": ada}},
		kit.Step{Name: "media", Call: entry + "?include=cover,gallery", Want: kit.Obj{
			"data.data.cover.id": file, "data.data.cover.url": kit.Matches("^https?://"),
			"data.data.gallery.0.id": file, "data.data.cover.alt": "A door", "data.data.author": ada,
		}},
		kit.Step{Name: "deeper", Call: entry + "?include=author.photo,author.land",
			Want: kit.Obj{"data.data.author.data.photo.id": file, "data.data.author.data.land.title": "Wales"}},
		kit.Step{Name: "in a group", Call: entry + "?include=box.author",
			Want: kit.Obj{"data.data.box.author.title": "Bob"}},
		kit.Step{Name: "in a block", Call: entry + "?include=parts.image",
			Want: kit.Obj{"data.data.parts.0.image.id": file}},
		kit.Step{Name: "a block", Call: entry + "?include=parts", Code: "BAD_REQUEST"},
		kit.Step{Name: "no name", Call: entry + "?include=author,,cover", Code: "BAD_REQUEST"},
		kit.Step{Name: "a hidden relation", Call: entry + "?include=author.kin", Code: "BAD_REQUEST"},
		kit.Step{Name: "list", Call: l + "?include=author.land,cover",
			Want: kit.Obj{"data.0.data.author.data.land.title": "Wales", "data.0.data.cover.id": file}},
		kit.Step{Name: "with fields", Call: entry + "?include=author&fields=data.author",
			Want: kit.Obj{"data.data.author.title": "Ada", "data.data.cover": nil, "data.title": nil}},
		kit.Step{Name: "too deep", Call: entry + "?include=author.land.a.b", Code: "BAD_REQUEST"},
		kit.Step{Name: "unknown", Call: entry + "?include=nothing", Code: "BAD_REQUEST"},
		kit.Step{Name: "unknown, deeper", Call: entry + "?include=author.nothing", Code: "BAD_REQUEST"},
		kit.Step{Name: "not a relation", Call: entry + "?include=author.note", Code: "BAD_REQUEST"},
		kit.Step{Name: "hidden, deeper", Call: entry + "?include=author.hidden", Code: "BAD_REQUEST"},
	)
	t.Run("media keys", func(t *testing.T) {
		cover, _ := k.OK(t, 200, entry+"?include=cover", nil).Get("data.data.cover").(kit.Obj)
		for key, want := range media {
			if err := kit.Compare(cover[key], want); err != nil {
				t.Errorf("%s: %v", key, err)
			}
		}
		kit.Same(t, "keys", len(cover), 9)
	})
	admin.Run(t,
		kit.Step{Name: "drafts for admin", Call: entry + "?include=others",
			Want: kit.Obj{"data.data.others.#": 3, "data.data.others.1.title": "Draft"}},
		kit.Step{Name: "hidden for admin", Call: entry + "?include=author",
			Want: kit.Obj{"data.data.author.data.hidden": "h"}},
		kit.Step{Name: "a hidden relation for admin", Call: entry + "?include=author.kin",
			Want: kit.Obj{"data.data.author.data.kin.title": "Wales"}},
	)
	t.Run("dangling", func(t *testing.T) {
		k.Delete(t, "/"+authors+"/"+ada)
		k.Delete(t, "/upload/files/"+file)
		k.Step(t, kit.Step{Call: entry + "?include=" + strings.Join([]string{"author", "others", "cover", "gallery"}, ","),
			Want: kit.Obj{
				"data.data.author": nil, "data.data.others.#": 1, "data.data.cover": nil,
				"data.data.gallery": kit.List{},
			}})
		k.Step(t, kit.Step{Call: entry, Want: kit.Obj{"data.data.author": ada, "data.data.cover": file}})
	})
}
