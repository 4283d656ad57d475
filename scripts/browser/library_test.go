package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"mime/multipart"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"headless/pkg/must"
)

// upload puts a picture of one colour into the library and gives its id.
func (s *site) upload(name string, fill color.Color) string {
	s.t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 64, 48))
	for i := range 64 * 48 {
		picture.Set(i%64, i/64, fill)
	}
	return s.uploadPicture(name, picture)
}

// uploadPicture puts a picture into the library and gives its id.
func (s *site) uploadPicture(name string, picture image.Image) string {
	s.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", name)
	must.Do(s.t, err)
	must.Do(s.t, png.Encode(part, picture))
	must.Do(s.t, w.Close())
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+"/admin/media", &body)
	must.Do(s.t, err)
	req.Header.Set("Content-Type", w.FormDataContentType())
	req.Header.Set("Authorization", "Bearer "+s.token)
	res, err := http.DefaultClient.Do(req)
	must.Do(s.t, err)
	defer res.Body.Close()
	var answer struct{ Data struct{ ID string } }
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil || res.StatusCode != http.StatusCreated {
		s.t.Fatalf("upload of %s: %s (%v)", name, res.Status, err)
	}
	return answer.Data.ID
}

// library is a site with files, authors, and a model that refers to them; it gives the ids of the
// files.
func library(t *testing.T) (*site, []string) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "authors", "name": "Authors"})
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts", "fields": []obj{
		{"name": "cover", "label": "Cover", "type": "media"},
		{"name": "gallery", "label": "Gallery", "type": "media", "many": true},
		{"name": "author", "label": "Author", "type": "relation", "model": "authors"},
		{"name": "steps", "label": "Steps", "type": "list",
			"fields": []obj{{"name": "what", "label": "What", "type": "text"},
				{"name": "picture", "label": "Picture", "type": "media"}}},
	}})
	for _, name := range []string{"Ada Lovelace", "Grace Hopper"} {
		s.call("POST", "/models/authors/entries", obj{"title": name})
	}
	var files []string
	for i := range 14 {
		files = append(files, s.upload("lamp-"+string(rune('a'+i))+".png", color.RGBA{uint8(i * 18), 120, 90, 255}))
	}
	return s, files
}

// TestBrowserChooseWithoutScripts fills an entry from panels that come with the form.
func TestBrowserChooseWithoutScripts(t *testing.T) {
	s, files := library(t)
	b := s.openPlainTab("/models/posts/entries/create")
	b.fill("title", "Chosen")
	b.press("//main", "Choose a file: Cover")
	b.see("1–12 of 14")
	b.press("//main", "Next")
	b.see("13–14 of 14")
	b.choose("lamp-a.png")
	b.fill("_q", "lamp-c"+kb.Enter) // looks, and does not send the form
	b.see("1–1 of 1")
	b.choose("lamp-c.png")
	b.press("//main", "Choose files: Gallery")
	b.see("1–12 of 14")
	b.choose("lamp-m.png")
	b.choose("lamp-n.png")
	b.press("//main", "Choose from Authors: Author")
	b.see("1–2 of 2")
	b.fill("_q", "grace")
	b.press("//main", "Search")
	b.see("1–1 of 1")
	b.choose("Grace Hopper")
	b.press("//main", "Add another")
	b.fill("data.steps.0.what", "Oil it")
	b.press("//main", "Choose a file: Picture")
	b.see("1–12 of 14")
	b.choose("lamp-h.png")
	b.press("//main", "Done")
	b.eventually(`String(document.querySelector(".panel"))`, "null")
	b.see("lamp-h.png")
	b.do(mouseClick(chromedp.CSS(`[value="down data.gallery ` + files[13] + `"]`)))
	b.eventually(`[...document.querySelectorAll("[name='data.gallery']:checked")].map(i => i.value).join()`,
		files[12]+","+files[13])
	b.press("//main", "Create entry")
	b.see("Created.")
	b.holds(t, files[2], []any{files[12], files[13]}, files[7])
	b.see("Grace Hopper")
}

