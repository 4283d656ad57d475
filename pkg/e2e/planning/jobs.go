package planning

import (
	"fmt"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Jobs has the scenarios of changes of many entries.
var Jobs = []kit.Scenario{
	{Name: "jobs/refused", Run: refusedJobs},
	{Name: "jobs/actions", Run: jobActions},
	{Name: "jobs/wording", Run: replacedText},
	{Name: "jobs/taken back", Run: takenBack},
	{Name: "jobs/renamed model", Run: renamedInJob},
	{Name: "jobs/filter", Run: filteredJob},
	{Name: "jobs/list", Run: jobsByList},
	{Name: "jobs/failures", Run: failedJobItems},
	{Name: "jobs/roles", Run: jobRoles},
}

func refusedJobs(t *testing.T, s *kit.Suite) {
	admin, model := s.Admin(t), s.Model(t, nil)
	const id = kit.UnknownID
	many := make(kit.List, 10_001)
	for i := range many {
		many[i] = fmt.Sprintf("018f3f6e-3f0c-7b5a-9c3e-%012x", i)
	}
	for name, row := range map[string]struct {
		body    kit.Obj
		invalid string
	}{
		"nothing":  {kit.Obj{}, "action model ids"},
		"action":   {kit.Obj{"action": "explode", "model": model, "ids": kit.List{id}}, "action"},
		"model":    {kit.Obj{"action": "publish", "model": "no-such-model", "ids": kit.List{id}}, "model"},
		"neither":  {kit.Obj{"action": "publish", "model": model}, "ids"},
		"both":     {kit.Obj{"action": "publish", "model": model, "ids": kit.List{id}, "filter": kit.Obj{}}, "ids"},
		"no ids":   {kit.Obj{"action": "publish", "model": model, "ids": kit.List{}}, "ids"},
		"too many": {kit.Obj{"action": "publish", "model": model, "ids": many}, "ids"},
		"no id": {kit.Obj{"action": "publish", "model": model,
			"ids": kit.List{strings.Repeat("x", 101), 1}}, "ids.0 ids.1"},
		"unknown filter": {kit.Obj{"action": "publish", "model": model,
			"filter": kit.Obj{"data.none": "x"}}, "filter"},
		"filter without operators": {kit.Obj{"action": "delete", "model": model,
			"filter": kit.Obj{"title": kit.Obj{}}}, "filter"},
		"unknown filter without operators": {kit.Obj{"action": "delete", "model": model,
			"filter": kit.Obj{"data.none": kit.Obj{}}}, "filter"},
		"filter of trash": {kit.Obj{"action": "restore", "model": model, "filter": kit.Obj{}}, "filter"},
		"no set":          {kit.Obj{"action": "set", "model": model, "ids": kit.List{id}}, "set"},
		"set a title": {kit.Obj{"action": "set", "model": model, "ids": kit.List{id},
			"set": kit.Obj{"title": "x"}}, "set.title"},
		"set a slug": {kit.Obj{"action": "set", "model": model, "ids": kit.List{id},
			"set": kit.Obj{"slug": "x"}}, "set.slug"},
		"set unknown": {kit.Obj{"action": "set", "model": model, "ids": kit.List{id},
			"set": kit.Obj{"data": kit.Obj{"none": 1}}}, "set.data.none"},
		"set values": {kit.Obj{"action": "set", "model": model, "ids": kit.List{id}, "set": kit.Obj{"status": "new",
			"locale": "xx", "data": kit.Obj{"body": 1}, "seo": kit.Obj{"title": kit.List{}}}},
			"set.status set.locale set.data.body set.seo.title"},
		"set elsewhere": {kit.Obj{"action": "publish", "model": model, "ids": kit.List{id},
			"set": kit.Obj{"status": "draft"}}, "set"},
		"unknown key": {kit.Obj{"action": "publish", "model": model, "ids": kit.List{id}, "all": true}, "all"},
	} {
		t.Run(name, func(t *testing.T) {
			admin.Step(t, kit.Step{Call: "POST /jobs", Body: row.body, Invalid: row.invalid})
		})
	}
	admin.Run(t,
		kit.Step{Name: "no job", Call: "GET /jobs/" + id, Code: "NOT_FOUND"},
		kit.Step{Name: "no job to stop", Call: "DELETE /jobs/" + id, Code: "NOT_FOUND"},
	)
}

func jobActions(t *testing.T, s *kit.Suite) {
	model, k, boss := s.Model(t, nil), s.Key(t, nil), s.AdminKey(t)
	var ids kit.List
	for i := range 5 {
		ids = append(ids, k.Create(t, model, kit.Obj{"title": fmt.Sprint("Entry ", i)}).Str(t, "data.id"))
	}
	twice := append(append(kit.List{}, ids...), ids...)
	done := func(body kit.Obj) kit.Answer {
		t.Helper()
		body["model"] = model
		if body["ids"] == nil {
			body["ids"] = ids
		}
		a := s.RunJob(t, body)
		a.Has(t, kit.Str(body["action"]), kit.Obj{"data.status": "done", "data.total": 5, "data.done": 5, "data.failed.#": 0})
		return a
	}
	a := done(kit.Obj{"action": "publish", "ids": twice})
	k.Run(t, kit.Step{Name: "published", Call: "GET /" + model, Want: kit.Obj{"meta.total": 5}})
	boss.Run(t, kit.Step{Name: "each once", Call: fmt.Sprint("GET /", model, "/", ids[0]),
		Want: kit.Obj{"data.version": 2}})
	done(kit.Obj{"action": "set", "set": kit.Obj{"data": kit.Obj{"body": "the same"}}})
	k.Run(t, kit.Step{Name: "set", Call: "GET /" + model + "?filter[data.body]=the%20same",
		Want: kit.Obj{"meta.total": 5}})
	done(kit.Obj{"action": "set", "set": kit.Obj{}})
	k.Run(t, kit.Step{Name: "nothing set", Call: fmt.Sprint("GET /", model, "/", ids[0]),
		Want: kit.Obj{"data.version": 4, "data.data.body": "the same"}})
	done(kit.Obj{"action": "unpublish"})
	k.Run(t, kit.Step{Name: "unpublished", Call: "GET /" + model, Want: kit.Obj{"meta.total": 0}})
	done(kit.Obj{"action": "archive"})
	boss.Run(t, kit.Step{Name: "archived", Call: "GET /" + model + "?filter[status]=archived",
		Want: kit.Obj{"meta.total": 5}})
	done(kit.Obj{"action": "revert"})
	boss.Run(t, kit.Step{Name: "reverted", Call: "GET /" + model + "?filter[status]=draft",
		Want: kit.Obj{"meta.total": 5}})
	done(kit.Obj{"action": "delete"})
	boss.Run(t, kit.Step{Name: "deleted", Call: "GET /" + model + "?filter[status]=any", Want: kit.Obj{"meta.total": 0}})
	done(kit.Obj{"action": "restore"})
	boss.Run(t, kit.Step{Name: "restored", Call: "GET /" + model + "?filter[status]=any",
		Want: kit.Obj{"meta.total": 5}})
	id := a.Str(t, "data.id")
	s.Admin(t).Run(t, kit.Step{Name: "finished", Call: "DELETE /jobs/" + id, Code: "CONFLICT"})
	s.Listed(t, "/jobs", kit.Obj{"id": id, "status": "done"})
}

// replacedText replaces a name in titles, texts and drafts, and takes that back.
func replacedText(t *testing.T, s *kit.Suite) {
	model, k := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "richtext", nil)}}),
		s.Key(t, kit.Obj{"role": "admin"})
	one := k.Create(t, model, kit.Obj{"title": "By Acme", "slug": "acme", "status": "published",
		"data": kit.Obj{"body": "Acme [Acme](https://example.com/Acme) acme"}}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+one+"/draft", kit.Obj{"title": "With Acme"})
	two := k.Create(t, model, kit.Obj{"title": "Other"}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+two, kit.Obj{"title": "Another"})
	body := func(more kit.Obj) kit.Obj {
		return kit.Merge(kit.Obj{"action": "replace_text", "model": model, "ids": kit.List{one, two}, "find": "Acme",
			"replace": "Beta"}, more)
	}
	for name, more := range map[string]kit.Obj{"find": {"find": " "}, "replace": {"replace": nil}, "of": {"of": one}} {
		s.Admin(t).Run(t, kit.Step{Name: name, Call: "POST /jobs", Body: body(more), Invalid: name})
	}
	shows := func(name, title, text, draft string, version int) {
		t.Helper()
		k.Run(t, kit.Step{Name: name, Call: "GET /" + model + "/" + one,
			Want: kit.Obj{"data.title": title, "data.slug": "acme", "data.data.body": text, "data.version": version}},
			kit.Step{Name: name + " draft", Call: "GET /" + model + "/" + one + "/draft", Want: kit.Obj{"data.title": draft}},
			kit.Step{Name: name + " other", Call: "GET /" + model + "/" + two,
				Want: kit.Obj{"data.title": "Another", "data.version": 2}})
	}
	a := s.RunJob(t, body(nil))
	shows("replaced", "By Beta", "Beta [Beta](https://example.com/Acme) acme", "With Beta", 2)
	s.RunJob(t, kit.Obj{"action": "revert", "model": model, "ids": kit.List{one, two}, "of": a.Str(t, "data.id")})
	shows("taken back", "By Acme", "Acme [Acme](https://example.com/Acme) acme", "With Acme", 3)
	b := s.RunJob(t, body(nil))
	back := kit.Obj{"action": "revert", "model": model, "of": b.Str(t, "data.id")}
	s.RunJob(t, back)
	shows("all taken back", "By Acme", "Acme [Acme](https://example.com/Acme) acme", "With Acme", 5)
	s.Admin(t).Run(t, kit.Step{Name: "taken back twice", Call: "POST /jobs", Body: back, Code: "CONFLICT"})
	deleted := s.RunJob(t, kit.Obj{"action": "delete", "model": model, "ids": kit.List{one}})
	s.RunJob(t, kit.Obj{"action": "revert", "model": model, "of": deleted.Str(t, "data.id")})
	shows("restored", "By Acme", "Acme [Acme](https://example.com/Acme) acme", "With Acme", 7)
}

