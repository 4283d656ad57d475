package browser

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"headless/pkg/must"
)

// files puts files into the form.
func (b *tab) files(files map[string][]byte, order ...string) {
	b.t.Helper()
	dir := b.t.TempDir()
	var paths []string
	for _, name := range order {
		paths = append(paths, filepath.Join(dir, name))
		must.Do(b.t, os.WriteFile(paths[len(paths)-1], files[name], 0o600))
	}
	b.do(chromedp.SetUploadFiles(chromedp.CSS("main input[type=file]"), paths))
}

// TestBrowserUploads sends several files, one of them straight to its store, which is another site
// to the page.
func TestBrowserUploads(t *testing.T) {
	s := newSite(t)
	s.url = strings.Replace(s.url, "localhost", "127.0.0.1", 1)
	b := s.openTab("/media/create")
	files := map[string][]byte{"small.txt": []byte("small"),
		"large.txt": bytes.Repeat([]byte("large "), 1<<20), "wrong.png": []byte("no picture"),
		"wrong.pdf": bytes.Repeat([]byte("x"), 5<<20)}
	b.files(files, "small.txt", "large.txt")
	b.press("//main", "Create file")
	b.see("Created.")
	b.see("small.txt")
	b.see("large.txt")
	b.eventually("location.pathname", "/admin/media")

	b.open("/media/create")
	b.files(files, "wrong.png", "small.txt", "wrong.pdf")
	b.press("//main", "Create file")
	b.eventually(`[...document.querySelectorAll(".uploads li")].filter(li => /fit|uploaded|not application/.test(li.innerText)).length + ""`,
		"3")
	b.see("The content is plain text, which does not fit the ending .png.")
	b.eventually(heard, "wrong.pdf: The content is plain text, which does not fit the ending .pdf. "+
		"Start a new upload; the sent content was removed.")
	b.eventually(`[...document.querySelector("input[type=file]").files].map(f => f.name).join()`, "wrong.png,wrong.pdf")
	b.audit(t, "refused uploads")
	b.files(files, "large.txt")
	b.press("//main", "Create file")
	b.see("Created.")
	b.see("6 MB")
}

// TestBrowserRefusedUploadsFirst sends many files of which the last is refused: it stands in sight, above the others.
func TestBrowserRefusedUploadsFirst(t *testing.T) {
	b := newSite(t).openTab("/media/create")
	files := map[string][]byte{"wrong.png": []byte("no picture")}
	var order []string
	for n := range 30 {
		name := fmt.Sprintf("note-%02d.txt", n)
		files[name] = []byte(name)
		order = append(order, name)
	}
	b.files(files, append(order, "wrong.png")...)
	b.press("//main", "Create file")
	b.eventually(`document.querySelector(".uploads li").innerText.replace(/\s+/g, " ").trim()`,
		"wrong.png The content is plain text, which does not fit the ending .png.")
	b.eventually(`String(document.querySelector(".uploads li").getBoundingClientRect().bottom < innerHeight)`, "true")
}

// TestBrowserUploadsWithoutScripts sends several files in one form.
func TestBrowserUploadsWithoutScripts(t *testing.T) {
	b := newSite(t).openPlainTab("/media/create")
	b.files(map[string][]byte{"a.txt": []byte("a"), "b.txt": []byte("b")}, "a.txt", "b.txt")
	b.press("//main", "Create file")
	b.see("Created.")
	b.see("a.txt")
	b.see("b.txt")
}

// TestBrowserFilesFollow chooses further files while some are sent: they are sent too, and the page is not left before.
func TestBrowserFilesFollow(t *testing.T) {
	s := newSite(t)
	b := s.openTab("/media")
	b.eventually(`performance.getEntriesByType("resource").some((e) => e.name.includes("/upload.js"))`, "true")
	s.delay.Store(patience.Milliseconds())
	drop := func(name string) {
		eval[bool](b, `(() => { const dataTransfer = new DataTransfer();
			dataTransfer.items.add(new File(["`+name+`"], "`+name+`.txt", {type: "text/plain"}));
			dispatchEvent(new DragEvent("drop", {dataTransfer, bubbles: true, cancelable: true})); return true; })()`)
	}
	drop("first")
	b.see("first.txt")
	drop("second")
	drop("third")
	if !b.asksToStay() {
		t.Error("the page is left without a question")
	}
	s.delay.Store(0)
	b.see("Created.")
	for _, name := range []string{"first.txt", "second.txt", "third.txt"} {
		b.see(name)
	}
}

// TestBrowserUploadsIntoFolder sends files from the page of a folder: they are in that folder, whose page shows them.
func TestBrowserUploadsIntoFolder(t *testing.T) {
	for name, scripts := range map[string]bool{"scripts": true, "no scripts": false} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.call("POST", "/media/folders", obj{"name": "Press & more"})
			b := s.openTabWith(scripts, "/media?filter%5Bfolder%5D=Press+%26+more")
			b.see("Upload files into “Press & more”")
			b.files(map[string][]byte{"a.txt": []byte("a"), "b.txt": []byte("b")}, "a.txt", "b.txt")
			b.press("//main", "Upload")
			b.see("Created.")
			b.see("1–2 of 2")
			b.eventually(`document.querySelector("[name='filter[folder]']").value`, "Press & more")
		})
	}
}

// TestBrowserLargeFileOfForm replaces a file by one that is too large for a form, and imports such a CSV file. Both
// are sent straight to their store, from where the form takes them.
func TestBrowserLargeFileOfForm(t *testing.T) {
	s := newSite(t)
	s.url = strings.Replace(s.url, "localhost", "127.0.0.1", 1)
	b := s.openTab("/media/create")
	b.files(map[string][]byte{"notes.txt": []byte("small")}, "notes.txt")
	b.press("//main", "Create file")
	b.see("Created.")
	b.press("//main", "Replace content")
	b.files(map[string][]byte{"wrong.pdf": append([]byte("%PDF-1.7\n"), bytes.Repeat([]byte("x"), 5<<20)...)},
		"wrong.pdf")
	b.press("//main", "Replace")
	b.see("The content is application/pdf, which does not fit the ending .txt.")
	b.files(map[string][]byte{"large.txt": bytes.Repeat([]byte("large "), 1<<20)}, "large.txt")
	b.press("//main", "Replace")
	b.see("Saved.")
	b.see("6 MB")
	b.see("notes.txt")

	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts"})
	b.open("/models/posts/import")
	rows := "title\n" + strings.Repeat(strings.Repeat("x", 290_000)+"\n", 20)
	b.files(map[string][]byte{"rows.csv": []byte(rows)}, "rows.csv")
	b.press("//main", "Import")
	b.eventually("location.pathname.startsWith('/admin/jobs/')", "true")
}
