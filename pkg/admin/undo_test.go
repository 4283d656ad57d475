package admin_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/forms"
)

// offered returns the page to which a change sends the browser, and the form of its button Undo: its address below
// /admin, "" without one, and its inputs.
func (b browser) offered(t *testing.T, changed answer) (page answer, undo string, fields url.Values) {
	t.Helper()
	at := changed.Header().Get("Location")
	if changed.Code != http.StatusSeeOther {
		t.Fatalf("the change: %d %s", changed.Code, changed.Body)
	}
	page = b.get(t, strings.TrimPrefix(at, "/admin"), changed.Result().Cookies()...)
	notice := regexp.MustCompile(`(?s)<div class="notice good".*?</div>`).FindString(page.Body.String())
	form := regexp.MustCompile(`action="/admin([^"]*)"`).FindStringSubmatch(notice)
	if form == nil || !strings.Contains(notice, ">Undo<") {
		return page, "", nil
	}
	return page, html.UnescapeString(form[1]), hiddenInputs(notice)
}

// undo takes a change back by the button that its page offers, and returns the page after that.
func (b browser) undo(t *testing.T, changed answer) answer {
	t.Helper()
	page, at, fields := b.offered(t, changed)
	if at == "" {
		t.Fatalf("no Undo: %s", page.Body)
	}
	page, again, _ := b.offered(t, b.post(t, at, fields))
	if page.Code != 200 || again != "" || !contains(page, "notice good") {
		t.Fatalf("after Undo: %d %s", page.Code, page.Body)
	}
	return page
}

// sent posts a form with names and values.
func (b browser) sent(t *testing.T, path string, pairs ...string) answer {
	t.Helper()
	form := url.Values{"_csrf": {b.get(t, "/").csrf(t)}}
	for i := 0; i < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	return b.post(t, path, form)
}

// TestUndoMoveOfFiles moves files to a folder, by the bar of the library and by the form of one, and back: each to
// the folder where it was, and only those that moved.
func TestUndoMoveOfFiles(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	folder := func(name string) string {
		return c.must(t, 201, "POST", "/media/folders", map[string]any{"name": name}).text(t, "id")
	}
	old, next := folder("Old"), folder("Next")
	var ids []string
	for i, in := range []string{"", old, next} {
		id := c.upload(t, 201, fmt.Sprintf("%d.txt", i), []byte("text"), map[string]string{"folder_id": in}).text(t, "id")
		ids = append(ids, id)
	}
	folders := func() (names string) {
		for _, id := range ids {
			names += c.must(t, 200, "GET", "/media/"+id, nil).text(t, "folder") + ","
		}
		return names
	}
	moved := b.sent(t, "/media/several", "action", "move", "folder_id", next, "ids", ids[0], "ids", ids[1], "ids", ids[2],
		"_back", "/admin/media?q=txt")
	if got := folders(); got != "Next,Next,Next," {
		t.Fatalf("moved to %s", got)
	}
	c.must(t, 200, "PUT", "/media/"+ids[2], map[string]any{"folder_id": old}) // what the move did not change
	if page := b.undo(t, moved); folders() != ",Old,Old," || !contains(page, `value="txt"`) {
		t.Errorf("after Undo the folders are %s: %s", folders(), page.Body)
	}
	single := b.sent(t, "/media/"+ids[0], "_method", "PUT", "name", "0.txt", "folder_id", next, "caption", "New")
	if b.undo(t, single); folders() != ",Old,Old," ||
		c.must(t, 200, "GET", "/media/"+ids[0], nil).text(t, "caption") != "" {
		t.Errorf("after Undo of the form: %s", folders())
	}
	same := b.sent(t, "/media/several", "action", "move", "folder_id", old, "ids", ids[1])
	if _, undo, _ := b.offered(t, same); undo != "" {
		t.Error("a move that changed nothing offers Undo")
	}
}

