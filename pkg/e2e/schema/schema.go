package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Document has the scenarios of the document of the schema.
var Document = []kit.Scenario{
	{Name: "schema/document", Run: schemaDocument},
}

// Changes has the scenarios that apply schemas. Any change by another scenario makes a plan stale, so they run
// alone.
var Changes = []kit.Scenario{
	{Name: "schema/apply", Run: applySchema},
	{Name: "schema/large", Run: largeSchemas},
	{Name: "schema/renames", Run: schemaRenames},
	{Name: "schema/nested renames", Run: nestedRenames},
	{Name: "schema/renames in texts", Run: renamesInTexts},
	{Name: "schema/renamed targets", Run: renamedTargets},
	{Name: "schema/retyped", Run: retyped},
	{Name: "schema/reused names", Run: reusedNames},
	{Name: "schema/refused", Run: refusedSchemas},
	{Name: "schema/roles", Run: schemaRoles},
	{Name: "schema/redirects", Run: redirectsInSchema},
}

func schemaDocument(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	_, _, editor := s.User(t, "editor")
	_, _, viewer := s.User(t, "viewer")
	slug := s.Model(t, nil)
	form := kit.Unique("f")
	admin.Post(t, "/forms", kit.Obj{"slug": form, "name": "F", "notify_emails": kit.List{"told@example.com"},
		"fields":    kit.List{kit.Obj{"name": "a", "type": "text"}},
		"recaptcha": kit.Obj{"site_key": "public-part", "secret_key": "hidden-part-1"}})
	hook := kit.Unique("hook")
	s.Subscribe(t, kit.Obj{"name": hook, "url": "https://nowhere.invalid/" + hook, "is_active": false,
		"events": kit.List{"*"}, "secret": "hidden-part-2-of-the-hook",
		"headers": kit.Obj{"X-Secret": "hidden-part-3"}})
	a := viewer.Get(t, "/schema")
	for _, kind := range []string{"models", "locales", "settings", "forms", "folders", "webhooks",
		"roles", "redirects"} {
		if _, ok := a.Get("data." + kind).(kit.List); !ok {
			t.Errorf("%s is no list", kind)
		}
	}
	m := kit.Find(a.Get("data.models"), "slug", slug)
	for _, key := range []string{"id", "created_at", "updated_at", "version"} {
		if _, ok := m[key]; ok {
			t.Errorf("a model has %s", key)
		}
	}
	if m["name"] != "Model "+slug || kit.Find(a.Get("data.webhooks"), "name", hook) == nil ||
		kit.Find(a.Get("data.forms"), "slug", form) == nil {
		t.Error("parts are missing")
	}
	if text := string(a.Raw); strings.Contains(text, "hidden-part") ||
		!strings.Contains(text, `"recaptcha":{"site_key":"public-part"},"block_emails":`) {
		t.Error("a secret is shown, too much is hidden, or the keys are in another order")
	}
	if text := string(a.Raw); strings.Contains(text, "nowhere.invalid") || strings.Contains(text, "told@example.com") {
		t.Error("an address is shown to a viewer")
	}
	if text := string(admin.Get(t, "/schema").Raw); !strings.Contains(text, "nowhere.invalid/"+hook) ||
		!strings.Contains(text, "told@example.com") {
		t.Error("an address is hidden from an admin")
	}
	same := kit.Unique("same")
	for i := range 11 {
		s.Subscribe(t, kit.Obj{"name": same, "url": fmt.Sprint("https://nowhere.invalid/", i), "is_active": false,
			"events": kit.List{}})
	}
	all, _ := admin.Get(t, "/schema").Get("data.webhooks").(kit.List)
	all = slices.DeleteFunc(all, func(hook any) bool { return kit.Dig(hook, "name") != same })
	admin.Step(t, kit.Step{Name: "webhooks of one name", Call: "POST /schema/plan",
		Body: kit.Obj{"schema": kit.Obj{"webhooks": all}}, Want: kit.Obj{"data.changes.#": 0}})
	for name, c := range map[string]*kit.Client{"viewer": viewer, "editor": editor} {
		c.Run(t,
			kit.Step{Name: name + " plans", Call: "POST /schema/plan", Body: kit.Obj{"schema": kit.Obj{}}, Code: "FORBIDDEN"},
			kit.Step{Name: name + " applies", Call: "POST /schema/apply", Body: kit.Obj{"schema": kit.Obj{}, "plan_id": "x"},
				Code: "FORBIDDEN"},
		)
	}
	s.AnonymousAdmin().Run(t, kit.Step{Name: "nobody", Call: "GET /schema", Code: "UNAUTHORIZED"})
}

