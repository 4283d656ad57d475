package admin_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestListPictures: the first field for a picture has no column of its own, but stands before the title.
func TestListPictures(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","fields":[
		{"name":"file","label":"File","type":"media"},
		{"name":"cover","label":"Cover","type":"media","mimes":["image/*"]}]}`)
	b.upload(t, "a.png", picture(t), map[string]string{"_csrf": b.get(t, "/media/create").csrf(t), "alt": "A hill"})
	file := c.must(t, 200, "GET", "/media", nil).text(t, 0, "id")
	c.must(t, 201, "POST", "/models/posts/entries", fmt.Sprintf(`{"title":"With","data":{"cover":%q,"file":%[1]q}}`, file))
	c.must(t, 201, "POST", "/models/posts/entries", `{"title":"Without"}`)
	page := b.get(t, "/models/posts/entries?columns=cover").Body.String()
	_, with, _ := strings.Cut(page, `<a class="row"`)
	for _, want := range []string{`alt="" loading="lazy"><span>With</span></a>`,
		`<span class="thumb"></span><span>Without</span></a>`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, with)
		}
	}
	if strings.Contains(page, `data-label="Cover"`) {
		t.Error("the picture has a column too")
	}
	page = b.get(t, "/models/posts/entries?columns=file").Body.String()
	if !strings.Contains(page, `data-label="File"`) || strings.Contains(page, `<span class="thumb">`) {
		t.Errorf("a field for files of every kind: %s", page)
	}
}