// TestUndoOfMany offers to take 200 entries out of a release again: once, on the page of the release, to who added
// them.
func TestUndoOfMany(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts"}`)
	c.must(t, 201, "POST", "/users", user("ada@example.com", "editor"))
	other := s.browseAs(t, "ada@example.com")
	fields := []string{"to", "", "name", "Spring"}
	for i := range 200 {
		id := c.must(t, 201, "POST", "/models/posts/entries", map[string]any{"title": fmt.Sprint(i)}).text(t, "id")
		fields = append(fields, "items", "posts "+id+" publish")
	}
	added := b.sent(t, "/releases", fields...)
	at := strings.TrimPrefix(added.Header().Get("Location"), "/admin")
	for who, page := range map[string]answer{"another page": b.get(t, "/releases?ok=saved"),
		"another person": other.get(t, at), "without the message": b.get(t, strings.Split(at, "?")[0])} {
		if contains(page, ">Undo<") {
			t.Errorf("%s offers Undo", who)
		}
	}
	_, undo, form := b.offered(t, added)
	if _, again, _ := b.offered(t, added); undo == "" || again != "" {
		t.Fatalf("offered at %q, then at %q", undo, again)
	}
	b.post(t, undo, form)
	if got := c.must(t, 200, "GET", strings.Split(at, "?")[0], nil).at(t, "items").([]any); len(got) != 0 {
		t.Errorf("%d entries are left", len(got))
	}
}

