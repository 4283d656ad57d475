package texts

import (
	"fmt"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// textsAsHTML reads texts as HTML, also nested and included ones.
func textsAsHTML(t *testing.T, s *kit.Suite) {
	k, d := s.AdminKey(t), s.PublishableKey(t, nil)
	model := textModel(t, s, nil)
	target := k.Publish(t, model, "Target "+kit.Unique("t"), nil)
	slug := k.Get(t, "/"+model+"/"+target).Str(t, "data.slug")
	draft := k.Create(t, model, kit.Obj{"title": "Draft " + kit.Unique("t")}).Str(t, "data.id")
	file := k.Upload(t, "a.png", kit.PNG(60, 30), map[string]string{"alt": "A lamp"})
	url := file.Str(t, "data.url")
	body := "# A\n\n# A\n\n[a *b*](" + kit.EntryRef(target) + ") [c](" + kit.EntryRef(draft) + ") ![](" +
		fileRef(file.Str(t, "data.id")) +
		")\n\n<script>x()</script><b id=\"x\" style=\"top:0\">d</b> ~~e~~ https://a.example/\n\n| f |\n|---|\n| g |\n"
	img := `<img src="` + url + `" alt="A lamp" loading="lazy" width="60" height="30"/>`
	want := "<h1 id=\"a\">A</h1>\n<h1 id=\"a-1\">A</h1>\n<p><a href=\"/" + slug + "\">a <em>b</em></a> c " + img +
		"</p>\n<b>d</b> ~~e~~ https://a.example/\n<table>\n<thead>\n<tr>\n<th>f</th>\n</tr>\n</thead>\n" +
		"<tbody>\n<tr>\n<td>g</td>\n</tr>\n</tbody>\n</table>\n"
	id := k.Publish(t, model, "Text "+kit.Unique("t"), kit.Obj{"body": body, "plain": "# A",
		"steps": kit.List{kit.Obj{"body": "*x*"}, kit.Obj{"body": nil}}})
	for _, call := range []string{"GET /" + model + "/" + id + "?richtext=html",
		"GET /" + model + "?richtext=html&filter[id]=" + id} {
		at := "data.data."
		if strings.Contains(call, "filter") {
			at = "data.0.data."
		}
		d.Step(t, kit.Step{Call: call, Want: kit.Obj{at + "body": want, at + "plain": "# A",
			at + "inner": nil, at + "steps.0.body": "<p><em>x</em></p>\n", at + "steps.1.body": nil}})
	}
	srcset := `srcset="` + url + `?w=32&amp;fm=auto 32w, ` + url + `?w=64&amp;fm=auto 60w"`
	got := d.Get(t, "/"+model+"/"+id+"?richtext=html&images=32,64").Str(t, "data.data.body")
	if !strings.Contains(got, srcset) {
		t.Errorf("%s is not in %s", srcset, got)
	}
	for _, value := range []string{"", "HTML", "html,parts", "text", "html&richtext=html"} {
		d.Step(t, kit.Step{Call: "GET /" + model + "?richtext=" + value, Code: "BAD_REQUEST"})
	}
	d.Get(t, "/search?q=lamp&richtext=x")
	d.Step(t, kit.Step{Call: "GET /" + model + "/" + id + "?richtext=markdown&refs=raw",
		Want: kit.Obj{"data.data.body": body}})
	read := k.Get(t, "/"+model+"/"+id+"?richtext=html")
	if tag := k.Get(t, "/"+model+"/"+id).Header.Get("ETag"); tag == read.Header.Get("ETag") {
		t.Error("HTML has the ETag of Markdown")
	}
	k.With("If-Match", read.Header.Get("ETag")).Step(t, kit.Step{Call: "PUT /" + model + "/" + id,
		Body: kit.Obj{"data": kit.Obj{"inner": "*y*"}}, Want: kit.Obj{"data.data.inner": "*y*"}})
	k.With("If-Match", read.Header.Get("ETag")).Step(t, kit.Step{Call: "PUT /" + model + "/" + id,
		Body: kit.Obj{"data": kit.Obj{"inner": "z"}}, Code: "PRECONDITION_FAILED"})
	other := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("to", "relation", kit.Obj{"model": model})}})
	ref := k.Publish(t, other, "Other "+kit.Unique("t"), kit.Obj{"to": id})
	d.Step(t, kit.Step{Call: "GET /" + other + "/" + ref + "?include=to&richtext=html",
		Want: kit.Obj{"data.data.to.data.inner": "<p><em>y</em></p>\n"}})
}

