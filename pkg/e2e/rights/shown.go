package rights

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Reads has the scenarios of what lists, cursors and files show to those who may see a part only
// (extensions §11).
var Reads = []kit.Scenario{
	{Name: "rights/cursors", Run: sealedCursors},
	{Name: "rights/totals", Run: ownTotals},
	{Name: "rights/failures", Run: failuresOfJobs},
	{Name: "rights/files", Run: filesOfEntries},
}

// sealedCursors reads the cursors and tokens of every kind of list. They show nothing of the values
// that they hold, stay equal for equal requests, and work for their own list only.
func sealedCursors(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	// A later change of default_sort would end cursors while the index is built anew.
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("open", "text", kit.Obj{"searchable": true}),
		kit.Field("price", "number", nil)},
		"visible_fields": kit.List{"open"}, "default_sort": "data.price"})
	word := "sealed" + strings.ReplaceAll(kit.Unique("w"), "-", "")
	for i := range 4 {
		k.Publish(t, model, word, kit.Obj{"open": word, "price": 1000 + i})
	}
	public := s.PublishableKey(t, nil)
	for _, row := range []struct {
		name, call, next, param string
		c                       *kit.Client
	}{
		{"a list", "GET /" + model + "?per_page=1", "meta.next_cursor", "cursor", k},
		{"a list of a text", "GET /" + model + "?per_page=1&q=" + word, "meta.next_cursor", "cursor", k},
		{"a search", "GET /search?per_page=1&models=" + model + "&q=" + word, "meta.next_cursor", "cursor", k},
		{"delivery", "GET /" + model + "?per_page=1", "meta.next_cursor", "cursor", public},
		{"sync", "GET /sync?per_page=1&models=" + model, "meta.next_token", "token", public},
		{"entries of the admin area", "GET /models/" + model + "/entries?per_page=1", "meta.next_cursor", "cursor", admin},
		{"the activity log", "GET /activity?per_page=1", "meta.next_cursor", "cursor", admin},
	} {
		t.Run(row.name, func(t *testing.T) {
			first := row.c.OK(t, 200, row.call, nil).Str(t, row.next)
			at := row.call + "&" + row.param + "="
			if row.param == "token" {
				at = "GET /sync?token="
			}
			second := row.c.OK(t, 200, at+url.QueryEscape(first), nil).Str(t, row.next)
			a, errA := base64.RawURLEncoding.DecodeString(first)
			b, errB := base64.RawURLEncoding.DecodeString(second)
			if errA != nil || errB != nil || row.param == "cursor" && len(a) != len(b) || bytes.Equal(a[:4], b[:4]) ||
				bytes.Equal(a[len(a)-8:], b[len(b)-8:]) {
				t.Errorf("cursors show what they were made from:\n%x %v\n%x %v", a, errA, b, errB)
			}
			if row.param == "cursor" && row.name != "the activity log" {
				row.c.OK(t, 200, row.call, nil).Has(t, "the same page", kit.Obj{row.next: first})
			}
			for name, cursor := range map[string]string{"changed": "AAAA" + first[4:], "cut": first[:len(first)-4],
				"plain": base64.RawURLEncoding.EncodeToString([]byte("12345678" + word))} {
				row.c.Step(t, kit.Step{Name: name, Call: at + url.QueryEscape(cursor), Code: "BAD_REQUEST"})
			}
		})
	}
}

// ownTotals lists releases and jobs as somebody who may read only some of them.
func ownTotals(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	model, en, de, limited := translated(t, s)
	hidden := s.Model(t, nil)
	secret := s.Key(t, nil).Create(t, hidden, kit.Obj{"title": "Hidden"}).Str(t, "data.id")
	_, german := s.Role(t, kit.Obj{"models": kit.List{model}, "locales": kit.List{"de"}})
	release := func(name string, items kit.List) string {
		return admin.Post(t, "/releases", kit.Obj{"name": name, "items": items}).Str(t, "data.id")
	}
	all := release("all", kit.List{kit.ReleaseItem(model, de, "publish"), kit.ReleaseItem(model, en, "publish")})
	release("hidden", kit.List{kit.ReleaseItem(hidden, secret, "publish")})
	release("mixed", kit.List{kit.ReleaseItem(model, de, "publish"), kit.ReleaseItem(hidden, secret, "publish")})
	own := release("own", kit.List{kit.ReleaseItem(model, de, "publish")})
	for name, c := range map[string]*kit.Client{"limited": limited, "german": german} {
		a := c.Get(t, "/releases?per_page=25")
		names := " " + strings.Join(kit.Column(a.Get("data"), "id"), " ") + " "
		if shown := len(a.Get("data").(kit.List)); shown < 25 && a.Get("meta.total") != float64(shown) {
			t.Errorf("%s sees %d releases, the total is %v", name, shown, a.Get("meta.total"))
		}
		if !strings.Contains(names, own) || strings.Contains(names, all) != (name == "limited") {
			t.Errorf("%s sees %s", name, names)
		}
	}
	admin.Put(t, "/releases/"+own, kit.Obj{"items": kit.List{kit.ReleaseItem(hidden, secret, "publish")}})
	admin.OK(t, 202, "POST /jobs", kit.Obj{"action": "set", "model": hidden, "ids": kit.List{secret},
		"set": kit.Obj{"data": kit.Obj{"body": "x"}}})
	admin.OK(t, 202, "POST /jobs", kit.Obj{"action": "set", "model": model, "ids": kit.List{de},
		"set": kit.Obj{"data": kit.Obj{"body": "x"}}})
	limited.Step(t, kit.Step{Name: "jobs", Call: "GET /jobs", Want: kit.Obj{"meta.total": 1, "data.#": 1}})
	german.Get(t, "/releases?per_page=25").Lacks(t, "no release that was changed", own)
}