// TestUndoMarks gives submissions other marks, in the bar and one alone, and takes that back. A submission that came
// as spam is that again, with its reason.
func TestUndoMarks(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/forms", `{"name":"Contact","slug":"contact","fields":[{"name":"email","type":"email"},
		{"name":"website","type":"honeypot"}]}`)
	submissions := &forms.Submissions{Store: s.store.Forms}
	for i := range 4 {
		body := map[string]any{"email": fmt.Sprintf("%d@example.com", i)}
		if i == 3 {
			body["website"] = "spam"
		}
		if _, err := submissions.Submit(t.Context(), cms.Actor{}, nil, "contact", body,
			forms.Visitor{Address: "192.0.2.1"}); err != nil {
			t.Fatal(err)
		}
	}
	const at = "/forms/contact/submissions"
	list := c.must(t, 200, "GET", at+"?sort=received_at", nil)
	var ids []string
	for i := range 4 {
		ids = append(ids, list.text(t, i, "id"))
	}
	marks := func() (all string) {
		for _, id := range ids {
			v := c.must(t, 200, "GET", at+"/"+id, nil)
			all += fmt.Sprint(v.text(t, "status"), v.at(t, "spam_reason"), " ")
		}
		return all
	}
	c.must(t, 200, "PATCH", at+"/"+ids[1], `{"status":"archived"}`)
	c.must(t, 200, "PATCH", at+"/"+ids[2], `{"status":"read"}`)
	const before = "new<nil> archived<nil> read<nil> newhoneypot "
	if got := marks(); got != before {
		t.Fatal(got)
	}
	all := []string{"ids", ids[0], "ids", ids[1], "ids", ids[2], "ids", ids[3], "_back", "sort=status"}
	for _, status := range []string{"read", "spam"} {
		changed := b.sent(t, at, append(all, "status", status)...)
		if page := b.undo(t, changed); marks() != before || !contains(page, `aria-sort="ascending"`) {
			t.Errorf("after Undo of %s: %s", status, marks())
		}
	}
	b.undo(t, b.sent(t, at+"/"+ids[3], "_method", "PATCH", "status", "archived"))
	if got := marks(); got != before {
		t.Errorf("after Undo of one: %s", got)
	}
	_, undo, fields := b.offered(t, b.sent(t, at, "ids", ids[0], "ids", ids[2], "status", "read"))
	if len(fields["ids"]) != 1 || fields.Get("ids") != ids[0] {
		t.Errorf("Undo is about %v", fields["ids"])
	}
	fields.Set("was", strings.Replace(fields.Get("was"), "new", "none", 1))
	if b.post(t, undo, fields); !strings.HasPrefix(marks(), "read") {
		t.Errorf("an unknown mark was put back: %s", marks())
	}
	c.must(t, 201, "POST", "/users", user("viewer@example.com", "viewer"))
	viewer := s.browseAs(t, "viewer@example.com")
	fields.Set("_csrf", viewer.get(t, "/").csrf(t))
	if a := viewer.post(t, undo, fields); a.Code != http.StatusForbidden {
		t.Errorf("a viewer: %d", a.Code)
	}
}

// TestUndoMoveInTree moves pages of a tree together, and back to where each of them stood.
func TestUndoMoveInTree(t *testing.T) {
	c, b, page := newTree(t)
	a, firm := page("A", nil), page("Firm", nil)
	x, y, z := page("X", firm), page("Y", firm), page("Z", firm)
	last := page("Last", nil)
	tree := func() (all string) {
		var add func(nodes []any, level string)
		add = func(nodes []any, level string) {
			for _, node := range nodes {
				n := node.(map[string]any)
				all += level + n["title"].(string) + " "
				below, _ := n["children"].([]any)
				add(below, level+"-")
			}
		}
		add(c.must(t, 200, "GET", "/models/pages/tree", nil).Data.([]any), "")
		return all
	}
	const before = "A Firm -X -Y -Z Last "
	if got := tree(); got != before {
		t.Fatal(got)
	}
	for _, move := range []struct {
		to, after string
		ids       []string
	}{
		{"below " + last + " ", "Firm -Z Last -A -X -Y ", []string{y, a, x}},
		{"after  " + last, "A Firm -X -Z Last Y ", []string{y}},
		{"before " + firm + " " + x, "A Firm -Z -X -Y Last ", []string{z}},
	} {
		pairs := []string{"to", move.to, "locale", "en"}
		for _, id := range move.ids {
			pairs = append(pairs, "ids", id)
		}
		moved := b.sent(t, "/models/pages/tree/move", pairs...)
		if len(move.ids) == 1 && tree() != move.after {
			t.Errorf("moved: %s, want %s", tree(), move.after)
		}
		if b.undo(t, moved); tree() != before {
			t.Errorf("after Undo of a move %s: %s", move.to, tree())
		}
	}
}

// TestUndoAddedTo adds entries to a release and to a menu, and takes those out again that were not in them before.
func TestUndoAddedTo(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", map[string]any{"slug": "pages", "name": "Pages", "tree": true, "url": "/{path}"})
	var ids []string
	for _, title := range []string{"A", "B", "C"} {
		ids = append(ids, c.must(t, 201, "POST", "/models/pages/entries", map[string]any{"title": title}).text(t, "id"))
	}
	item := func(id string) string { return `{"model":"pages","id":"` + id + `","action":"publish"}` }
	release := c.must(t, 201, "POST", "/releases", `{"name":"Spring","items":[`+item(ids[0])+`]}`).text(t, "id")
	in := func(path, id string) bool { return contains(c.must(t, 200, "GET", path, nil), id) }
	line := func(id string) string { return "pages " + id + " publish" }
	added := b.sent(t, "/releases", "to", release, "name", "", "items", line(ids[0]), "items", line(ids[1]))
	if at := "/releases/" + release; !in(at, ids[1]) {
		t.Error("not added to the release")
	} else if b.undo(t, added); in(at, ids[1]) || !in(at, ids[0]) {
		t.Error("Undo of what was added to a release")
	}
	made := b.sent(t, "/releases", "to", "", "name", "Autumn", "items", line(ids[2]))
	at := strings.TrimPrefix(made.Header().Get("Location"), "/admin")
	at, _, _ = strings.Cut(at, "?")
	if b.undo(t, made); in(at, ids[2]) {
		t.Error("Undo of what was added to a new release")
	}
	c.must(t, 201, "POST", "/menus", map[string]any{"slug": "main", "name": "Main", "items": map[string]any{
		"en": []any{map[string]any{"entry": map[string]any{"model": "pages", "id": ids[0]}}}}})
	added = b.sent(t, "/menus/entries", "to", "main", "model", "pages", "ids", ids[0], "ids", ids[1], "ids", ids[2])
	if !in("/menus/main", ids[2]) {
		t.Error("not added to the menu")
	}
	if b.undo(t, added); in("/menus/main", ids[1]) || in("/menus/main", ids[2]) || !in("/menus/main", ids[0]) {
		t.Error("Undo of what was added to a menu")
	}
}

// TestUndoAskedReviews withdraws those requests that the change made, and no other.
func TestUndoAskedReviews(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","review":1}`)
	var ids []string
	for _, title := range []string{"A", "B"} {
		ids = append(ids, c.must(t, 201, "POST", "/models/posts/entries", map[string]any{"title": title}).text(t, "id"))
	}
	c.must(t, 201, "POST", "/models/posts/entries/"+ids[0]+"/review", `{}`)
	state := func(id string) string {
		return c.must(t, 200, "GET", "/models/posts/entries/"+id+"/review", nil).text(t, "state")
	}
	asked := b.sent(t, "/reviews", "action", "ask", "model", "posts", "_sure", "true", "ids", ids[0], "ids", ids[1])
	if state(ids[1]) != "requested" {
		t.Errorf("asked: %s", state(ids[1]))
	}
	if b.undo(t, asked); state(ids[0]) != "requested" || state(ids[1]) != "none" {
		t.Errorf("after Undo: %s, %s", state(ids[0]), state(ids[1]))
	}
}

