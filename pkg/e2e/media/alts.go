package media

import (
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Alts has the scenarios of alternative texts by locale.
var Alts = []kit.Scenario{
	{Name: "alts/reads", Run: altsInReads},
	{Name: "alts/changes", Run: altsChanged},
	{Name: "alts/refused", Run: refusedAlts},
	{Name: "alts/uploads", Run: uploadedAlts},
}

// altsInReads shows a picture in entries of three locales. The one without a text of its own shows the text for all.
func altsInReads(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	s.UseLocale(t, "fr", "Français")
	k, admin := s.AdminKey(t), s.Admin(t)
	authors := s.Model(t, kit.Obj{"localized": true,
		"fields": kit.List{kit.Field("photo", "media", nil), kit.Field("bio", "richtext", nil)}})
	model := s.Model(t, kit.Obj{"localized": true, "fields": kit.List{kit.Field("cover", "media", nil),
		kit.Field("author", "relation", kit.Obj{"model": authors}), kit.Field("body", "richtext", nil),
		kit.Field("box", "group", kit.Obj{"fields": kit.List{kit.Field("pictures", "media", kit.Obj{"many": true})}})}})
	file := k.Upload(t, "door.png", kit.PNG(3, 2), map[string]string{"alt": "A door"}).Str(t, "data.id")
	admin.Put(t, "/media/"+file, kit.Obj{"alts": kit.Obj{"de": "Eine Tür"}})

	picture := "![](cms://media/" + file + ")"
	author := k.Create(t, authors, kit.Obj{"title": "Ada", "locale": "de", "status": "published",
		"data": kit.Obj{"photo": file, "bio": picture}}).Str(t, "data.id")
	data := kit.Obj{"cover": file, "author": author, "body": picture + strings.Replace(picture, "[]", "[own]", 1),
		"box": kit.Obj{"pictures": kit.List{file}}}
	ids := map[string]string{}
	for _, locale := range []string{s.DefaultLocale(t), "de", "fr"} {
		ids[locale] = k.Create(t, model,
			kit.Obj{"title": "Doors", "locale": locale, "status": "published", "data": data}).Str(t, "data.id")
	}
	d := s.PublishableKey(t, nil)
	for locale, id := range ids {
		alt := "A door"
		if locale == "de" {
			alt = "Eine Tür"
		}
		read := "GET /" + model + "/" + id + "?include=cover,author.photo,box.pictures&images=32"
		for _, c := range []*kit.Client{k, d} {
			c.Step(t, kit.Step{Name: locale, Call: read, Want: kit.Obj{
				"data.data.cover.alt": alt, "data.data.cover.alts": nil, "data.data.box.pictures.0.alt": alt,
				"data.data.author.data.photo.alt": "Eine Tür"}})
			html := c.OK(t, 200, read+"&richtext=html", nil)
			body, bio := html.Str(t, "data.data.body"), html.Str(t, "data.data.author.data.bio")
			if !strings.Contains(body, `alt="`+alt+`"`) || !strings.Contains(body, `alt="own"`) {
				t.Errorf("%s: the text shows %s", locale, body)
			}
			if !strings.Contains(bio, `alt="Eine Tür"`) {
				t.Errorf("%s: the text of the author shows %s", locale, bio)
			}
		}
		k.Step(t, kit.Step{Name: "list in " + locale, Call: "GET /" + model + "?include=cover&locale=" + locale,
			Want: kit.Obj{"data.#": 1, "data.0.data.cover.alt": alt}})
	}

	// A preview leads to the input of the text that it shows.
	token := admin.Post(t, "/models/"+model+"/entries/"+ids["de"]+"/preview", kit.Obj{}).Str(t, "data.token")
	a := d.Get(t, "/"+model+"/"+ids["de"]+"?include=cover&source=map&preview="+token)
	a.Has(t, "the preview", kit.Obj{"data.data.cover.alt": "Eine Tür"})
	sources, _ := a.Get("meta.sources").(kit.Obj)
	if href := kit.Str(sources["/data/data/cover/alt"]); !strings.HasSuffix(href, "/admin/media/"+file+"#alts.de") {
		t.Errorf("the alternative text leads to %q of %v", href, sources)
	}
}

// altsChanged changes and imports the texts of some locales.
func altsChanged(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	s.UseLocale(t, "fr", "Français")
	k, admin := s.AdminKey(t), s.Admin(t)
	file := k.Upload(t, "tree.png", kit.PNG(3, 2), map[string]string{"alt": "A tree"}).Str(t, "data.id")
	read := "GET /upload/files/" + file
	if raw := string(k.OK(t, 200, read, nil).Raw); strings.Contains(raw, "alts") {
		t.Errorf("a file without texts by locale shows some: %s", raw)
	}
	k.Step(t, kit.Step{Name: "none among the fields", Call: read + "?fields=alt,alts",
		Want: kit.Obj{"data": kit.Obj{"id": file, "alt": "A tree"}}})
	put := func(name string, body, want kit.Obj) kit.Step {
		return kit.Step{Name: name, Call: "PUT /media/" + file, Body: body,
			Want: kit.Obj{"data.alt": "A tree", "data.alts": want}}
	}
	both, de := kit.Obj{"de": "Ein Baum", "fr": "Un arbre"}, kit.Obj{"de": "Eine Eiche"}
	admin.Run(t,
		put("set", kit.Obj{"alts": both}, both),
		put("one", kit.Obj{"alts": de}, kit.Obj{"de": "Eine Eiche", "fr": "Un arbre"}),
		put("removed by null", kit.Obj{"alts": kit.Obj{"fr": nil}}, de),
		put("none named", kit.Obj{"alts": kit.Obj{}}, de),
		put("another property", kit.Obj{"caption": "c"}, de),
		put("the last removed", kit.Obj{"alts": kit.Obj{"de": ""}}, nil),
		put("both again", kit.Obj{"alts": both}, both),
		put("all removed", kit.Obj{"alts": nil}, nil),
		put("one again", kit.Obj{"alts": de}, de),
	)
	k.Step(t, kit.Step{Call: read + "?fields=alts", Want: kit.Obj{"data": kit.Obj{"id": file, "alts": de}}})

	// An import restores the texts, but for those of locales that the site does not have.
	lines := kit.JSONLines(t, kit.Obj{"model": "media", "id": file,
		"alts": kit.Obj{"fr": "Un arbre", "tlh": "Sor"}})
	admin.OK(t, 200, "POST /import", lines).Has(t, "import", kit.Obj{"data.0.result": "updated"})
	k.OK(t, 200, read, nil).Has(t, "imported", kit.Obj{"data.alts": kit.Obj{"fr": "Un arbre"}})
	admin.OK(t, 200, "POST /import", lines).Has(t, "again", kit.Obj{"data.0.result": "unchanged"})
}

// refusedAlts sends texts that a file cannot have, and one from a person who may not edit files.
func refusedAlts(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	k, admin := s.AdminKey(t), s.Admin(t)
	file := k.Upload(t, "sea.png", kit.PNG(3, 2), nil).Str(t, "data.id")
	put := "PUT /media/" + file
	refused := func(name string, alts any, at string) kit.Step {
		return kit.Step{Name: name, Call: put, Body: kit.Obj{"alts": alts, "alt": "x"}, Invalid: at}
	}
	admin.Run(t,
		refused("no locale of the site", kit.Obj{"xx": "y", "de": "z"}, "alts.xx"),
		refused("none at all", kit.Obj{"": "y"}, "alts."),
		refused("too long", kit.Obj{"de": strings.Repeat("x", 64<<10+1)}, "alts.de"),
		refused("a number", kit.Obj{"de": 1}, "alts.de"),
		refused("a list", kit.List{"de"}, "alts"),
		refused("a text", "de", "alts"),
		kit.Step{Name: "nothing was stored", Call: "GET /media/" + file, Want: kit.Obj{"data.alt": "", "data.alts": nil}},
	)
	_, _, viewer := s.User(t, "viewer")
	viewer.Step(t, kit.Step{Name: "a viewer", Call: put, Body: kit.Obj{"alts": kit.Obj{"de": "y"}}, Code: "FORBIDDEN"})
}

// uploadedAlts gives texts by locale with uploads, which take what changes take.
func uploadedAlts(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	k, admin, text := s.Key(t, nil), s.Admin(t), []byte("words")
	want := kit.Obj{"data.alt": "A", "data.alts": kit.Obj{"de": "Ein A"}}
	parts := func(alts string) kit.Body {
		return kit.FileBody(t, "a.txt", text, map[string]string{"alt": "A", "alts": alts})
	}
	for name, c := range map[string]*kit.Client{"POST /upload": k, "POST /media": admin} {
		c.Step(t, kit.Step{Name: name, Call: name, Body: parts(`{"de": "Ein A", "xx": ""}`), Invalid: "alts.xx"})
		id := c.Step(t, kit.Step{Name: name, Call: name, Body: parts(`{"de": "Ein A"}`), Status: 201,
			Want: want}).Str(t, "data.id")
		k.Get(t, "/upload/files/"+id).Has(t, name, want)
		for what, alts := range map[string]string{"none": "{}", "null": "null", "null for a locale": `{"de": null}`} {
			c.Step(t, kit.Step{Name: what, Call: name, Body: parts(alts), Status: 201, Want: kit.Obj{"data.alts": nil}})
		}
	}
	direct := kit.Obj{"name": "a.txt", "mime": "text/plain", "size": len(text), "alt": "A", "alts": kit.Obj{"de": "Ein A"}}
	for prefix, c := range map[string]*kit.Client{"/upload": k, "/media": admin} {
		begun := c.Post(t, prefix+"/direct", direct)
		kit.UploadDirectly(t, s, begun, text)
		c.Step(t, kit.Step{Name: prefix, Call: "POST " + prefix + "/direct/" + begun.Str(t, "data.id") + "/complete",
			Status: 201, Want: want})
	}
	for alts, at := range map[string]string{`"de"`: "alts", "{": "alts", "[]": "alts", `{"de": 1}`: "alts.de",
		`{"xx": "y"}`: "alts.xx"} {
		k.Step(t, kit.Step{Name: alts, Call: "POST /upload", Body: parts(alts), Invalid: at})
	}
	direct["alts"] = kit.Obj{"xx": "y", "de": 1}
	k.Step(t, kit.Step{Name: "direct", Call: "POST /upload/direct", Body: direct, Invalid: "alts.de alts.xx"})
}
