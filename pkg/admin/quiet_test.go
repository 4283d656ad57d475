package admin_test

import (
	"strings"
	"testing"
)

// TestSecondaryActions opens a list and an entry: all but the primary action is behind a summary, and the
// title has its label as a placeholder.
func TestSecondaryActions(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/locales", map[string]any{"code": "de", "name": "German"})
	c.must(t, 201, "POST", "/models", map[string]any{"slug": "notes", "name": "Notes", "localized": true})
	id := c.must(t, 201, "POST", "/models/notes/entries", map[string]any{"title": "One"}).text(t, "id")

	list := b.get(t, "/models/notes/entries").Body.String()
	head, _, _ := strings.Cut(list[strings.Index(list, `<div class="head">`):], "<nav")
	if bar, menu, _ := strings.Cut(head, `<div class="pop menu">`); strings.Contains(bar, "CSV") ||
		!strings.Contains(menu, "Import CSV</a>") ||
		!strings.Contains(menu, `primary" href="/admin/models/notes/entries/create?locale=en"`) {
		t.Errorf("the head of a list is %s", head)
	}
	if _, tools, _ := strings.Cut(list, `<div class="tools">`); !strings.Contains(tools,
		`<summary class="button quiet">Columns`) {
		t.Error("the columns are not beside the filters")
	}

	entry := b.get(t, "/models/notes/entries/"+id).Body.String()
	_, menu, _ := strings.Cut(entry, `<details class="confirm more">`)
	if menu, _, _ = strings.Cut(menu, `<button form="entry"`); !strings.Contains(menu, "Download for translators") {
		t.Errorf("the menu of an entry has no files for translators: %s", menu)
	}
	bar, _, _ := strings.Cut(entry[strings.Index(entry, `<div class="entry-bar`):], `<details class="confirm more">`)
	if strings.Contains(bar, "/revisions") {
		t.Error("the bar of an entry has its views, which are above its panel")
	}
	for _, want := range []string{`<div class="views">`, `<li><a href="/admin/models/notes/entries/` + id +
		`/revisions" data-pane="history">History</a></li>`,
		`<details class="seo"><summary>SEO</summary>`, `<label for="f-title" class="hidden">Title`, `placeholder="Title"`} {
		if !strings.Contains(entry, want) {
			t.Errorf("the entry has no %s", want)
		}
	}
}

// TestSignedInPerson shows the person by name and initials, or else by the e-mail address.
func TestSignedInPerson(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	for name, initials := range map[string]string{"": "A", "Maria Keller": "MK", "élodie de la Tour": "ÉT", "Bo": "B"} {
		c.must(t, 200, "PUT", "/profile", map[string]any{"name": name})
		if page := b.get(t, "/"); !contains(page, `aria-hidden="true">`+initials+`</span>`) ||
			!contains(page, "<span>"+name) {
			t.Errorf("%q is not shown as %s", name, initials)
		}
	}
}

// TestPeopleHaveInitials finds the initials of who wrote a comment and who did something. They are
// no part of what screen readers say.
func TestPeopleHaveInitials(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 200, "PUT", "/profile", map[string]any{"name": "Maria Keller"})
	c.must(t, 201, "POST", "/models", map[string]any{"slug": "notes", "name": "Notes"})
	at := "/models/notes/entries/" +
		c.must(t, 201, "POST", "/models/notes/entries", map[string]any{"title": "Lamps"}).text(t, "id")
	c.must(t, 201, "POST", at+"/comments", map[string]any{"text": "Is this right?"})
	for _, page := range []string{at + "/comments", at + "/revisions", "/activity"} {
		_, content, _ := strings.Cut(b.get(t, page).Body.String(), "<main")
		if !strings.Contains(content, `<span class="avatar" aria-hidden="true">MK</span>`) {
			t.Errorf("%s shows no initials", page)
		}
	}
}

// TestMenuStandsBeforeThePerson holds the order in which the Tab key goes through the frame of a page.
func TestMenuStandsBeforeThePerson(t *testing.T) {
	page := newSite(t).browse(t).get(t, "/").Body.String()
	before, after, _ := strings.Cut(page, `class="who"`)
	if !strings.Contains(before, `<nav id="menu"`) || !strings.Contains(after, "<main") {
		t.Error("the menu is not between the search and the person")
	}
}
