package admin_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestTranslatorPages sends entries to a translator and takes the file back, by forms without scripts.
func TestTranslatorPages(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/locales", map[string]any{"code": "de", "name": "German", "is_active": true})
	c.must(t, 201, "POST", "/locales", map[string]any{"code": "fr", "name": "French", "is_active": true})
	c.must(t, 201, "POST", "/models",
		`{"slug":"notes","name":"Notes","localized":true,"fields":[{"name":"body","label":"Body","type":"textarea","max":20}]}`)
	one := c.must(t, 201, "POST", "/models/notes/entries", `{"title":"One","data":{"body":"Text"}}`).text(t, "id")
	c.must(t, 201, "POST", "/models/notes/entries", `{"title":"Two"}`)
	list := b.get(t, "/models/notes/entries?filter[status]=draft")
	if !contains(list, `formaction="/admin/models/notes/xliff"`) ||
		!contains(list, `href="/admin/models/notes/xliff?filter%5Bstatus%5D=draft"`) {
		t.Fatalf("the list: %s", list.Body)
	}
	// to returns where a form leads to.
	to := func(path string, form url.Values) string {
		t.Helper()
		form.Set("_csrf", list.csrf(t))
		a := b.post(t, path, form)
		if a.Code != 303 {
			t.Fatalf("%s: %d %s", path, a.Code, a.Body)
		}
		return strings.TrimPrefix(a.Header().Get("Location"), "/admin")
	}
	if at := to("/models/notes/xliff", url.Values{"action": {"translators"}}); at != "/models/notes/entries?ok=none" {
		t.Errorf("without a selection to %s", at)
	}
	if list := b.get(t, "/models/notes/entries"); !contains(list, `href="/admin/models/notes/xliff"`) {
		t.Errorf("a list in one language leads to the files of that language: %s", list.Body)
	}
	c.must(t, 201, "POST", "/roles", `{"slug":"german","name":"German","rules":[
		{"actions":["read"],"locales":["en","de"]},{"locales":["de"]}]}`)
	c.must(t, 201, "POST", "/users", user("german@example.com", "german"))
	form := s.browseAs(t, "german@example.com").get(t, "/models/notes/xliff").Body.String()
	from, into, _ := strings.Cut(form, `name="locale"`)
	if !strings.Contains(from, ">English</option><option value=\"de\">German</option></select>") ||
		!strings.Contains(into, `><option value="de" selected>German</option></select>`) {
		t.Errorf("who writes German translates from and to: %s", form)
	}
	if !contains(s.browseAs(t, "german@example.com").get(t, "/models/notes/entries"), "Files for translators") {
		t.Error("who reads English and writes German is not offered files for translators")
	}
	c.must(t, 201, "POST", "/roles", `{"slug":"only-german","name":"Only","rules":[{"locales":["de"]}]}`)
	c.must(t, 201, "POST", "/roles", `{"slug":"english","name":"English","rules":[
		{"actions":["read"],"locales":["en","fr"]},{"locales":["en"]}]}`)
	c.must(t, 201, "POST", "/users", user("only@example.com", "only-german"))
	c.must(t, 201, "POST", "/users", user("english@example.com", "english"))
	german := c.must(t, 201, "POST", "/models/notes/entries", `{"title":"Eins","locale":"de"}`).text(t, "id")
	for _, path := range []string{"/models/notes/entries", "/models/notes/entries/" + german} {
		if page := s.browseAs(t, "only@example.com").get(t, path); page.Code != 200 || contains(page, "/xliff") {
			t.Errorf("%s leads to files for translators who read one language: %d %s", path, page.Code, page.Body)
		}
	}
	form = s.browseAs(t, "english@example.com").get(t, "/models/notes/xliff").Body.String()
	if !strings.Contains(form, `<option value="en" selected>`) || !strings.Contains(form, `<option value="fr" selected>`) {
		t.Errorf("who writes the default language translates from another: %s", form)
	}
	all := to("/models/notes/xliff",
		url.Values{"all": {"true"}, "filter": {`{"status":"draft","title":{"ne":"Two"},"q":"one"}`}})
	if all != "/models/notes/xliff?filter%5Bstatus%5D=draft&filter%5Btitle%5D%5Bne%5D=Two&q=one" {
		t.Errorf("all that match to %s", all)
	}
	if page := b.get(t, all); !contains(page, `name="due" value="true" checked`) ||
		!contains(page, `<option value="de" selected>German`) ||
		!contains(page, `href="/admin/models/notes/entries" aria-current="page"`) ||
		strings.Count(page.Body.String(), `aria-current="page"`) != 1 {
		t.Errorf("the page: %s", page.Body)
	}
	if page := b.get(t, "/models/notes/xliff?filter[missing]=fr"); !contains(page, `<option value="fr" selected>French`) {
		t.Errorf("what is missing in French: %s", page.Body)
	}
	chosen := to("/models/notes/xliff", url.Values{"ids": {one, ""}})
	if page := b.get(t, chosen); chosen != "/models/notes/xliff?ids="+one || contains(page, `name="due"`) {
		t.Errorf("%s: %s", chosen, page.Body)
	}
	file := b.get(t, to(chosen, url.Values{"locale": {"de"}, "source": {"en"}}))
	text := file.Body.String()
	if file.Header().Get("Content-Disposition") != `attachment; filename="notes-en-de.xlf"` ||
		strings.Count(text, "<file ") != 1 {
		t.Fatalf("%v %s", file.Header(), text)
	}
	if two := b.get(t, to("/models/notes/xliff",
		url.Values{"locale": {"de"}, "due": {"false", "true"}})).Body.String(); strings.Count(two, "<file ") != 2 {
		t.Errorf("what is due: %s", two)
	}
	if page := b.get(t, "/models/notes/entries/"+one); !contains(page, `href="/admin/models/notes/xliff?ids=`+one+`"`) ||
		!contains(page, "/admin/models/notes/xliff/upload") {
		t.Errorf("the page of the entry: %s", page.Body)
	}

	upload := func(content string) answer {
		t.Helper()
		token := b.get(t, "/models/notes/xliff/upload").csrf(t)
		return b.postFile(t, "/models/notes/entries.xliff", url.Values{"_csrf": {token}}, []byte(content), "de.xlf")
	}
	if a := upload("no file"); a.Code != 422 || !contains(a, "is not an XLIFF file") || !contains(a, `type="file"`) {
		t.Errorf("a wrong file: %d %s", a.Code, a.Body)
	}
	tags := strings.NewReplacer(`srcLang="en"`, `srcLang="en-US"`, `trgLang="de"`, `trgLang="de-DE"`)
	if a := upload(tags.Replace(text)); a.Code != 200 || !contains(a, "The file is in de-DE. It was taken for German.") ||
		contains(a, "The entry is in the language") {
		t.Errorf("with the tags of countries: %d %s", a.Code, a.Body)
	}
	c.must(t, 201, "POST", "/locales", `{"code":"de-AT","name":"Austrian","is_active":true}`)
	if a := upload(strings.Replace(text, `trgLang="de"`, `trgLang="de-CH"`, 1)); a.Code != 422 {
		t.Errorf("a tag of two locales: %d %s", a.Code, a.Body)
	}
	if a := upload(text); a.Code != 200 || contains(a, "It was taken for") || contains(a, "are drafts") ||
		!contains(a, "Nothing was saved.") ||
		!contains(a, "The file has no translation of it.") {
		t.Errorf("a file that nobody translated: %d %s", a.Code, a.Body)
	}
	long := strings.Replace(text, "Text</source>", "Text</source><target>"+strings.Repeat("lang ", 9)+"</target>", 1)
	if a := upload(long); a.Code != 200 || !contains(a, "failed") ||
		!contains(a, "Body: must have at most 20 characters") || !contains(a, "Nothing was saved.") {
		t.Errorf("a long text: %d %s", a.Code, a.Body)
	}
	short := strings.Replace(text, "Text</source>", "Text</source><target>Wort</target>", 1)
	if a := upload(short); a.Code != 200 || !contains(a, "created") || !contains(a, "are drafts") ||
		!contains(a, "Title: is not translated") ||
		!contains(a, "?beside="+one) {
		t.Errorf("a translation: %d %s", a.Code, a.Body)
	}
}

