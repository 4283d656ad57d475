package admin_test

import (
	"html"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"headless/pkg/admin/say"
)

// TestFailureTexts acts out failures of each kind, and looks for English messages on the pages of somebody who
// reads German.
func TestFailureTexts(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 200, "PUT", "/profile", `{"language":"de"}`)
	csrf := b.get(t, "/").csrf(t)
	c.must(t, 201, "POST", "/models", `{"slug":"things","name":"Dinge","fields":[
		{"name":"size","label":"Maß","type":"number","min":5,"max":9},
		{"name":"code","label":"Kürzel","type":"text","min":3,"pattern":"^[A-Z]+$"}]}`)
	dropped := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(dropped.Close)
	unsafe := httptest.NewTLSServer(http.NotFoundHandler())
	unsafe.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(unsafe.Close)
	tested := func(address string) answer {
		at := "/webhooks/" + c.must(t, 201, "POST", "/webhooks",
			map[string]any{"url": address, "events": []string{"entry.published"}}).text(t, "id")
		return b.get(t, at+"?test="+c.must(t, 200, "POST", at+"/test", nil).text(t, "delivery_id"))
	}
	send := func(path string, pairs ...string) answer {
		form := url.Values{"_csrf": {csrf}}
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		return b.post(t, path, form)
	}
	upload := func(r *http.Request) answer {
		r.Header.Set("Accept", "text/html")
		r.AddCookie(b.cookie)
		return b.send(t, r)
	}
	lines := func(content string) *http.Request {
		r := severalFiles(t, csrf, content, "redirects.csv")
		r.URL.Path = "/admin/redirects.csv"
		return r
	}
	for name, row := range map[string]struct {
		page answer
		want []string
	}{
		"refused":  {tested("http://127.0.0.1:9/"), []string{"Die Verbindung wurde abgelehnt.", "Eintrag veröffentlicht"}},
		"dropped":  {tested(dropped.URL), []string{"Der Empfänger hat die Verbindung geschlossen"}},
		"unsigned": {tested(unsafe.URL), []string{"Das Zertifikat ist von keiner bekannten Stelle signiert"}},
		"address": {send("/webhooks", "url", "ftp://example.com", "events", "*", "secret", "short"),
			[]string{"muss mit https:// beginnen", "muss 24 bis 255 Zeichen haben"}},
		"numbers": {send("/models/things/entries", "title", "A", "data.size", "2", "data.code", "ab"),
			[]string{"muss mindestens 5 sein", "muss mindestens 3 Zeichen haben", "muss dem Muster ^[A-Z]&#43;$ entsprechen"}},
		"a role": {send("/roles/admin", "_method", "DELETE"),
			[]string{"Nur „Zweiten Faktor verlangen“ kann geändert werden"}},
		"redirects": {upload(lines("from,to,status\nold,/new,301\n/a,/b,299\n")),
			[]string{"Von: muss ein Pfad sein, der mit / beginnt", "Status: muss 301, 302, 307, 308 oder 410 sein"}},
		"files": {upload(severalFiles(t, csrf, "text", "a.txt", "b.png")),
			[]string{"b.png wurde nicht hochgeladen, aber die Datei davor. Der Inhalt ist reiner Text,"}},
		"lines": {send("/forms", "name", "Kontakt", "slug", "kontakt", "notify_emails", "a@example.com\nnobody"),
			[]string{"Zeile 2: muss eine E-Mail-Adresse sein"}},
		"thanks": {send("/forms", "name", "Kontakt", "slug", "kontakt", "success_url", "https://other.example/"),
			[]string{"die Einstellung Adresse der Website"}},
	} {
		main := html.UnescapeString(row.page.Body.String())
		main = main[strings.Index(main, "<main"):]
		for _, want := range row.want {
			if !strings.Contains(main, html.UnescapeString(want)) {
				t.Errorf("%s: no %q in %d %s", name, want, row.page.Code, main)
			}
		}
		for key, found := range englishIn(main) {
			t.Errorf("%s: the page says %q (%s)", name, found, key)
		}
	}
}

// englishIn returns the messages of three words or more that a page in German says in English, by their keys.
func englishIn(page string) map[string]string {
	found := map[string]string{}
	holes := regexp.MustCompile(`"?\{\d+\}"?`)
	for key, e := range say.Of("de").Entries() {
		for _, part := range holes.Split(key, -1) {
			if strings.Count(strings.TrimSpace(part), " ") > 1 && !strings.Contains(e.Text, part) &&
				strings.Contains(page, part) {
				found[key] = part
			}
		}
	}
	return found
}