// largeSchemas makes, changes and deletes more parts than fit into one transaction.
func largeSchemas(t *testing.T, s *kit.Suite) {
	admin, name := s.Admin(t), kit.Unique("large")
	schema := kit.Obj{"models": kit.List{}, "forms": kit.List{}, "redirects": kit.List{}}
	var redirects kit.List
	for i := range 90 {
		fields := kit.List{kit.Field("body", "text", nil)}
		if i > 0 {
			fields = append(fields, kit.Field("next", "relation", kit.Obj{"model": fmt.Sprintf("%s-%d", name, i-1)}))
		}
		slug := fmt.Sprintf("%s-%d", name, i)
		schema["models"] = append(schema["models"].(kit.List), kit.Obj{"slug": slug, "name": slug, "fields": fields})
	}
	for i := range 10 {
		schema["forms"] = append(schema["forms"].(kit.List),
			kit.Obj{"slug": fmt.Sprintf("%s-form-%d", name, i), "name": "F",
				"fields": kit.List{kit.Obj{"name": "a", "type": "text", "label": "A"}}})
	}
	for i := range 60 {
		redirects = append(redirects, fmt.Sprintf("/%s/%d", name, i))
		schema["redirects"] = append(schema["redirects"].(kit.List), kit.Obj{"from": redirects[i], "to": "/"})
	}
	if _, changes := planned(t, admin, schema); len(changes) != 160 {
		t.Errorf("%d changes", len(changes))
	}
	applied(t, admin, schema)
	if _, changes := planned(t, admin, schema); len(changes) != 0 {
		t.Errorf("%d changes are left: %v", len(changes), changes)
	}
	// More existing parts than fit into one transaction. Each model takes several operations, and a request
	// to a function has 30 seconds: package schema tests more of them.
	models, forms := schema["models"].(kit.List), schema["forms"].(kit.List)
	for _, part := range slices.Concat(models[:12], forms) {
		part.(kit.Obj)["name"] = "Changed"
	}
	for _, part := range schema["redirects"].(kit.List) {
		part.(kit.Obj)["to"] = "/changed"
	}
	applied(t, admin, schema)
	if _, changes := planned(t, admin, schema); len(changes) != 0 {
		t.Errorf("%d changes of existing parts are left: %v", len(changes), changes)
	}
	slugs := func(parts kit.List) (all kit.List) {
		for _, part := range parts {
			all = append(all, part.(kit.Obj)["slug"])
		}
		return all
	}
	applied(t, admin, kit.Obj{"deletes": kit.Obj{"redirects": redirects, "forms": slugs(forms)}}, "loses_data")
	slices.Reverse(models) // each refers to the one before
	for part := range slices.Chunk(models, 30) {
		applied(t, admin, kit.Obj{"deletes": kit.Obj{"models": slugs(part)}}, "loses_data")
	}
}

// planned plans a schema and returns the id and the changes by path.
func planned(t *testing.T, c *kit.Client, schema kit.Obj) (id string, changes map[string]kit.Obj) {
	t.Helper()
	a := c.OK(t, 200, "POST /schema/plan", kit.Obj{"schema": schema})
	changes = map[string]kit.Obj{}
	items, _ := a.Get("data.changes").(kit.List)
	for _, item := range items {
		change, _ := item.(kit.Obj)
		changes[kit.Str(change["path"])] = change
	}
	return a.Str(t, "data.plan_id"), changes
}

func applied(t *testing.T, c *kit.Client, schema kit.Obj, allow ...string) {
	t.Helper()
	id, _ := planned(t, c, schema)
	body := kit.Obj{"schema": schema, "plan_id": id}
	if len(allow) > 0 {
		body["allow"] = allow
	}
	c.OK(t, 200, "POST /schema/apply", body)
}

