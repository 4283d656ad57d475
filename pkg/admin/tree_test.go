package admin_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content/tree"
)

// newTree makes a site with a tree of pages. page adds a published one below another one, and returns its id.
func newTree(t *testing.T) (c client, b browser, page func(title string, parent any) string) {
	t.Helper()
	s := newSite(t)
	c, b = s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", map[string]any{"slug": "pages", "name": "Pages", "tree": true, "url": "/{path}"})
	return c, b, func(title string, parent any) string {
		return c.must(t, 201, "POST", "/models/pages/entries",
			map[string]any{"title": title, "status": "published", "parent": parent}).text(t, "id")
	}
}

// TestTreePages moves a page by its form without scripts, and answers what happens to those below one that is
// deleted.
func TestTreePages(t *testing.T) {
	c, b, page := newTree(t)
	firm := page("Firm", nil)
	jobs := page("Jobs", firm)
	dev := page("Dev", jobs)
	news := page("News", nil)
	if a := b.get(t, "/models/pages/tree"); a.Code != 200 || !contains(a, "— — <span>Dev") || !contains(a, `"Select Dev"`) || !contains(a, "/firm/jobs/dev") ||
		!contains(a, `data-id="`+dev+`" data-level="3" data-parent="`+jobs+`"`) ||
		!contains(a, `href="/admin/models/pages/tree/move?id=`+jobs) || !contains(a, "Site: Pages") {
		t.Errorf("the tree: %d %s", a.Code, a.Body)
	}
	if a := b.get(t, "/models/pages/entries/"+dev); !contains(a, `href="/admin/models/pages/entries/`+firm+`">Firm</a>`) ||
		!contains(a, "/firm/jobs/dev") {
		t.Errorf("the page of an entry: %s", a.Body)
	}
	form := b.get(t, "/models/pages/tree/move?id="+jobs)
	if form.Code != 200 || !contains(form, "2 addresses change") || !contains(form, "/firm/jobs, /firm/jobs/dev") ||
		contains(form, dev) || !contains(form, `name="to" autofocus`) {
		t.Errorf("the form: %d %s", form.Code, form.Body)
	}
	to := "after  " + news
	if !contains(form, `value="`+to+`"`) || !contains(form, `value="below `+news+` "`) {
		t.Errorf("the form lacks places: %s", form.Body)
	}
	token := form.csrf(t)
	send := func(path string, more ...string) answer {
		v := url.Values{"_csrf": {token}}
		for i := 0; i < len(more); i += 2 {
			v.Set(more[i], more[i+1])
		}
		return b.post(t, path, v)
	}
	if a := send("/models/pages/tree", "_method", "PUT", "id", jobs, "to", "below "+dev+" "); a.Code != 422 ||
		!contains(a, "below it") {
		t.Errorf("below itself: %d %s", a.Code, a.Body)
	}
	if a := send("/models/pages/tree", "_method", "PUT", "id", jobs, "to", to); a.Code != 303 ||
		!strings.HasPrefix(a.Header().Get("Location"), "/admin/models/pages/tree?ok=saved") {
		t.Errorf("the move: %d %s", a.Code, a.Body)
	}
	if a := c.must(t, 200, "GET", "/models/pages/tree", nil); a.text(t, 2, "id") != jobs ||
		a.text(t, 2, "children", 0, "id") != dev {
		t.Errorf("after the move: %s", a.Body)
	}
	at := "/models/pages/entries/" + jobs
	if a := send(at, "_method", "DELETE"); a.Code != 409 || !contains(a, "Move them up") ||
		!contains(a, at+"?children=down") ||
		!contains(a, "Entries that move up stay there") || !contains(a, "Dev") ||
		!contains(a, "Delete them too") || !contains(a, `name="_method" value="DELETE"`) {
		t.Errorf("the question: %d %s", a.Code, a.Body)
	}
	a := send(at+"?children=up", "_method", "DELETE")
	if a.Code != 303 || !strings.HasSuffix(a.Header().Get("Location"), "&from=%2Fjobs") {
		t.Errorf("the answer: %d %s", a.Code, a.Body)
	}
	list := b.get(t, strings.TrimPrefix(a.Header().Get("Location"), "/admin"))
	if link := "/redirects/create?from=%2Fjobs"; !contains(list, link) || !contains(b.get(t, link), `value="/jobs"`) {
		t.Errorf("the address is not offered: %s", list.Body)
	}
	if a := c.must(t, 200, "GET", "/models/pages/entries/"+dev, nil); a.at(t, "parent") != nil {
		t.Errorf("not moved up: %s", a.Body)
	}
	if a := send("/models/pages/entries/"+dev+"?children=x", "_method", "DELETE"); a.Code != 400 {
		t.Errorf("another value: %d", a.Code)
	}
	c.must(t, 201, "POST", "/models", map[string]any{"slug": "posts", "name": "Posts"})
	if a := b.get(t, "/models/posts/tree"); a.Code != 404 {
		t.Errorf("a model without a tree: %d", a.Code)
	}
}

