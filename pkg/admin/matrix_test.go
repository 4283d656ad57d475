package admin_test

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headless/pkg/admin/frame"
	"headless/pkg/must"
)

var update = flag.Bool("update", false, "write testdata/matrix.txt anew; review what changes in it")

// The columns of the matrix: the caller and the target. A role with rules asks for things it may
// read and for things it may not.
const (
	asNobody   = "nobody"
	asViewer   = "viewer"
	asEditor   = "editor"
	asAdmin    = "admin"
	asAuthor   = "author"   // every action on the model posts
	asReader   = "reader"   // reads the model posts
	asStranger = "stranger" // the author, asking for what only others may read
	asOutsider = "outsider" // a role without any rule
)

var columns = []string{asNobody, asViewer, asEditor, asAdmin, asAuthor, asReader, asStranger, asOutsider}

// marker stands in every text that the roles with rules may not read.
const marker = "zebra"

// matrixSite has one of everything that routes name: one that the author may read, one that is
// hidden.
type matrixSite struct {
	*site
	// params are the parameters of patterns: new items of a model, and the things that exist once.
	params func(t *testing.T, model string) map[string]string
}

func newMatrixSite(t *testing.T) *matrixSite {
	t.Helper()
	m := &matrixSite{site: newSite(t)}
	c := m.as(t, adminEmail)
	make := func(path, key, body string) string { return c.must(t, 201, "POST", path, body).text(t, key) }
	all := map[string]string{
		"code": "en", "group": "site", "key": "name", "version": "1", "page": "usage",
		"session": "none", "passkey": "none", "token": "none",
		"webhook": "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f",
	}
	make("/webhooks", "id", `{"name":"zebra","url":"https://hooks.example.com/zebra","events":["*"]}`)
	make("/roles", "slug", `{"slug":"outsider","name":"Outsider","rules":[]}`)
	for _, model := range []string{"posts", marker} {
		make("/models", "slug",
			`{"slug":"`+model+`","name":"`+model+`","kind":"collection","fields":[{"name":"body","label":"Body","type":"text"}]}`)
	}
	m.params = func(t *testing.T, model string) map[string]string {
		p := map[string]string{"slug": model}
		maps.Copy(p, all)
		for _, use := range []string{"entry", "trash"} {
			p[use] = c.must(t, 201, "POST", "/models/"+model+"/entries",
				`{"title":"`+model+`"}`).text(t, "id")
		}
		c.must(t, 204, "DELETE", "/models/"+model+"/entries/"+p["trash"], nil)
		items := `"items":[{"model":"` + model + `","id":"` + p["entry"] + `","action":"publish"}]`
		p["release"] = c.must(t, 201, "POST", "/releases", `{"name":"`+model+`",`+items+`}`).text(t, "id")
		p["job"] = c.must(t, 202, "POST", "/jobs",
			`{"action":"publish","model":"`+model+`","ids":["`+p["entry"]+`"]}`).text(t, "id")
		return p
	}
	make("/forms", "slug", `{"slug":"zebra","name":"zebra","fields":[{"name":"a","type":"text"}]}`)
	make("/redirects", "id", `{"from":"/zebra","to":"/x"}`)
	make("/media/folders", "id", `{"name":"zebra"}`)
	make("/keys", "id", `{"name":"zebra"}`)
	for _, role := range []string{`{"slug":"author","name":"Author","rules":[{"models":["posts"]}]}`,
		`{"slug":"reader","name":"Reader","rules":[{"models":["posts"],"actions":["read"]}]}`} {
		make("/roles", "slug", role)
	}
	for _, role := range []string{asViewer, asEditor, asAuthor, asReader, asOutsider} {
		make("/users", "id", `{"email":"`+role+`@example.com","role":"`+role+`","password":"`+password+`"}`)
	}
	return m
}

var patternParam = regexp.MustCompile(`\{([a-z]+)\}`)