func applySchema(t *testing.T, s *kit.Suite) {
	c := s.Admin(t)
	slug, other, form, folder, hook, group := kit.Unique("sa"), kit.Unique("sb"), kit.Unique("sf"),
		kit.Unique("Folder"), kit.Unique("hook"), "g"+kit.Unique("")[1:]
	schema := kit.Obj{
		"models": kit.List{
			kit.Obj{"slug": slug, "name": "A", "fields": kit.List{kit.Field("body", "text", nil),
				kit.Field("rel", "relation", kit.Obj{"model": other})}},
			kit.Obj{"slug": other, "name": "B", "fields": kit.List{kit.Field("n", "number", nil)}},
		},
		"forms": kit.List{kit.Obj{"slug": form, "name": "F", "notify_emails": kit.List{"told@example.com"},
			"fields": kit.List{kit.Obj{"name": "a", "type": "text"}}}},
		"folders": kit.List{kit.Obj{"name": folder}},
		"webhooks": kit.List{kit.Obj{"name": hook, "url": "https://nowhere.invalid/x",
			"events": kit.List{"entry.*"}, "models": kit.List{slug}}},
		"settings": kit.List{kit.Obj{"group": group, "key": "k", "value": "v", "is_public": true}},
	}
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"schema.updated"}})
	id, changes := planned(t, c, schema)
	for path, want := range map[string]string{
		"models." + slug: "create model safe", "models." + other: "create model safe", "forms." +
			form: "create form safe", "folders." + folder: "create folder safe",
		"webhooks." + hook: "create webhook safe", "settings." + group + ".k": "create setting safe",
	} {
		if got := kit.Str(changes[path]["op"]) + " " + kit.Str(changes[path]["kind"]) + " " +
			kit.Str(changes[path]["risk"]); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	c.Run(t,
		kit.Step{Name: "a plan changes nothing", Call: "GET /models/" + slug, Code: "NOT_FOUND"},
		kit.Step{Name: "another schema", Call: "POST /schema/apply",
			Body: kit.Obj{"schema": kit.Obj{"models": kit.List{}}, "plan_id": id}, Code: "PRECONDITION_FAILED"},
		kit.Step{Name: "an unknown plan", Call: "POST /schema/apply", Body: kit.Obj{"schema": schema, "plan_id": "x"},
			Code: "PRECONDITION_FAILED"},
		kit.Step{Name: "applied", Call: "POST /schema/apply", Body: kit.Obj{"schema": schema, "plan_id": id},
			Want: kit.Obj{"data.plan_id": id, "data.changes.#": 6}},
		kit.Step{Name: "outdated", Call: "POST /schema/apply", Body: kit.Obj{"schema": schema, "plan_id": id},
			Code: "PRECONDITION_FAILED"},
		kit.Step{Name: "model", Call: "GET /models/" + slug, Want: kit.Obj{"data.fields.1.model": other}},
		kit.Step{Name: "form", Call: "GET /forms/" + form},
		kit.Step{Name: "again", Call: "POST /schema/plan", Body: kit.Obj{"schema": schema},
			Want: kit.Obj{"data.changes": kit.List{}}},
	)
	s.Eventually(t, "one event of both models and the form", func() bool {
		return slices.ContainsFunc(r.All("schema.updated"), func(d kit.Delivery) bool {
			models, _ := kit.Dig(d.Body, "data.models").(kit.List)
			return slices.Contains(models, any(slug)) && slices.Contains(models, any(other)) &&
				kit.Compare(kit.Dig(d.Body, "data.forms"), kit.List{form}) == nil
		})
	})
	whole := c.Get(t, "/schema").Get("data")
	c.Run(t, kit.Step{Name: "what was read changes nothing", Call: "POST /schema/plan", Body: kit.Obj{"schema": whole},
		Want: kit.Obj{"data.changes": kit.List{}}})
	key := s.AdminKey(t)
	entry := key.Publish(t, other, "Kept", kit.Obj{"n": 5})
	schema = kit.Obj{"models": kit.List{kit.Obj{"slug": other, "name": "B2",
		"fields": kit.List{kit.Field("m", "text", nil)}}},
		"deletes": kit.Obj{"models": kit.List{slug}, "webhooks": kit.List{hook}, "folders": kit.List{folder}}}
	id, changes = planned(t, c, schema)
	if got := changes["models."+other+".fields.n"]; got["risk"] != "loses_data" || got["op"] != "delete" {
		t.Errorf("a field that goes: %v", got)
	}
	c.Run(t,
		kit.Step{Name: "without leave", Call: "POST /schema/apply", Body: kit.Obj{"schema": schema, "plan_id": id},
			Invalid: "allow"},
		kit.Step{Name: "nothing was done", Call: "GET /models/" + other,
			Want: kit.Obj{"data.name": "B", "data.fields.0.name": "n"}},
		kit.Step{Name: "with leave", Call: "POST /schema/apply",
			Body: kit.Obj{"schema": schema, "plan_id": id, "allow": kit.List{"loses_data"}}},
		kit.Step{Name: "the model is gone", Call: "GET /models/" + slug, Code: "NOT_FOUND"},
		kit.Step{Name: "the other is changed", Call: "GET /models/" + other,
			Want: kit.Obj{"data.name": "B2", "data.fields.0.name": "m", "data.fields.#": 1}},
	)
	key.Step(t, kit.Step{Name: "its values are gone", Call: "GET /" + other + "/" + entry,
		Want: kit.Obj{"data.data": kit.Obj{}}})
	schema = kit.Obj{"models": kit.List{kit.Obj{"slug": other, "name": "B2",
		"fields": kit.List{kit.Field("m", "text", nil), kit.Field("n", "text", nil)}}}}
	id, _ = planned(t, c, schema)
	// The answer is 409 while the target is still rewriting the entry without the field.
	s.Eventually(t, "a field of the name again", func() bool {
		return c.Do(t, "POST /schema/apply", kit.Obj{"schema": schema, "plan_id": id}).Status == 200
	})
	key.Step(t, kit.Step{Name: "a field of the name again", Call: "GET /" + other + "/" + entry,
		Want: kit.Obj{"data.data": kit.Obj{}}})
	schema = kit.Obj{"deletes": kit.Obj{"models": kit.List{other}}}
	id, changes = planned(t, c, schema)
	if got := changes["models."+other]; kit.Contains("entries")(got["message"]) != nil {
		t.Errorf("a model with entries: %v", got)
	}
	c.Run(t,
		kit.Step{Name: "a model with entries", Call: "POST /schema/apply",
			Body: kit.Obj{"schema": schema, "plan_id": id, "allow": kit.List{"loses_data"}}, Code: "CONFLICT"},
		kit.Step{Name: "it stays active", Call: "GET /models/" + other, Want: kit.Obj{"data.is_active": true}},
	)
}

