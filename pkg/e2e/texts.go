package e2e

import (
	"fmt"
	"strings"
	"testing"
)

var textScenarios = []scenario{
	{name: "texts/references", run: textReferences},
	{name: "texts/written back", run: textsWrittenBack},
	{name: "texts/tags", run: textTags},
	{name: "texts/uses", run: textUses},
	{name: "texts/raw", run: rawTexts},
	{name: "texts/limits", run: textLimits},
	{name: "texts/translations", run: textTranslations},
	{name: "texts/html", run: textsAsHTML},
	{name: "texts/relations", run: relationsToSeveral},
	{name: "texts/relations_upper", run: idsInUpperCase},
	{name: "texts/blocks", run: textBlocks},
	{name: "texts/parts", run: textParts},
	{name: "texts/blocks refer", run: textBlocksRefer},
}

// textModel makes a model with a rich text, also in a list, and one that is hidden.
func textModel(t *testing.T, s *suite, more obj) string {
	t.Helper()
	definition := obj{"fields": list{field("body", "richtext", obj{"searchable": true}),
		field("plain", "textarea", nil), field("inner", "richtext", nil),
		field("steps", "list", obj{"fields": list{field("body", "richtext", nil)}})}}
	for key, v := range more {
		definition[key] = v
	}
	return s.model(t, definition)
}

func entryRef(id string) string { return "cms://entry/" + id }

func fileRef(id string) string { return "cms://media/" + id }

// stored returns the body of an entry in its stored form.
func (c *client) stored(t *testing.T, model, id string) string {
	t.Helper()
	return c.ok(t, 200, "GET /"+model+"/"+id+"?refs=raw", nil).str(t, "data.data.body")
}

func textReferences(t *testing.T, s *suite) {
	k, d := s.adminKey(t), s.publishable(t, nil)
	model := textModel(t, s, nil)
	target := k.publish(t, model, "Target "+unique("t"), nil)
	slug := k.ok(t, 200, "GET /"+model+"/"+target, nil).str(t, "data.slug")
	draft := k.create(t, model, obj{"title": "Draft " + unique("t")}).str(t, "data.id")
	file := k.upload(t, "a.png", pngFile(3, 2), nil)
	url, fileID := file.str(t, "data.url"), file.str(t, "data.id")
	form := "[a](%[1]s#part) ![p](%[2]s?w=800)\n\n[r]: <%[1]s> 't'\n\n<img src=\"%[2]s\"> `[c](cms://entry/" +
		target + ")` [d](cms://entry/" + noID + ") [e](cms://page/1)\n"
	sent := fmt.Sprintf(form, entryRef(target), fileRef(fileID))
	want := fmt.Sprintf(form, "/"+slug, url)
	plain := "[a](" + entryRef(target) + ")"
	made := k.create(t, model, obj{"title": "Text " + unique("t"), "status": "published", "data": obj{
		"body": sent, "plain": plain, "steps": list{obj{"body": "x"}, obj{"body": plain}},
		"inner": "[d](" + entryRef(draft) + ")"}})
	id := made.str(t, "data.id")
	for _, c := range []*client{k, d} {
		shown := obj{"data.data.body": want, "data.data.plain": plain,
			"data.data.steps.1.body": "[a](/" + slug + ")"}
		if c == d {
			shown["data.data.inner"] = "[d](" + entryRef(draft) + ")" // it cannot be seen
		}
		c.step(t, step{call: "GET /" + model + "/" + id, status: 200, want: shown})
		c.step(t, step{call: "GET /" + model + "?filter[id]=" + id, status: 200,
			want: obj{"data.0.data.body": want}})
		c.step(t, step{call: "GET /" + model + "?refs=raw&filter[id]=" + id, status: 200,
			want: obj{"data.0.data.body": sent}})
		c.step(t, step{call: "GET /" + model + "/" + id + "?refs=full", status: 400, code: "BAD_REQUEST"})
		c.step(t, step{call: "GET /" + model + "?refs=", status: 400, code: "BAD_REQUEST"})
	}
	if made.str(t, "data.data.body") != want {
		t.Errorf("the create shows %s", made.Raw)
	}
	k.run(t,
		step{name: "a new slug", call: "PUT /" + model + "/" + target, body: obj{"slug": slug + "-now"}, status: 200},
		step{name: "is shown", call: "GET /" + model + "/" + id, status: 200,
			want: obj{"data.data.body": fmt.Sprintf(form, "/"+slug+"-now", url)}},
		step{name: "unpublished", call: "POST /" + model + "/" + target + "/unpublish", status: 200},
	)
	reader := s.key(t, obj{"scopes": list{"read"}})
	reader.step(t, step{call: "GET /" + model + "/" + id, status: 200,
		want: obj{"data.data.body": fmt.Sprintf(form, entryRef(target), url)}})
	k.ok(t, 204, "DELETE /"+model+"/"+target, nil)
	k.step(t, step{call: "GET /" + model + "/" + id, status: 200,
		want: obj{"data.data.body": fmt.Sprintf(form, entryRef(target), url)}})
}

