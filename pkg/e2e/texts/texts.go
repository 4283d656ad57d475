package texts

import (
	"fmt"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Scenarios are those of texts, from references to blocks.
var Scenarios = []kit.Scenario{
	{Name: "texts/references", Run: textReferences},
	{Name: "texts/written back", Run: textsWrittenBack},
	{Name: "texts/tags", Run: textTags},
	{Name: "texts/uses", Run: textUses},
	{Name: "texts/raw", Run: rawTexts},
	{Name: "texts/limits", Run: textLimits},
	{Name: "texts/translations", Run: textTranslations},
	{Name: "texts/html", Run: textsAsHTML},
	{Name: "texts/relations", Run: relationsToSeveral},
	{Name: "texts/relations_upper", Run: idsInUpperCase},
	{Name: "texts/blocks", Run: textBlocks},
	{Name: "texts/parts", Run: textParts},
	{Name: "texts/blocks refer", Run: textBlocksRefer},
}

// textModel makes a model with a rich text, also in a list, and one that is hidden.
func textModel(t *testing.T, s *kit.Suite, more kit.Obj) string {
	t.Helper()
	definition := kit.Merge(kit.Obj{"fields": kit.List{kit.Field("body", "richtext", kit.Obj{"searchable": true}),
		kit.Field("plain", "textarea", nil), kit.Field("inner", "richtext", nil),
		kit.Field("steps", "list", kit.Obj{"fields": kit.List{kit.Field("body", "richtext", nil)}})}}, more)
	return s.Model(t, definition)
}

func fileRef(id string) string { return "cms://media/" + id }

// storedText returns the body of an entry in its stored form.
func storedText(t *testing.T, c *kit.Client, model, id string) string {
	t.Helper()
	return c.Get(t, "/"+model+"/"+id+"?refs=raw").Str(t, "data.data.body")
}

func textReferences(t *testing.T, s *kit.Suite) {
	k, d := s.AdminKey(t), s.PublishableKey(t, nil)
	model := textModel(t, s, nil)
	target := k.Publish(t, model, "Target "+kit.Unique("t"), nil)
	slug := k.Get(t, "/"+model+"/"+target).Str(t, "data.slug")
	draft := k.Create(t, model, kit.Obj{"title": "Draft " + kit.Unique("t")}).Str(t, "data.id")
	file := k.Upload(t, "a.png", kit.PNG(3, 2), nil)
	url, fileID := file.Str(t, "data.url"), file.Str(t, "data.id")
	form := "[a](%[1]s#part) ![p](%[2]s?w=800)\n\n[r]: <%[1]s> 't'\n\n<img src=\"%[2]s\"> `[c](cms://entry/" +
		target + ")` [d](cms://entry/" + kit.UnknownID + ") [e](cms://page/1)\n"
	sent := fmt.Sprintf(form, kit.EntryRef(target), fileRef(fileID))
	want := fmt.Sprintf(form, "/"+slug, url)
	plain := "[a](" + kit.EntryRef(target) + ")"
	made := k.Create(t, model, kit.Obj{"title": "Text " + kit.Unique("t"), "status": "published", "data": kit.Obj{
		"body": sent, "plain": plain, "steps": kit.List{kit.Obj{"body": "x"}, kit.Obj{"body": plain}},
		"inner": "[d](" + kit.EntryRef(draft) + ")"}})
	id := made.Str(t, "data.id")
	for _, c := range []*kit.Client{k, d} {
		shown := kit.Obj{"data.data.body": want, "data.data.plain": plain, "data.data.steps.1.body": "[a](/" + slug + ")"}
		if c == d {
			shown["data.data.inner"] = "[d](" + kit.EntryRef(draft) + ")" // it cannot be seen
		}
		c.Step(t, kit.Step{Call: "GET /" + model + "/" + id, Want: shown})
		c.Step(t, kit.Step{Call: "GET /" + model + "?filter[id]=" + id, Want: kit.Obj{"data.0.data.body": want}})
		c.Step(t, kit.Step{Call: "GET /" + model + "?refs=raw&filter[id]=" + id, Want: kit.Obj{"data.0.data.body": sent}})
		c.Step(t, kit.Step{Call: "GET /" + model + "/" + id + "?refs=full", Code: "BAD_REQUEST"})
		c.Step(t, kit.Step{Call: "GET /" + model + "?refs=", Code: "BAD_REQUEST"})
	}
	made.Has(t, "created", kit.Obj{"data.data.body": want})
	k.Run(t,
		kit.Step{Name: "a new slug", Call: "PUT /" + model + "/" + target, Body: kit.Obj{"slug": slug + "-now"}},
		kit.Step{Name: "is shown", Call: "GET /" + model + "/" + id,
			Want: kit.Obj{"data.data.body": fmt.Sprintf(form, "/"+slug+"-now", url)}},
		kit.Step{Name: "unpublished", Call: "POST /" + model + "/" + target + "/unpublish"},
	)
	reader := s.Key(t, kit.Obj{"scopes": kit.List{"read"}})
	reader.Step(t, kit.Step{Call: "GET /" + model + "/" + id,
		Want: kit.Obj{"data.data.body": fmt.Sprintf(form, kit.EntryRef(target), url)}})
	k.Delete(t, "/"+model+"/"+target)
	k.Step(t, kit.Step{Call: "GET /" + model + "/" + id,
		Want: kit.Obj{"data.data.body": fmt.Sprintf(form, kit.EntryRef(target), url)}})
}

// textsWrittenBack sends back what was read: the stored form stays, whatever the addresses show.
func textsWrittenBack(t *testing.T, s *kit.Suite) {
	k := s.AdminKey(t)
	pages := textModel(t, s, kit.Obj{"url": "/pages/{slug}"})
	model := textModel(t, s, nil)
	page := k.Publish(t, pages, "Page "+kit.Unique("t"), nil)
	post := k.Publish(t, model, "Post "+kit.Unique("t"), nil)
	file := k.Upload(t, "a.png", kit.PNG(3, 2), nil)
	fileID, url := file.Str(t, "data.id"), file.Str(t, "data.url")
	stored := "[a](" + kit.EntryRef(page) + "?x=1#y) [b](" + kit.EntryRef(post) + ") <" + kit.EntryRef(post) +
		"> ![c](" +
		fileRef(fileID) + "?w=8)"
	first := k.Create(t, model, kit.Obj{"title": "Text " + kit.Unique("t"), "data": kit.Obj{"body": stored}})
	id := first.Str(t, "data.id")
	at := "/" + model + "/" + id
	read := k.Get(t, at)
	body := read.Str(t, "data.data.body")
	for _, part := range []string{"(/pages/page-", "?x=1#y)", "](/post-", url + "?w=8"} {
		if !strings.Contains(body, part) {
			t.Errorf("%s is not in %s", part, body)
		}
	}
	k.Put(t, at, kit.Obj{"data": kit.Obj{"body": body}})
	autolink := strings.Replace(stored, "<"+kit.EntryRef(post)+">",
		strings.ReplaceAll("[/x]("+kit.EntryRef(post)+")", "/x", "/"+k.Get(t, "/"+model+"/"+post).Str(t, "data.slug")), 1)
	kit.Same(t, "stored text", storedText(t, k, model, id), autolink)
	draft := k.Put(t, at+"/draft", kit.Obj{"data": kit.Obj{"body": "new " + body, "steps": kit.List{kit.Obj{
		"body": "[p](/elsewhere) [q](" + url + ")"}}}})
	draft.Has(t, "the draft", kit.Obj{"data.data.body": "new " + body})
	k.Step(t, kit.Step{Call: "GET " + at + "/draft?refs=raw", Want: kit.Obj{
		"data.data.body": "new " + autolink, "data.data.steps.0.body": "[p](/elsewhere) [q](" + fileRef(fileID) + ")"}})
	k.Step(t, kit.Step{Call: "POST " + at + "/publish", Want: kit.Obj{"data.data.body": "new " + body}})
	missing := strings.Replace(url, fileID, kit.UnknownID, 1)
	k.Put(t, at, kit.Obj{"data": kit.Obj{"body": "![x](" + missing + ") `![y](" + url + ")` ![z](" + url +
		"?v=1&w=3)"}})
	if got, want := storedText(t, k, model, id), "![x]("+missing+") `![y]("+url+")` ![z]("+fileRef(fileID)+
		"?w=3)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	textMatch(t, k, at, model, post)
	formerWrittenBack(t, s, k, model)
}

// formerWrittenBack sends back addresses that a read showed before their entry, or one above it, moved.
func formerWrittenBack(t *testing.T, s *kit.Suite, k *kit.Client, model string) {
	tree := textModel(t, s, kit.Obj{"tree": true, "url": "/" + kit.Unique("x") + "/{path}"})
	above := k.Publish(t, tree, "Above", nil)
	below := k.Create(t, tree, kit.Obj{"title": "Below", "status": "published", "parent": above}).Str(t, "data.id")
	at := "/" + model + "/" + k.Publish(t, model, "Text "+kit.Unique("t"),
		kit.Obj{"body": "[a](" + kit.EntryRef(below) + ")"})
	var read []string
	for _, move := range []kit.Step{{Call: "PUT /" + tree + "/" + above, Body: kit.Obj{"slug": "now"}},
		{Call: "PUT /" + tree + "/" + below, Body: kit.Obj{"slug": "now-too"}},
		{Call: "PUT /" + tree + "/" + below, Body: kit.Obj{"parent": nil}}} {
		read = append(read, k.Get(t, at).Str(t, "data.data.body"))
		k.OK(t, 200, move.Call, move.Body)
	}
	for _, body := range append(read, strings.Replace(read[2], "/now/", "/above/", 1)) {
		k.Run(t, kit.Step{Call: "PUT " + at, Body: kit.Obj{"data": kit.Obj{"body": body + " [b](/elsewhere)"}}},
			kit.Step{Name: body, Call: "GET " + at + "?refs=raw",
				Want: kit.Obj{"data.data.body": "[a](" + kit.EntryRef(below) + ") [b](/elsewhere)"}})
	}
}

// textMatch checks that the ETag changes with what a text shows, and that If-Match holds as long as
// the entry was not saved.
func textMatch(t *testing.T, k *kit.Client, at, model, target string) {
	k.Put(t, at, kit.Obj{"data": kit.Obj{"body": "[a](" + kit.EntryRef(target) + ")"}})
	before := k.Get(t, at).Header.Get("ETag")
	k.Put(t, "/"+model+"/"+target, kit.Obj{"slug": strings.ToLower(kit.Unique("moved"))})
	a := k.With("If-None-Match", before).Get(t, at)
	after := a.Header.Get("ETag")
	if after == before || after == "" {
		t.Errorf("the ETag is %s as before", after)
	}
	k.With("If-None-Match", after).OK(t, 304, "GET "+at, nil)
	saved := k.With("If-Match", before).Put(t, at, kit.Obj{"data": kit.Obj{"plain": "1"}})
	k.With("If-Match", after).Step(t, kit.Step{Call: "PUT " + at, Body: kit.Obj{"data": kit.Obj{"plain": "2"}},
		Code: "PRECONDITION_FAILED"})
	k.With("If-Match", saved.Header.Get("ETag")).Put(t, at, kit.Obj{"data": kit.Obj{"plain": "3"}})
	raw := k.Get(t, at+"?refs=raw").Header.Get("ETag")
	k.With("If-Match", raw).Put(t, at, kit.Obj{"data": kit.Obj{"plain": "4"}})
}

func textTags(t *testing.T, s *kit.Suite) {
	k, d := s.AdminKey(t), s.PublishableKey(t, nil)
	model := textModel(t, s, nil)
	target := k.Publish(t, model, "Target "+kit.Unique("t"), nil)
	hidden := k.Create(t, model, kit.Obj{"title": "Hidden " + kit.Unique("t")}).Str(t, "data.id")
	file := k.Upload(t, "a.png", kit.PNG(3, 2), nil).Str(t, "data.id")
	id := k.Publish(t, model, "Text "+kit.Unique("t"), kit.Obj{"body": "[a](" + kit.EntryRef(target) + ") [b](" +
		kit.EntryRef(hidden) + ") ![](" + fileRef(file) + ") [c](" + kit.EntryRef(kit.UnknownID) + ")",
		"inner": fileRef(kit.UnknownID)})
	all := kit.Tagged("e."+id, "e."+target, "e."+hidden, "f."+file, "e."+kit.UnknownID, "!f."+kit.UnknownID)
	d.Step(t, kit.Step{Call: "GET /" + model + "/" + id, Header: kit.Obj{"Cache-Tag": all}})
	d.Step(t, kit.Step{Call: "GET /" + model + "?filter[id]=" + id, Header: kit.Obj{"Cache-Tag": all}})
	d.Step(t, kit.Step{Call: "GET /" + model + "/" + id + "?refs=raw",
		Header: kit.Obj{"Cache-Tag": kit.Tagged("e."+id, "!e."+target)}})
	d.Step(t, kit.Step{Call: "GET /" + model + "/" + id + "?fields=title,data.plain",
		Header: kit.Obj{"Cache-Tag": kit.Tagged("e."+id, "!e."+target, "!f."+file)}})
	d.Step(t, kit.Step{Call: "GET /sync?models=" + model, Want: kit.Obj{"data.#": 2.0}})
}

func textUses(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	model := textModel(t, s, nil)
	target := k.Publish(t, model, "Target "+kit.Unique("t"), nil)
	file := k.Upload(t, "a.png", kit.PNG(3, 2), nil)
	fileID, url := file.Str(t, "data.id"), file.Str(t, "data.url")
	other := k.Upload(t, "b.png", kit.PNG(3, 2), nil).Str(t, "data.id")
	link := "[a](" + kit.EntryRef(target) + ") [b](" + kit.EntryRef(target) + "#x) ![](" + url + ")"
	id := k.Publish(t, model, "Text "+kit.Unique("t"),
		kit.Obj{"body": link, "steps": kit.List{kit.Obj{"body": "x"}, kit.Obj{"body": link}}})
	for _, call := range []string{"GET /models/" + model + "/entries/" + target + "/usage",
		"GET /media/" + fileID + "/usage"} {
		admin.Step(t, kit.Step{Call: call,
			Want: kit.Obj{"meta.total": 2.0, "data.0.id": id, "data.0.path": "data.body", "data.1.path": "data.steps.1.body"}})
	}
	k.Step(t, kit.Step{Call: "DELETE /" + model + "/" + target + "?if_unused=true", Code: "IN_USE"})
	admin.Step(t, kit.Step{Call: "DELETE /media/" + fileID + "?if_unused=true", Code: "IN_USE"})
	job := admin.OK(t, 202, "POST /media/"+fileID+"/replace", kit.Obj{"with": other}).Str(t, "data.id")
	s.Eventually(t, "the file is replaced", func() bool {
		return admin.Get(t, "/jobs/"+job).Get("data.status") == "done"
	})
	kit.Same(t, "stored text", storedText(t, k, model, id), strings.ReplaceAll(link, url, fileRef(other)))
	admin.Delete(t, "/media/"+fileID+"?if_unused=true")
	k.Put(t, "/"+model+"/"+id, kit.Obj{"data": kit.Obj{"body": "![gone](" + fileRef(fileID) + ")", "steps": kit.List{}}})
	k.Delete(t, "/"+model+"/"+target+"?if_unused=true")
	k.Put(t, "/"+model+"/"+id, kit.Obj{"data": kit.Obj{"body": "[gone](" + kit.EntryRef(target) + ")"}})
}

// rawTexts reads where references stay in their stored form, and searches.
func rawTexts(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	model := textModel(t, s, nil)
	word := strings.ReplaceAll(kit.Unique("word"), "-", "")
	target := k.Publish(t, model, "Target "+word, nil)
	body := "[" + word + "x](" + kit.EntryRef(target) + ")"
	id := k.Publish(t, model, "Text "+kit.Unique("t"), kit.Obj{"body": body})
	at := "/models/" + model + "/entries/" + id
	admin.Step(t, kit.Step{Call: "GET " + at, Want: kit.Obj{"data.data.body": body}})
	admin.Step(t, kit.Step{Call: "GET " + at + "/revisions", Want: kit.Obj{"data.0.data.body": body}})
	copied := admin.Post(t, at+"/duplicate", kit.Obj{}).Str(t, "data.id")
	kit.Same(t, "the duplicate", storedText(t, k, model, copied), body)
	d := s.PublishableKey(t, nil)
	ops, _ := d.Get(t, "/sync?models="+model).Get("data").(kit.List)
	raw := fmt.Sprint(ops...)
	if !strings.Contains(raw, body) {
		t.Errorf("the sync has %s", raw)
	}
	found := k.Get(t, "/search?q="+word+"x&models="+model)
	if found.Get("meta.total") != 1.0 || strings.Contains(found.Str(t, "data.0.excerpt"), "cms:") {
		t.Errorf("found %s", found.Raw)
	}
	k.Get(t, "/search?q="+target[:8]+"&models="+model).Has(t, "the id of a target is no word", kit.Obj{"meta.total": 0})
}

func textLimits(t *testing.T, s *kit.Suite) {
	k := s.AdminKey(t)
	model := textModel(t, s, nil)
	var ids []string
	for i := range 3 {
		var b strings.Builder
		for n := range 800 {
			fmt.Fprintf(&b, "[a](cms://entry/018f3f6e-3f0c-7b5a-9c3e-%06d%06d)\n", i, n)
		}
		ids = append(ids, k.Publish(t, model, "Text "+kit.Unique("t"), kit.Obj{"body": b.String()}))
	}
	list := "GET /" + model + "?filter[id][in]=" + strings.Join(ids, ",")
	a := k.Step(t, kit.Step{Call: list, Code: "BAD_REQUEST"})
	for _, name := range []string{"refs=raw", "fields", "per_page"} {
		if !strings.Contains(a.Str(t, "error.message"), name) {
			t.Errorf("the message does not name %s: %s", name, a.Raw)
		}
	}
	for _, more := range []string{"&refs=raw", "&fields=title", "&per_page=2"} {
		k.OK(t, 200, list+more, nil)
	}
	var b strings.Builder
	for n := range 2001 {
		fmt.Fprintf(&b, "[a](cms://entry/018f3f6e-3f0c-7b5a-9c3e-%012d)\n", n)
	}
	many := kit.Obj{"title": "Many", "data": kit.Obj{"body": b.String()}} // no reference refuses a save
	at := "/" + model + "/" + k.Step(t, kit.Step{Call: "POST /" + model, Body: many, Status: 201}).Str(t, "data.id")
	for _, call := range []string{"PUT " + at, "PUT " + at + "/draft"} {
		k.Step(t, kit.Step{Call: call, Body: many, Want: kit.Obj{"data.data.body": b.String()}})
	}
	k.Step(t, kit.Step{Call: "GET " + at, Code: "BAD_REQUEST"})
}

func textTranslations(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "it", "Italiano")
	s.Admin(t).Put(t, "/locales/it", kit.Obj{"fallback": s.DefaultLocale(t)})
	k, admin := s.AdminKey(t), s.Admin(t)
	model := textModel(t, s, kit.Obj{"localized": true, "url": "/{locale}/{slug}"})
	target := k.Publish(t, model, "Target "+kit.Unique("t"), nil)
	italian := k.Create(t, model, kit.Obj{"title": "Meta " + kit.Unique("t"), "status": "published", "locale": "it",
		"translation_of": target})
	body := "[a](" + kit.EntryRef(target) + ")"
	id := k.Publish(t, model, "Text "+kit.Unique("t"), kit.Obj{"body": body})
	a := k.Get(t, "/"+model+"/"+id+"?fallback=true&locale=it")
	want := "[a](/it/" + italian.Str(t, "data.slug") + ")"
	a.Has(t, "body", kit.Obj{"data.data.body": want})
	k.Put(t, "/"+model+"/"+id, kit.Obj{"data": kit.Obj{"body": want + " too"}})
	kit.Same(t, "written back", storedText(t, k, model, id), body+" too")
	made := admin.Post(t, "/models/"+model+"/entries/"+id+"/translate", kit.Obj{"locale": "it"})
	made.Has(t, "translated", kit.Obj{
		"data.data.body": "[a](" + kit.EntryRef(italian.Str(t, "data.id")) + ") too"})
}