// blockModel makes a model whose texts have blocks.
func blockModel(t *testing.T, s *kit.Suite) string {
	t.Helper()
	return s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "richtext",
		kit.Obj{"searchable": true, "fields": kit.List{
			kit.Field("hero", "group", kit.Obj{"fields": kit.List{
				kit.Field("label", "text", kit.Obj{"required": true, "searchable": true}),
				kit.Field("size", "number", nil), kit.Field("wide", "boolean", nil), kit.Field("photo", "media", nil),
				kit.Field("text", "richtext", nil)}}),
			kit.Field("quote", "group", kit.Obj{"fields": kit.List{kit.Field("who", "text", nil)}}),
		}}), kit.Field("plain", "richtext", nil)}})
}

func fence(kind, content string) string { return "```block " + kind + "\n" + content + "\n```\n" }

// textBlocks validates blocks in texts, and their types.
func textBlocks(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	model := blockModel(t, s)
	for content, path := range map[string]string{
		"size: 5":                           "data.body.blocks.1.label",
		"label: x\nsize: big":               "data.body.blocks.1.size",
		"label: x\nother: 1":                "data.body.blocks.1.other",
		"label: &a x":                       "data.body.blocks.1",
		"label: [":                          "data.body.blocks.1",
		"label: x\nphoto: nope":             "data.body.blocks.1.photo",
		"label: x\nphoto: " + kit.UnknownID: "data.body.blocks.1.photo",
	} {
		body := "a\n" + fence("quote", "who: me") + fence("hero", content)
		k.Step(t, kit.Step{Call: "POST /" + model,
			Body: kit.Obj{"title": "T " + kit.Unique("t"), "data": kit.Obj{"body": body}}, Invalid: path})
	}
	k.Step(t, kit.Step{Call: "POST /" + model,
		Body:    kit.Obj{"title": "T " + kit.Unique("t"), "data": kit.Obj{"body": fence("gone", "")}},
		Invalid: "data.body.blocks.0"})
	k.Step(t, kit.Step{Call: "POST /" + model, Body: kit.Obj{"title": "T " + kit.Unique("t"), "data": kit.Obj{
		"body": strings.Repeat(fence("quote", ""), 201)}}, Status: 422, Code: "VALIDATION_FAILED"})
	k.Post(t, "/"+model, kit.Obj{"title": "T " + kit.Unique("t"),
		"data": kit.Obj{"body": strings.Repeat(fence("quote", ""), 200)}})
	k.Post(t, "/"+model, kit.Obj{"title": "T " + kit.Unique("t"), "data": kit.Obj{"plain": fence("gone", "["),
		"body": "- a\n\n  " + strings.ReplaceAll(fence("gone", "["), "\n", "\n  ")}})
	for kind, path := range map[string]kit.Obj{
		"fields.0.fields":          kit.Field("text", "group", kit.Obj{"fields": kit.List{kit.Field("a", "text", nil)}}),
		"fields.0.fields.0.type":   kit.Field("b", "text", nil),
		"fields.0.fields.0.fields": kit.Field("b", "group", kit.Obj{"fields": kit.List{kit.Field("type", "text", nil)}}),
	} {
		admin.Step(t, kit.Step{Call: "POST /models", Invalid: kind, Body: kit.Obj{"name": "M", "slug": kit.Unique("m"),
			"fields": kit.List{kit.Field("body", "richtext", kit.Obj{"fields": kit.List{path}})}}})
	}
	word := strings.ReplaceAll(kit.Unique("word"), "-", "")
	k.Publish(t, model, "T "+kit.Unique("t"),
		kit.Obj{"body": fence("hero", "label: "+word+"\ntext: 'a *"+word+"text*'") + fence("quote", "who: "+word+"who")})
	for _, q := range []string{word, word + "text", word + "who"} { // all texts of its blocks are words of the text
		s.Eventually(t, "the words of a block are found", func() bool {
			return k.Get(t, "/search?q="+q+"&models="+model).Get("meta.total") == 1.0
		})
	}
	k.Get(t, "/search?q=label&models="+model).Has(t, "total", kit.Obj{"meta.total": 0.0})
}

