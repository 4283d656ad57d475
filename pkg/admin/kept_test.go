package admin_test

import "testing"

// TestPagesSayHowLongRowsAreKept: a list whose rows the service deletes by itself says after how many days, and the
// history how many versions are kept.
func TestPagesSayHowLongRowsAreKept(t *testing.T) {
	s := newSite(t)
	b, c := s.browse(t), s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","fields":[]}`)
	c.must(t, 202, "POST", "/jobs", `{"action":"publish","model":"posts","ids":["`+
		c.must(t, 201, "POST", "/models/posts/entries", `{"title":"Live"}`).text(t, "id")+`"]}`)
	id := c.must(t, 201, "POST", "/models/posts/entries", `{"title":"Old"}`).text(t, "id")
	hook := c.must(t, 201, "POST", "/webhooks", `{"name":"H","url":"https://example.com/","events":["*"]}`).text(t, "id")
	c.must(t, 200, "POST", "/webhooks/"+hook+"/test", `{}`)
	if at := "/models/posts/entries/" + id + "/revisions"; !contains(b.get(t, at),
		"The last 100 versions and the last 20 drafts are kept.") {
		t.Error("the history does not say how much is kept")
	}
	c.must(t, 204, "DELETE", "/models/posts/entries/"+id, nil)
	for path, want := range map[string]string{
		"/trash": "90", "/jobs": "30", "/activity": "365", "/webhooks/" + hook: "30"} {
		if !contains(b.get(t, path), "Kept for "+want+" days.") {
			t.Errorf("%s does not say for how long its rows are kept", path)
		}
	}
}
