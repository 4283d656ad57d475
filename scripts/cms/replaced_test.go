package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/must"
	"headless/scripts/cms/client"
	"headless/scripts/cms/folder"
	"headless/scripts/cms/importing"
)

// TestReplacedContent: bytes that were replaced under one id are copied, also where their number
// stays.
func TestReplacedContent(t *testing.T) {
	first, second := serve(t), serve(t)
	c := use(t, first)
	id := uuid.NewString()
	sendTestFile(t, c, id, "a.txt", "", []byte("one"))
	dir := t.TempDir()
	copied := func(code int, args ...string) (r importing.Report) {
		t.Helper()
		c = use(t, second)
		text := output(t, code, append([]string{"import", dir, "--json"}, args...)...)
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return r
	}
	holds := func(want string) {
		t.Helper()
		if got := contentOf(t, c, id); got != want {
			t.Errorf("the copy holds %q, want %q", got, want)
		}
	}
	expect(t, 0, "export", dir)
	if r := copied(0); r.Created != 1 {
		t.Errorf("%+v", r)
	}
	for _, content := range []string{"two", "longer"} {
		before := contentOf(t, c, id)
		c = use(t, first)
		replaceTestFile(t, c, id, []byte(content))
		expect(t, 0, "export", dir)
		if r := copied(0, "--dry-run"); r.Updated != 1 {
			t.Errorf("dry run: %+v", r)
		}
		if r := copied(0, "--on-conflict", "skip"); r.Skipped != 1 {
			t.Errorf("skip: %+v", r)
		}
		if r := copied(1, "--on-conflict", "fail"); r.Failed != 1 {
			t.Errorf("fail: %+v", r)
		}
		holds(before)
		if r := copied(0); r.Updated != 1 {
			t.Errorf("newer: %+v", r)
		}
		holds(content)
		if r := copied(0); r.Unchanged != 1 {
			t.Errorf("again: %+v", r)
		}
	}
}

// TestDrawingAgain: a drawing of another system, of which a harmless copy is stored, is no other
// one when it is imported again.
func TestDrawingAgain(t *testing.T) {
	use(t, serve(t))
	dir := t.TempDir()
	write := func(drawing string) {
		t.Helper()
		must.Do(t, os.MkdirAll(filepath.Join(dir, "files"), 0o700))
		hash, err := folder.Store(strings.NewReader(drawing), filepath.Join(dir, "files"))
		must.Do(t, err)
		line := fmt.Sprintf(`{"model":"media","id":"5b0c4c0e-27c4-4a3f-9f0e-0d3e1a3c9b01",`+
			`"name":"a.svg","sha256":%q}`, hash)
		for name, text := range map[string]string{"schema.json": `{"models":[]}`, "media.jsonl": line} {
			must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
	}
	const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>x()</script>` +
		`<rect width="9" height="9"/></svg>`
	for _, step := range []struct{ drawing, want string }{
		{drawing, `"created":1`}, {drawing, `"unchanged":1`},
		{strings.ReplaceAll(drawing, "9", "8"), `"updated":1`},
	} {
		write(step.drawing)
		if text := output(t, 0, "import", dir, "--json"); !strings.Contains(text, step.want) {
			t.Errorf("%s, want %s", text, step.want)
		}
	}
}

// TestRemovedTexts: a file without alternative texts by locale has none after its export is imported.
func TestRemovedTexts(t *testing.T) {
	c := use(t, serve(t))
	id := uuid.NewString()
	sendTestFile(t, c, id, "a.txt", "", []byte("one"))
	dir := t.TempDir()
	expect(t, 0, "export", dir)
	var file struct{ Alts map[string]string }
	if err := c.JSON(http.MethodPut, "/admin/media/"+id, map[string]any{"alts": map[string]string{"en": "One"}},
		&file); err != nil ||
		file.Alts["en"] != "One" {
		t.Fatalf("%+v, %v", file, err)
	}
	for _, want := range []string{`"updated":1`, `"unchanged":1`} {
		if text := output(t, 0, "import", dir, "--json"); !strings.Contains(text, want) {
			t.Errorf("%s, want %s", text, want)
		}
	}
	file.Alts = nil
	if err := c.JSON(http.MethodGet, "/admin/media/"+id, nil, &file); err != nil || len(file.Alts) > 0 {
		t.Errorf("%+v, %v", file, err)
	}
}

// replaceTestFile replaces the bytes of a file.
func replaceTestFile(t *testing.T, c *client.Client, id string, content []byte) {
	t.Helper()
	body := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n" +
		string(content) + "\r\n--b--\r\n"
	_, err := c.Send(http.MethodPut, "/admin/media/"+id+"/content", "multipart/form-data; boundary=b",
		[]byte(body))
	must.Do(t, err)
}

// contentOf is what a file holds.
func contentOf(t *testing.T, c *client.Client, id string) string {
	t.Helper()
	var file struct{ URL string }
	must.Do(t, c.JSON(http.MethodGet, "/admin/media/"+id, nil, &file))
	resp, err := http.Get(file.URL)
	must.Do(t, err)
	defer resp.Body.Close()
	var content bytes.Buffer
	if _, err := io.Copy(&content, resp.Body); err != nil {
		t.Fatal(err)
	}
	return content.String()
}
