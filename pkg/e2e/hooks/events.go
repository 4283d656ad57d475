package hooks

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Events has the scenarios of the events that changes raise.
var Events = []kit.Scenario{
	{Name: "events/entries", Run: entryEvents},
	{Name: "events/models", Run: eventModels},
	{Name: "events/media", Run: mediaEvents},
	{Name: "events/files", Run: fileEvents},
	{Name: "events/redirects", Run: redirectEvents},
	{Name: "events/schema", Run: schemaEvents},
	{Name: "events/forms", Run: formEvents},
	{Name: "events/users", Run: userEvents},
	{Name: "events/large", Run: largeEvents, Submits: true},
}

// kindsOf counts the events of each kind about an entry.
func kindsOf(ds []kit.Delivery, id string) map[string]int {
	out := map[string]int{}
	for _, d := range ds {
		if kit.Dig(d.Body, "data.id") == id {
			out[d.Event()]++
		}
	}
	return out
}

// checkOrder sorts the events of an entry by their sequence, since they may arrive in any order,
// and checks their kinds and versions.
func checkOrder(t *testing.T, ds []kit.Delivery, id string, want []string) {
	t.Helper()
	kinds, versions := map[int]string{}, map[int]int{}
	for _, d := range ds {
		if kit.Dig(d.Body, "data.id") == id {
			sequence, _ := strconv.Atoi(kit.Str(kit.Dig(d.Body, "sequence")))
			version, _ := strconv.Atoi(kit.Str(kit.Dig(d.Body, "version")))
			kinds[sequence], versions[sequence] = strings.TrimPrefix(d.Event(), "entry."), version
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
	kit.Same(t, "in order", got, want)
}

func entryEvents(t *testing.T, s *kit.Suite) {
	model, k, admin := s.Model(t, nil), s.Key(t, nil), s.Admin(t)
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{model}})
	expect := func(t *testing.T, id string, want map[string]int) {
		t.Helper()
		n := 0
		for _, count := range want {
			n += count
		}
		s.Eventually(t, fmt.Sprintf("the events %v", want), func() bool {
			sum := 0
			for _, count := range kindsOf(r.All(), id) {
				sum += count
			}
			return sum >= n
		})
		kit.Same(t, "events", kindsOf(r.All(), id), want)
	}
	t.Run("ladder", func(t *testing.T) {
		s.Parallel(t)
		a := k.Create(t, model, kit.Obj{"title": "Ladder"})
		id := a.Str(t, "data.id")
		for _, body := range []kit.Obj{{"title": "Edited"}, {"status": "published"},
			{"title": "Edited again"}, {"status": "archived"}, {"status": "draft"}} {
			k.Put(t, "/"+model+"/"+id, body)
		}
		k.Delete(t, "/"+model+"/"+id)
		admin.OK(t, 200, "POST /trash/"+id+"/restore", nil)
		expect(t, id, map[string]int{"entry.created": 1, "entry.updated": 6, "entry.published": 1,
			"entry.unpublished": 1, "entry.deleted": 1})
		checkOrder(t, r.All(), id, []string{
			"created", "updated", "updated", "published", "updated", "updated", "unpublished",
			"updated", "deleted", "updated",
		})
	})
	t.Run("published at once", func(t *testing.T) {
		s.Parallel(t)
		a := k.Create(t, model, kit.Obj{"title": "At once", "status": "published"})
		id := a.Str(t, "data.id")
		expect(t, id, map[string]int{"entry.created": 1, "entry.published": 1})
		for _, d := range r.All() {
			if kit.Dig(d.Body, "data.id") != id {
				continue
			}
			d.Check(t, s, kit.HookSecret)
			want := kit.Obj{"id": id, "model_slug": model, "title": "At once", "slug": "at-once",
				"locale": s.DefaultLocale(t), "status": "published",
				"published_at": a.Get("data.published_at"), "url": ""}
			d.Has(t, d.Event(), kit.Obj{"data": want})
		}
		k.Delete(t, "/"+model+"/"+id)
		admin.OK(t, 200, "POST /trash/"+id+"/restore", nil)
		expect(t, id, map[string]int{"entry.created": 1, "entry.published": 2, "entry.deleted": 1, "entry.updated": 1})
	})
	t.Run("null is empty", func(t *testing.T) {
		s.Parallel(t)
		id := k.Create(t, model, kit.Obj{"title": "Null"}).Str(t, "data.id")
		expect(t, id, map[string]int{"entry.created": 1})
		for _, d := range r.All("entry.created") {
			if kit.Dig(d.Body, "data.id") == id && kit.Dig(d.Body, "data.published_at") != "" {
				t.Errorf("published_at: %s", d.Raw)
			}
		}
	})
	t.Run("none for a refusal", func(t *testing.T) {
		s.Parallel(t)
		id := k.Create(t, model, kit.Obj{"title": "Refused"}).Str(t, "data.id")
		k.Step(t, kit.Step{Call: "PUT /" + model + "/" + id, Body: kit.Obj{"title": ""}, Code: "VALIDATION_FAILED"})
		k.With("If-Match", `"x"`).Step(t, kit.Step{Call: "PUT /" + model + "/" + id, Body: kit.Obj{},
			Code: "PRECONDITION_FAILED"})
		k.Delete(t, "/"+model+"/"+id)
		expect(t, id, map[string]int{"entry.created": 1, "entry.deleted": 1})
	})
}