// relaunch is a tree in two languages: Firm with Jobs and Team, Jobs with Dev, and News; in German without Team.
func relaunch(t *testing.T) (*site, client, map[string]string) {
	t.Helper()
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/locales", map[string]any{"code": "de", "name": "German"})
	c.must(t, 201, "POST", "/models", map[string]any{"slug": "pages", "name": "Pages", "tree": true, "localized": true,
		"url": "/{locale?}/{path}"})
	ids := map[string]string{}
	for _, p := range [][2]string{{"Firm", ""}, {"Jobs", "Firm"}, {"Dev", "Jobs"}, {"Team", "Firm"}, {"News", ""}} {
		body := map[string]any{"title": p[0], "status": "published"}
		if p[1] != "" {
			body["parent"] = ids[p[1]]
		}
		ids[p[0]] = c.must(t, 201, "POST", "/models/pages/entries", body).text(t, "id")
		if p[0] != "Team" {
			ids[p[0]+" de"] = c.must(t, 201, "POST", "/models/pages/entries", map[string]any{"title": p[0] + " de",
				"status": "published", "locale": "de", "translation_of": ids[p[0]]}).text(t, "id")
		}
	}
	return s, c, ids
}

// TestTreeMovesSeveral moves entries together: what stands below one of them goes along, and translations go to the
// same place in their locales.
func TestTreeMovesSeveral(t *testing.T) {
	_, c, ids := relaunch(t)
	const at = "/models/pages/tree/move"
	outline := func(locale string) string {
		var walk func(nodes []any) string
		walk = func(nodes []any) (text string) {
			for _, v := range nodes {
				node := v.(map[string]any)
				text += node["title"].(string) + "(" + walk(node["children"].([]any)) + ")"
			}
			return text
		}
		return walk(c.must(t, 200, "GET", "/models/pages/tree?locale="+locale, nil).at(t).([]any))
	}
	moved := c.must(t, 200, "POST", at, map[string]any{"ids": []any{ids["Jobs"], ids["Dev"], ids["Team"]},
		"parent": ids["News"], "translations": true})
	if moved.at(t, "done") != 3.0 || outline("en") != "Firm()News(Jobs(Dev())Team())" ||
		outline("de") != "Firm de()News de(Jobs de(Dev de()))" {
		t.Errorf("moved: %s %s %s", moved.Body, outline("en"), outline("de"))
	}
	c.must(t, 200, "POST", at, map[string]any{"ids": []any{ids["Team"], ids["Jobs"]}, "parent": nil, "before": ids["News"],
		"translations": true})
	if outline("en") != "Firm()Team()Jobs(Dev())News()" || outline("de") != "Firm de()Jobs de(Dev de())News de()" {
		t.Errorf("before another: %s %s", outline("en"), outline("de"))
	}
	none := "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	part := c.must(t, 200, "POST", at, map[string]any{"ids": []any{ids["Firm"], none, ids["Team"]}, "parent": ids["Jobs"]})
	if part.at(t, "done") != 2.0 || part.text(t, "failed", 0, "id") != none ||
		outline("en") != "Jobs(Dev()Firm()Team())News()" ||
		outline("de") != "Firm de()Jobs de(Dev de())News de()" {
		t.Errorf("one is missing: %s %s", part.Body, outline("en"))
	}
	for name, body := range map[string]map[string]any{
		"no ids": {"parent": nil}, "no parent": {"ids": []any{ids["Team"]}}, "no id": {"ids": []any{"x"}, "parent": nil},
		"another key": {"ids": []any{ids["Team"]}, "parent": nil, "x": 1},
		"id":          {"ids": []any{ids["Team"]}, "parent": nil, "id": "y"},
		"no truth":    {"ids": []any{ids["Team"]}, "parent": nil, "translations": "x"}} {
		if a := c.must(t, 422, "POST", at, body); a.Code != 422 {
			t.Errorf("%s: %s", name, a.Body)
		}
	}
}