func schemaRenames(t *testing.T, s *kit.Suite) {
	c, key := s.Admin(t), s.AdminKey(t)
	slug := s.Model(t,
		kit.Obj{"fields": kit.List{kit.Field("code", "text", kit.Obj{"unique": true}),
			kit.Field("intro", "textarea", kit.Obj{"searchable": true})}})
	related := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("rel", "relation", kit.Obj{"model": slug})}})
	var ids []string
	for _, title := range []string{"One", "Two", "Three"} {
		ids = append(ids, key.Publish(t, slug, title, kit.Obj{"code": "c-" + title, "intro": "blue door " + title}))
	}
	rel := key.Publish(t, related, "Rel", kit.Obj{"rel": ids[0]})
	view := c.Post(t, "/models/"+slug+"/views", kit.Obj{"name": "Codes", "query": kit.Obj{"columns": "code,:status",
		"sort": "-data.code", "filter[data.code][ne]": "c"}}).Str(t, "data.id")
	fields := kit.List{kit.Field("number", "text", kit.Obj{"unique": true}),
		kit.Field("lead", "textarea", kit.Obj{"searchable": true})}
	schema := kit.Obj{"models": kit.List{kit.Obj{"slug": slug, "name": "M", "fields": fields}}, "renames": kit.List{
		kit.Obj{"model": slug, "from": "code", "to": "number"}, kit.Obj{"model": slug, "from": "intro", "to": "lead"},
	}}
	_, changes := planned(t, c, schema)
	if got := changes["models."+slug+".fields.number"]; got["op"] != "rename" ||
		got["risk"] == "loses_data" || got["kind"] != "field" {
		t.Errorf("rename: %v", got)
	}
	if got := changes["models."+slug+".fields.code"]; got != nil {
		t.Errorf("the old name: %v", got)
	}
	id, _ := planned(t, c, schema)
	applied(t, c, schema)
	c.Run(t,
		kit.Step{Name: "the plan again", Call: "POST /schema/apply", Body: kit.Obj{"schema": schema, "plan_id": id},
			Code: "PRECONDITION_FAILED", Want: kit.Obj{"error.message": kit.Contains("renames.0, renames.1")}},
		kit.Step{Name: "a new plan for it", Call: "POST /schema/plan", Body: kit.Obj{"schema": schema},
			Invalid: "renames.0.from renames.1.from"},
		kit.Step{Name: "a saved view", Call: "GET /models/" + slug + "/views/" + view, Want: kit.Obj{"data.query": kit.Obj{
			"columns": "number,:status", "sort": "-data.number", "filter[data.number][ne]": "c"}}},
	)
	key.Run(t,
		kit.Step{Name: "by id", Call: "GET /" + slug + "/" + ids[0],
			Want: kit.Obj{"data.data": kit.Obj{"number": "c-One", "lead": "blue door One"}}},
		kit.Step{Name: "by slug", Call: "GET /" + slug + "/two",
			Want: kit.Obj{"data.data": kit.Obj{"number": "c-Two", "lead": "blue door Two"}}},
		kit.Step{Name: "filter", Call: "GET /" + slug + "?filter%5Bdata.number%5D=c-Two",
			Want: kit.Obj{"meta.total": 1, "data.0.id": ids[1]}},
		kit.Step{Name: "sort", Call: "GET /" + slug + "?sort=data.number&fields=data.number",
			Want: kit.Obj{"data.0.data.number": "c-One", "data.2.data.number": "c-Two"}},
		kit.Step{Name: "the old name", Call: "GET /" + slug + "?filter%5Bdata.code%5D=c-Two", Code: "BAD_REQUEST"},
		kit.Step{Name: "search", Call: "GET /" + slug + "?q=door", Want: kit.Obj{"meta.total": 3}},
		kit.Step{Name: "include", Call: "GET /" + related + "/" + rel + "?include=rel",
			Want: kit.Obj{"data.data.rel.data.lead": "blue door One"}},
		kit.Step{Name: "unique", Call: "POST /" + slug,
			Body: kit.Obj{"title": "Four", "data": kit.Obj{"number": "c-Three"}}, Code: "CONFLICT"},
		kit.Step{Name: "a save", Call: "PUT /" + slug + "/" + ids[0], Body: kit.Obj{"data": kit.Obj{"lead": "changed"}},
			Want: kit.Obj{"data.data": kit.Obj{"number": "c-One", "lead": "changed"}}},
	)
	c.Run(t, kit.Step{Name: "an old revision",
		Call: "POST /models/" + slug + "/entries/" + ids[0] + "/revisions/1/restore",
		Want: kit.Obj{"data.data": kit.Obj{"number": "c-One", "lead": "blue door One"}}})
	renamed, role := kit.Unique("ren"), kit.Unique("role")
	open, bound := s.PublishableKey(t, kit.Obj{"models": kit.List{slug}}), s.Key(t, kit.Obj{"models": kit.List{slug}})
	hook := s.Subscribe(t, kit.Obj{"name": role, "url": "https://nowhere.invalid/" + role, "is_active": false,
		"events": kit.List{"entry.*"}, "models": kit.List{slug}})
	c.Post(t, "/roles", kit.Obj{"slug": role, "name": role,
		"rules": kit.List{kit.Obj{"models": kit.List{slug}, "actions": kit.List{"read"}}}})
	open.Get(t, "/"+slug+"/two")
	applied(t, c, kit.Obj{"models": kit.List{kit.Obj{"slug": renamed, "name": "M", "fields": fields}},
		"renames": kit.List{kit.Obj{"from": slug, "to": renamed}}})
	key.Run(t,
		kit.Step{Name: "model", Call: "GET /" + renamed + "/" + ids[1], Want: kit.Obj{"data.data.number": "c-Two"}},
		kit.Step{Name: "former slug", Call: "GET /" + slug, Code: "MODEL_NOT_FOUND"},
		kit.Step{Name: "relations follow", Call: "GET /" + related + "/" + rel + "?include=rel",
			Want: kit.Obj{"data.data.rel.model": renamed}},
	)
	follow := func(by, was, slug string) {
		bound.Step(t, kit.Step{Name: "keys follow " + by, Call: "GET /" + slug + "/two"})
		s.Eventually(t, "publishable keys follow "+by, func() bool {
			return open.Do(t, "GET /"+slug+"/two", nil).Status == 200 &&
				open.Do(t, "GET /"+was+"/two", nil).Status == 404
		})
		c.Run(t,
			kit.Step{Name: "roles follow " + by, Call: "GET /roles/" + role,
				Want: kit.Obj{"data.rules.0.models": kit.List{slug}}},
			kit.Step{Name: "webhooks follow " + by, Call: "GET /webhooks/" + hook,
				Want: kit.Obj{"data.models": kit.List{slug}}},
		)
	}
	follow("the schema", slug, renamed)
	again := kit.Unique("ren")
	c.Put(t, "/models/"+renamed, kit.Obj{"slug": again})
	follow("the model", renamed, again)
}