func eventModels(t *testing.T, s *kit.Suite) {
	one, other, k := s.Model(t, nil), s.Model(t, nil), s.Key(t, nil)
	published, all := kit.NewReceiver(t), kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": published.URL, "models": kit.List{one},
		"events": kit.List{"entry.published", "entry.deleted"}})
	s.Subscribe(t, kit.Obj{"url": all.URL, "models": kit.List{one, other}, "events": kit.List{"*"}})
	k.Create(t, other, kit.Obj{"title": "Other", "status": "published"})
	id := k.Create(t, one, kit.Obj{"title": "One", "status": "published"}).Str(t, "data.id")
	all.Wait(t, s, 4, "entry.created", "entry.published")
	published.Wait(t, s, 1)
	for _, d := range published.All() {
		if d.Event() != "entry.published" || kit.Dig(d.Body, "data.id") != id {
			t.Errorf("got %s %s", d.Event(), d.Raw)
		}
	}
}

func mediaEvents(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"media.uploaded", "media.deleted"},
		"models": kit.List{s.Model(t, nil)}})
	a := k.Upload(t, "event.png", kit.PNG(2, 2), map[string]string{"alt": "A"})
	id := a.Str(t, "data.id")
	k.Delete(t, "/upload/files/"+id)
	for _, event := range []string{"media.uploaded", "media.deleted"} {
		d := s.WaitAbout(t, r, event, "id", id)
		for _, key := range []string{"name", "url", "mime", "size", "width", "height", "alt", "caption", "folder"} {
			d.Has(t, event, kit.Obj{"data." + key: a.Get("data." + key)})
		}
	}
}

// fileEvents changes the texts and the bytes of a file. A save that changes nothing raises no event.
func fileEvents(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"media.*"}})
	id := k.Upload(t, "event.png", kit.PNG(2, 2), map[string]string{"alt": "A"}).Str(t, "data.id")
	admin.Put(t, "/media/"+id, kit.Obj{"alt": "A"})
	admin.Put(t, "/media/"+id, kit.Obj{"alt": "B"})
	s.WaitAbout(t, r, "media.updated", "id", id).Has(t, "the event", kit.Obj{"data.alt": "B"})
	admin.Step(t, kit.Step{Call: "PUT /media/" + id + "/content", Body: kit.FileBody(t, "b.png", kit.PNG(4, 4), nil)})
	s.WaitAbout(t, r, "media.replaced", "id", id).Has(t, "the event", kit.Obj{"data.width": 4})
	s.Listed(t, "/activity", kit.Obj{"event": "media.replaced", "subject_id": id})
	s.WaitAbout(t, r, "media.uploaded", "id", id)
	kit.Same(t, "events of one change", len(kit.About(r.All("media.updated"), "id", id)), 1)
}

