package browser

import (
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestBrowserPastedPictures pastes a text with pictures of another site: one that is there comes into
// the library, and one that is not is named.
func TestBrowserPastedPictures(t *testing.T) {
	pictures := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/garden" {
			http.NotFound(w, r)
			return
		}
		if err := png.Encode(w, image.NewGray(image.Rect(0, 0, 4, 3))); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(pictures.Close)
	s := newSiteWith(t, "none", "UPLOAD_FROM_URL_ALLOW", strings.TrimPrefix(pictures.URL, "http://"))
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts",
		"fields": []obj{{"name": "body", "type": "richtext"}}})
	id := s.made("/models/posts/entries", obj{"title": "Lamps"})
	b := s.openTab("/models/posts/entries/" + id + "/edit")
	b.write("data.body", "x")
	b.selectAll("data.body")
	html := fmt.Sprintf(`<p>Look: <img src="%s/garden" alt="The garden"><img src="%[1]s/gone"></p>`, pictures.URL)
	b.transfer("paste", fmt.Sprintf("d.setData('text/html', %q); d.setData('text/plain', 'plain')", html))
	const value = `document.querySelector("[name='data.body']").value`
	b.eventually(value+`.replace(/[0-9a-f-]{36}/, "<id>")`, "Look: ![The garden](cms://media/<id>)")
	b.see("Not kept of what was pasted: pictures of other sites.")
	file := strings.TrimSuffix(strings.SplitAfter(eval[string](b, value), "cms://media/")[1], ")")
	if m := s.call("GET", "/media/"+file, nil); m["name"] != "garden.png" || m["alt"] != "The garden" {
		t.Errorf("the library has %v", m)
	}
}
