package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var eventScenarios = []scenario{
	{name: "events/entries", run: entryEvents},
	{name: "events/models", run: eventModels},
	{name: "events/media", run: mediaEvents},
	{name: "events/files", run: fileEvents},
	{name: "events/redirects", run: redirectEvents},
	{name: "events/schema", run: schemaEvents},
	{name: "events/forms", run: formEvents},
	{name: "events/users", run: userEvents},
	{name: "events/large", run: largeEvents, submits: true},
}

// kindsOf counts the events of each kind about an entry.
func kindsOf(ds []delivery, id string) map[string]int {
	out := map[string]int{}
	for _, d := range ds {
		if dig(d.body, "data.id") == id {
			out[d.event()]++
		}
	}
	return out
}

// checkOrder sorts the events of an entry by their sequence, since they may arrive in any order,
// and checks their kinds and versions.
func checkOrder(t *testing.T, ds []delivery, id string, want []string) {
	t.Helper()
	kinds, versions := map[int]string{}, map[int]int{}
	for _, d := range ds {
		if dig(d.body, "data.id") == id {
			sequence, _ := strconv.Atoi(str(dig(d.body, "sequence")))
			version, _ := strconv.Atoi(str(dig(d.body, "version")))
			kinds[sequence], versions[sequence] = strings.TrimPrefix(d.event(), "entry."), version
		}
	}
	var got []string
	last := 0
	for _, sequence := range slices.Sorted(maps.Keys(kinds)) {
		if got = append(got, kinds[sequence]); versions[sequence] < max(last, 1) {
			t.Errorf("sequence %d has version %d after %d", sequence, versions[sequence], last)
		}
		last = versions[sequence]
	}
	if !slices.Equal(got, want) {
		t.Errorf("in order %v, want %v", got, want)
	}
}

func entryEvents(t *testing.T, s *suite) {
	model, k, admin := s.model(t, nil), s.key(t, nil), s.admin(t)
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "models": list{model}})
	expect := func(t *testing.T, id string, want map[string]int) {
		t.Helper()
		n := 0
		for _, count := range want {
			n += count
		}
		s.eventually(t, fmt.Sprintf("the events %v", want), func() bool {
			sum := 0
			for _, count := range kindsOf(r.all(), id) {
				sum += count
			}
			return sum >= n
		})
		if got := kindsOf(r.all(), id); !maps.Equal(got, want) {
			t.Errorf("events %v, want %v", got, want)
		}
	}
	t.Run("ladder", func(t *testing.T) {
		s.parallel(t)
		a := k.create(t, model, obj{"title": "Ladder"})
		id := a.str(t, "data.id")
		for _, body := range []obj{{"title": "Edited"}, {"status": "published"},
			{"title": "Edited again"}, {"status": "archived"}, {"status": "draft"}} {
			k.ok(t, 200, "PUT /"+model+"/"+id, body)
		}
		k.ok(t, 204, "DELETE /"+model+"/"+id, nil)
		admin.ok(t, 200, "POST /trash/"+id+"/restore", nil)
		expect(t, id, map[string]int{"entry.created": 1, "entry.updated": 6, "entry.published": 1,
			"entry.unpublished": 1, "entry.deleted": 1})
		checkOrder(t, r.all(), id, []string{
			"created", "updated", "updated", "published", "updated", "updated", "unpublished",
			"updated", "deleted", "updated",
		})
	})
	t.Run("published at once", func(t *testing.T) {
		s.parallel(t)
		a := k.create(t, model, obj{"title": "At once", "status": "published"})
		id := a.str(t, "data.id")
		expect(t, id, map[string]int{"entry.created": 1, "entry.published": 1})
		for _, d := range r.all() {
			if dig(d.body, "data.id") != id {
				continue
			}
			d.check(t, s, hookSecret)
			want := obj{"id": id, "model_slug": model, "title": "At once", "slug": "at-once",
				"locale": s.defaultLocale(t), "status": "published",
				"published_at": a.get("data.published_at"), "url": ""}
			if err := compare(dig(d.body, "data"), want); err != nil {
				t.Errorf("%s: %v", d.event(), err)
			}
		}
		k.ok(t, 204, "DELETE /"+model+"/"+id, nil)
		admin.ok(t, 200, "POST /trash/"+id+"/restore", nil)
		expect(t, id, map[string]int{"entry.created": 1, "entry.published": 2, "entry.deleted": 1,
			"entry.updated": 1})
	})
	t.Run("null is empty", func(t *testing.T) {
		s.parallel(t)
		id := k.create(t, model, obj{"title": "Null"}).str(t, "data.id")
		expect(t, id, map[string]int{"entry.created": 1})
		for _, d := range r.all("entry.created") {
			if dig(d.body, "data.id") == id && dig(d.body, "data.published_at") != "" {
				t.Errorf("published_at: %s", d.raw)
			}
		}
	})
	t.Run("none for a refusal", func(t *testing.T) {
		s.parallel(t)
		id := k.create(t, model, obj{"title": "Refused"}).str(t, "data.id")
		k.step(t, step{call: "PUT /" + model + "/" + id, body: obj{"title": ""}, status: 422,
			code: "VALIDATION_FAILED"})
		k.with("If-Match", `"x"`).step(t, step{call: "PUT /" + model + "/" + id, body: obj{},
			status: 412, code: "PRECONDITION_FAILED"})
		k.ok(t, 204, "DELETE /"+model+"/"+id, nil)
		expect(t, id, map[string]int{"entry.created": 1, "entry.deleted": 1})
	})
}