// redirectEvents changes redirects one by one, and many with one file.
func redirectEvents(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"redirects.updated"}})
	counts := func(from string) map[string]int {
		n := map[string]int{}
		for _, d := range r.All("redirects.updated") {
			if strings.HasPrefix(kit.Str(kit.Dig(d.Body, "data.from.0")), from) {
				n[kit.Str(kit.Dig(d.Body, "data.count"))]++
			}
		}
		return n
	}
	one := "/" + kit.Unique("one")
	id := admin.Post(t, "/redirects", kit.Obj{"from": one, "to": "/x"}).Str(t, "data.id")
	admin.Put(t, "/redirects/"+id, kit.Obj{"to": "/x"})
	admin.Put(t, "/redirects/"+id, kit.Obj{"to": "/y"})
	admin.Delete(t, "/redirects/"+id)
	many := "/" + kit.Unique("many")
	var csv strings.Builder
	for i := range 120 {
		fmt.Fprintf(&csv, "%s/%03d,/x,301\n", many, i)
	}
	admin.Step(t, kit.Step{Call: "POST /redirects.csv", Body: kit.Text("text/csv", csv.String())})
	s.Eventually(t, "events of redirects", func() bool { return counts(one)["1"] >= 3 && len(counts(many)) > 0 })
	if n := counts(one); n["1"] != 3 || len(n) != 1 {
		t.Errorf("a create, an update and a delete raise %v", n)
	}
	if n := counts(many); n["120"] != 1 || len(n) != 1 {
		t.Errorf("a file raises %v", n)
	}
}

// schemaEvents changes models, forms and locales.
func schemaEvents(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"schema.updated", "locales.updated"}})
	model, form := s.Model(t, nil), kit.MakeForm(t, s, nil)
	named := func(kind, at, name string) (n int) {
		for _, d := range r.All(kind) {
			names, _ := kit.Dig(d.Body, "data."+at).(kit.List)
			if slices.Contains(names, any(name)) {
				n++
			}
		}
		return n
	}
	admin.Put(t, "/models/"+model, kit.Obj{"name": "Another name"})
	admin.Put(t, "/models/"+model, kit.Obj{"name": "Another name"})
	admin.Put(t, "/forms/"+form, kit.Obj{"success_message": "Thanks a lot"})
	admin.Delete(t, "/models/"+model)
	s.Eventually(t, "events of the schema", func() bool {
		return named("schema.updated", "models", model) >= 3 && named("schema.updated", "forms", form) >= 2
	})
	kit.Same(t, "a create, an update and a delete raise", named("schema.updated", "models", model), 3)
}

func formEvents(t *testing.T, s *kit.Suite) {
	slug := kit.MakeForm(t, s, nil)
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"form.submission.created"}})
	v := s.Visitor(t)
	v.Post(t, "/forms/"+slug+"/submit", kit.Obj{"email": "bot@example.com", "message": "spam", "website": "x"})
	a := v.Post(t, "/forms/"+slug+"/submit", kit.Obj{"email": "ada@example.com", "message": "Hello"})
	d := s.WaitAbout(t, r, "form.submission.created", "id", a.Str(t, "data.id"))
	d.Has(t, "the event", kit.Obj{"data.form_slug": slug, "data.received_at": a.Get("data.received_at"),
		"data.fields.email": "ada@example.com", "data.fields.message": "Hello"})
	kit.Same(t, "deliveries of two submissions, one of them spam", len(kit.About(r.All(), "form_slug", slug)), 1)
}

func userEvents(t *testing.T, s *kit.Suite) {
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"user.created"}})
	email := kit.Unique("user") + "@example.com"
	a := s.Admin(t).Post(t, "/users", kit.Obj{"email": email, "name": "U", "role": "viewer",
		"password": "a long enough password"})
	s.WaitAbout(t, r, "user.created", "email", email).Has(t, "the event",
		kit.Obj{"data": kit.Obj{"id": a.Get("data.id"), "email": email, "name": "U", "role": "viewer"}})
}

func largeEvents(t *testing.T, s *kit.Suite) {
	const n, each = 10, 9000
	var fields kit.List
	body := kit.Obj{}
	for i := range n {
		name := fmt.Sprintf("text%d", i)
		fields = append(fields, kit.Obj{"name": name, "label": name, "type": "textarea"})
		body[name] = strings.Repeat("x", each)
	}
	slug := kit.MakeForm(t, s, kit.Obj{"fields": fields})
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"form.submission.created"}})
	a := s.Visitor(t).Post(t, "/forms/"+slug+"/submit", body)
	s.WaitAbout(t, r, "form.submission.created", "id", a.Str(t, "data.id")).Has(t, "the event",
		kit.Obj{"data": kit.Obj{"id": a.Get("data.id"), "truncated": true}})
}