// TestAlternativeTextsAreDue sends an entry to the translator whose translation lacks only the alternative text of its
// picture.
func TestAlternativeTextsAreDue(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/locales", map[string]any{"code": "de", "name": "German", "is_active": true})
	c.must(t, 201, "POST", "/models",
		`{"slug":"notes","name":"Notes","localized":true,"fields":[{"name":"cover","type":"media"}]}`)
	file := c.upload(t, 201, "a.png", picture(t), map[string]string{"alt": "A lamp"}).text(t, "id")
	data := `,"data":{"cover":"` + file + `"}`
	one := c.must(t, 201, "POST", "/models/notes/entries", `{"title":"One"`+data+`}`).text(t, "id")
	c.must(t, 201, "POST", "/models/notes/entries",
		`{"title":"Eins","locale":"de","translation_of":"`+one+`"`+data+`}`)
	const due = "/models/notes/entries.xliff?locale=de&due=true"
	if text := c.must(t, 200, "GET", due, nil).Body.String(); !strings.Contains(text, "media-"+file) {
		t.Errorf("what is due: %s", text)
	}
	c.must(t, 200, "PUT", "/media/"+file, `{"alts":{"de":"Eine Lampe"}}`)
	c.must(t, 422, "GET", due, nil)
}

// TestUndoOfTranslations takes a file from translators back, by forms without scripts: new entries go to the trash,
// drafts and alternative texts are as before. Later changes stay, and the page says so.
func TestUndoOfTranslations(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German","is_active":true}`)
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes","localized":true,"fields":[
		{"name":"body","label":"Body","type":"text"},{"name":"cover","type":"media"}]}`)
	const at = "/models/notes/entries"
	picture := func(name, alt string) string {
		return c.upload(t, 201, name, picture(t), map[string]string{"alt": alt, "alts": `{"de":"Alt"}`}).text(t, "id")
	}
	lamp, door := picture("lamp.png", "A lamp"), picture("door.png", "A door")
	german := map[string]string{} // translations, by the titles of their originals
	for title, cover := range map[string]string{"New": lamp, "New since": "", "Draft": "", "Drafts": "",
		"Draft since": door} {
		data := map[string]any{"body": "Text"}
		if cover != "" {
			data["cover"] = cover
		}
		id := c.must(t, 201, "POST", at, map[string]any{"title": title, "data": data}).text(t, "id")
		if !strings.HasPrefix(title, "Draft") {
			continue
		}
		german[title] = c.must(t, 201, "POST", at, map[string]any{"title": title, "locale": "de", "translation_of": id,
			"data": map[string]any{"body": "Alt"}}).text(t, "id")
		if title == "Drafts" {
			c.must(t, 200, "PUT", at+"/"+german[title]+"/draft", `{"title":"Entwurf"}`)
		}
	}
	text := c.must(t, 200, "GET", at+".xliff?locale=de", nil).Body.String()
	text = regexp.MustCompile(`</source>\s*(<target>[^<]*</target>)?`).ReplaceAllString(text,
		"</source><target>Neu</target>")
	token := b.get(t, "/models/notes/xliff/upload").csrf(t)
	page := b.postFile(t, at+".xliff", url.Values{"_csrf": {token}}, []byte(text), "de.xlf")
	_, rest, offered := strings.Cut(page.Body.String(), `name="of" value="`)
	job, _, _ := strings.Cut(rest, `"`)
	if !offered || !contains(page, `href="/admin/jobs/`+job+`"`) {
		t.Fatalf("no Undo: %s", page.Body)
	}
	for _, e := range c.must(t, 200, "GET", at+"?locale=de&per_page=100", nil).Data.([]any) {
		if e := e.(map[string]any); e["title"] == "Neu" {
			german[""] = e["id"].(string) // one of the two new ones
		}
	}

	s.ahead.Add(int64(time.Second))
	c.must(t, 200, "PUT", at+"/"+german[""], `{"title":"Since"}`)
	c.must(t, 200, "PUT", at+"/"+german["Draft since"]+"/draft", `{"title":"Since"}`)
	c.must(t, 200, "PUT", "/media/"+door, `{"alts":{"de":"Since"}}`)
	if page := b.get(t, "/jobs/"+job); !contains(page, "Alternative text of lamp.png") || !contains(page, `name="of"`) {
		t.Errorf("the job: %s", page.Body)
	}
	undo := s.working(b)(t, "model", "notes", "action", "revert", "of", job)
	for path, want := range map[string]string{at + "/" + german[""]: "Since", at + "/" + german["Drafts"]: "Drafts",
		at + "/" + german["Drafts"] + "/draft":      "Entwurf",
		at + "/" + german["Draft since"] + "/draft": "Since"} {
		if title := c.must(t, 200, "GET", path, nil).text(t, "title"); title != want {
			t.Errorf("%s has the title %q, want %q", path, title, want)
		}
	}
	c.must(t, 404, "GET", at+"/"+german["Draft"]+"/draft", nil)
	for id, want := range map[string]string{lamp: "Alt", door: "Since"} {
		if alt := c.must(t, 200, "GET", "/media/"+id, nil).text(t, "alts", "de"); alt != want {
			t.Errorf("the alternative text is %q, want %q", alt, want)
		}
	}
	if trash := c.must(t, 200, "GET", "/trash", nil); len(trash.Data.([]any)) != 1 {
		t.Errorf("the trash: %s", trash.Body)
	}
	page = b.get(t, "/jobs/"+undo)
	for _, want := range []string{"This entry has been changed since, so it stays as it is.",
		"Alternative text of door.png", "This has been changed since, so it stays as it is."} {
		if !contains(page, want) {
			t.Errorf("the page of the undo lacks %q: %s", want, page.Body)
		}
	}
	if page := b.get(t, "/jobs/"+job); !contains(page, "4 of 7 undone. Somebody has changed the rest since.") ||
		contains(page, `name="of"`) {
		t.Errorf("the job after its undo: %s", page.Body)
	}
}