// TestMenuFormNamesWhatMayBeRead opens the form that asks for a menu as somebody who may read German pages only.
func TestMenuFormNamesWhatMayBeRead(t *testing.T) {
	s, c, ids := relaunch(t)
	c.must(t, 201, "POST", "/roles", `{"slug":"german","name":"German","rules":[
		{"models":["pages"],"locales":["de"]},{"models":["menus"]}]}`)
	c.must(t, 201, "POST", "/users", map[string]any{"email": "uwe@example.com", "name": "Uwe", "password": password,
		"role": "german"})
	b := s.browseAs(t, "uwe@example.com")
	token := b.get(t, "/models/pages/tree").csrf(t)
	for name, want := range map[string]bool{"Team": false, "Jobs de": true} {
		a := b.post(t, "/menus/entries", url.Values{"_csrf": {token}, "model": {"pages"}, "ids": {ids[name]}})
		if !contains(a, "Add to a menu") || contains(a, name) != want {
			t.Errorf("%s: %d %s", name, a.Code, a.Body)
		}
	}
}

// TestTreeSeveralByForms selects entries without scripts, moves them, and adds them to a menu.
func TestTreeSeveralByForms(t *testing.T) {
	s, c, ids := relaunch(t)
	b := s.browse(t)
	page := b.get(t, "/models/pages/tree")
	token := page.csrf(t)
	send := func(path string, more url.Values) answer {
		more.Set("_csrf", token)
		return b.post(t, path, more)
	}
	if !contains(page, `name="ids" value="`+ids["Jobs"]) || !contains(page, "Add to a menu…") {
		t.Fatalf("nothing can be selected: %s", page.Body)
	}
	if a := send("/models/pages/tree/move", url.Values{"model": {"pages"}}); a.Code != 303 {
		t.Errorf("nothing selected: %d", a.Code)
	}
	selected := url.Values{"model": {"pages"}, "ids": {ids["Jobs"], ids["Team"]}}
	form := send("/models/pages/tree/move", selected)
	if form.Code != 200 || !contains(form, "Move 2 entries") || !contains(form, "3 addresses change") ||
		!contains(form, "Their translations too") || contains(form, "“Jobs”") || contains(form, "“Dev”") {
		t.Errorf("the form: %d %s", form.Code, form.Body)
	}
	to := url.Values{"ids": selected["ids"], "to": {"below " + ids["News"] + " "}, "locale": {"en"},
		"translations": {"false", "true"}}
	if a := send("/models/pages/tree/move", to); a.Code != 303 ||
		a.Header().Get("Location") != "/admin/models/pages/tree?ok=saved&locale=en&at="+selected.Get("ids") {
		t.Errorf("the move: %d %s", a.Code, a.Body)
	}
	if a := c.must(t, 200, "GET", "/models/pages/entries/"+ids["Jobs de"], nil); a.text(t, "parent") != ids["News de"] {
		t.Errorf("the translation stands elsewhere: %s", a.Body)
	}
	to.Set("to", "below "+ids["Dev"]+" ")
	if a := send("/models/pages/tree/move", to); a.Code != 422 || !contains(a, "Jobs: ") ||
		!contains(a, "Move 2 entries") {
		t.Errorf("below itself: %d %s", a.Code, a.Body)
	}

	c.must(t, 201, "POST", "/menus", map[string]any{"slug": "main", "name": "Main", "items": map[string]any{
		"en": []any{map[string]any{"entry": map[string]any{"model": "pages", "id": ids["Firm"]}}},
		"de": []any{map[string]any{"label": "Über uns", "entry": map[string]any{"model": "pages", "id": ids["Firm de"]}}}}})
	firm := c.must(t, 200, "GET", "/menus/main", nil).text(t, "items", "en", 0, "id")
	selected.Set("ids", ids["Dev"])
	selected.Add("ids", ids["Jobs"])
	menu := send("/menus/entries", selected)
	if menu.Code != 200 || !contains(menu, "Add 2 entries to a menu") || !contains(menu, `value="main `+firm+`"`) ||
		!contains(menu, "below “Firm”") {
		t.Errorf("the form of menus: %d %s", menu.Code, menu.Body)
	}
	selected.Set("to", "main "+firm)
	selected["translations"] = []string{"false", "true"}
	for range 2 { // the second time nothing is new
		if a := send("/menus/entries", selected); a.Code != 303 ||
			a.Header().Get("Location") != "/admin/menus/main?ok=saved" {
			t.Errorf("added: %d %s", a.Code, a.Body)
		}
		got := c.must(t, 200, "GET", "/menus/main", nil)
		for locale, more := range map[string]string{"en": "", "de": " de"} {
			if a := got.at(t, "items", locale).([]any); len(a) != 1 ||
				got.text(t, "items", locale, 0, "children", 0, "entry", "id") != ids["Jobs"+more] ||
				got.text(t, "items", locale, 0, "children", 0, "children", 0, "entry", "id") != ids["Dev"+more] {
				t.Errorf("the menu in %s: %s", locale, got.Body)
			}
		}
	}
	for name, body := range map[string]map[string]any{
		"no menu": {"model": "pages", "ids": []any{ids["Jobs"]}}, "no ids": {"model": "pages", "menu": "main"},
		"no item":  {"model": "pages", "menu": "main", "below": "x", "ids": []any{ids["Jobs"]}},
		"no entry": {"model": "pages", "menu": "main", "ids": []any{"018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"}}} {
		if a := c.must(t, 422, "POST", "/menus/entries", body); a.Code != 422 {
			t.Errorf("%s: %s", name, a.Body)
		}
	}
	c.must(t, 404, "POST", "/menus/entries", map[string]any{"model": "pages", "menu": "none", "ids": []any{ids["Jobs"]}})
}