func refusedSchemas(t *testing.T, s *kit.Suite) {
	c := s.Admin(t)
	slug := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("a", "text", nil), kit.Field("b", "text", nil)}})
	model := func(fields ...any) kit.Obj { return kit.Obj{"slug": slug, "name": "M", "fields": kit.List(fields)} }
	refused := func(name string, schema kit.Obj, invalid string) kit.Step {
		return kit.Step{Name: name, Call: "POST /schema/plan", Body: kit.Obj{"schema": schema}, Invalid: invalid}
	}
	rename := func(from, to string) kit.List { return kit.List{kit.Obj{"model": slug, "from": from, "to": to}} }
	other := s.Model(t, nil)
	named := func(end string) kit.Obj { return kit.Obj{"slug": slug + "-" + end, "name": "M"} }
	moved := func(end string) kit.Obj { return kit.Obj{"from": slug, "to": slug + "-" + end} }
	many, hookURL := kit.List{}, kit.NewReceiver(t).URL
	for range 101 {
		many = append(many, kit.Obj{"name": kit.Unique("hook"), "url": hookURL, "events": kit.List{}})
	}
	c.Run(t,
		refused("more webhooks than there may be", kit.Obj{"webhooks": many}, "webhooks"),
		kit.Step{Name: "no schema", Call: "POST /schema/plan", Body: kit.Obj{}, Invalid: "schema"},
		kit.Step{Name: "no JSON", Call: "POST /schema/plan", Body: kit.Text("application/json", "{"), Code: "BAD_REQUEST"},
		kit.Step{Name: "no plan", Call: "POST /schema/apply", Body: kit.Obj{"schema": kit.Obj{}}, Invalid: "plan_id"},
		refused("unknown key", kit.Obj{"modells": kit.List{}}, "modells"),
		refused("a bad field", kit.Obj{"models": kit.List{model(kit.Field("a", "txt", nil))}}, "models.0.fields.0.type"),
		refused("a model without a slug", kit.Obj{"models": kit.List{kit.Obj{"name": "x"}}}, "models.0.slug"),
		refused("mentioned twice",
			kit.Obj{"models": kit.List{model(kit.Field("a", "text", nil)), model(kit.Field("a", "text", nil))}},
			"models.1.slug"),
		refused("a relation to nothing",
			kit.Obj{"models": kit.List{model(kit.Field("r", "relation", kit.Obj{"model": "none-such"}))}},
			"models.0.fields.0.model"),
		refused("unknown from",
			kit.Obj{"models": kit.List{model(kit.Field("a", "text", nil), kit.Field("b", "text", nil),
				kit.Field("c", "text", nil))}, "renames": rename("x", "c")}, "renames.0.from"),
		refused("from stays",
			kit.Obj{"models": kit.List{model(kit.Field("a", "text", nil), kit.Field("c", "text", nil))},
				"renames": rename("a", "c")}, "renames.0.from"),
		refused("unknown to", kit.Obj{"models": kit.List{model(kit.Field("b", "text", nil))},
			"renames": rename("a", "x")}, "renames.0.to"),
		refused("to is there", kit.Obj{"models": kit.List{model(kit.Field("b", "text", nil))},
			"renames": rename("a", "b")}, "renames.0.to"),
		refused("a model gets two slugs", kit.Obj{"models": kit.List{named("one"), named("two")},
			"renames": kit.List{moved("one"), moved("two")}}, "renames.1.from"),
		refused("two models get one slug", kit.Obj{"models": kit.List{named("one")},
			"renames": kit.List{moved("one"), kit.Obj{"from": other, "to": slug + "-one"}}}, "renames.1.to"),
		refused("a model is renamed and stays", kit.Obj{"models": kit.List{named("one"), model()},
			"renames": kit.List{moved("one")}}, "renames.0.from"),
		refused("a model is renamed and deleted", kit.Obj{"models": kit.List{named("one")},
			"renames": kit.List{moved("one")}, "deletes": kit.Obj{"models": kit.List{slug}}}, "renames.0.from"),
		refused("an unknown model",
			kit.Obj{"renames": kit.List{kit.Obj{"from": "none-such", "to": slug}}}, "renames.0.from renames.0.to"),
		refused("a model that is not mentioned", kit.Obj{"renames": rename("a", "b")}, "renames.0.model"),
		refused("mentioned and deleted",
			kit.Obj{"models": kit.List{model(kit.Field("a", "text", nil), kit.Field("b", "text", nil))},
				"deletes": kit.Obj{"models": kit.List{slug}}}, "deletes.models.0"),
		refused("unknown kind", kit.Obj{"deletes": kit.Obj{"entries": kit.List{"x"}}}, "deletes.entries"),
	)
	id, _ := planned(t, c,
		kit.Obj{"models": kit.List{model(kit.Field("a", "text", nil), kit.Field("b", "text", nil),
			kit.Field("c", "text", nil))}})
	c.Put(t, "/models/"+slug, kit.Obj{"name": "Changed meanwhile"})
	c.Run(t,
		kit.Step{Name: "outdated", Call: "POST /schema/apply",
			Body: kit.Obj{"schema": kit.Obj{"models": kit.List{model(kit.Field("a", "text", nil),
				kit.Field("b", "text", nil), kit.Field("c", "text", nil))}}, "plan_id": id}, Code: "PRECONDITION_FAILED"},
	)
}

