package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

var schemaScenarios = []scenario{
	{name: "schema/document", run: schemaDocument},
}

// schemaSiteScenarios apply schemas. Any change by another scenario makes a plan stale, so they run
// alone.
var schemaSiteScenarios = []scenario{
	{name: "schema/apply", run: applySchema},
	{name: "schema/large", run: largeSchemas},
	{name: "schema/renames", run: schemaRenames},
	{name: "schema/nested renames", run: nestedRenames},
	{name: "schema/refused", run: refusedSchemas},
	{name: "schema/roles", run: schemaRoles},
	{name: "schema/redirects", run: redirectsInSchema},
}

func schemaDocument(t *testing.T, s *suite) {
	admin := s.admin(t)
	_, _, editor := s.user(t, "editor")
	_, _, viewer := s.user(t, "viewer")
	slug := s.model(t, nil)
	form := unique("f")
	admin.ok(t, 201, "POST /forms",
		obj{"slug": form, "name": "F", "notify_emails": list{"told@example.com"}, "fields": list{obj{"name": "a", "type": "text"}},
			"recaptcha": obj{"site_key": "public-part", "secret_key": "hidden-part-1"}})
	hook := unique("hook")
	s.subscribe(t, obj{"name": hook, "url": "https://nowhere.invalid/" + hook, "is_active": false,
		"events": list{"*"}, "secret": "hidden-part-2-of-the-hook",
		"headers": obj{"X-Secret": "hidden-part-3"}})
	a := viewer.ok(t, 200, "GET /schema", nil)
	for _, kind := range []string{"models", "locales", "settings", "forms", "folders", "webhooks",
		"roles", "redirects"} {
		if _, ok := a.get("data." + kind).(list); !ok {
			t.Errorf("%s is no list", kind)
		}
	}
	m := find(a.get("data.models"), "slug", slug)
	for _, key := range []string{"id", "created_at", "updated_at", "version"} {
		if _, ok := m[key]; ok {
			t.Errorf("a model has %s", key)
		}
	}
	if m["name"] != "Model "+slug || find(a.get("data.webhooks"), "name", hook) == nil ||
		find(a.get("data.forms"), "slug", form) == nil {
		t.Error("parts are missing")
	}
	if text := string(a.Raw); strings.Contains(text, "hidden-part") ||
		!strings.Contains(text, "public-part") {
		t.Error("a secret is shown, or too much is hidden")
	}
	if text := string(a.Raw); strings.Contains(text, "nowhere.invalid") || strings.Contains(text, "told@example.com") {
		t.Error("an address is shown to a viewer")
	}
	if text := string(admin.ok(t, 200, "GET /schema", nil).Raw); !strings.Contains(text, "nowhere.invalid/"+hook) ||
		!strings.Contains(text, "told@example.com") {
		t.Error("an address is hidden from an admin")
	}
	same := unique("same")
	for i := range 11 {
		s.subscribe(t, obj{"name": same, "url": fmt.Sprint("https://nowhere.invalid/", i), "is_active": false, "events": list{}})
	}
	all, _ := admin.ok(t, 200, "GET /schema", nil).get("data.webhooks").(list)
	all = slices.DeleteFunc(all, func(hook any) bool { return dig(hook, "name") != same })
	admin.step(t, step{name: "webhooks of one name", call: "POST /schema/plan", body: obj{"schema": obj{"webhooks": all}},
		status: 200, want: obj{"data.changes.#": 0}})
	for name, c := range map[string]*client{"viewer": viewer, "editor": editor} {
		c.run(t,
			step{name: name + " plans", call: "POST /schema/plan", body: obj{"schema": obj{}},
				status: 403, code: "FORBIDDEN"},
			step{name: name + " applies", call: "POST /schema/apply",
				body: obj{"schema": obj{}, "plan_id": "x"}, status: 403, code: "FORBIDDEN"},
		)
	}
	s.anonymousAdmin().run(t, step{name: "nobody", call: "GET /schema", status: 401, code: "UNAUTHORIZED"})
}

