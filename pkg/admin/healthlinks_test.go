package admin_test

import (
	"net/url"
	"strings"
	"testing"

	"headless/pkg/health"
	"headless/pkg/must"
)

// TestReplaceLinksNamesTargets opens the page that replaces links as somebody who may read one model: entries of
// others have neither their titles there, nor are they called deleted.
func TestReplaceLinksNamesTargets(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	ids := map[string]string{}
	for _, model := range []string{"pages", "deals"} {
		c.must(t, 201, "POST", "/models", map[string]any{"slug": model, "name": model})
		ids[model] = c.must(t, 201, "POST", "/models/"+model+"/entries",
			map[string]any{"title": "One of " + model}).text(t, "id")
	}
	c.must(t, 201, "POST", "/roles", `{"slug":"pages","name":"Pages","rules":[{"models":["pages"]}]}`)
	c.must(t, 201, "POST", "/users", map[string]any{"email": "uwe@example.com", "name": "Uwe", "password": password,
		"role": "pages"})
	none := "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	page := s.browseAs(t, "uwe@example.com").get(t,
		"/health/links?entry="+ids["pages"]+"&entry="+ids["deals"]+"&entry="+none)
	for text, want := range map[string]bool{"One of pages (draft)": true, "One of deals": false, ids["deals"]: true,
		ids["deals"] + " (deleted)": false, none + " (deleted)": true} {
		if contains(page, text) != want {
			t.Errorf("%q: %d %s", text, page.Code, page.Body)
		}
	}
}

// TestReplaceLinksSaysWhyHidden: a published target that readers do not see, since its model or its locale is switched
// off, is not called published beside the finding that says so.
func TestReplaceLinksSaysWhyHidden(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/locales", `{"code":"fr","name":"French"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"pages","name":"Pages","localized":true}`)
	c.must(t, 201, "POST", "/models", `{"slug":"deals","name":"Deals"}`)
	at := "/health/links?"
	for model, body := range map[string]string{"pages": `{"title":"Page","status":"published","locale":"fr"}`,
		"deals": `{"title":"Deal","status":"published"}`} {
		at += "&entry=" + c.must(t, 201, "POST", "/models/"+model+"/entries", body).text(t, "id")
	}
	c.must(t, 200, "PUT", "/locales/fr", `{"is_active":false}`)
	c.must(t, 200, "PUT", "/models/deals", `{"is_active":false}`)
	page := s.browse(t).get(t, at)
	if !contains(page, "Page (inactive)") || !contains(page, "Deal (inactive)") {
		t.Errorf("%d %s", page.Code, page.Body)
	}
}

// TestFindingsNameOnce: a finding that names its field has no second cell with that name. What is wrong with the field
// leads to it.
func TestFindingsNameOnce(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","url":"/posts/{slug}"}`)
	lamp := c.must(t, 201, "POST", "/models/posts/entries", `{"title":"`+strings.Repeat("Lamp ", 20)+
		`","status":"published"}`).text(t, "id")
	now, err := s.on.Entries.Store.Site(t.Context())
	must.Do(t, err)
	checks := health.Checks{Store: s.on.Entries.Store}
	must.Do(t, checks.Work(t.Context(), []string{"e/" + now.Models["posts"].ID + "/" + lamp}))
	page := s.browse(t).get(t, "/health").Body.String()
	_, rows, _ := strings.Cut(page, "<tbody")
	for field, name := range map[string]string{"title": "Title for search engines",
		"description": "Description for search engines"} {
		if got := strings.Count(rows, ">"+name+"<"); got != 1 {
			t.Errorf("%q stands %d times in the rows: %s", name, got, rows)
		}
		if !strings.Contains(rows, lamp+"/edit#seo."+field+`">`) {
			t.Errorf("no link leads to the %s: %s", field, rows)
		}
	}
}

