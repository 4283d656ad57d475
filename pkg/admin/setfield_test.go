package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestSetFieldForesees: *Set a field…* refuses a value that no entry takes, before a job starts and beside the field.
// So does JSON.
func TestSetFieldForesees(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"authors","name":"Authors"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","fields":[
		{"name":"code","type":"text","min":2,"max":3,"pattern":"^[a-z]*$"},{"name":"n","type":"number","min":1,"max":5},
		{"name":"tags","type":"multiselect","options":["a","b"],"max":1},
		{"name":"cover","type":"media","mimes":["image/*"]},{"name":"by","type":"relation","model":"authors"}]}`)
	id := c.must(t, 201, "POST", "/models/posts/entries", `{"title":"One"}`).text(t, "id")
	text := c.upload(t, 201, "a.txt", []byte("x"), nil).text(t, "id")
	const none = "018f3f6e-3f0c-7b5a-9c3e-000000000000"
	for _, row := range []struct{ field, value, json, why string }{
		{"code", "abcd", `"abcd"`, "must have at most 3 characters"},
		{"code", "a", `"a"`, "must have at least 2 characters"},
		{"code", "AB", `"AB"`, "must match the pattern"},
		{"n", "6", `6`, "must be at most 5"},
		{"n", "0", `0`, "must be at least 1"},
		{"tags", "", `["a","b"]`, "must have at most 1 items"},
		{"cover", text, `"` + text + `"`, "must be of type image/*"},
		{"cover", none, `"` + none + `"`, "there is no such file"},
		{"by", none, `"` + none + `"`, "there is no such entry"},
	} {
		t.Run(row.field+" "+row.json, func(t *testing.T) {
			form := url.Values{"_csrf": {b.get(t, "/").csrf(t)}, "model": {"posts"}, "action": {"set"}, "ids": {id}}
			form["set.data."+row.field] = append([]string{""}, row.value)
			if row.field == "tags" {
				form["set.data.tags"] = []string{"", "a", "b"}
			}
			a := b.post(t, "/jobs", form)
			_, after, found := strings.Cut(a.Body.String(), `name="set.data.`+row.field+`"`)
			if a.Code != 422 || !found || !strings.Contains(after, row.why) {
				t.Errorf("%d, no %q beside the field in %s", a.Code, row.why, a.Body)
			}
			a = c.must(t, 422, "POST", "/jobs",
				`{"action":"set","model":"posts","ids":["`+id+`"],"set":{"data":{"`+row.field+`":`+row.json+`}}}`)
			if !contains(a, `"set.data.`+row.field+`":["`+row.why) {
				t.Errorf("JSON says %s", a.Body)
			}
		})
	}
	if list, _ := c.must(t, 200, "GET", "/jobs", nil).Data.([]any); len(list) > 0 {
		t.Errorf("jobs were started: %v", list)
	}
}