// TestUndoDecisions takes back approvals and returns, in a list and on the page of a review: the review is as it was,
// with the approvals of others and what waits for whom. Who has not decided cannot, and an older Undo neither.
func TestUndoDecisions(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","review":2}`)
	c.must(t, 201, "POST", "/roles", `{"slug":"judge","name":"Judge","rules":[{},{"actions":["approve"]}]}`)
	people := []browser{}
	for _, name := range []string{"ada", "ben"} {
		c.must(t, 201, "POST", "/users", user(name+"@example.com", "judge"))
		people = append(people, s.browseAs(t, name+"@example.com"))
	}
	ada, ben := people[0], people[1]
	id := c.must(t, 201, "POST", "/models/posts/entries", `{"title":"A"}`).text(t, "id")
	at := "/models/posts/entries/" + id + "/review"
	c.must(t, 201, "POST", at, `{"note":"Please."}`)
	review := func() string {
		v := c.must(t, 200, "GET", at, nil)
		return fmt.Sprint(v.text(t, "state"), " ", len(v.at(t, "approvals").([]any)), " ", v.at(t, "note"), " ",
			len(c.must(t, 200, "GET", "/tasks", nil).Data.([]any)))
	}
	version := c.must(t, 200, "GET", at, nil).text(t, "version")
	list := func(action string) []string {
		return []string{"action", action, "model", "posts", "_sure", "true", "ids", id, "versions." + id, version, "note",
			"No."}
	}
	if got := review(); got != "requested 0 Please. 0" {
		t.Fatal(got)
	}
	if ada.undo(t, ada.sent(t, at+"/approve", "version", version)); review() != "requested 0 Please. 0" {
		t.Errorf("after Undo of an approval: %s", review())
	}
	if ada.sent(t, at+"/approve", "version", version); review() != "requested 1 Please. 0" {
		t.Errorf("approved: %s", review())
	}
	decided := ben.sent(t, at+"/approve", "version", version)
	if review() != "approved 2 Please. 0" {
		t.Errorf("approved by two: %s", review())
	}
	if ben.undo(t, decided); review() != "requested 1 Please. 0" {
		t.Errorf("after Undo of the second approval: %s", review())
	}
	if ben.undo(t, ben.sent(t, "/reviews", list("approve")...)); review() != "requested 1 Please. 0" {
		t.Errorf("after Undo in a list: %s", review())
	}
	returned := ben.sent(t, "/reviews", list("return")...)
	if review() != "returned 0 No. 1" {
		t.Errorf("returned: %s", review())
	}
	_, undo, form := ben.offered(t, returned)
	form.Set("_csrf", ada.get(t, "/").csrf(t))
	if a := ada.post(t, undo, form); review() != "returned 0 No. 1" {
		t.Errorf("another takes a return back: %d %s", a.Code, review())
	}
	form.Set("_csrf", ben.get(t, "/").csrf(t))
	if a := ben.post(t, undo, form); a.Code != http.StatusSeeOther || review() != "requested 1 Please. 0" {
		t.Errorf("after Undo of a return: %d %s", a.Code, review())
	}
	again := ben.sent(t, at+"/approve", "version", version)
	if ben.post(t, undo, form); review() != "approved 2 Please. 0" {
		t.Errorf("an older Undo: %s", review())
	}
	_, undo, form = ben.offered(t, again)
	c.must(t, 200, "POST", "/models/posts/entries/"+id+"/publish", nil)
	if a := ben.post(t, undo, form); !contains(a, "somebody has changed it since") || review() != "none 0 <nil> 0" {
		t.Errorf("Undo after the publication: %s %s", review(), a.Body)
	}
}