func eventModels(t *testing.T, s *suite) {
	one, other, k := s.model(t, nil), s.model(t, nil), s.key(t, nil)
	published, all := newReceiver(t), newReceiver(t)
	s.subscribe(t, obj{"url": published.url, "models": list{one},
		"events": list{"entry.published", "entry.deleted"}})
	s.subscribe(t, obj{"url": all.url, "models": list{one, other}, "events": list{"*"}})
	k.create(t, other, obj{"title": "Other", "status": "published"})
	id := k.create(t, one, obj{"title": "One", "status": "published"}).str(t, "data.id")
	all.wait(t, s, 4, "entry.created", "entry.published")
	published.wait(t, s, 1)
	for _, d := range published.all() {
		if d.event() != "entry.published" || dig(d.body, "data.id") != id {
			t.Errorf("got %s %s", d.event(), d.raw)
		}
	}
}

// about keeps the deliveries whose data has the value at the path.
func about(ds []delivery, path, value string) (out []delivery) {
	for _, d := range ds {
		if str(dig(d.body, "data."+path)) == value {
			out = append(out, d)
		}
	}
	return out
}

func (s *suite) waitAbout(t *testing.T, r *receiver, event, path, value string) delivery {
	t.Helper()
	s.eventually(t, event+" about "+value, func() bool { return len(about(r.all(event), path, value)) > 0 })
	d := about(r.all(event), path, value)[0]
	d.check(t, s, hookSecret)
	return d
}

func mediaEvents(t *testing.T, s *suite) {
	k := s.key(t, nil)
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "events": list{"media.uploaded", "media.deleted"},
		"models": list{s.model(t, nil)}})
	a := k.upload(t, "event.png", pngFile(2, 2), map[string]string{"alt": "A"})
	id := a.str(t, "data.id")
	k.ok(t, 204, "DELETE /upload/files/"+id, nil)
	for _, event := range []string{"media.uploaded", "media.deleted"} {
		d := s.waitAbout(t, r, event, "id", id)
		for _, key := range []string{"name", "url", "mime", "size", "width", "height", "alt",
			"caption", "folder"} {
			if err := compare(dig(d.body, "data."+key), a.get("data."+key)); err != nil {
				t.Errorf("%s %s: %v", event, key, err)
			}
		}
	}
}

// fileEvents changes the texts and the bytes of a file. A save that changes nothing raises no event.
func fileEvents(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "events": list{"media.*"}})
	id := k.upload(t, "event.png", pngFile(2, 2), map[string]string{"alt": "A"}).str(t, "data.id")
	admin.ok(t, 200, "PUT /media/"+id, obj{"alt": "A"})
	admin.ok(t, 200, "PUT /media/"+id, obj{"alt": "B"})
	if d := s.waitAbout(t, r, "media.updated", "id", id); dig(d.body, "data.alt") != "B" {
		t.Errorf("%s", d.raw)
	}
	admin.step(t, step{call: "PUT /media/" + id + "/content", body: form(t, "b.png", pngFile(4, 4), nil), status: 200})
	if d := s.waitAbout(t, r, "media.replaced", "id", id); compare(dig(d.body, "data.width"), 4) != nil {
		t.Errorf("%s", d.raw)
	}
	if !s.walk(t, "/activity", func(v any) bool { return dig(v, "event") == "media.replaced" && dig(v, "subject_id") == id }) {
		t.Error("no activity record names the replaced file")
	}
	s.waitAbout(t, r, "media.uploaded", "id", id)
	if n := len(about(r.all("media.updated"), "id", id)); n != 1 {
		t.Errorf("%d events of one change", n)
	}
}