// takenBack takes back jobs that change status, values and places together, and one that takes an entry out with the
// one above it and by itself.
func takenBack(t *testing.T, s *kit.Suite) {
	model := s.Model(t, kit.Obj{"tree": true, "fields": kit.List{kit.Field("n", "number", nil)}})
	k := s.AdminKey(t)
	entry := func(status string, parent any) string {
		return k.Create(t, model, kit.Obj{"title": "Entry", "status": status, "parent": parent,
			"data": kit.Obj{"n": 1}}).Str(t, "data.id")
	}
	top, draft := entry("published", nil), entry("draft", nil)
	below := entry("published", top)
	for name, body := range map[string]kit.Obj{
		"published and set":   {"set": kit.Obj{"status": "published", "data": kit.Obj{"n": 2}}},
		"unpublished and set": {"ids": kit.List{below}, "set": kit.Obj{"status": "draft", "data": kit.Obj{"n": 2}}},
		"moved":               {"ids": kit.List{below}, "set": kit.Obj{"parent": draft, "position": 2.5}},
		"archived":            {"action": "archive", "children": "down"},
	} {
		job := s.RunJob(t, kit.Merge(kit.Obj{"action": "set", "model": model, "ids": kit.List{top, draft, below}}, body))
		job.Has(t, name, kit.Obj{"data.failed.#": 0})
		s.RunJob(t, kit.Obj{"action": "revert", "model": model, "of": job.Str(t, "data.id")}).
			Has(t, name+", taken back", kit.Obj{"data.failed.#": 0})
		for id, want := range map[string]kit.Obj{
			top:   {"data.status": "published", "data.parent": nil},
			draft: {"data.status": "draft", "data.parent": nil},
			below: {"data.status": "published", "data.parent": top},
		} {
			k.Step(t, kit.Step{Name: name, Call: "GET /" + model + "/" + id,
				Want: kit.Merge(want, kit.Obj{"data.data.n": 1, "data.position": 0})})
		}
	}
	at, fresh := k.Get(t, "/"+model+"/"+top).Str(t, "data.published_at"), entry("draft", nil)
	k.Put(t, "/"+model+"/"+top+"/draft", kit.Obj{"title": "Draft"})
	published := s.RunJob(t, kit.Obj{"action": "publish", "model": model, "ids": kit.List{top, fresh}})
	s.RunJob(t, kit.Obj{"action": "revert", "model": model, "of": published.Str(t, "data.id")}).
		Has(t, "published, taken back", kit.Obj{"data.failed.#": 0})
	k.Run(t,
		kit.Step{Name: "as before", Call: "GET /" + model + "/" + top,
			Want: kit.Obj{"data.title": "Entry", "data.status": "published", "data.published_at": at}},
		kit.Step{Name: "a draft again", Call: "GET /" + model + "/" + top + "/draft", Want: kit.Obj{"data.title": "Draft"}},
		kit.Step{Name: "never public", Call: "GET /" + model + "/" + fresh,
			Want: kit.Obj{"data.status": "draft", "data.published_at": nil}})
}