// path fills in a pattern. A name that is not among the parameters does not exist.
func (m *matrixSite) path(pattern string, params map[string]string) string {
	pattern = strings.TrimSuffix(pattern, "{$}")
	return patternParam.ReplaceAllStringFunc(pattern, func(p string) string {
		name := strings.Trim(p, "{}")
		switch {
		case name == "id" && strings.HasPrefix(pattern, "/models/"):
			return params["entry"]
		case name == "id" && strings.HasPrefix(pattern, "/trash/"):
			return params["trash"]
		case name == "id" && strings.HasPrefix(pattern, "/releases/"):
			return params["release"]
		case name == "id" && strings.HasPrefix(pattern, "/jobs/"):
			return params["job"]
		case name == "field":
			return "cv"
		case name == "id" || name == "cid":
			return "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
		case name == "slug" && strings.HasPrefix(pattern, "/forms/"):
			return marker
		case name == "slug" && strings.HasPrefix(pattern, "/roles/"):
			return "author"
		}
		return params[name]
	})
}

// seen is what an answer says of the door: 401, 403, 404 or ok, which stands for all others.
func seen(a answer) string {
	switch {
	case a.Code == http.StatusSeeOther && strings.HasPrefix(a.Header().Get("Location"), "/admin/login"):
		return "401"
	case a.Code == 401, a.Code == 403, a.Code == 404:
		return fmt.Sprint(a.Code)
	case a.Code >= 500:
		return "fault"
	}
	return "ok"
}

// ask sends an empty request of a kind, as JSON or as a browser would.
func (m *matrixSite) ask(t *testing.T, r frame.Route, params map[string]string, token string,
	page bool) answer {
	t.Helper()
	body := ""
	if r.Method != http.MethodGet {
		body = `{}`
	}
	req := httptest.NewRequest(r.Method, "/admin"+m.path(r.Pattern, params), strings.NewReader(body))
	req.Header.Set("Accept", "application/json")
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if page {
		req.Header.Set("Accept", "text/html")
		req.Header.Del("Content-Type")
		req.AddCookie(&http.Cookie{Name: "headless_session", Value: token})
	} else if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return m.send(t, req)
}

// leaks reports whether an answer holds what only others may read, beyond the words of the request.
func (m *matrixSite) leaks(a answer, r frame.Route, params map[string]string) bool {
	echo := strings.NewReplacer(m.path(r.Pattern, params), "", `\"zebra\"`, "", "&#34;zebra&#34;", "")
	return strings.Contains(echo.Replace(a.Body.String()), marker)
}

// TestMatrix walks every route with every role and compares with testdata/matrix.txt, the table of
// the allowed answers: a route that is missing there fails, and so does any other answer.
func TestMatrix(t *testing.T) {
	m := newMatrixSite(t)
	routes := m.Handler.(*frame.Admin).Routes()
	slices.SortFunc(routes, func(a, b frame.Route) int { // deletions come last, children before their parents
		return rank(a) - rank(b) + strings.Compare(a.Pattern+" "+a.Method, b.Pattern+" "+b.Method)
	})
	tokens := map[string]string{asNobody: "", asAdmin: m.as(t, adminEmail).token}
	for _, role := range []string{asViewer, asEditor, asAuthor, asReader, asOutsider} {
		tokens[role] = m.as(t, role+"@example.com").token
	}
	tokens[asStranger] = tokens[asAuthor]
	rows := map[string][]string{}
	for _, column := range []string{asNobody, asOutsider, asStranger, asReader, asViewer, asAuthor,
		asEditor, asAdmin} {
		model := "posts"
		if column == asStranger || column == asOutsider {
			model = marker
		}
		params := m.params(t, model)
		for _, r := range routes {
			name := r.Method + " " + r.Pattern
			if r.Pattern == "/logout" && column != asNobody {
				rows[name] = append(rows[name], column+"=ok") // it would end the walk
				continue
			}
			a := m.ask(t, r, params, tokens[column], false)
			isRuled := slices.Contains([]string{asAuthor, asReader, asStranger, asOutsider}, column)
			said := seen(a)
			if isRuled && slices.Contains(judgedByBody, name) {
				said = "body"
			}
			rows[name] = append(rows[name], column+"="+said)
			if isRuled && m.leaks(a, r, params) {
				t.Errorf("%s shows %s what only others may read: %.300s", name, column, a.Body)
			}
			if r.Method != http.MethodGet {
				continue
			}
			page := m.ask(t, r, params, tokens[column], true)
			if got := seen(page); got != seen(a) &&
				(got == "401" || page.Code != http.StatusSeeOther) &&
				!slices.Contains(openToAll, name) && !slices.Contains(emptyForms, name) {
				t.Errorf("%s for %s: %s as JSON, %s as a page", name, column, seen(a), got)
			}
			if isRuled && m.leaks(page, r, params) {
				t.Errorf("the page %s shows %s what only others may read", name, column)
			}
		}
	}
	compareMatrix(t, rows)
}