// failuresOfJobs reads jobs over several models as somebody who may read only some of these. The failures of others
// are not listed.
func failuresOfJobs(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	open := s.Model(t, nil)
	hidden := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("photo", "media", kit.Obj{"mimes": kit.List{"image/*"}})}})
	_, limited := s.Role(t, kit.Obj{"models": kit.List{open, "media"}})
	failed := func(name, job, id string) {
		s.EndOfJob(t, job).Has(t, name+" for an admin", kit.Obj{"data.failed.#": 1, "data.failed.0.id": id})
		limited.Step(t, kit.Step{Name: name, Call: "GET /jobs/" + job,
			Want: kit.Obj{"data.id": job, "data.failed": kit.List{}}})
		limited.Get(t, "/jobs?per_page=25").Lacks(t, name+" in the list", id)
	}
	photo := k.Upload(t, "a.png", kit.PNG(2, 2), nil).Str(t, "data.id")
	text := k.Upload(t, "a.txt", []byte("text"), nil).Str(t, "data.id")
	entry := k.Publish(t, hidden, "Hidden", kit.Obj{"photo": photo})
	failed("a replacement",
		admin.OK(t, 202, "POST /media/"+photo+"/replace", kit.Obj{"with": text}).Str(t, "data.id"), entry)

	first, second := k.Create(t, open, kit.Obj{"title": "Open"}).Str(t, "data.id"),
		k.Create(t, hidden, kit.Obj{"title": "Hidden"}).Str(t, "data.id")
	release := "/releases/" + admin.Post(t, "/releases", kit.Obj{"name": "both", "items": kit.List{
		kit.ReleaseItem(open, first, "publish"), kit.ReleaseItem(hidden, second, "publish")}}).Str(t, "data.id")
	admin.OK(t, 202, "POST "+release+"/publish", nil)
	s.EndOfRelease(t, release)
	k.Delete(t, "/"+hidden+"/"+second)
	failed("an undone release", admin.OK(t, 202, "POST "+release+"/undo", nil).Str(t, "data.id"), second)
}

// filesOfEntries reads files by the entries that use them, as somebody who may not read the library.
func filesOfEntries(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("photo", "media", nil)}})
	file := k.Upload(t, "used.png", kit.PNG(2, 2), nil).Str(t, "data.id")
	other := k.Upload(t, "unused.png", kit.PNG(3, 2), nil).Str(t, "data.id")
	id := k.Publish(t, model, "With a file", kit.Obj{"photo": file})
	_, limited := s.Role(t, kit.Obj{"models": kit.List{model}})
	narrow := s.Key(t, kit.Obj{"models": kit.List{model}})
	public := s.PublishableKey(t, kit.Obj{"models": kit.List{model}})
	for name, c := range map[string]*kit.Client{"key": narrow, "delivery": public} {
		c.Step(t, kit.Step{Name: name, Call: "GET /" + model + "/" + id + "?include=photo",
			Want: kit.Obj{"data.data.photo.id": file, "data.data.photo.name": "used.png", "data.data.photo.url": kit.Present}})
	}
	narrow.Run(t,
		kit.Step{Name: "no list of files", Call: "GET /upload/files", Code: "NOT_FOUND"},
		kit.Step{Name: "no file by id", Call: "GET /upload/files/" + file, Code: "FILE_NOT_FOUND"},
		kit.Step{Name: "no other file", Call: "GET /upload/files/" + other, Code: "FILE_NOT_FOUND"},
	)
	b := s.SignedIn(t, limited.Get(t, "/me").Str(t, "data.email"))
	p := b.Open(t, "/models/"+model+"/entries/"+id, nil)
	p.HasStatus(t, "the page of an entry", 200)
	p.Contains(t, "the file that it uses", "used.png")
	p.Lacks(t, "another file", "unused.png")
	limited.Step(t, kit.Step{Name: "the library", Call: "GET /media", Code: "NOT_FOUND"})
}