// renamedInJob takes back jobs of a model that has another slug since, as an admin and as somebody whose role names it.
func renamedInJob(t *testing.T, s *kit.Suite) {
	model, k, admin := s.Model(t, nil), s.AdminKey(t), s.Admin(t)
	_, limited := s.Role(t, kit.Obj{"models": kit.List{model}})
	ids := kit.List{k.Publish(t, model, "One", kit.Obj{"body": "was"}), k.Publish(t, model, "Two", nil)}
	set := s.RunJob(t, kit.Obj{"action": "set", "model": model, "ids": ids[:1],
		"set": kit.Obj{"data": kit.Obj{"body": "is"}}})
	deleted := limited.OK(t, 202, "POST /jobs", kit.Obj{"action": "delete", "model": model, "ids": ids[1:]})
	s.EndOfJob(t, deleted.Str(t, "data.id"))
	renamed := kit.Unique("renamed")
	admin.Put(t, "/models/"+model, kit.Obj{"slug": renamed})
	s.Model(t, kit.Obj{"slug": model})
	limited.Step(t, kit.Step{Name: "the jobs", Call: "GET /jobs", Want: kit.Obj{"meta.total": 2,
		"data.0.id": deleted.Str(t, "data.id"), "data.0.model": renamed}})
	for _, job := range []kit.Answer{deleted, set} {
		s.RunJob(t, kit.Obj{"action": "revert", "model": renamed, "of": job.Str(t, "data.id")}).
			Has(t, "taken back", kit.Obj{"data.failed.#": 0, "data.model": renamed})
	}
	k.Run(t, kit.Step{Name: "as before", Call: "GET /" + renamed + "?sort=title",
		Want: kit.Obj{"meta.total": 2, "data.0.data.body": "was", "data.1.data": kit.Obj{}}})
}