// TestUndoChangedSince leaves what somebody has changed since, undoes the rest, and says so.
func TestUndoChangedSince(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"pages","name":"Pages","tree":true,"url":"/{path}","review":1,
		"fields":[{"name":"subtitle","type":"text"}]}`)
	page := func(title string) string {
		return c.must(t, 201, "POST", "/models/pages/entries", map[string]any{"title": title}).text(t, "id")
	}
	check := func(what, path, want string, changed answer, change func()) {
		t.Helper()
		at, undo, form := b.offered(t, changed)
		if undo == "" {
			t.Fatalf("%s: no Undo: %s", what, at.Body)
		}
		change()
		before := c.must(t, 200, "GET", path, nil).Body.String()
		after, _, _ := b.offered(t, b.post(t, undo, form))
		if !contains(after, want) {
			t.Errorf("%s: the notice lacks %q: %s", what, want, after.Body)
		}
		if now := c.must(t, 200, "GET", path, nil).Body.String(); now != before {
			t.Errorf("%s: was %s, is %s", what, before, now)
		}
	}
	const part, nothing = "1 of 2 undone. Somebody has changed the rest since.",
		"Nothing was undone: somebody has changed it since."

	file, other := c.upload(t, 201, "a.txt", []byte("a"), nil).text(t, "id"), c.upload(t, 201, "b.txt", []byte("b"),
		nil).text(t, "id")
	put := func(path string, body any) func() { return func() { c.must(t, 200, "PUT", path, body) } }
	check("tags", "/media/"+file, part, b.sent(t, "/media/several", "action", "tag", "tags", "red", "ids", file, "ids",
		other), put("/media/"+file, `{"tags":["red","blue"]}`))
	check("a caption", "/media/"+file, nothing, b.sent(t, "/media/"+file, "_method", "PUT", "name", "a.txt", "tags",
		"red", "tags", "blue", "caption", "Mine"), put("/media/"+file, `{"caption":"Theirs"}`))

	c.must(t, 201, "POST", "/forms", `{"name":"Contact","slug":"contact","fields":[{"name":"email","type":"email"}]}`)
	submissions := &forms.Submissions{Store: s.store.Forms}
	for range 2 {
		if _, err := submissions.Submit(t.Context(), cms.Actor{}, nil, "contact", map[string]any{"email": "a@example.com"},
			forms.Visitor{Address: "192.0.2.1"}); err != nil {
			t.Fatal(err)
		}
	}
	const inbox = "/forms/contact/submissions"
	list := c.must(t, 200, "GET", inbox, nil)
	first, second := list.text(t, 0, "id"), list.text(t, 1, "id")
	check("marks", inbox+"/"+first, part, b.sent(t, inbox, "ids", first, "ids", second, "status", "read"),
		func() { c.must(t, 200, "PATCH", inbox+"/"+first, `{"status":"archived"}`) })

	top, x, y := page("Top"), page("X"), page("Y")
	check("moves", "/models/pages/entries/"+x, part, b.sent(t, "/models/pages/tree/move", "to", "below "+top+" ", "ids",
		x, "ids", y), put("/models/pages/tree", map[string]any{"id": x, "parent": nil, "before": top}))

	item := func(id, action string) string { return `{"model":"pages","id":"` + id + `","action":"` + action + `"}` }
	release := "/releases/" + c.must(t, 201, "POST", "/releases", `{"name":"Spring"}`).text(t, "id")
	check("a release", release, nothing, b.sent(t, "/releases", "to", strings.TrimPrefix(release, "/releases/"), "name",
		"", "items", "pages "+x+" publish"), put(release, `{"items":[`+item(x, "unpublish")+`]}`))
	c.must(t, 201, "POST", "/menus", `{"slug":"main","name":"Main"}`)
	check("a menu", "/menus/main", nothing, b.sent(t, "/menus/entries", "to", "main", "model", "pages", "ids", x),
		func() {
			items := c.must(t, 200, "GET", "/menus/main", nil).at(t, "items").(map[string]any)
			items["en"].([]any)[0].(map[string]any)["label"] = "Theirs"
			c.must(t, 200, "PUT", "/menus/main", map[string]any{"items": items})
		})
	asked := b.sent(t, "/reviews", "action", "ask", "model", "pages", "_sure", "true", "ids", x)
	_, undo, form := b.offered(t, asked)
	c.must(t, 201, "POST", "/models/pages/entries/"+x+"/review", `{"note":"Theirs"}`)
	if a := b.post(t, undo, form); !contains(a, nothing) ||
		c.must(t, 200, "GET", "/models/pages/entries/"+x+"/review", nil).text(t, "state") != "requested" {
		t.Errorf("a review: %s", a.Body)
	}

	list2 := "/models/pages/entries/" + x
	edit := hiddenInputs(b.get(t, "/models/pages/entries?edit="+x).Body.String())
	quick := b.sent(t, list2+"/draft?list=", "_method", "PUT", "title", "Mine", "slug", "x", "data.subtitle", "",
		"_base", edit.Get("_base"))
	_, undo, form = b.offered(t, quick)
	c.must(t, 200, "PUT", list2, `{"title":"Theirs"}`)
	if a := b.post(t, undo, form); c.must(t, 200, "GET", list2, nil).text(t, "title") != "Theirs" || undo == "" ||
		!contains(a, "Theirs") {
		t.Errorf("quick edit: %d %s", a.Code, a.Body)
	}
}

// TestUndoPartOfMove takes back those moves that were made when others were refused.
func TestUndoPartOfMove(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", map[string]any{"slug": "pages", "name": "Pages", "tree": true, "url": "/{path}"})
	page := func(title string, parent any) string {
		return c.must(t, 201, "POST", "/models/pages/entries", map[string]any{"title": title,
			"parent": parent, "status": "published"}).text(t, "id")
	}
	x := page("X", nil)
	y := page("Y", x)
	z := page("Z", nil)
	a := b.sent(t, "/models/pages/tree/move", "to", "below "+y+" ", "locale", "en", "ids", x, "ids", z)
	under := func(id string) any { return c.must(t, 200, "GET", "/models/pages/entries/"+id, nil).at(t, "parent") }
	if a.Code != 422 || under(z) != y || !contains(a, ">Undo<") || !contains(a, "X: ") {
		t.Fatalf("moved: %d %v %s", a.Code, under(z), a.Body)
	}
	notice := regexp.MustCompile(`(?s)<div class="notice good".*?</div>`).FindString(a.Body.String())
	b.post(t, "/models/pages/tree/move", hiddenInputs(notice))
	if under(z) != nil {
		t.Errorf("after Undo: below %v", under(z))
	}
}

// TestUndoReleasePages takes a published release back by its page, which says the effect on readers first. The page of
// the job names the entries that stay, and leads back.
func TestUndoReleasePages(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts"}`)
	var ids, items []string
	for _, title := range []string{"One", "Two"} {
		id := c.must(t, 201, "POST", "/models/posts/entries", map[string]any{"title": title}).text(t, "id")
		ids, items = append(ids, id), append(items, `{"model":"posts","id":"`+id+`","action":"publish"}`)
	}
	one := "/releases/" + c.must(t, 201, "POST", "/releases",
		`{"name":"Spring","items":[`+strings.Join(items, ",")+`]}`).text(t, "id")
	if a := b.get(t, one); contains(a, one+"/undo") {
		t.Error("an open release has Undo")
	}
	c.must(t, 202, "POST", one+"/publish", nil)
	if a := b.get(t, one); !contains(a, "data-poll") || contains(a, one+"/undo") {
		t.Error("the page of a release that is publishing does not wait for its end")
	}
	if _, err := s.on.Releases.Work(t.Context(), one[len("/releases/"):]); err != nil {
		t.Fatal(err)
	}
	c.must(t, 200, "PUT", "/models/posts/entries/"+ids[0], `{"title":"Later"}`)
	if a := b.get(t, one); contains(a, "data-poll") || !contains(a, `action="/admin`+one+`/undo"`) {
		t.Error("a published release has no Undo")
	}
	asked := b.sent(t, one+"/undo")
	if !contains(asked, "Undo &#34;Spring&#34;?") || !contains(asked, "1 page vanishes, 1 is refused") {
		t.Fatalf("the question: %s", asked.Body)
	}
	begun := b.sent(t, one+"/undo", "sure", "true")
	job := strings.TrimPrefix(begun.Header().Get("Location"), "/admin")
	id, _, _ := strings.Cut(strings.TrimPrefix(job, "/jobs/"), "?")
	if _, err := s.on.Jobs.Work(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	a := b.get(t, "/jobs/"+id)
	for _, want := range []string{"Undo release", "Later", `href="/admin/models/posts/entries/` + ids[0],
		`href="/admin` + one + `"`, "has been changed since"} {
		if !contains(a, want) {
			t.Errorf("the page of the job lacks %q", want)
		}
	}
	if got := c.must(t, 200, "GET", "/models/posts/entries/"+ids[1], nil).text(t, "status"); got != "draft" {
		t.Errorf("the other entry is %s", got)
	}
}

