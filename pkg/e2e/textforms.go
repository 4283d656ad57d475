package e2e

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// textsAsHTML reads texts as HTML, also nested and included ones.
func textsAsHTML(t *testing.T, s *suite) {
	k, d := s.adminKey(t), s.publishable(t, nil)
	model := textModel(t, s, nil)
	target := k.publish(t, model, "Target "+unique("t"), nil)
	slug := k.ok(t, 200, "GET /"+model+"/"+target, nil).str(t, "data.slug")
	draft := k.create(t, model, obj{"title": "Draft " + unique("t")}).str(t, "data.id")
	file := k.upload(t, "a.png", pngFile(60, 30), map[string]string{"alt": "A lamp"})
	url := file.str(t, "data.url")
	body := "# A\n\n# A\n\n[a *b*](" + entryRef(target) + ") [c](" + entryRef(draft) + ") ![](" +
		fileRef(file.str(t, "data.id")) + ")\n\n<script>x()</script><b id=\"x\" style=\"top:0\">d</b> ~~e~~ https://a.example/\n\n| f |\n|---|\n| g |\n"
	img := `<img src="` + url + `" alt="A lamp" loading="lazy" width="60" height="30"/>`
	want := "<h1 id=\"a\">A</h1>\n<h1 id=\"a-1\">A</h1>\n<p><a href=\"/" + slug + "\">a <em>b</em></a> c " + img +
		"</p>\n<b>d</b> ~~e~~ https://a.example/\n<table>\n<thead>\n<tr>\n<th>f</th>\n</tr>\n</thead>\n" +
		"<tbody>\n<tr>\n<td>g</td>\n</tr>\n</tbody>\n</table>\n"
	id := k.publish(t, model, "Text "+unique("t"), obj{"body": body, "plain": "# A",
		"steps": list{obj{"body": "*x*"}, obj{"body": nil}}})
	for _, call := range []string{"GET /" + model + "/" + id + "?richtext=html", "GET /" + model + "?richtext=html&filter[id]=" + id} {
		at := "data.data."
		if strings.Contains(call, "filter") {
			at = "data.0.data."
		}
		d.step(t, step{call: call, status: 200, want: obj{at + "body": want, at + "plain": "# A",
			at + "inner": nil, at + "steps.0.body": "<p><em>x</em></p>\n", at + "steps.1.body": nil}})
	}
	srcset := `srcset="` + url + `?w=32&amp;fm=auto 32w, ` + url + `?w=64&amp;fm=auto 60w"`
	got := d.ok(t, 200, "GET /"+model+"/"+id+"?richtext=html&images=32,64", nil).str(t, "data.data.body")
	if !strings.Contains(got, srcset) {
		t.Errorf("%s is not in %s", srcset, got)
	}
	for _, value := range []string{"", "HTML", "html,parts", "text", "html&richtext=html"} {
		d.step(t, step{call: "GET /" + model + "?richtext=" + value, status: 400, code: "BAD_REQUEST"})
	}
	d.ok(t, 200, "GET /search?q=lamp&richtext=x", nil)
	d.step(t, step{call: "GET /" + model + "/" + id + "?richtext=markdown&refs=raw", status: 200, want: obj{"data.data.body": body}})
	read := k.ok(t, 200, "GET /"+model+"/"+id+"?richtext=html", nil)
	if tag := k.ok(t, 200, "GET /"+model+"/"+id, nil).Header.Get("ETag"); tag == read.Header.Get("ETag") {
		t.Error("HTML has the ETag of Markdown")
	}
	k.with("If-Match", read.Header.Get("ETag")).step(t, step{call: "PUT /" + model + "/" + id,
		body: obj{"data": obj{"inner": "*y*"}}, status: 200, want: obj{"data.data.inner": "*y*"}})
	k.with("If-Match", read.Header.Get("ETag")).step(t, step{call: "PUT /" + model + "/" + id,
		body: obj{"data": obj{"inner": "z"}}, status: 412, code: "PRECONDITION_FAILED"})
	other := s.model(t, obj{"fields": list{field("to", "relation", obj{"model": model})}})
	ref := k.publish(t, other, "Other "+unique("t"), obj{"to": id})
	d.step(t, step{call: "GET /" + other + "/" + ref + "?include=to&richtext=html", status: 200,
		want: obj{"data.data.to.data.inner": "<p><em>y</em></p>\n"}})
}