func filteredJob(t *testing.T, s *kit.Suite) {
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("n", "number", nil), kit.Field("kind", "text", nil)}})
	k := s.Key(t, nil)
	for i := range 12 {
		k.Create(t, model, kit.Obj{"title": fmt.Sprint("Entry ", i), "data": kit.Obj{"n": i, "kind": fmt.Sprint("k", i%2)}})
	}
	a := s.RunJob(t,
		kit.Obj{"action": "publish", "model": model,
			"filter": kit.Obj{"data.n": kit.Obj{"lt": 6}, "data.kind": "k1", "status": "draft"}})
	a.Has(t, "the job", kit.Obj{"data.total": 3, "data.done": 3})
	k.Run(t, kit.Step{Name: "those alone", Call: "GET /" + model, Want: kit.Obj{"meta.total": 3}})
	entry := k.Create(t, model, kit.Obj{"title": "With a draft"}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+entry+"/draft", kit.Obj{"data": kit.Obj{"n": 100}})
	s.RunJob(t, kit.Obj{"action": "publish", "model": model, "filter": kit.Obj{"has_draft": true}})
	k.Run(t, kit.Step{Name: "with a draft", Call: "GET /" + model + "?filter[data.n]=100",
		Want: kit.Obj{"meta.total": 1, "data.0.id": entry}})
	k.Delete(t, "/"+model+"/"+entry)
	if a := s.RunJob(t, kit.Obj{"action": "delete", "model": model,
		"filter": kit.Obj{}}); kit.Compare(a.Get("data.done"), 12) != nil {
		t.Fatalf("%s", a.Raw)
	}
}