// textsWrittenBack sends back what was read: the stored form stays, whatever the addresses show.
func textsWrittenBack(t *testing.T, s *suite) {
	k := s.adminKey(t)
	pages := textModel(t, s, obj{"url": "/pages/{slug}"})
	model := textModel(t, s, nil)
	page := k.publish(t, pages, "Page "+unique("t"), nil)
	post := k.publish(t, model, "Post "+unique("t"), nil)
	file := k.upload(t, "a.png", pngFile(3, 2), nil)
	fileID, url := file.str(t, "data.id"), file.str(t, "data.url")
	stored := "[a](" + entryRef(page) + "?x=1#y) [b](" + entryRef(post) + ") <" + entryRef(post) + "> ![c](" +
		fileRef(fileID) + "?w=8)"
	first := k.create(t, model, obj{"title": "Text " + unique("t"), "data": obj{"body": stored}})
	id := first.str(t, "data.id")
	at := "/" + model + "/" + id
	read := k.ok(t, 200, "GET "+at, nil)
	body := read.str(t, "data.data.body")
	for _, part := range []string{"(/pages/page-", "?x=1#y)", "](/post-", url + "?w=8"} {
		if !strings.Contains(body, part) {
			t.Errorf("%s is not in %s", part, body)
		}
	}
	k.ok(t, 200, "PUT "+at, obj{"data": obj{"body": body}})
	autolink := strings.Replace(stored, "<"+entryRef(post)+">",
		strings.ReplaceAll("[/x]("+entryRef(post)+")", "/x", "/"+k.ok(t, 200, "GET /"+model+"/"+post,
			nil).str(t, "data.slug")), 1)
	if got := k.stored(t, model, id); got != autolink {
		t.Errorf("got %s, want %s", got, autolink)
	}
	draft := k.ok(t, 200, "PUT "+at+"/draft", obj{"data": obj{"body": "new " + body, "steps": list{obj{
		"body": "[p](/elsewhere) [q](" + url + ")"}}}})
	if got := draft.str(t, "data.data.body"); got != "new "+body {
		t.Errorf("the draft shows %s", got)
	}
	k.step(t, step{call: "GET " + at + "/draft?refs=raw", status: 200, want: obj{
		"data.data.body": "new " + autolink, "data.data.steps.0.body": "[p](/elsewhere) [q](" + fileRef(fileID) + ")"}})
	k.step(t, step{call: "POST " + at + "/publish", status: 200, want: obj{"data.data.body": "new " + body}})
	missing := strings.Replace(url, fileID, noID, 1)
	k.ok(t, 200, "PUT "+at, obj{"data": obj{"body": "![x](" + missing + ") `![y](" + url + ")` ![z](" + url + "?v=1&w=3)"}})
	if got, want := k.stored(t, model, id), "![x]("+missing+") `![y]("+url+")` ![z]("+fileRef(fileID)+
		"?w=3)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	textMatch(t, k, at, model, post)
	formerWrittenBack(t, s, k, model)
}

