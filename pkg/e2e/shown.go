package e2e

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
)

// shownScenarios check what lists, cursors and files show to those who may see a part only
// (extensions §11).
var shownScenarios = []scenario{
	{name: "rights/cursors", run: sealedCursors},
	{name: "rights/totals", run: ownTotals},
	{name: "rights/files", run: filesOfEntries},
}

// sealedCursors reads the cursors and tokens of every kind of list. They show nothing of the values
// that they hold, stay equal for equal requests, and work for their own list only.
func sealedCursors(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	// A later change of default_sort would end cursors while the index is built anew.
	model := s.model(t, obj{"fields": list{field("open", "text", obj{"searchable": true}), field("price", "number", nil)},
		"visible_fields": list{"open"}, "default_sort": "data.price"})
	word := "sealed" + strings.ReplaceAll(unique("w"), "-", "")
	for i := range 4 {
		k.publish(t, model, word, obj{"open": word, "price": 1000 + i})
	}
	public := s.publishable(t, nil)
	for _, row := range []struct {
		name, call, next, param string
		c                       *client
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
			first := row.c.ok(t, 200, row.call, nil).str(t, row.next)
			at := row.call + "&" + row.param + "="
			if row.param == "token" {
				at = "GET /sync?token="
			}
			second := row.c.ok(t, 200, at+url.QueryEscape(first), nil).str(t, row.next)
			a, errA := base64.RawURLEncoding.DecodeString(first)
			b, errB := base64.RawURLEncoding.DecodeString(second)
			if errA != nil || errB != nil || row.param == "cursor" && len(a) != len(b) || bytes.Equal(a[:4], b[:4]) ||
				bytes.Equal(a[len(a)-8:], b[len(b)-8:]) {
				t.Errorf("cursors show what they were made from:\n%x %v\n%x %v", a, errA, b, errB)
			}
			if row.param == "cursor" && row.name != "the activity log" {
				if again := row.c.ok(t, 200, row.call, nil).str(t, row.next); again != first {
					t.Errorf("the same page has the cursors %s and %s", first, again)
				}
			}
			for name, cursor := range map[string]string{"changed": "AAAA" + first[4:], "cut": first[:len(first)-4],
				"plain": base64.RawURLEncoding.EncodeToString([]byte("12345678" + word))} {
				row.c.step(t, step{name: name, call: at + url.QueryEscape(cursor), status: 400, code: "BAD_REQUEST"})
			}
		})
	}
}

// ownTotals lists releases and jobs as somebody who may read only some of them.
func ownTotals(t *testing.T, s *suite) {
	admin := s.admin(t)
	model, en, de, limited := s.translated(t)
	hidden := s.model(t, nil)
	secret := s.key(t, nil).create(t, hidden, obj{"title": "Hidden"}).str(t, "data.id")
	_, german := s.role(t, obj{"models": list{model}, "locales": list{"de"}})
	release := func(name string, items list) string {
		return admin.ok(t, 201, "POST /releases", obj{"name": name, "items": items}).str(t, "data.id")
	}
	all := release("all", list{item(model, de, "publish"), item(model, en, "publish")})
	release("hidden", list{item(hidden, secret, "publish")})
	release("mixed", list{item(model, de, "publish"), item(hidden, secret, "publish")})
	own := release("own", list{item(model, de, "publish")})
	for name, c := range map[string]*client{"limited": limited, "german": german} {
		a := c.ok(t, 200, "GET /releases?per_page=25", nil)
		names := " " + strings.Join(column(a.get("data"), "id"), " ") + " "
		if shown := len(a.get("data").(list)); shown < 25 && a.get("meta.total") != float64(shown) {
			t.Errorf("%s sees %d releases, the total is %v", name, shown, a.get("meta.total"))
		}
		if !strings.Contains(names, own) || strings.Contains(names, all) != (name == "limited") {
			t.Errorf("%s sees %s", name, names)
		}
	}
	admin.ok(t, 200, "PUT /releases/"+own, obj{"items": list{item(hidden, secret, "publish")}})
	admin.ok(t, 202, "POST /jobs", obj{"action": "set", "model": hidden, "ids": list{secret}, "set": obj{"data": obj{"body": "x"}}})
	admin.ok(t, 202, "POST /jobs", obj{"action": "set", "model": model, "ids": list{de}, "set": obj{"data": obj{"body": "x"}}})
	limited.step(t, step{name: "jobs", call: "GET /jobs", status: 200, want: obj{"meta.total": 1, "data.#": 1}})
	if a := german.ok(t, 200, "GET /releases?per_page=25", nil); strings.Contains(string(a.Raw), own) {
		t.Error("a release that was changed is still listed")
	}
}

// filesOfEntries reads files by the entries that use them, as somebody who may not read the library.
func filesOfEntries(t *testing.T, s *suite) {
	k := s.key(t, nil)
	model := s.model(t, obj{"fields": list{field("photo", "media", nil)}})
	file := k.upload(t, "used.png", pngFile(2, 2), nil).str(t, "data.id")
	other := k.upload(t, "unused.png", pngFile(3, 2), nil).str(t, "data.id")
	id := k.publish(t, model, "With a file", obj{"photo": file})
	_, limited := s.role(t, obj{"models": list{model}})
	narrow := s.key(t, obj{"models": list{model}})
	public := s.publishable(t, obj{"models": list{model}})
	for name, c := range map[string]*client{"key": narrow, "delivery": public} {
		c.step(t, step{name: name, call: "GET /" + model + "/" + id + "?include=photo", status: 200,
			want: obj{"data.data.photo.id": file, "data.data.photo.name": "used.png", "data.data.photo.url": present}})
	}
	narrow.run(t,
		step{name: "no list of files", call: "GET /upload/files", status: 404, code: "NOT_FOUND"},
		step{name: "no file by id", call: "GET /upload/files/" + file, status: 404, code: "FILE_NOT_FOUND"},
		step{name: "no other file", call: "GET /upload/files/" + other, status: 404, code: "FILE_NOT_FOUND"},
	)
	b := s.newBrowser(t)
	b.signIn(t, limited.ok(t, 200, "GET /me", nil).str(t, "data.email"), password)
	if p := b.open(t, "/models/"+model+"/entries/"+id, nil); p.status != 200 ||
		!strings.Contains(p.html, "used.png") || strings.Contains(p.html, "unused.png") {
		t.Errorf("%d: the page of an entry must name the files that it uses, and no others", p.status)
	}
	limited.step(t, step{name: "the library", call: "GET /media", status: 404, code: "NOT_FOUND"})
}