// largeSchemas makes, changes and deletes more parts than fit into one transaction.
func largeSchemas(t *testing.T, s *suite) {
	admin, name := s.admin(t), unique("large")
	schema := obj{"models": list{}, "forms": list{}, "redirects": list{}}
	var redirects list
	for i := range 90 {
		fields := list{field("body", "text", nil)}
		if i > 0 {
			fields = append(fields, field("next", "relation", obj{"model": fmt.Sprintf("%s-%d", name, i-1)}))
		}
		slug := fmt.Sprintf("%s-%d", name, i)
		schema["models"] = append(schema["models"].(list), obj{"slug": slug, "name": slug, "fields": fields})
	}
	for i := range 10 {
		schema["forms"] = append(schema["forms"].(list), obj{"slug": fmt.Sprintf("%s-form-%d", name, i), "name": "F",
			"fields": list{obj{"name": "a", "type": "text", "label": "A"}}})
	}
	for i := range 60 {
		redirects = append(redirects, fmt.Sprintf("/%s/%d", name, i))
		schema["redirects"] = append(schema["redirects"].(list), obj{"from": redirects[i], "to": "/"})
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
	models, forms := schema["models"].(list), schema["forms"].(list)
	for _, part := range slices.Concat(models[:12], forms) {
		part.(obj)["name"] = "Changed"
	}
	for _, part := range schema["redirects"].(list) {
		part.(obj)["to"] = "/changed"
	}
	applied(t, admin, schema)
	if _, changes := planned(t, admin, schema); len(changes) != 0 {
		t.Errorf("%d changes of existing parts are left: %v", len(changes), changes)
	}
	slugs := func(parts list) (all list) {
		for _, part := range parts {
			all = append(all, part.(obj)["slug"])
		}
		return all
	}
	applied(t, admin, obj{"deletes": obj{"redirects": redirects, "forms": slugs(forms)}}, "loses_data")
	slices.Reverse(models) // each refers to the one before
	for part := range slices.Chunk(models, 30) {
		applied(t, admin, obj{"deletes": obj{"models": slugs(part)}}, "loses_data")
	}
}

// planned plans a schema and returns the id and the changes by path.
func planned(t *testing.T, c *client, schema obj) (id string, changes map[string]obj) {
	t.Helper()
	a := c.ok(t, 200, "POST /schema/plan", obj{"schema": schema})
	changes = map[string]obj{}
	items, _ := a.get("data.changes").(list)
	for _, item := range items {
		change, _ := item.(obj)
		changes[str(change["path"])] = change
	}
	return a.str(t, "data.plan_id"), changes
}

func applied(t *testing.T, c *client, schema obj, allow ...string) answer {
	t.Helper()
	id, _ := planned(t, c, schema)
	body := obj{"schema": schema, "plan_id": id}
	if len(allow) > 0 {
		body["allow"] = allow
	}
	return c.ok(t, 200, "POST /schema/apply", body)
}

func applySchema(t *testing.T, s *suite) {
	c := s.admin(t)
	slug, other, form, folder, hook, group := unique("sa"), unique("sb"), unique("sf"),
		unique("Folder"), unique("hook"), "g"+unique("")[1:]
	schema := obj{
		"models": list{
			obj{"slug": slug, "name": "A", "fields": list{field("body", "text", nil),
				field("rel", "relation", obj{"model": other})}},
			obj{"slug": other, "name": "B", "fields": list{field("n", "number", nil)}},
		},
		"forms":   list{obj{"slug": form, "name": "F", "notify_emails": list{"told@example.com"}, "fields": list{obj{"name": "a", "type": "text"}}}},
		"folders": list{obj{"name": folder}},
		"webhooks": list{obj{"name": hook, "url": "https://nowhere.invalid/x",
			"events": list{"entry.*"}, "models": list{slug}}},
		"settings": list{obj{"group": group, "key": "k", "value": "v", "is_public": true}},
	}
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "events": list{"schema.updated"}})
	id, changes := planned(t, c, schema)
	for path, want := range map[string]string{
		"models." + slug: "create model safe", "models." + other: "create model safe", "forms." +
			form: "create form safe", "folders." + folder: "create folder safe",
		"webhooks." + hook: "create webhook safe", "settings." + group + ".k": "create setting safe",
	} {
		if got := str(changes[path]["op"]) + " " + str(changes[path]["kind"]) + " " + str(changes[path]["risk"]); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	c.run(t,
		step{name: "a plan changes nothing", call: "GET /models/" + slug, status: 404, code: "NOT_FOUND"},
		step{name: "another schema", call: "POST /schema/apply",
			body: obj{"schema": obj{"models": list{}}, "plan_id": id}, status: 412,
			code: "PRECONDITION_FAILED"},
		step{name: "an unknown plan", call: "POST /schema/apply",
			body: obj{"schema": schema, "plan_id": "x"}, status: 412, code: "PRECONDITION_FAILED"},
		step{name: "applied", call: "POST /schema/apply",
			body: obj{"schema": schema, "plan_id": id}, status: 200,
			want: obj{"data.plan_id": id, "data.changes.#": 6}},
		step{name: "outdated", call: "POST /schema/apply",
			body: obj{"schema": schema, "plan_id": id}, status: 412, code: "PRECONDITION_FAILED"},
		step{name: "model", call: "GET /models/" + slug, status: 200,
			want: obj{"data.fields.1.model": other}},
		step{name: "form", call: "GET /forms/" + form, status: 200},
		step{name: "again", call: "POST /schema/plan", body: obj{"schema": schema}, status: 200,
			want: obj{"data.changes": list{}}},
	)
	s.fired(t, "one event of both models and the form", func() bool {
		return slices.ContainsFunc(r.all("schema.updated"), func(d delivery) bool {
			models, _ := dig(d.body, "data.models").(list)
			return slices.Contains(models, any(slug)) && slices.Contains(models, any(other)) &&
				compare(dig(d.body, "data.forms"), list{form}) == nil
		})
	})
	whole := c.ok(t, 200, "GET /schema", nil).get("data")
	c.run(t, step{name: "what was read changes nothing", call: "POST /schema/plan",
		body: obj{"schema": whole}, status: 200, want: obj{"data.changes": list{}}})
	key := s.adminKey(t)
	entry := key.publish(t, other, "Kept", obj{"n": 5})
	schema = obj{"models": list{obj{"slug": other, "name": "B2",
		"fields": list{field("m", "text", nil)}}},
		"deletes": obj{"models": list{slug}, "webhooks": list{hook}, "folders": list{folder}}}
	id, changes = planned(t, c, schema)
	if got := changes["models."+other+".fields.n"]; got["risk"] != "loses_data" || got["op"] != "delete" {
		t.Errorf("a field that goes: %v", got)
	}
	c.run(t,
		step{name: "without leave", call: "POST /schema/apply",
			body: obj{"schema": schema, "plan_id": id}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"allow"}},
		step{name: "nothing was done", call: "GET /models/" + other, status: 200,
			want: obj{"data.name": "B", "data.fields.0.name": "n"}},
		step{name: "with leave", call: "POST /schema/apply",
			body: obj{"schema": schema, "plan_id": id, "allow": list{"loses_data"}}, status: 200},
		step{name: "the model is gone", call: "GET /models/" + slug, status: 404, code: "NOT_FOUND"},
		step{name: "the other is changed", call: "GET /models/" + other, status: 200,
			want: obj{"data.name": "B2", "data.fields.0.name": "m", "data.fields.#": 1}},
	)
	key.step(t, step{name: "its values are gone", call: "GET /" + other + "/" + entry, status: 200,
		want: obj{"data.data": obj{}}})
	schema = obj{"models": list{obj{"slug": other, "name": "B2",
		"fields": list{field("m", "text", nil), field("n", "text", nil)}}}}
	id, _ = planned(t, c, schema)
	// The answer is 409 while the target is still rewriting the entry without the field.
	s.eventually(t, "a field of the name again", func() bool {
		return c.do(t, "POST /schema/apply", obj{"schema": schema, "plan_id": id}).Status == 200
	})
	key.step(t, step{name: "a field of the name again", call: "GET /" + other + "/" + entry, status: 200,
		want: obj{"data.data": obj{}}})
	schema = obj{"deletes": obj{"models": list{other}}}
	id, changes = planned(t, c, schema)
	if got := changes["models."+other]; contains("entries")(got["message"]) != nil {
		t.Errorf("a model with entries: %v", got)
	}
	c.run(t,
		step{name: "a model with entries", call: "POST /schema/apply",
			body: obj{"schema": schema, "plan_id": id, "allow": list{"loses_data"}}, status: 409,
			code: "CONFLICT"},
		step{name: "it stays active", call: "GET /models/" + other, status: 200,
			want: obj{"data.is_active": true}},
	)
}