// formerWrittenBack sends back addresses that a read showed before their entry, or one above it, moved.
func formerWrittenBack(t *testing.T, s *suite, k *client, model string) {
	tree := textModel(t, s, obj{"tree": true, "url": "/" + unique("x") + "/{path}"})
	above := k.publish(t, tree, "Above", nil)
	below := k.create(t, tree, obj{"title": "Below", "status": "published", "parent": above}).str(t, "data.id")
	at := "/" + model + "/" + k.publish(t, model, "Text "+unique("t"), obj{"body": "[a](" + entryRef(below) + ")"})
	var read []string
	for _, move := range []step{{call: "PUT /" + tree + "/" + above, body: obj{"slug": "now"}},
		{call: "PUT /" + tree + "/" + below, body: obj{"slug": "now-too"}},
		{call: "PUT /" + tree + "/" + below, body: obj{"parent": nil}}} {
		read = append(read, k.ok(t, 200, "GET "+at, nil).str(t, "data.data.body"))
		k.ok(t, 200, move.call, move.body)
	}
	for _, body := range append(read, strings.Replace(read[2], "/now/", "/above/", 1)) {
		k.run(t, step{call: "PUT " + at, body: obj{"data": obj{"body": body + " [b](/elsewhere)"}}, status: 200},
			step{name: body, call: "GET " + at + "?refs=raw", status: 200,
				want: obj{"data.data.body": "[a](" + entryRef(below) + ") [b](/elsewhere)"}})
	}
}

// textMatch checks that the ETag changes with what a text shows, and that If-Match holds as long as
// the entry was not saved.
func textMatch(t *testing.T, k *client, at, model, target string) {
	k.ok(t, 200, "PUT "+at, obj{"data": obj{"body": "[a](" + entryRef(target) + ")"}})
	before := k.ok(t, 200, "GET "+at, nil).Header.Get("ETag")
	k.ok(t, 200, "PUT /"+model+"/"+target, obj{"slug": strings.ToLower(unique("moved"))})
	a := k.with("If-None-Match", before).ok(t, 200, "GET "+at, nil)
	after := a.Header.Get("ETag")
	if after == before || after == "" {
		t.Errorf("the ETag is %s as before", after)
	}
	k.with("If-None-Match", after).ok(t, 304, "GET "+at, nil)
	saved := k.with("If-Match", before).ok(t, 200, "PUT "+at, obj{"data": obj{"plain": "1"}})
	k.with("If-Match", after).step(t, step{call: "PUT " + at, body: obj{"data": obj{"plain": "2"}},
		status: 412, code: "PRECONDITION_FAILED"})
	k.with("If-Match", saved.Header.Get("ETag")).ok(t, 200, "PUT "+at, obj{"data": obj{"plain": "3"}})
	raw := k.ok(t, 200, "GET "+at+"?refs=raw", nil).Header.Get("ETag")
	k.with("If-Match", raw).ok(t, 200, "PUT "+at, obj{"data": obj{"plain": "4"}})
}

func textTags(t *testing.T, s *suite) {
	k, d := s.adminKey(t), s.publishable(t, nil)
	model := textModel(t, s, nil)
	target := k.publish(t, model, "Target "+unique("t"), nil)
	hidden := k.create(t, model, obj{"title": "Hidden " + unique("t")}).str(t, "data.id")
	file := k.upload(t, "a.png", pngFile(3, 2), nil).str(t, "data.id")
	id := k.publish(t, model, "Text "+unique("t"), obj{"body": "[a](" + entryRef(target) + ") [b](" +
		entryRef(hidden) + ") ![](" + fileRef(file) + ") [c](" + entryRef(noID) + ")", "inner": fileRef(noID)})
	all := tagged("e."+id, "e."+target, "e."+hidden, "f."+file, "e."+noID, "!f."+noID)
	d.step(t, step{call: "GET /" + model + "/" + id, status: 200, header: obj{"Cache-Tag": all}})
	d.step(t, step{call: "GET /" + model + "?filter[id]=" + id, status: 200, header: obj{"Cache-Tag": all}})
	d.step(t, step{call: "GET /" + model + "/" + id + "?refs=raw", status: 200,
		header: obj{"Cache-Tag": tagged("e."+id, "!e."+target)}})
	d.step(t, step{call: "GET /" + model + "/" + id + "?fields=title,data.plain", status: 200,
		header: obj{"Cache-Tag": tagged("e."+id, "!e."+target, "!f."+file)}})
	d.step(t, step{call: "GET /sync?models=" + model, status: 200, want: obj{"data.#": 2.0}})
}

