package locales

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// fallbackIncludes shows included entries in their best translation, several levels deep, in reads
// of one entry and of lists.
func fallbackIncludes(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "it", "Italiano")
	s.UseLocale(t, "el", "Ελληνικά")
	home, k, adminKey := s.DefaultLocale(t), s.Key(t, nil), s.AdminKey(t)
	s.Admin(t).Put(t, "/locales/it", kit.Obj{"fallback": home})
	plain := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("name", "text", nil)}})
	authors := s.Model(t,
		kit.Obj{"localized": true, "fields": kit.List{kit.Field("land", "relation", kit.Obj{"model": plain})}})
	posts := s.Model(t, kit.Obj{"localized": true, "fields": kit.List{
		kit.Field("author", "relation", kit.Obj{"model": authors}),
		kit.Field("others", "relation", kit.Obj{"model": authors, "many": true}),
	}})
	land := k.Publish(t, plain, "Land", nil)
	author := k.Publish(t, authors, "Author", kit.Obj{"land": land})
	italian := k.Create(t, authors, kit.Obj{"title": "Autore", "locale": "it", "translation_of": author,
		"data": kit.Obj{"land": land}}).Str(t, "data.id")
	greek := k.Create(t, authors, kit.Obj{"title": "Greek", "locale": "el", "status": "published"}).Str(t, "data.id")
	hidden := k.Create(t, authors, kit.Obj{"title": "Hidden"}).Str(t, "data.id")
	k.Create(t, authors, kit.Obj{"title": "Nascosto", "locale": "it", "status": "published", "translation_of": hidden})
	post := k.Publish(t, posts, "Post", kit.Obj{"author": author, "others": kit.List{greek, author, hidden}})
	one := "GET /" + posts + "/" + post + "?include=author.land,others&fallback=true&locale="
	k.Run(t,
		kit.Step{Name: "not published yet", Call: one + "it",
			Want: kit.Obj{"meta.locale": home, "data.data.author.id": author}},
		kit.Step{Name: "draft for nobody else", Call: one + home,
			Want: kit.Obj{"data.data.author.id": author, "data.data.others.#": 2}},
	)
	adminKey.Step(t, kit.Step{Name: "for admins", Call: one + "it",
		Want: kit.Obj{"data.data.author.id": italian, "data.data.others.#": 3}})
	k.Put(t, "/"+authors+"/"+italian, kit.Obj{"status": "published"})
	k.Run(t,
		kit.Step{Name: "at once", Call: one + "it", Want: kit.Obj{
			"data.data.author.title": "Autore", "data.data.author.data.land.title": "Land",
			"data.data.others.#": 2, "data.data.others.0.id": greek, "data.data.others.1.id": italian,
		}},
		kit.Step{Name: "lists", Call: "GET /" + posts + "?include=author&fallback=true&locale=it",
			Want: kit.Obj{"data.0.data.author.id": italian, "meta.requested_locale": "it"}},
		kit.Step{Name: "the default", Call: "GET /" + posts + "?include=author&fallback=true",
			Want: kit.Obj{"data.0.data.author.id": author}},
		kit.Step{Name: "without", Call: "GET /" + posts + "/" + post + "?include=author",
			Want: kit.Obj{"data.data.author.id": author}},
		kit.Step{Name: "a model without locales", Call: "GET /" + plain + "/" + land + "?fallback=true&locale=it",
			Want: kit.Obj{"data.id": land, "meta.locale": home, "meta.requested_locale": "it"}},
	)
}
