package e2e

import "testing"

// fallbackIncludes shows included entries in their best translation, several levels deep, in reads
// of one entry and of lists.
func fallbackIncludes(t *testing.T, s *suite) {
	s.useLocale(t, "it", "Italiano")
	s.useLocale(t, "el", "Ελληνικά")
	home, k, adminKey := s.defaultLocale(t), s.key(t, nil), s.adminKey(t)
	s.admin(t).ok(t, 200, "PUT /locales/it", obj{"fallback": home})
	plain := s.model(t, obj{"fields": list{field("name", "text", nil)}})
	authors := s.model(t,
		obj{"localized": true, "fields": list{field("land", "relation", obj{"model": plain})}})
	posts := s.model(t, obj{"localized": true, "fields": list{
		field("author", "relation", obj{"model": authors}),
		field("others", "relation", obj{"model": authors, "many": true}),
	}})
	land := k.publish(t, plain, "Land", nil)
	author := k.publish(t, authors, "Author", obj{"land": land})
	italian := k.create(t, authors, obj{"title": "Autore", "locale": "it", "translation_of": author,
		"data": obj{"land": land}}).str(t, "data.id")
	greek := k.create(t, authors,
		obj{"title": "Greek", "locale": "el", "status": "published"}).str(t, "data.id")
	hidden := k.create(t, authors, obj{"title": "Hidden"}).str(t, "data.id")
	k.create(t, authors, obj{"title": "Nascosto", "locale": "it", "status": "published",
		"translation_of": hidden})
	post := k.publish(t, posts, "Post", obj{"author": author, "others": list{greek, author, hidden}})
	one := "GET /" + posts + "/" + post + "?include=author.land,others&fallback=true&locale="
	k.run(t,
		step{name: "not published yet", call: one + "it", status: 200,
			want: obj{"meta.locale": home, "data.data.author.id": author}},
		step{name: "draft for nobody else", call: one + home, status: 200,
			want: obj{"data.data.author.id": author, "data.data.others.#": 2}},
	)
	adminKey.step(t, step{name: "for admins", call: one + "it", status: 200,
		want: obj{"data.data.author.id": italian, "data.data.others.#": 3}})
	k.ok(t, 200, "PUT /"+authors+"/"+italian, obj{"status": "published"})
	k.run(t,
		step{name: "at once", call: one + "it", status: 200, want: obj{
			"data.data.author.title": "Autore", "data.data.author.data.land.title": "Land",
			"data.data.others.#": 2, "data.data.others.0.id": greek, "data.data.others.1.id": italian,
		}},
		step{name: "lists", call: "GET /" + posts + "?include=author&fallback=true&locale=it",
			status: 200, want: obj{"data.0.data.author.id": italian, "meta.requested_locale": "it"}},
		step{name: "the default", call: "GET /" + posts + "?include=author&fallback=true",
			status: 200, want: obj{"data.0.data.author.id": author}},
		step{name: "without", call: "GET /" + posts + "/" + post + "?include=author", status: 200,
			want: obj{"data.data.author.id": author}},
		step{name: "a model without locales", call: "GET /" + plain + "/" + land +
			"?fallback=true&locale=it", status: 200, want: obj{"data.id": land, "meta.locale": home,
			"meta.requested_locale": "it"}},
	)
}