// TestBrowserChoose does so by dialogs.
func TestBrowserChoose(t *testing.T) {
	s, files := library(t)
	b := s.openTab("/models/posts/entries/create")
	b.byHand()
	b.fill("title", "Chosen")
	b.press("//main", "Choose a file: Cover")
	b.see("1–12 of 14")
	b.audit(t, "dialog")
	b.keys("lamp-c") // the search has the focus
	b.see("1–1 of 1")
	b.press("//dialog", "lamp-c.png")
	b.missing("Nothing found")
	b.press("//main", "Choose files: Gallery")
	b.see("1–12 of 14")
	b.press("//dialog", "lamp-n.png")
	b.press("//dialog", "lamp-m.png")
	b.press("//dialog", "lamp-l.png")
	b.press("//dialog", "lamp-l.png") // not after all
	b.press("//dialog", "Next")
	b.see("13–14 of 14")
	b.keys(kb.Escape)
	b.do(mouseClick(chromedp.CSS(`[value="down data.gallery ` + files[13] + `"]`)))
	b.eventually(`[...document.querySelectorAll("[name='data.gallery']:checked")].map(i => i.value).join()`,
		files[12]+","+files[13])
	b.press("//main", "Choose from Authors: Author")
	b.see("1–2 of 2")
	b.press("//dialog", "Grace Hopper draft")
	b.press("//main", "Add another")
	b.eventually("document.activeElement.name", "data.steps.0.what")
	b.keys("Oil it")
	b.press("//main", "Choose a file: Picture")
	b.press("//dialog", "lamp-h.png")
	b.press("//main", "Create entry")
	b.see("Created.")
	b.holds(t, files[2], []any{files[12], files[13]}, files[7])
	b.see("Grace Hopper")
}

// choose checks the choice with a text.
func (b *tab) choose(text string) {
	b.t.Helper()
	b.do(mouseClick(chromedp.Search(`//main//label[contains(@class, "choice")][contains(., '` +
		text + `')]`)))
}

// eventually waits for an expression to have a value, as a string, on a page that is loaded.
func (b *tab) eventually(expression, want string) {
	b.t.Helper()
	var got string
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		got = eval[string](b, "String(document.readyState === 'complete' ? "+expression+" : '')")
		if got == want && !b.loading.Load() {
			return
		}
	}
	b.t.Fatalf("%s is %q, not %q", expression, got, want)
}

// holds compares the entry on the page with the choices.
func (b *tab) holds(t *testing.T, cover string, gallery []any, picture string) {
	t.Helper()
	path := strings.TrimPrefix(eval[string](b, "location.pathname"), "/admin")
	data, _ := b.call("GET", path, nil)["data"].(obj)
	want := obj{"cover": cover, "gallery": gallery,
		"steps": []any{obj{"what": "Oil it", "picture": picture}}, "author": data["author"]}
	if !reflect.DeepEqual(data, want) {
		t.Errorf("the entry holds %v, not %v", data, want)
	}
}

// TestBrowserSeveralFiles selects files, moves them to a folder and deletes them, without JavaScript
// too: the page before says what they are used in.
func TestBrowserSeveralFiles(t *testing.T) {
	for _, scripts := range []bool{true, false} {
		s, ids := library(t)
		s.call("POST", "/media/folders", obj{"name": "Spring"})
		model := s.call("POST", "/models", obj{"slug": "covers", "name": "Covers",
			"fields": []obj{{"name": "cover", "label": "Cover", "type": "media"}}})["slug"].(string)
		s.call("POST", "/models/"+model+"/entries", obj{"title": "Uses it", "data": obj{"cover": ids[0]}})
		b := s.openTabWith(scripts, "/media")
		pick := func() {
			t.Helper()
			for _, id := range ids[:2] {
				b.do(mouseClick(chromedp.CSS(".pick-file[value='" + id + "']")))
			}
		}
		pick()
		if scripts {
			b.see("2 files selected:")
		}
		b.snap(fmt.Sprint("library-", scripts))
		b.audit(t, "selected files")
		b.do(chromedp.SendKeys(chromedp.CSS("#bulk [name=folder_id]"), "Spring"))
		b.press("//main", "Move")
		b.see("Saved.")
		if got := s.call("GET", "/media/"+ids[1], nil)["folder"]; got != "Spring" {
			t.Errorf("the file is in the folder %v", got)
		}
		pick()
		b.press("//main", "Delete…")
		b.see("Delete 2 files?")
		b.see("Uses it (Covers: Cover)")
		b.see("Nothing uses it.")
		b.snap(fmt.Sprint("library-delete-", scripts))
		b.audit(t, "deletion of files")
		b.press("//main", "Delete for good")
		b.see("Saved.")
		if got := eval[int](b, `document.querySelectorAll(".pick-file[value='`+ids[0]+`']").length`); got != 0 {
			t.Error("the file is still there")
		}
	}
}