// jobsByList starts jobs with further filters of the list in the admin area: the search text and
// the state of translations.
func jobsByList(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	home, model := s.DefaultLocale(t), s.Model(t, kit.Obj{"localized": true})
	k := s.Key(t, kit.Obj{"role": "admin"})
	id := func(body kit.Obj) string { return k.Create(t, model, body).Str(t, "data.id") }
	both := id(kit.Obj{"title": "Alpha lamp"})
	german := id(kit.Obj{"title": "Beta lamp", "locale": "de", "translation_of": both})
	alone := id(kit.Obj{"title": "Gamma lamp"})
	k.Put(t, "/"+model+"/"+both, kit.Obj{"title": "Alpha lamp two"})
	handled := func(action string, filter kit.Obj, ids ...string) {
		t.Helper()
		a := s.RunJob(t, kit.Obj{"action": action, "model": model, "filter": filter})
		a.Has(t, action, kit.Obj{"data.status": "done", "data.total": len(ids), "data.done": len(ids), "data.failed.#": 0})
		for _, id := range ids {
			k.Run(t, kit.Step{Name: "handled", Call: "GET /" + model + "/" + id,
				Want: kit.Obj{"data.status": map[string]string{"publish": "published", "archive": "archived"}[action]}})
		}
	}
	handled("publish", kit.Obj{"missing": "de", "locale": home}, alone)
	handled("publish", kit.Obj{"missing": kit.Obj{"in": kit.List{"de"}}, "status": "draft"})
	handled("archive", kit.Obj{"outdated": true}, german)
	handled("archive", kit.Obj{"outdated": "false", "q": "gamma"}, alone)
	handled("publish", kit.Obj{"q": "lamp", "status": "archived"}, german, alone)
	for name, filter := range map[string]kit.Obj{"locale": {"missing": "xx"}, "value": {"outdated": 1},
		"operator": {"missing": kit.Obj{"ne": "de"}}, "text": {"q": 1},
		"long text": {"q": strings.Repeat("x", 600)}, "long filters": {"title": strings.Repeat("x", 3000),
			"slug": strings.Repeat("x", 600)}} {
		s.Admin(t).Run(t, kit.Step{Name: name, Call: "POST /jobs", Code: "VALIDATION_FAILED",
			Body: kit.Obj{"action": "publish", "model": model, "filter": filter},
			Want: kit.Obj{"error.details.filter": kit.Present}})
	}
}

func failedJobItems(t *testing.T, s *kit.Suite) {
	model, k := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "text", kit.Obj{"required": true})}}),
		s.Key(t, nil)
	good := k.Create(t, model, kit.Obj{"title": "Good", "data": kit.Obj{"body": "x"}}).Str(t, "data.id")
	bad := k.Create(t, model, kit.Obj{"title": "Bad", "data": kit.Obj{"body": "x"}}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+bad, kit.Obj{"data": kit.Obj{"body": nil}})
	const none = kit.UnknownID
	a := s.RunJob(t, kit.Obj{"action": "publish", "model": model, "ids": kit.List{bad, none, good}})
	a.Has(t, "the job", kit.Obj{
		"data.status": "done", "data.total": 3, "data.done": 3, "data.failed.#": 2, "data.failed.0.id": bad,
		"data.failed.0.code": "VALIDATION_FAILED", "data.failed.0.message": kit.Present,
		"data.failed.1.id": none, "data.failed.1.code": "ENTRY_NOT_FOUND",
	})
	k.Run(t, kit.Step{Name: "the others go on", Call: "GET /" + model + "/" + good})
}

func jobRoles(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	id := s.Key(t, nil).Create(t, model, kit.Obj{"title": "One"}).Str(t, "data.id")
	body := kit.Obj{"action": "publish", "model": model, "ids": kit.List{id}}
	s.AnonymousAdmin().Run(t, kit.Step{Name: "nobody", Call: "POST /jobs", Body: body, Code: "UNAUTHORIZED"})
	_, _, viewer := s.User(t, "viewer")
	_, _, editor := s.User(t, "editor")
	viewer.Run(t,
		kit.Step{Name: "viewer", Call: "POST /jobs", Body: body, Code: "FORBIDDEN"},
		kit.Step{Name: "viewer reads", Call: "GET /jobs", Code: "FORBIDDEN"},
	)
	editor.Run(t, kit.Step{Name: "editor", Call: "POST /jobs", Body: body, Status: 202})
}