// TestLargeTree opens a tree of more entries than are read together: level by level and in pages, by search, and to
// move an entry. It reads the opened level alone.
func TestLargeTree(t *testing.T) {
	c, b, page := newTree(t)
	firm := page("Firm", nil)
	jobs := page("Jobs", firm)
	dev := page("Dev", jobs)
	first := page("N0000", nil)
	last := ""
	for i := range cms.MaxNodes {
		last = page(fmt.Sprintf("N%04d", i+1), nil)
	}
	const at = "/models/pages/tree"
	expect := func(what string, a answer, has ...string) {
		t.Helper()
		if a.Code != 200 {
			t.Fatalf("%s: %d %s", what, a.Code, a.Body)
		}
		for _, text := range has {
			if !contains(a, text) {
				t.Errorf("%s lacks %s", what, text)
			}
		}
	}
	below := `href="/admin/models/pages/tree?locale=en&amp;parent=` + firm + `">Entries below`
	a := b.get(t, at)
	expect("the root", a, "Firm", "N0000", below, "1–25 of 2,002", `data-parent=""`, "Search this tree", "?locale=")
	if contains(a, jobs) || contains(a, "N0025") || contains(a, "parent="+first) {
		t.Error("the root shows more than its first page")
	}
	expect("the second page", b.get(t, at+"?page=2"), "N0024", "26–50 of 2,002")
	expect("the page with the last one", b.get(t, at+"?at="+last), "N2000", "2,001–2,002 of 2,002", "page=80")
	expect("a level", b.get(t, at+"?parent="+jobs), "Jobs</h1>", "/firm/jobs/dev", `data-parent="`+jobs+`"`,
		`tree?locale=en&amp;parent=`+firm+`">Firm</a>`)
	expect("what a search finds", b.get(t, at+"?q=dev"), "/firm/jobs/dev", "at="+dev, "1–1 of 1")
	expect("the level with one", b.get(t, at+"?at="+dev), "Jobs</h1>", dev)
	if a := c.do(t, "GET", at, nil); a.Code != 400 || !contains(a, "with parent or depth") {
		t.Errorf("as JSON: %d %s", a.Code, a.Body)
	}

	form := b.get(t, at+"/move?id="+dev)
	expect("the form", form, "Move Dev", `value="below `+jobs+` "`, "will lead to the new ones", "parent="+firm)
	form = b.get(t, at+"/move?id="+dev+"&parent=")
	expect("the form at the root", form, `value="before  `+firm+`"`, `value="after  `+first+`"`, "page=2",
		`value="below `+firm+` "`)
	expect("the form with a search", b.get(t, at+"/move?id="+dev+"&q=N2000"), `value="below `+last+` "`)
	token := form.csrf(t)
	send := func(to string) answer {
		return b.post(t, at+"/move", url.Values{"_csrf": {token}, "ids": {dev}, "to": {to}, "locale": {"en"}, "level": {""}})
	}
	if a := send("below " + dev + " "); a.Code != 422 || !contains(a, "below it") || !contains(a, "/move?id="+dev) {
		t.Errorf("below itself: %d %s", a.Code, a.Body)
	}
	a = send("after  " + first)
	if to := a.Header().Get("Location"); a.Code != 303 || !strings.HasSuffix(to, "&locale=en&at="+dev) {
		t.Fatalf("the move: %d %s", a.Code, a.Body)
	}
	expect("after the move", b.get(t, strings.TrimPrefix(a.Header().Get("Location"), "/admin")), ">/dev<", "Undo")
}