func textUses(t *testing.T, s *suite) {
	k, admin := s.adminKey(t), s.admin(t)
	model := textModel(t, s, nil)
	target := k.publish(t, model, "Target "+unique("t"), nil)
	file := k.upload(t, "a.png", pngFile(3, 2), nil)
	fileID, url := file.str(t, "data.id"), file.str(t, "data.url")
	other := k.upload(t, "b.png", pngFile(3, 2), nil).str(t, "data.id")
	link := "[a](" + entryRef(target) + ") [b](" + entryRef(target) + "#x) ![](" + url + ")"
	id := k.publish(t, model, "Text "+unique("t"), obj{"body": link, "steps": list{obj{"body": "x"}, obj{"body": link}}})
	for _, call := range []string{"GET /models/" + model + "/entries/" + target + "/usage",
		"GET /media/" + fileID + "/usage"} {
		admin.step(t, step{call: call, status: 200, want: obj{"meta.total": 2.0, "data.0.id": id,
			"data.0.path": "data.body", "data.1.path": "data.steps.1.body"}})
	}
	k.step(t, step{call: "DELETE /" + model + "/" + target + "?if_unused=true", status: 409, code: "IN_USE"})
	admin.step(t, step{call: "DELETE /media/" + fileID + "?if_unused=true", status: 409, code: "IN_USE"})
	job := admin.ok(t, 202, "POST /media/"+fileID+"/replace", obj{"with": other}).str(t, "data.id")
	s.eventually(t, "the file is replaced", func() bool {
		return admin.ok(t, 200, "GET /jobs/"+job, nil).get("data.status") == "done"
	})
	if got, want := k.stored(t, model, id), strings.ReplaceAll(link, url, fileRef(other)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	admin.ok(t, 204, "DELETE /media/"+fileID+"?if_unused=true", nil)
	k.ok(t, 200, "PUT /"+model+"/"+id, obj{"data": obj{"body": "![gone](" + fileRef(fileID) + ")", "steps": list{}}})
	k.ok(t, 204, "DELETE /"+model+"/"+target+"?if_unused=true", nil)
	k.ok(t, 200, "PUT /"+model+"/"+id, obj{"data": obj{"body": "[gone](" + entryRef(target) + ")"}})
}

// rawTexts reads where references stay in their stored form, and searches.
func rawTexts(t *testing.T, s *suite) {
	k, admin := s.adminKey(t), s.admin(t)
	model := textModel(t, s, nil)
	word := strings.ReplaceAll(unique("word"), "-", "")
	target := k.publish(t, model, "Target "+word, nil)
	body := "[" + word + "x](" + entryRef(target) + ")"
	id := k.publish(t, model, "Text "+unique("t"), obj{"body": body})
	at := "/models/" + model + "/entries/" + id
	admin.step(t, step{call: "GET " + at, status: 200, want: obj{"data.data.body": body}})
	admin.step(t, step{call: "GET " + at + "/revisions", status: 200, want: obj{"data.0.data.body": body}})
	copied := admin.ok(t, 201, "POST "+at+"/duplicate", obj{}).str(t, "data.id")
	if got := k.stored(t, model, copied); got != body {
		t.Errorf("the duplicate has %s", got)
	}
	d := s.publishable(t, nil)
	ops, _ := d.ok(t, 200, "GET /sync?models="+model, nil).get("data").(list)
	raw := fmt.Sprint(ops...)
	if !strings.Contains(raw, body) {
		t.Errorf("the sync has %s", raw)
	}
	found := k.ok(t, 200, "GET /search?q="+word+"x&models="+model, nil)
	if found.get("meta.total") != 1.0 || strings.Contains(found.str(t, "data.0.excerpt"), "cms:") {
		t.Errorf("found %s", found.Raw)
	}
	if found := k.ok(t, 200, "GET /search?q="+target[:8]+"&models="+model, nil); found.get("meta.total") != 0.0 {
		t.Errorf("the id of a target is a word: %s", found.Raw)
	}
}

func textLimits(t *testing.T, s *suite) {
	k := s.adminKey(t)
	model := textModel(t, s, nil)
	var ids []string
	for i := range 3 {
		var b strings.Builder
		for n := range 800 {
			fmt.Fprintf(&b, "[a](cms://entry/018f3f6e-3f0c-7b5a-9c3e-%06d%06d)\n", i, n)
		}
		ids = append(ids, k.publish(t, model, "Text "+unique("t"), obj{"body": b.String()}))
	}
	list := "GET /" + model + "?filter[id][in]=" + strings.Join(ids, ",")
	a := k.step(t, step{call: list, status: 400, code: "BAD_REQUEST"})
	for _, name := range []string{"refs=raw", "fields", "per_page"} {
		if !strings.Contains(a.str(t, "error.message"), name) {
			t.Errorf("the message does not name %s: %s", name, a.Raw)
		}
	}
	for _, more := range []string{"&refs=raw", "&fields=title", "&per_page=2"} {
		k.ok(t, 200, list+more, nil)
	}
	var b strings.Builder
	for n := range 2001 {
		fmt.Fprintf(&b, "[a](cms://entry/018f3f6e-3f0c-7b5a-9c3e-%012d)\n", n)
	}
	many := obj{"title": "Many", "data": obj{"body": b.String()}} // no reference refuses a save
	at := "/" + model + "/" + k.step(t, step{call: "POST /" + model, body: many, status: 201}).str(t, "data.id")
	for _, call := range []string{"PUT " + at, "PUT " + at + "/draft"} {
		k.step(t, step{call: call, body: many, status: 200, want: obj{"data.data.body": b.String()}})
	}
	k.step(t, step{call: "GET " + at, status: 400, code: "BAD_REQUEST"})
}

func textTranslations(t *testing.T, s *suite) {
	s.useLocale(t, "it", "Italiano")
	s.admin(t).ok(t, 200, "PUT /locales/it", obj{"fallback": s.defaultLocale(t)})
	k, admin := s.adminKey(t), s.admin(t)
	model := textModel(t, s, obj{"localized": true, "url": "/{locale}/{slug}"})
	target := k.publish(t, model, "Target "+unique("t"), nil)
	italian := k.create(t, model, obj{"title": "Meta " + unique("t"), "status": "published", "locale": "it",
		"translation_of": target})
	body := "[a](" + entryRef(target) + ")"
	id := k.publish(t, model, "Text "+unique("t"), obj{"body": body})
	a := k.ok(t, 200, "GET /"+model+"/"+id+"?fallback=true&locale=it", nil)
	want := "[a](/it/" + italian.str(t, "data.slug") + ")"
	if got := a.str(t, "data.data.body"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	k.ok(t, 200, "PUT /"+model+"/"+id, obj{"data": obj{"body": want + " too"}})
	if got := k.stored(t, model, id); got != body+" too" {
		t.Errorf("written back: %s", got)
	}
	made := admin.ok(t, 201, "POST /models/"+model+"/entries/"+id+"/translate", obj{"locale": "it"})
	if got, want := made.str(t, "data.data.body"), "[a]("+entryRef(italian.str(t, "data.id"))+") too"; got != want {
		t.Errorf("translated: got %s, want %s", got, want)
	}
}
