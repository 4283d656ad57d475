package admin_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/must"
)

// picture returns a picture of one pixel.
func picture(t *testing.T) []byte {
	var b bytes.Buffer
	must.Do(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))))
	return b.Bytes()
}

// TestEntryChecks: the part for search engines of an entry says what to mend, and where.
func TestEntryChecks(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","kind":"collection","fields":[
		{"name":"body","label":"Text","type":"richtext"},{"name":"cover","label":"Cover","type":"media"}]}`)
	page := b.get(t, "/media/create")
	for name, alt := range map[string]string{"bare.png": "", "told.png": "A hill"} {
		b.upload(t, name, picture(t), map[string]string{"_csrf": page.csrf(t), "alt": alt})
	}
	files := map[string]string{}
	a := c.must(t, 200, "GET", "/media", nil)
	for i := range 2 {
		files[a.text(t, i, "name")] = a.text(t, i, "id")
	}
	var at string // of the last entry
	entry := func(title, body, cover string, more string) string {
		id := c.must(t, 201, "POST", "/models/posts/entries", fmt.Sprintf(
			`{"title":%q,"data":{"body":%q,"cover":%q}%s}`, title, body, cover, more)).text(t, "id")
		at = "/models/posts/entries/" + id
		_, checks, _ := strings.Cut(b.get(t, at).Body.String(), `<div class="checks">`)
		checks, _, _ = strings.Cut(checks, "</div>")
		return checks
	}
	gone := uuid.NewString()
	if got := entry("Good", "## One\n\n### Two\n\n## Three\n\n[here](/a) ![A hill](https://example.com/p)",
		files["told.png"], ""); got != "" {
		t.Errorf("nothing to mend, but: %s", got)
	}
	got := entry("Bad", "# Top\n\n### Deep\n\n[](https://example.com/a) ![](https://example.com/p.png) "+
		"[x](cms://entry/"+gone+
		") ![](cms://media/"+files["bare.png"]+")", files["bare.png"],
		`,"slug":"`+strings.Repeat("a", 80)+`","seo":{"noindex":true}`)
	for _, want := range []string{"The slug has 80 characters. Search results show 75.", "leave this entry out",
		"Text: “Top” is a heading of level 1", "Text: The heading “Deep” skips a level.",
		"Text: The link to https://example.com/a has no text.",
		"Text: The picture https://example.com/p.png has no alternative text.",
		"Text: A link leads to an entry that does not exist.",
		"Cover, Text: The picture bare.png has no alternative text."} {
		if strings.Count(got, want) != 1 {
			t.Errorf("no %q in %s", want, got)
		}
	}
	if part := b.get(t, at+"?part=checks").Body.String(); part != got {
		t.Errorf("the part alone is %s", part)
	}
}
