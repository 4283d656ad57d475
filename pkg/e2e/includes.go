package e2e

import (
	"strings"
	"testing"
)

var includeScenarios = []scenario{{name: "lists/include", run: includes}}

func includes(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.adminKey(t)
	country := s.model(t, nil)
	authors := s.model(t,
		obj{"fields": list{field("land", "relation", obj{"model": country}),
			field("photo", "media", nil), field("note", "text", nil), field("hidden", "text", nil)},
			"visible_fields": list{"land", "photo", "note"}})
	model := s.model(t, obj{"fields": list{
		field("author", "relation", obj{"model": authors}),
		field("others", "relation", obj{"model": authors, "many": true}), field("cover", "media", nil),
		field("gallery", "media", obj{"many": true}),
		field("box", "group", obj{"fields": list{field("author", "relation", obj{"model": authors})}}),
	}})
	file := k.upload(t, "photo.png", pngFile(3, 2), map[string]string{"alt": "A door"}).str(t, "data.id")
	land := k.publish(t, country, "Wales", nil)
	ada := k.publish(t, authors, "Ada", obj{"land": land, "photo": file, "note": "n", "hidden": "h"})
	bob := k.publish(t, authors, "Bob", nil)
	draft := k.create(t, authors, obj{"title": "Draft"}).str(t, "data.id")
	id := k.publish(t, model, "Post", obj{"author": ada, "others": list{bob, draft, ada},
		"cover": file, "gallery": list{file}, "box": obj{"author": bob}})
	entry, l := "GET /"+model+"/"+id, "GET /"+model
	media := obj{"id": file, "alt": "A door", "name": "photo.png", "mime": "image/png", "width": 3,
		"height": 2}
	k.run(t,
		step{name: "without", call: entry, status: 200,
			want: obj{"data.data.author": ada, "data.data.cover": file,
				"data.data.others": list{bob, draft, ada}}},
		step{name: "relation", call: entry + "?include=author", status: 200, want: obj{
			"data.data.author.id": ada, "data.data.author.model": authors,
			"data.data.author.slug": "ada", "data.data.author.title": "Ada",
			"data.data.author.data": obj{"land": land, "photo": file, "note": "n"}, "data.data.cover": file,
		}},
		step{name: "many", call: entry + "?include=others", status: 200,
			want: obj{"data.data.others.#": 2, "data.data.others.0.id": bob, "data.data.others.1.id": ada}},
		step{name: "media", call: entry + "?include=cover,gallery", status: 200, want: obj{
			"data.data.cover.id": file, "data.data.cover.url": matches("^https?://"),
			"data.data.gallery.0.id": file, "data.data.cover.alt": "A door", "data.data.author": ada,
		}},
		step{name: "deeper", call: entry + "?include=author.photo,author.land", status: 200,
			want: obj{"data.data.author.data.photo.id": file, "data.data.author.data.land.title": "Wales"}},
		step{name: "in a group", call: entry + "?include=box.author", status: 200,
			want: obj{"data.data.box.author.title": "Bob"}},
		step{name: "list", call: l + "?include=author.land,cover", status: 200,
			want: obj{"data.0.data.author.data.land.title": "Wales", "data.0.data.cover.id": file}},
		step{name: "with fields", call: entry + "?include=author&fields=data.author", status: 200,
			want: obj{"data.data.author.title": "Ada", "data.data.cover": nil, "data.title": nil}},
		step{name: "too deep", call: entry + "?include=author.land.a.b", status: 400, code: "BAD_REQUEST"},
		step{name: "unknown", call: entry + "?include=nothing", status: 400, code: "BAD_REQUEST"},
		step{name: "unknown, deeper", call: entry + "?include=author.nothing", status: 400,
			code: "BAD_REQUEST"},
		step{name: "not a relation", call: entry + "?include=author.note", status: 400, code: "BAD_REQUEST"},
		step{name: "hidden, deeper", call: entry + "?include=author.hidden", status: 400,
			code: "BAD_REQUEST"},
	)
	t.Run("media keys", func(t *testing.T) {
		cover, _ := k.ok(t, 200, entry+"?include=cover", nil).get("data.data.cover").(obj)
		for key, want := range media {
			if err := compare(cover[key], want); err != nil {
				t.Errorf("%s: %v", key, err)
			}
		}
		if len(cover) != 9 {
			t.Errorf("keys %v, want id, url, alt, name, mime, width, height, focal, placeholder", cover)
		}
	})
	admin.run(t,
		step{name: "drafts for admin", call: entry + "?include=others", status: 200,
			want: obj{"data.data.others.#": 3, "data.data.others.1.title": "Draft"}},
		step{name: "hidden for admin", call: entry + "?include=author", status: 200,
			want: obj{"data.data.author.data.hidden": "h"}},
	)
	t.Run("dangling", func(t *testing.T) {
		k.ok(t, 204, "DELETE /"+authors+"/"+ada, nil)
		k.ok(t, 204, "DELETE /upload/files/"+file, nil)
		k.step(t,
			step{call: entry + "?include=" +
				strings.Join([]string{"author", "others", "cover", "gallery"}, ","), status: 200, want: obj{
				"data.data.author": nil, "data.data.others.#": 1, "data.data.cover": nil,
				"data.data.gallery": list{},
			}})
		k.step(t, step{call: entry, status: 200, want: obj{"data.data.author": ada, "data.data.cover": file}})
	})
}