// redirectEvents changes redirects one by one, and many with one file.
func redirectEvents(t *testing.T, s *suite) {
	admin := s.admin(t)
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "events": list{"redirects.updated"}})
	counts := func(from string) map[string]int {
		n := map[string]int{}
		for _, d := range r.all("redirects.updated") {
			if strings.HasPrefix(str(dig(d.body, "data.from.0")), from) {
				n[str(dig(d.body, "data.count"))]++
			}
		}
		return n
	}
	one := "/" + unique("one")
	id := admin.ok(t, 201, "POST /redirects", obj{"from": one, "to": "/x"}).str(t, "data.id")
	admin.ok(t, 200, "PUT /redirects/"+id, obj{"to": "/x"})
	admin.ok(t, 200, "PUT /redirects/"+id, obj{"to": "/y"})
	admin.ok(t, 204, "DELETE /redirects/"+id, nil)
	many := "/" + unique("many")
	var csv strings.Builder
	for i := range 120 {
		fmt.Fprintf(&csv, "%s/%03d,/x,301\n", many, i)
	}
	admin.step(t, step{call: "POST /redirects.csv", body: text("text/csv", csv.String()), status: 200})
	s.fired(t, "events of redirects", func() bool { return counts(one)["1"] >= 3 && len(counts(many)) > 0 })
	if n := counts(one); n["1"] != 3 || len(n) != 1 {
		t.Errorf("a create, an update and a delete raise %v", n)
	}
	if n := counts(many); n["120"] != 1 || len(n) != 1 {
		t.Errorf("a file raises %v", n)
	}
}

// schemaEvents changes models, forms and locales.
func schemaEvents(t *testing.T, s *suite) {
	admin := s.admin(t)
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "events": list{"schema.updated", "locales.updated"}})
	model, form := s.model(t, nil), makeForm(t, s, nil)
	named := func(kind, at, name string) (n int) {
		for _, d := range r.all(kind) {
			names, _ := dig(d.body, "data."+at).(list)
			if slices.Contains(names, any(name)) {
				n++
			}
		}
		return n
	}
	admin.ok(t, 200, "PUT /models/"+model, obj{"name": "Another name"})
	admin.ok(t, 200, "PUT /models/"+model, obj{"name": "Another name"})
	admin.ok(t, 200, "PUT /forms/"+form, obj{"success_message": "Thanks a lot"})
	admin.ok(t, 204, "DELETE /models/"+model, nil)
	s.fired(t, "events of the schema", func() bool {
		return named("schema.updated", "models", model) >= 3 && named("schema.updated", "forms", form) >= 2
	})
	if n := named("schema.updated", "models", model); n != 3 {
		t.Errorf("a create, an update and a delete raise %d events", n)
	}
}

func formEvents(t *testing.T, s *suite) {
	slug := makeForm(t, s, nil)
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "events": list{"form.submission.created"}})
	v := s.visitor(t)
	v.ok(t, 201, "POST /forms/"+slug+"/submit", obj{"email": "bot@example.com", "message": "spam",
		"website": "x"})
	a := v.ok(t, 201, "POST /forms/"+slug+"/submit", obj{"email": "ada@example.com", "message": "Hello"})
	d := s.waitAbout(t, r, "form.submission.created", "id", a.str(t, "data.id"))
	for path, want := range map[string]any{"form_slug": slug,
		"received_at": a.get("data.received_at"), "fields.email": "ada@example.com",
		"fields.message": "Hello"} {
		if err := compare(dig(d.body, "data."+path), want); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if n := len(about(r.all(), "form_slug", slug)); n != 1 {
		t.Errorf("%d deliveries of two submissions, one of them spam", n)
	}
}

func userEvents(t *testing.T, s *suite) {
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "events": list{"user.created"}})
	email := unique("user") + "@example.com"
	a := s.admin(t).ok(t, 201, "POST /users", obj{"email": email, "name": "U", "role": "viewer",
		"password": "a long enough password"})
	d := s.waitAbout(t, r, "user.created", "email", email)
	if err := compare(dig(d.body, "data"), obj{"id": a.get("data.id"), "email": email, "name": "U", "role": "viewer"}); err != nil {
		t.Error(err)
	}
}

func largeEvents(t *testing.T, s *suite) {
	const n, each = 10, 9000
	var fields list
	body := obj{}
	for i := range n {
		name := fmt.Sprintf("text%d", i)
		fields = append(fields, obj{"name": name, "label": name, "type": "textarea"})
		body[name] = strings.Repeat("x", each)
	}
	slug := makeForm(t, s, obj{"fields": fields})
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "events": list{"form.submission.created"}})
	a := s.visitor(t).ok(t, 201, "POST /forms/"+slug+"/submit", body)
	d := s.waitAbout(t, r, "form.submission.created", "id", a.str(t, "data.id"))
	if err := compare(dig(d.body, "data"), obj{"id": a.get("data.id"), "truncated": true}); err != nil {
		t.Error(err)
	}
}
