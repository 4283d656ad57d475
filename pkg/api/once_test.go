package api_test

import (
	"slices"
	"strings"
	"testing"

	"headless/pkg/api"
	"headless/pkg/assets"
	"headless/pkg/editing"
	"headless/pkg/table"
)

// TestKeyInCharacters counts the characters of an Idempotency-Key, not its bytes. The end-to-end
// suite sends ASCII only: gateways disagree about the encoding of other headers.
func TestKeyInCharacters(t *testing.T) {
	c := newContent(t)
	c.model(`{"slug": "notes", "name": "Notes", "fields": []}`)
	writer := c.key(`{"name": "Writer", "scopes": ["read", "write"]}`)
	for text, status := range map[string]int{
		strings.Repeat("ä", 255): 201, strings.Repeat("ä", 256): 400, "\xff": 400,
	} {
		c.call(writer, "POST", "/notes", `{"title": "Once"}`, "Idempotency-Key", text).want(status,
			map[int]string{400: "BAD_REQUEST"}[status])
	}
}

// TestAnswerGoesByRights: an answer with content that the key may read no more is not given again.
func TestAnswerGoesByRights(t *testing.T) {
	for less, role := range map[string]string{`{"role": null}`: `"admin"`, `{"models": ["others"]}`: "null",
		`{"locales": ["de"]}`: "null"} {
		c := newContent(t)
		c.model(`{"slug": "notes", "name": "Notes", "visible_fields": ["shown"], "fields": [
			{"name": "shown", "type": "text"}, {"name": "hidden", "type": "text"}]}`)
		c.model(`{"slug": "others", "name": "Others", "fields": []}`)
		e := c.create("notes", `{"title": "T", "data": {"hidden": "SECRET"}}`)
		writer := c.key(`{"name": "Writer", "scopes": ["read", "write"], "role": ` + role + `}`)
		publish := func() result {
			return c.call(writer, "POST", "/notes/"+e.ID+"/publish", "", "Idempotency-Key", "k")
		}
		publish().want(200, "")
		publish().want(200, "")
		if _, err := c.keys.Update(t.Context(), admin, writer.ID, object(t, `{"name": "Other name"}`), nil); err != nil {
			t.Fatal(err)
		}
		publish().want(200, "")
		if _, err := c.keys.Update(t.Context(), admin, writer.ID, object(t, less), nil); err != nil {
			t.Fatal(err)
		}
		a := publish()
		if a.want(422, "VALIDATION_FAILED"); strings.Contains(a.Body.String(), "SECRET") {
			t.Errorf("after %s: %s", less, a.Body)
		}
	}
}

// TestAnswerIsKeptInTheCommit breaks the request after each of its writes: whatever was lost, a
// repeat gets the answer of the one entry that was made. A process that ended between the commit
// and its answer used to leave 409 for a day.
func TestAnswerIsKeptInTheCommit(t *testing.T) {
	for _, lost := range []string{"the answer of the commit", "all that follows the commit"} {
		t.Run(lost, func(t *testing.T) {
			c := newContent(t)
			c.model(`{"slug": "notes", "name": "Notes", "fields": []}`)
			writer := c.key(`{"name": "Writer", "scopes": ["read", "write"], "role": "admin"}`)
			c.call(writer, "GET", "/notes", "").want(200, "") // loads the site
			create := func() result {
				return c.call(writer, "POST", "/notes", `{"title": "Once"}`, "Idempotency-Key", "k1")
			}
			commits := 0
			c.setFault(func(call table.Call) table.Fault {
				if call.Method != "Write" {
					return table.Fault{}
				}
				switch commits++; {
				case commits == 2 && lost == "the answer of the commit":
					return table.Fault{Kind: table.AnswerLost}
				case commits > 2:
					return table.Fault{Kind: table.Throttled}
				}
				return table.Fault{}
			})
			first := create()
			c.setFault(table.NoFaults)
			again := create()
			again.want(201, "")
			if again.Header().Get("Idempotency-Replayed") != "true" {
				t.Error("the repeat made another entry")
			}
			if first.Code == 201 && (first.Body.String() != again.Body.String() ||
				first.Header().Get("ETag") != again.Header().Get("ETag")) {
				t.Errorf("the first answer was %s, the repeat got %s", first.Body, again.Body)
			}
			if list := c.call(writer, "GET", "/notes?filter[status]=any", ""); !strings.Contains(list.Body.String(),
				`"total":1`) {
				t.Errorf("the list is %s", list.Body)
			}
		})
	}
}

// TestRepeatAfterLostAnswer loses the answers to one or two calls of a request with an Idempotency-Key. A repeat at
// once gets the answer to the only change.
func TestRepeatAfterLostAnswer(t *testing.T) {
	for path, want := range map[string]int{"": 201, "/publish": 200, "/unpublish": 200, "/unpublish?children=down": 202} {
		for _, times := range []int{1, 2} {
			for n, met := 1, true; met; n++ {
				c := newContent(t)
				c.model(`{"slug": "notes", "name": "Notes", "tree": true, "fields": [
					{"name": "body", "type": "richtext"}]}`)
				e := c.create("notes", `{"title": "T", "status": "published"}`)
				if want == 202 {
					c.create("notes", `{"title": "Below", "status": "published", "parent": "`+e.ID+`"}`)
				}
				at, body := "/notes/"+e.ID+path, ""
				if path == "" {
					at, body = "/notes", `{"title": "Once", "data": {"body": "[T](cms://entry/`+e.ID+`)"}}`
				}
				writer := c.key(`{"name": "Writer", "scopes": ["read", "write"], "role": "admin"}`)
				post := func() result { return c.call(writer, "POST", at, body, "Idempotency-Key", "k1") }
				calls := 0
				c.setFault(func(table.Call) table.Fault {
					if calls++; calls >= n && calls < n+times {
						return table.Fault{Kind: table.AnswerLost}
					}
					return table.Fault{}
				})
				first := post()
				met = calls >= n
				c.setFault(table.NoFaults)
				if again := post(); again.Code != want {
					t.Errorf("%s, %d faults from call %d: %d, and then %d %s", at, times, n, first.Code, again.Code, again.Body)
				}
				list := c.call(writer, "GET", "/notes?filter[status]=any", "").Body.String()
				if path == "" && !strings.Contains(list, `"total":2`) {
					t.Errorf("%d faults from call %d: the list is %s", times, n, list)
				}
			}
		}
	}
}

// TestAnswersOfPosts: each POST that takes an API key knows its answer before the commit.
func TestAnswersOfPosts(t *testing.T) {
	entries := &editing.Entries{}
	for _, r := range slices.Concat(api.ContentRoutes(entries), api.PreviewRoutes(entries),
		api.UploadRoutes(&assets.Media{})) {
		if r.Method == "POST" && r.Made == nil {
			t.Errorf("POST %s has no Made", r.Pattern)
		}
	}
}