// TestUndoDropOfSchedule drops the schedule of an entry and saves it again, unless somebody saved another one
// meanwhile.
func TestUndoDropOfSchedule(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts"}`)
	at := "/models/posts/entries/" + c.must(t, 201, "POST", "/models/posts/entries", `{"title":"One"}`).text(t, "id")
	plan := func(day string) string {
		t.Helper()
		return c.must(t, 200, "PUT", at+"/schedule", map[string]any{"publish_at": s.now().AddDate(0, 0, 2).
			Format("2006-01-02") + day}).text(t, "publish_at")
	}
	was := plan("T10:00:00Z")
	b.undo(t, b.sent(t, at+"/schedule", "_method", "DELETE"))
	if now := c.must(t, 200, "GET", at+"/schedule", nil).text(t, "publish_at"); now != was {
		t.Errorf("the schedule after Undo is %s, want %s", now, was)
	}
	_, undo, fields := b.offered(t, b.sent(t, at+"/schedule", "_method", "DELETE"))
	later := plan("T11:00:00Z")
	if a := b.post(t, undo, fields); a.Code != http.StatusPreconditionFailed {
		t.Errorf("over a later schedule: %d %s", a.Code, a.Body)
	}
	if now := c.must(t, 200, "GET", at+"/schedule", nil).text(t, "publish_at"); now != later {
		t.Errorf("Undo replaced the later schedule %s by %s", later, now)
	}
}