func rank(r frame.Route) int {
	if r.Method == http.MethodDelete {
		return 1000 - 100*strings.Count(r.Pattern, "/")
	}
	return 0
}

// compareMatrix compares the rows with the table, and the table with the rules for all rows.
func compareMatrix(t *testing.T, rows map[string][]string) {
	t.Helper()
	const file = "testdata/matrix.txt"
	var got []string
	for name, cells := range rows {
		slices.SortFunc(cells, func(a, b string) int {
			column := func(cell string) int { return slices.Index(columns, cell[:strings.Index(cell, "=")]) }
			return column(a) - column(b)
		})
		got = append(got, name+"\t"+strings.Join(cells, " "))
	}
	slices.Sort(got)
	if *update {
		must.Do(t, os.WriteFile(file, []byte(strings.Join(got, "\n")+"\n"), 0o600))
	}
	text, err := os.ReadFile(file)
	must.Do(t, err)
	want := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, cells, _ := strings.Cut(strings.TrimSpace(line), "\t")
		want[name] = cells
	}
	for _, line := range got {
		name, cells, _ := strings.Cut(line, "\t")
		if want[name] != cells {
			t.Errorf("%s\n got %s\nwant %s", name, cells, want[name])
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("%s is in the table and no route", name)
	}
}

// emptyForms are pages that offer to make what JSON says is not there.
var emptyForms = []string{"GET /models/{slug}/entries/{id}/draft", "GET /models/{slug}/entries/{id}/schedule"}

// openToAll are the routes without sign-in.
var openToAll = []string{
	"GET /login", "POST /login", "POST /login/passkey", "POST /login/passkey/options",
	"GET /openapi.json", "GET /password/forgot",
	"POST /device", "POST /device/token", "POST /password/forgot", "GET /password/reset", "POST /password/reset",
	"GET /invitations/accept", "POST /invitations/accept", "GET /profile/email", "POST /profile/email", "GET /oidc/login",
	"GET /oidc/callback",
}

// ownSegments are what users change of their own account, whatever their role.
var ownSegments = []string{"totp", "profile", "tokens", "sessions", "logout", "me", "passkeys", "confirm", "previews",
	"device", "grants"}

// judgedByBody are routes whose rights depend on the body; TestMatrixBodies has those, and TestTrashPage
// that of the trash.
// Checking a release changes nothing.
var judgedByBody = []string{
	"POST /jobs", "POST /reviews", "POST /releases", "POST /releases/{id}/check", "POST /trash/restore",
	"POST /models/{slug}/entries/{id}/translate", "POST /models/{slug}/entries/{id}/draft/merge",
}