func schemaRenames(t *testing.T, s *suite) {
	c, key := s.admin(t), s.adminKey(t)
	slug := s.model(t,
		obj{"fields": list{field("code", "text", obj{"unique": true}),
			field("intro", "textarea", obj{"searchable": true})}})
	related := s.model(t, obj{"fields": list{field("rel", "relation", obj{"model": slug})}})
	var ids []string
	for _, title := range []string{"One", "Two", "Three"} {
		ids = append(ids,
			key.publish(t, slug, title, obj{"code": "c-" + title, "intro": "blue door " + title}))
	}
	rel := key.publish(t, related, "Rel", obj{"rel": ids[0]})
	fields := list{field("number", "text", obj{"unique": true}),
		field("lead", "textarea", obj{"searchable": true})}
	schema := obj{"models": list{obj{"slug": slug, "name": "M", "fields": fields}}, "renames": list{
		obj{"model": slug, "from": "code", "to": "number"}, obj{"model": slug, "from": "intro", "to": "lead"},
	}}
	_, changes := planned(t, c, schema)
	if got := changes["models."+slug+".fields.number"]; got["op"] != "rename" ||
		got["risk"] == "loses_data" || got["kind"] != "field" {
		t.Errorf("rename: %v", got)
	}
	if got := changes["models."+slug+".fields.code"]; got != nil {
		t.Errorf("the old name: %v", got)
	}
	applied(t, c, schema)
	key.run(t,
		step{name: "by id", call: "GET /" + slug + "/" + ids[0], status: 200,
			want: obj{"data.data": obj{"number": "c-One", "lead": "blue door One"}}},
		step{name: "by slug", call: "GET /" + slug + "/two", status: 200,
			want: obj{"data.data": obj{"number": "c-Two", "lead": "blue door Two"}}},
		step{name: "filter", call: "GET /" + slug + "?filter%5Bdata.number%5D=c-Two", status: 200,
			want: obj{"meta.total": 1, "data.0.id": ids[1]}},
		step{name: "sort", call: "GET /" + slug + "?sort=data.number&fields=data.number",
			status: 200, want: obj{"data.0.data.number": "c-One", "data.2.data.number": "c-Two"}},
		step{name: "the old name", call: "GET /" + slug + "?filter%5Bdata.code%5D=c-Two",
			status: 400, code: "BAD_REQUEST"},
		step{name: "search", call: "GET /" + slug + "?q=door", status: 200, want: obj{"meta.total": 3}},
		step{name: "include", call: "GET /" + related + "/" + rel + "?include=rel", status: 200,
			want: obj{"data.data.rel.data.lead": "blue door One"}},
		step{name: "unique", call: "POST /" + slug,
			body: obj{"title": "Four", "data": obj{"number": "c-Three"}}, status: 409, code: "CONFLICT"},
		step{name: "a save", call: "PUT /" + slug + "/" + ids[0],
			body: obj{"data": obj{"lead": "changed"}}, status: 200,
			want: obj{"data.data": obj{"number": "c-One", "lead": "changed"}}},
	)
	c.run(t, step{name: "an old revision", call: "POST /models/" + slug + "/entries/" + ids[0] +
		"/revisions/1/restore", status: 200,
		want: obj{"data.data": obj{"number": "c-One", "lead": "blue door One"}}})
	renamed, role := unique("ren"), unique("role")
	open, bound := s.publishable(t, obj{"models": list{slug}}), s.key(t, obj{"models": list{slug}})
	hook := s.subscribe(t, obj{"name": role, "url": "https://nowhere.invalid/" + role, "is_active": false,
		"events": list{"entry.*"}, "models": list{slug}})
	c.ok(t, 201, "POST /roles", obj{"slug": role, "name": role,
		"rules": list{obj{"models": list{slug}, "actions": list{"read"}}}})
	open.ok(t, 200, "GET /"+slug+"/two", nil)
	applied(t, c, obj{"models": list{obj{"slug": renamed, "name": "M", "fields": fields}},
		"renames": list{obj{"from": slug, "to": renamed}}})
	key.run(t,
		step{name: "model", call: "GET /" + renamed + "/" + ids[1], status: 200,
			want: obj{"data.data.number": "c-Two"}},
		step{name: "former slug", call: "GET /" + slug, status: 404, code: "MODEL_NOT_FOUND"},
		step{name: "relations follow", call: "GET /" + related + "/" + rel + "?include=rel",
			status: 200, want: obj{"data.data.rel.model": renamed}},
	)
	follow := func(by, was, slug string) {
		bound.step(t, step{name: "keys follow " + by, call: "GET /" + slug + "/two", status: 200})
		s.eventually(t, "publishable keys follow "+by, func() bool {
			return open.do(t, "GET /"+slug+"/two", nil).Status == 200 &&
				open.do(t, "GET /"+was+"/two", nil).Status == 404
		})
		c.run(t,
			step{name: "roles follow " + by, call: "GET /roles/" + role, status: 200,
				want: obj{"data.rules.0.models": list{slug}}},
			step{name: "webhooks follow " + by, call: "GET /webhooks/" + hook, status: 200,
				want: obj{"data.models": list{slug}}},
		)
	}
	follow("the schema", slug, renamed)
	again := unique("ren")
	c.ok(t, 200, "PUT /models/"+renamed, obj{"slug": again})
	follow("the model", renamed, again)
}