// renamedTargets renames a model that the defaults of relations name.
func renamedTargets(t *testing.T, s *kit.Suite) {
	c, k, target, other := s.Admin(t), s.Key(t, nil), s.Model(t, nil), s.Model(t, nil)
	id := k.Publish(t, target, "Target", nil)
	related := func(name string, value any, more kit.Obj) kit.Obj {
		return kit.Field(name, "relation", kit.Merge(kit.Obj{"models": kit.List{target, other}, "default": value}, more))
	}
	value := func(model string) kit.Obj { return kit.Obj{"model": model, "id": id} }
	model := s.Model(t, kit.Obj{"fields": kit.List{
		related("one", value(target), nil), related("many", kit.List{value(target)}, kit.Obj{"many": true}),
		kit.Field("group", "group", kit.Obj{"fields": kit.List{related("inner", value(target), nil)}})}})
	slug := kit.Unique("renamed")
	c.Put(t, "/models/"+target, kit.Obj{"slug": slug})
	k.Step(t, kit.Step{Name: "the defaults follow", Call: "POST /" + model,
		Body: kit.Obj{"title": "New", "data": kit.Obj{"group": kit.Obj{}}}, Status: 201,
		Want: kit.Obj{"data.data.one": value(slug), "data.data.many": kit.List{value(slug)},
			"data.data.group.inner": value(slug)}})
	c.Put(t, "/models/"+model, kit.Obj{"fields": c.Get(t, "/models/"+model).Get("data.fields")})
}