// TestMatrixBodies are requests of roles with rules whose bodies name things out of the role's
// reach.
func TestMatrixBodies(t *testing.T) {
	m := newMatrixSite(t)
	shown, hidden := m.params(t, "posts"), m.params(t, marker)
	author, reader, outsider := m.as(t, "author@example.com"), m.as(t, "reader@example.com"),
		m.as(t, "outsider@example.com")
	item := func(model string, params map[string]string) string {
		return `{"name":"x","items":[{"model":"` + model + `","id":"` + params["entry"] +
			`","action":"publish"}]}`
	}
	job := func(model string, params map[string]string) string {
		return `{"action":"publish","model":"` + model + `","ids":["` + params["entry"] + `"]}`
	}
	own := author.must(t, 201, "POST", "/releases", item("posts", shown)).text(t, "id")
	for name, c := range map[string]struct {
		as     client
		method string
		path   string
		body   string
		status []int
	}{
		"a release without anything":   {outsider, "POST", "/releases", `{"name":"x"}`, []int{403}},
		"an empty release by a reader": {reader, "POST", "/releases", `{"name":"x"}`, []int{403}},
		"a release of what may only be read": {reader, "POST", "/releases", item("posts", shown),
			[]int{403}},
		"a release of what is hidden": {author, "POST", "/releases", item(marker, hidden),
			[]int{403, 422}},
		"what is hidden into one's own release": {author, "PUT", "/releases/" + own,
			item(marker, hidden), []int{403, 422}},
		"a release that is hidden": {author, "PUT", "/releases/" + hidden["release"],
			`{"name":"x"}`, []int{404}},
		"check one that is hidden": {author, "POST", "/releases/" + hidden["release"] +
			"/check", `{}`, []int{404}},
		"publish one that is hidden": {author, "POST", "/releases/" + hidden["release"] +
			"/publish", `{}`, []int{404}},
		"publish one that may only be read": {reader, "POST", "/releases/" + shown["release"] +
			"/publish", `{}`, []int{403}},
		"a job on what is hidden": {author, "POST", "/jobs", job(marker, hidden),
			[]int{404, 422}},
		"a job by a role without rules": {outsider, "POST", "/jobs", job("posts", shown),
			[]int{404, 422}},
		"reviews of what is hidden": {author, "POST", "/reviews", `{"action":"ask","model":"zebra","ids":["` +
			hidden["entry"] + `"]}`, []int{404}},
		"stop a job that is hidden":        {author, "DELETE", "/jobs/" + hidden["job"], ``, []int{404}},
		"stop a job that may only be seen": {reader, "DELETE", "/jobs/" + shown["job"], ``, []int{403}},
		"a translation of what is hidden": {author, "POST", "/models/zebra/entries/" +
			hidden["entry"] + "/translate", `{"locale":"en"}`, []int{404}},
		"a translation of what may be read": {reader, "POST", "/models/posts/entries/" +
			shown["entry"] + "/translate", `{"locale":"en"}`, []int{403}},
		"a merge into what is hidden": {author, "POST", "/models/zebra/entries/" +
			hidden["entry"] + "/draft/merge", `{}`, []int{404}},
		"one's own role": {author, "PUT", "/profile", `{"role":"admin"}`, []int{200}}, // ignored: see below
		"a reference to what is hidden": {author, "POST", "/models/posts/entries",
			`{"title":"x","data":{"zebra":1}}`, []int{422}},
	} {
		var body any
		if c.body != "" {
			body = c.body
		}
		if a := c.as.do(t, c.method, c.path, body); !slices.Contains(c.status, a.Code) {
			t.Errorf("%s: %d %s, want %v", name, a.Code, a.Body, c.status)
		}
	}
	if role := author.must(t, 200, "GET", "/me", nil).text(t, "role"); role != "author" {
		t.Errorf("the author is %s now", role)
	}
}

// TestMatrixTable holds the table itself to the rules that it is to follow.
func TestMatrixTable(t *testing.T) {
	text, err := os.ReadFile("testdata/matrix.txt")
	must.Do(t, err)
	for line := range strings.Lines(string(text)) {
		name, cells, _ := strings.Cut(strings.TrimSpace(line), "\t")
		method, pattern, _ := strings.Cut(name, " ")
		segment := strings.Split(pattern, "/")[1]
		// Views belong to a user, as a profile does. Others see shared ones.
		// Who reads an entry comments on it.
		own := slices.Contains(ownSegments, segment) || strings.HasPrefix(pattern, "/models/{slug}/views") ||
			strings.Contains(pattern, "/comments")
		at := map[string]string{}
		for _, cell := range strings.Fields(cells) {
			column, value, _ := strings.Cut(cell, "=")
			at[column] = value
		}
		is := func(column string, values ...string) {
			t.Helper()
			if !slices.Contains(values, at[column]) {
				t.Errorf("%s is %s for %s, not %v", name, at[column], column, values)
			}
		}
		if slices.Contains(openToAll, name) {
			continue
		}
		is(asNobody, "401")
		is(asAdmin, "ok", "404") // 404 where nothing of the kind exists
		writes := method != http.MethodGet
		if writes && !own {
			is(asViewer, "403")
		}
		if writes && !own && !slices.Contains(judgedByBody, name) {
			is(asReader, "403", "404")
			is(asOutsider, "403", "404")
		}
		if strings.HasPrefix(pattern, "/models/{slug}") && !slices.Contains(judgedByBody, name) {
			is(asStranger, "403", "404")
			is(asOutsider, "403", "404")
		}
		switch segment {
		case "users", "keys", "webhooks", "roles", "schema", "import", "start", "purge", "invitations", "requests":
			for _, column := range []string{asAuthor, asReader, asStranger, asOutsider} {
				is(column, "403", "404")
			}
			if writes {
				is(asEditor, "403")
			}
		case "media", "forms", "settings", "redirects", "menus":
			for _, column := range []string{asAuthor, asReader, asStranger, asOutsider} {
				is(column, "403", "404")
			}
		}
	}
}