// TestUndoOfIgnored ignores findings, takes that back, and repeats it: those alone which the step changed. What another
// person has changed since stays.
func TestUndoOfIgnored(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	model := c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","url":"/posts/{slug}"}`).text(t, "id")
	var rows, work []string
	for _, title := range []string{"One", "Two"} {
		id := c.must(t, 201, "POST", "/models/posts/entries",
			map[string]any{"title": title + strings.Repeat(" long", 20), "status": "published"}).text(t, "id")
		work, rows = append(work, "e/"+model+"/"+id), append(rows, "seo.title|"+id+"|seo.title")
	}
	checks := health.Checks{Store: s.on.Entries.Store}
	if err := checks.Work(t.Context(), work); err != nil {
		t.Fatal(err)
	}
	shown := func(query string) any {
		t.Helper()
		return c.must(t, 200, "GET", "/health?kind=seo.title"+query, nil).Meta["total"]
	}
	look := func(step string, open, ignored float64) {
		t.Helper()
		if a, b := shown(""), shown("&ignored=true"); a != open || b != ignored {
			t.Errorf("%s: %v are open and %v ignored, want %v and %v", step, a, b, open, ignored)
		}
	}
	look("at first", 2, 0)
	ignored := b.sent(t, "/health/ignore", "action", "ignore", "ids", rows[0], "ids", rows[1])
	look("ignored", 0, 2)
	b.undo(t, ignored)
	look("undone", 2, 0)
	b.sent(t, "/health/ignore", "action", "ignore", "ids", rows[0], "ids", rows[1])
	b.undo(t, b.sent(t, "/health/ignore", "action", "show", "ids", rows[0]))
	look("shown and undone", 0, 2)
	ignored = b.sent(t, "/health/ignore", "action", "ignore", "ids", rows[0], "ids", rows[1])
	two := strings.Split(rows[1], "|")
	c.must(t, 204, "DELETE", "/health/ignore", map[string]any{"kind": two[0], "id": two[1], "field": two[2]})
	if page := b.undo(t, ignored); !contains(page, "Some could not be changed.") {
		t.Errorf("after Undo: %s", page.Body)
	}
	look("what was shown again stays", 2, 0)
}

// TestUndoOfTexts takes texts back that the page of missing texts saved: those of entries and of files that nobody has
// changed since.
func TestUndoOfTexts(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	model := c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","url":"/posts/{slug}",
		"fields":[{"name":"cover","type":"media"}]}`).text(t, "id")
	file := c.upload(t, 201, "door.png", picture(t), nil).text(t, "id")
	ids, work := []string{}, []string{}
	for _, title := range []string{"One", "Two"} {
		id := c.must(t, 201, "POST", "/models/posts/entries", map[string]any{"title": title, "status": "published",
			"data": map[string]any{"cover": file}}).text(t, "id")
		ids, work = append(ids, id), append(work, "e/"+model+"/"+id)
	}
	if err := (health.Checks{Store: s.on.Entries.Store}).Work(t.Context(), work); err != nil {
		t.Fatal(err)
	}
	look := func(step, want string) {
		t.Helper()
		all := []string{c.must(t, 200, "GET", "/media/"+file, nil).text(t, "alt")}
		for _, id := range ids {
			e := c.must(t, 200, "GET", "/models/posts/entries/"+id, nil)
			all = append(all, e.text(t, "seo", "description"))
		}
		if got := strings.Join(all, "|"); got != want {
			t.Errorf("%s: %s, want %s", step, got, want)
		}
	}
	query := url.Values{"ids": {"alt.missing|" + ids[0] + "|data.cover"}}
	for _, id := range ids {
		query.Add("ids", "seo.description|"+id+"|seo.description")
	}
	save := func() answer {
		t.Helper()
		return b.sent(t, "/health/texts?"+query.Encode(), "alt-"+file, "A door",
			"description-"+ids[0], "First", "was-description-"+ids[0], "",
			"description-"+ids[1], "Second", "was-description-"+ids[1], "")
	}
	saved := save()
	look("saved", "A door|First|Second")
	b.undo(t, saved)
	look("undone", "||")
	saved = save()
	c.must(t, 200, "PUT", "/models/posts/entries/"+ids[0], `{"seo":{"description":"Later"}}`)
	if page := b.undo(t, saved); !contains(page, "2 of 3 undone. Somebody has changed the rest since.") {
		t.Errorf("after Undo: %s", page.Body)
	}
	look("a later text stays", "|Later|")
}