// blockModel makes a model whose texts have blocks.
func blockModel(t *testing.T, s *suite) string {
	t.Helper()
	return s.model(t, obj{"fields": list{field("body", "richtext", obj{"searchable": true, "fields": list{
		field("hero", "group", obj{"fields": list{
			field("label", "text", obj{"required": true, "searchable": true}), field("size", "number", nil),
			field("wide", "boolean", nil), field("photo", "media", nil), field("text", "richtext", nil)}}),
		field("quote", "group", obj{"fields": list{field("who", "text", nil)}}),
	}}), field("plain", "richtext", nil)}})
}

func fence(kind, content string) string { return "```block " + kind + "\n" + content + "\n```\n" }

// textBlocks validates blocks in texts, and their types.
func textBlocks(t *testing.T, s *suite) {
	k, admin := s.adminKey(t), s.admin(t)
	model := blockModel(t, s)
	for content, path := range map[string]string{
		"size: 5":                  "data.body.blocks.1.label",
		"label: x\nsize: big":      "data.body.blocks.1.size",
		"label: x\nother: 1":       "data.body.blocks.1.other",
		"label: &a x":              "data.body.blocks.1",
		"label: [":                 "data.body.blocks.1",
		"label: x\nphoto: nope":    "data.body.blocks.1.photo",
		"label: x\nphoto: " + noID: "data.body.blocks.1.photo",
	} {
		body := "a\n" + fence("quote", "who: me") + fence("hero", content)
		k.step(t, step{call: "POST /" + model, body: obj{"title": "T " + unique("t"), "data": obj{"body": body}},
			status: 422, code: "VALIDATION_FAILED", details: []string{path}})
	}
	k.step(t, step{call: "POST /" + model, body: obj{"title": "T " + unique("t"), "data": obj{"body": fence("gone", "")}},
		status: 422, code: "VALIDATION_FAILED", details: []string{"data.body.blocks.0"}})
	k.step(t, step{call: "POST /" + model, body: obj{"title": "T " + unique("t"), "data": obj{
		"body": strings.Repeat(fence("quote", ""), 201)}}, status: 422, code: "VALIDATION_FAILED"})
	k.ok(t, 201, "POST /"+model, obj{"title": "T " + unique("t"), "data": obj{"body": strings.Repeat(fence("quote", ""), 200)}})
	k.ok(t, 201, "POST /"+model, obj{"title": "T " + unique("t"), "data": obj{"plain": fence("gone", "["),
		"body": "- a\n\n  " + strings.ReplaceAll(fence("gone", "["), "\n", "\n  ")}})
	for kind, path := range map[string]obj{
		"fields.0.fields":          field("text", "group", obj{"fields": list{field("a", "text", nil)}}),
		"fields.0.fields.0.type":   field("b", "text", nil),
		"fields.0.fields.0.fields": field("b", "group", obj{"fields": list{field("type", "text", nil)}}),
	} {
		admin.step(t, step{call: "POST /models", status: 422, code: "VALIDATION_FAILED", details: []string{kind},
			body: obj{"name": "M", "slug": unique("m"), "fields": list{field("body", "richtext", obj{"fields": list{path}})}}})
	}
	word := strings.ReplaceAll(unique("word"), "-", "")
	k.publish(t, model, "T "+unique("t"), obj{"body": fence("hero", "label: "+word)})
	s.eventually(t, "the words of a block are found", func() bool {
		return k.ok(t, 200, "GET /search?q="+word+"&models="+model, nil).get("meta.total") == 1.0
	})
	if total := k.ok(t, 200, "GET /search?q=label&models="+model, nil).get("meta.total"); total != 0.0 {
		t.Errorf("%v entries have the word label", total)
	}
}

