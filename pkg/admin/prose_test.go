package admin_test

import (
	"strings"
	"testing"
)

// TestTextsAsReadersSeeThem: beside a translation, and in what a draft or an earlier save changed, texts have no signs
// of Markdown and no ids; a change of signs alone is shown with them.
func TestTextsAsReadersSeeThem(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","localized":true,"fields":[
		{"name":"body","label":"Body","type":"richtext"},{"name":"parts","label":"Parts","type":"list","fields":[
		{"name":"text","label":"Words","type":"richtext"}]}]}`)
	at := "/models/posts/entries"
	about := c.must(t, 201, "POST", at, `{"title":"About our oil"}`).text(t, "id")
	file := c.upload(t, 201, "lamp.png", picture(t), nil).text(t, "id")
	body := `"data":{"body":"**Read** [us](cms://entry/` + about + `) ![](cms://media/` + file +
		`)","parts":[{"text":"*One* ![](cms://media/` + file + `)"}]}`
	lamp := c.must(t, 201, "POST", at, `{"title":"Lamp",`+body+`}`).text(t, "id")
	german := c.must(t, 201, "POST", at, `{"title":"Lampe","locale":"de","translation_of":"`+lamp+`"}`).text(t, "id")
	shows := func(path string, wants ...string) {
		t.Helper()
		page := b.get(t, path).Body.String()
		_, main, _ := strings.Cut(page, "<main")
		for _, want := range wants {
			if !strings.Contains(main, want) {
				t.Errorf("%s lacks %q: %s", path, want, main)
			}
		}
		if strings.Contains(main, "cms://") {
			t.Errorf("%s shows ids: %s", path, main)
		}
	}
	beside := at + "/" + german + "?beside=" + lamp
	shows(beside, "Read us (About our oil) [lamp.png]", "Words: One [lamp.png]")
	c.must(t, 200, "PUT", at+"/"+lamp+"/draft", strings.Replace(`{`+body+`}`, "Read", "Ask", 1))
	shows(at+"/"+lamp+"/draft", "<del>Read</del>", "<ins>Ask</ins>", "us (About our oil) [lamp.png]")
	shows(at + "/" + lamp + "/revisions")
	c.must(t, 200, "PUT", at+"/"+lamp+"/draft", strings.Replace(`{`+body+`}`, "**Read**", "Read", 1))
	shows(at+"/"+lamp+"/draft", "<del>**Read**</del>", "<ins>Read</ins>", "[us](About our oil)")
}