// textParts reads texts in parts.
func textParts(t *testing.T, s *kit.Suite) {
	k := s.AdminKey(t)
	model := blockModel(t, s)
	file := k.Upload(t, "a.png", kit.PNG(3, 2), nil)
	target := k.Publish(t, model, "Target "+kit.Unique("t"), nil)
	slug := k.Get(t, "/"+model+"/"+target).Str(t, "data.slug")
	hero := fence("hero", "label: Hi & bye\nsize: 2.5\nwide: true\nphoto: "+file.Str(t, "data.id")+
		"\ntext: '*t* [x]("+kit.EntryRef(target)+")'")
	body := "# A\n\n[x] <b>\n" + hero + "\n \n" + fence("quote", "{\"who\": null}") + "# A\n\n[x]: " +
		kit.EntryRef(target) + "\n"
	id := k.Publish(t, model, "T "+kit.Unique("t"), kit.Obj{"body": body, "plain": "p"})
	at := "GET /" + model + "/" + id + "?richtext="
	first := "# A\n\n[x] <b>\n\n[x]: /" + slug + "\n"
	got := k.OK(t, 200, at+"parts", nil)
	want := kit.List{kit.Obj{"type": "text", "text": first},
		kit.Obj{"type": "hero", "label": "Hi & bye", "size": 2.5, "wide": true, "photo": file.Str(t, "data.id"),
			"text": kit.List{kit.Obj{"type": "text", "text": "*t* [x](/" + slug + ")"}}},
		kit.Obj{"type": "quote"}, kit.Obj{"type": "text", "text": "# A\n\n[x]: /" + slug + "\n"}}
	got.Has(t, "body", kit.Obj{"data.data.body": want})
	got.Has(t, "plain", kit.Obj{"data.data.plain": kit.List{kit.Obj{"type": "text", "text": "p"}}})
	k.Step(t, kit.Step{Call: at + "parts,html&include=body.photo", Want: kit.Obj{
		"data.data.body.0.text":        "<h1 id=\"a\">A</h1>\n<p><a href=\"/" + slug + "\">x</a> <b></b></p><b>\n</b>",
		"data.data.body.1.photo.url":   file.Str(t, "data.url"),
		"data.data.body.1.text.0.text": "<p><em>t</em> <a href=\"/" + slug + "\">x</a></p>\n",
		"data.data.body.3.text":        "<h1 id=\"a-1\">A</h1>\n"}})
	html := k.OK(t, 200, at+"html&include=body.photo", nil).Str(t, "data.data.body")
	for _, part := range []string{`<div data-block="hero" data-value="{&#34;label&#34;:&#34;Hi &amp; bye&#34;,`,
		fmt.Sprintf("&#34;url&#34;:&#34;%s&#34;", file.Str(t, "data.url")),
		`<div data-block="quote" data-value="{}"></div>`, `<h1 id="a-1">A</h1>`} {
		if !strings.Contains(html, part) {
			t.Errorf("%s is not in %s", part, html)
		}
	}
	k.Step(t, kit.Step{Call: "GET /" + model + "/" + id + "?include=body.photo&refs=raw",
		Want: kit.Obj{"data.data.body": body}})
	k.Step(t, kit.Step{Call: "GET /" + model + "?include=body.label", Code: "BAD_REQUEST"})
	k.Step(t, kit.Step{Call: "PUT /" + model + "/" + id, Body: kit.Obj{"data": kit.Obj{"body": ""}}})
	k.Step(t, kit.Step{Call: at + "parts", Want: kit.Obj{"data.data.body": kit.List{}}})
}

// textBlocksRefer finds and replaces what blocks in texts refer to.
func textBlocksRefer(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	model := blockModel(t, s)
	file := k.Upload(t, "a.png", kit.PNG(3, 2), nil).Str(t, "data.id")
	other := k.Upload(t, "b.png", kit.PNG(3, 2), nil).Str(t, "data.id")
	target := k.Publish(t, model, "Target "+kit.Unique("t"), nil)
	body := "x " + file + "\n" + fence("hero",
		"label: "+file+"\nphoto: "+strings.ToUpper(file)+"\ntext: '[a]("+kit.EntryRef(target)+")'") +
		fence("hero", "label: l\ntext: '![b](cms://media/"+file+")'")
	id := k.Publish(t, model, "T "+kit.Unique("t"), kit.Obj{"body": body})
	admin.Step(t, kit.Step{Call: "GET /media/" + file + "/usage",
		Want: kit.Obj{"meta.total": 2.0, "data.0.path": "data.body.blocks.0.photo",
			"data.1.path": "data.body.blocks.1.text"}})
	admin.Step(t, kit.Step{Call: "GET /models/" + model + "/entries/" + target + "/usage",
		Want: kit.Obj{"meta.total": 1.0, "data.0.path": "data.body.blocks.0.text"}})
	admin.Step(t, kit.Step{Call: "DELETE /media/" + file + "?if_unused=true", Code: "IN_USE"})
	job := admin.OK(t, 202, "POST /media/"+file+"/replace", kit.Obj{"with": other}).Str(t, "data.id")
	s.Eventually(t, "the file is replaced", func() bool {
		return admin.Get(t, "/jobs/"+job).Get("data.status") == "done"
	})
	if got := storedText(t, k, model, id); !strings.HasPrefix(got, "x "+file) ||
		!strings.Contains(got, "photo: "+other) || !strings.Contains(got, "cms://media/"+other) {
		t.Errorf("got %s", got)
	}
	admin.Delete(t, "/media/"+file+"?if_unused=true")
}