// textParts reads texts in parts.
func textParts(t *testing.T, s *suite) {
	k := s.adminKey(t)
	model := blockModel(t, s)
	file := k.upload(t, "a.png", pngFile(3, 2), nil)
	target := k.publish(t, model, "Target "+unique("t"), nil)
	slug := k.ok(t, 200, "GET /"+model+"/"+target, nil).str(t, "data.slug")
	hero := fence("hero", "label: Hi & bye\nsize: 2.5\nwide: true\nphoto: "+file.str(t, "data.id")+
		"\ntext: '*t* [x]("+entryRef(target)+")'")
	body := "# A\n\n[x] <b>\n" + hero + "\n \n" + fence("quote", "{\"who\": null}") + "# A\n\n[x]: " + entryRef(target) + "\n"
	id := k.publish(t, model, "T "+unique("t"), obj{"body": body, "plain": "p"})
	at := "GET /" + model + "/" + id + "?richtext="
	first := "# A\n\n[x] <b>\n\n[x]: /" + slug + "\n"
	got := k.ok(t, 200, at+"parts", nil)
	want := list{obj{"type": "text", "text": first},
		obj{"type": "hero", "label": "Hi & bye", "size": 2.5, "wide": true, "photo": file.str(t, "data.id"),
			"text": list{obj{"type": "text", "text": "*t* [x](/" + slug + ")"}}},
		obj{"type": "quote", "who": nil}, obj{"type": "text", "text": "# A\n\n[x]: /" + slug + "\n"}}
	if !reflect.DeepEqual(got.get("data.data.body"), want) {
		t.Errorf("got  %v\nwant %v", got.get("data.data.body"), want)
	}
	if plain := got.get("data.data.plain"); !reflect.DeepEqual(plain, list{obj{"type": "text", "text": "p"}}) {
		t.Errorf("plain is %v", plain)
	}
	k.step(t, step{call: at + "parts,html&include=body.photo", status: 200, want: obj{
		"data.data.body.0.text":        "<h1 id=\"a\">A</h1>\n<p><a href=\"/" + slug + "\">x</a> <b></b></p><b>\n</b>",
		"data.data.body.1.photo.url":   file.str(t, "data.url"),
		"data.data.body.1.text.0.text": "<p><em>t</em> <a href=\"/" + slug + "\">x</a></p>\n",
		"data.data.body.3.text":        "<h1 id=\"a-1\">A</h1>\n"}})
	html := k.ok(t, 200, at+"html&include=body.photo", nil).str(t, "data.data.body")
	for _, part := range []string{`<div data-block="hero" data-value="{&#34;label&#34;:&#34;Hi &amp; bye&#34;,`,
		fmt.Sprintf("&#34;url&#34;:&#34;%s&#34;", file.str(t, "data.url")), `<div data-block="quote" data-value="{&#34;who&#34;:null}"></div>`,
		`<h1 id="a-1">A</h1>`} {
		if !strings.Contains(html, part) {
			t.Errorf("%s is not in %s", part, html)
		}
	}
	k.step(t, step{call: "GET /" + model + "/" + id + "?include=body.photo&refs=raw", status: 200, want: obj{"data.data.body": body}})
	k.step(t, step{call: "GET /" + model + "?include=body.label", status: 400, code: "BAD_REQUEST"})
	k.step(t, step{call: "PUT /" + model + "/" + id, body: obj{"data": obj{"body": ""}}, status: 200})
	k.step(t, step{call: at + "parts", status: 200, want: obj{"data.data.body": list{}}})
}

// textBlocksRefer finds and replaces what blocks in texts refer to.
func textBlocksRefer(t *testing.T, s *suite) {
	k, admin := s.adminKey(t), s.admin(t)
	model := blockModel(t, s)
	file := k.upload(t, "a.png", pngFile(3, 2), nil).str(t, "data.id")
	other := k.upload(t, "b.png", pngFile(3, 2), nil).str(t, "data.id")
	target := k.publish(t, model, "Target "+unique("t"), nil)
	body := "x " + file + "\n" + fence("hero", "label: "+file+"\nphoto: "+strings.ToUpper(file)+"\ntext: '[a]("+entryRef(target)+")'")
	id := k.publish(t, model, "T "+unique("t"), obj{"body": body})
	admin.step(t, step{call: "GET /media/" + file + "/usage", status: 200,
		want: obj{"meta.total": 1.0, "data.0.path": "data.body.blocks.0.photo"}})
	admin.step(t, step{call: "GET /models/" + model + "/entries/" + target + "/usage", status: 200,
		want: obj{"meta.total": 1.0, "data.0.path": "data.body.blocks.0.text"}})
	admin.step(t, step{call: "DELETE /media/" + file + "?if_unused=true", status: 409, code: "IN_USE"})
	job := admin.ok(t, 202, "POST /media/"+file+"/replace", obj{"with": other}).str(t, "data.id")
	s.eventually(t, "the file is replaced", func() bool {
		return admin.ok(t, 200, "GET /jobs/"+job, nil).get("data.status") == "done"
	})
	if got := k.stored(t, model, id); !strings.HasPrefix(got, "x "+file) || !strings.Contains(got, "photo: "+other) {
		t.Errorf("got %s", got)
	}
	admin.ok(t, 204, "DELETE /media/"+file+"?if_unused=true", nil)
}