// TestWideLevel opens a level of more entries than are sorted together in pages that follow one another. None reads
// more than itself, and together they show each entry once.
func TestWideLevel(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", map[string]any{"slug": "pages", "name": "Pages", "tree": true, "url": "/{path}"})
	parent := c.must(t, 201, "POST", "/models/pages/entries", map[string]any{"title": "Firm"}).text(t, "id")
	const entries = tree.MaxLevel + 30
	var making errgroup.Group
	making.SetLimit(8)
	for i := range entries {
		making.Go(func() error {
			_, err := s.on.Entries.Create(t.Context(), cms.Actor{}, "pages",
				map[string]any{"title": fmt.Sprintf("N%05d", i), "parent": parent, "position": json.Number(strconv.Itoa(i))})
			return err
		})
	}
	if err := making.Wait(); err != nil {
		t.Fatal(err)
	}
	const at = "/models/pages/tree"
	next, shown := "?per_page=100&parent="+parent, map[string]bool{}
	for number := 1; number <= 3; number++ {
		a := b.get(t, at+next)
		first := (number-1)*100 + 1
		if want := fmt.Sprintf("%d–%d of %d&#43;<", first, first+99, first+99); a.Code != 200 || !contains(a, want) ||
			contains(a, "data-parent=") || number == 1 && !contains(a, "N16029<") {
			t.Fatalf("page %d lacks %s: %d %s", number, want, a.Code, a.Body)
		}
		for _, title := range regexp.MustCompile(`N\d{5}<`).FindAllString(a.Body.String(), -1) {
			shown[title] = true
		}
		if len(shown) != number*100 {
			t.Fatalf("page %d: %d entries are shown so far", number, len(shown))
		}
		link := regexp.MustCompile(`href="(\?[^"]*after=[^"]+)"[^>]*>Next`).FindStringSubmatch(a.Body.String())
		if link == nil {
			t.Fatalf("page %d has no next one: %s", number, a.Body)
		}
		next = html.UnescapeString(link[1])
	}
}

// TestReleaseSaysWhatIsBelow says on the page of a release what happens to the entries below one that it unpublishes.
func TestReleaseSaysWhatIsBelow(t *testing.T) {
	s, c, ids := relaunch(t)
	id := c.must(t, 201, "POST", "/releases", map[string]any{"name": "Spring", "items": []any{map[string]any{
		"model": "pages", "id": ids["Jobs"], "action": "unpublish", "children": "up"}}}).text(t, "id")
	if page := s.browse(t).get(t, "/releases/"+id); !contains(page, "unpublish (Entries below it: move up)") {
		t.Errorf("the release: %s", page.Body)
	}
}

// TestUndoOfMovesUp says before an undo that entries that moved up stay where they are.
func TestUndoOfMovesUp(t *testing.T) {
	s, c, ids := relaunch(t)
	b := s.browse(t)
	id := c.must(t, 202, "POST", "/jobs", map[string]any{"model": "pages", "action": "delete", "children": "up",
		"ids": []string{ids["Jobs"]}}).text(t, "id")
	if _, err := s.on.Jobs.Work(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if page := b.get(t, "/jobs/"+id); !contains(page, "Entries that move up stay there") ||
		!contains(page, `name="of" value="`+id+`"`) {
		t.Errorf("the job: %s", page.Body)
	}
}