func refusedSchemas(t *testing.T, s *suite) {
	c := s.admin(t)
	slug := s.model(t, obj{"fields": list{field("a", "text", nil), field("b", "text", nil)}})
	model := func(fields ...any) obj { return obj{"slug": slug, "name": "M", "fields": list(fields)} }
	refused := func(name string, schema obj, details ...string) step {
		return step{name: name, call: "POST /schema/plan", body: obj{"schema": schema}, status: 422,
			code: "VALIDATION_FAILED", details: details}
	}
	rename := func(from, to string) list { return list{obj{"model": slug, "from": from, "to": to}} }
	many, hookURL := list{}, newReceiver(t).url
	for range 101 {
		many = append(many, obj{"name": unique("hook"), "url": hookURL, "events": list{}})
	}
	c.run(t,
		refused("more webhooks than there may be", obj{"webhooks": many}, "webhooks"),
		step{name: "no schema", call: "POST /schema/plan", body: obj{}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"schema"}},
		step{name: "no JSON", call: "POST /schema/plan", body: text("application/json", "{"),
			status: 400, code: "BAD_REQUEST"},
		step{name: "no plan", call: "POST /schema/apply", body: obj{"schema": obj{}}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"plan_id"}},
		refused("unknown key", obj{"modells": list{}}, "modells"),
		refused("a bad field", obj{"models": list{model(field("a", "txt", nil))}}, "models.0.fields.0.type"),
		refused("a model without a slug", obj{"models": list{obj{"name": "x"}}}, "models.0.slug"),
		refused("mentioned twice",
			obj{"models": list{model(field("a", "text", nil)), model(field("a", "text", nil))}},
			"models.1.slug"),
		refused("a relation to nothing",
			obj{"models": list{model(field("r", "relation", obj{"model": "none-such"}))}},
			"models.0.fields.0.model"),
		refused("unknown from",
			obj{"models": list{model(field("a", "text", nil), field("b", "text", nil),
				field("c", "text", nil))}, "renames": rename("x", "c")}, "renames.0.from"),
		refused("from stays",
			obj{"models": list{model(field("a", "text", nil), field("c", "text", nil))},
				"renames": rename("a", "c")}, "renames.0.from"),
		refused("unknown to", obj{"models": list{model(field("b", "text", nil))},
			"renames": rename("a", "x")}, "renames.0.to"),
		refused("to is there", obj{"models": list{model(field("b", "text", nil))},
			"renames": rename("a", "b")}, "renames.0.to"),
		refused("an unknown model",
			obj{"renames": list{obj{"from": "none-such", "to": slug}}}, "renames.0.from", "renames.0.to"),
		refused("a model that is not mentioned", obj{"renames": rename("a", "b")}, "renames.0.model"),
		refused("mentioned and deleted",
			obj{"models": list{model(field("a", "text", nil), field("b", "text", nil))},
				"deletes": obj{"models": list{slug}}}, "deletes.models.0"),
		refused("unknown kind", obj{"deletes": obj{"entries": list{"x"}}}, "deletes.entries"),
	)
	id, _ := planned(t, c,
		obj{"models": list{model(field("a", "text", nil), field("b", "text", nil), field("c", "text", nil))}})
	c.ok(t, 200, "PUT /models/"+slug, obj{"name": "Changed meanwhile"})
	c.run(t,
		step{name: "outdated", call: "POST /schema/apply",
			body: obj{"schema": obj{"models": list{model(field("a", "text", nil),
				field("b", "text", nil), field("c", "text", nil))}}, "plan_id": id}, status: 412,
			code: "PRECONDITION_FAILED"},
	)
}
