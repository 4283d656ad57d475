package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/must"
	"headless/scripts/cms/client"
)

// TestWrongUsage tells wrong usage from failures.
func TestWrongUsage(t *testing.T) {
	use(t, serve(t))
	dir := t.TempDir()
	for _, args := range [][]string{{"none"}, {"schema", "none"}, {"keys", "none"}, {"users", "none"},
		{"completion", "tcsh"}, {"import", dir, "--on-conflict", "none"},
		{"import", "markdown", dir, "--model", "x", "--on-conflict", "none"},
		{"import", "wordpress", dir, "--model", "posts"},
		{"entries", "list", "posts", "--filter", "status"}, {"csv", "export", "posts", "--filter", "status"},
		{"export", dir, "--since", "yesterday"}} {
		expect(t, exitUsage, args...)
	}
	expect(t, exitFailed, "export", dir, "--models", "none")
	expect(t, exitFailed, "import", filepath.Join(dir, "none"))
	for _, args := range [][]string{{"schema"}, {"keys"}, {"completion", "bash"},
		{"export", dir, "--since", "2026-01-31"}} {
		expect(t, 0, args...) // the site has no model
	}
}

// TestWrongUsageHelps looks for the way on in the message about wrong usage.
func TestWrongUsageHelps(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"login"}, "Usage: cms login URL"},
		{[]string{"entries", "lst"}, "Did you mean list?"},
		{[]string{"entries", "lst"}, `Run "cms entries --help"`},
		{[]string{"entries", "list", "--none"}, "Usage: cms entries list MODEL"},
		{[]string{"entries", "lst"}, "Usage: cms entries delete|get|list|"},
		{[]string{"import", "directus", "x"}, "cms import DIR [flags], or cms import contentful|markdown|strapi|wordpress"},
		{[]string{"help", "serve"}, "Did you mean dev?"},
		{[]string{"help", "entries", "lst"}, "Did you mean list?"},
		{[]string{"upload"}, "files"},
		{[]string{"listen", "--forward-to", "localhost:4321/hook"}, "not a URL such as https://"},
	} {
		if said := written(t, &os.Stderr, func() { expect(t, exitUsage, c.args...) }); !strings.Contains(said, c.says) {
			t.Errorf("cms %s: %q, want %q", strings.Join(c.args, " "), said, c.says)
		}
	}
}

// TestFailuresHelp looks for the way on in the message about a failure.
func TestFailuresHelp(t *testing.T) {
	t.Setenv("CMS_PASSWORD", "")
	t.Setenv("CMS_TOKEN", "a token")
	for _, c := range []struct {
		args      []string
		url, says string
	}{
		{[]string{"login", "localhost:3000"}, "", "not a URL such as https://"},
		{[]string{"login", "cms.example.com"}, "", "not a URL such as https://"},
		{[]string{"entries", "list", "posts"}, "cms.example.com", "not a URL such as https://"},
		{[]string{"login", "https://cms.example.com", "--email", "me@example.com"}, "", "CMS_PASSWORD"},
		{[]string{"promote", "--to", "https://cms.example.com"}, "http://localhost:3000", "CMS_TO_TOKEN"},
		{[]string{"dev", "--port", "70000"}, "", "PORT: must be 1 to 65535"},
		{[]string{"dev", "--seed", "demos"}, "", "SEED: must be demo or none"},
	} {
		t.Setenv("CMS_URL", c.url)
		t.Chdir(t.TempDir())
		if said := written(t, &os.Stderr, func() { expect(t, exitFailed, c.args...) }); !strings.Contains(said, c.says) {
			t.Errorf("cms %s: %q, want %q", strings.Join(c.args, " "), said, c.says)
		}
		if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
			t.Errorf("cms %s leaves %v, %v", strings.Join(c.args, " "), left, err)
		}
	}
}

// TestHelpOfProfile shows --profile where a command works on a service.
func TestHelpOfProfile(t *testing.T) {
	for name, want := range map[string]bool{"types": true, "entries": true, "init": false, "dev": false,
		"secrets": false} {
		said := written(t, &os.Stdout, func() { expect(t, 0, name, "--help") })
		if got := strings.Contains(said, "--profile"); got != want || !strings.Contains(said, "Usage:") {
			t.Errorf("the help of %s has --profile: %v\n%s", name, got, said)
		}
	}
}

// largeFile is the size of a file that an import sends straight to the store of files.
const largeFile = 4<<20 + 1

// TestCopyFiles copies files of all sizes with their properties.
func TestCopyFiles(t *testing.T) {
	first, second := serve(t), serve(t)
	c := use(t, first)
	small, large := uuid.NewString(), uuid.NewString()
	created := "2020-01-02T03:04:05.000Z"
	sendTestFile(t, c, small, "a.txt", created, []byte("some text"))
	sendLargeFile(t, c, large, created)
	cropped := uuid.NewString()
	var picture bytes.Buffer
	must.Do(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 40, 20))))
	sendTestFile(t, c, cropped, "a.png", created, picture.Bytes())
	crop := map[string]any{"crop": map[string]any{"x": 0.5, "y": 0, "width": 0.5, "height": 1}}
	must.Do(t, c.JSON(http.MethodPut, "/admin/media/"+cropped, crop, nil))
	focal := map[string]any{"focal": map[string]any{"x": 0.25, "y": 0.5}, "alt": "Alt",
		"alts": map[string]any{"en": "English"}}
	must.Do(t, c.JSON(http.MethodPut, "/admin/media/"+small, focal, nil))
	dir := t.TempDir()
	expect(t, 0, "export", dir)
	c = use(t, second)
	expect(t, 0, "import", dir, "--dry-run")
	expect(t, 0, "import", dir)
	expect(t, 0, "import", dir, "--on-conflict", "fail") // nothing differs
	again := filepath.Join(t.TempDir(), "again")
	expect(t, 0, "export", again)
	for _, id := range []string{small, large, cropped} {
		var file struct {
			Alt       string
			Alts      map[string]string
			Size      int
			CreatedAt string `json:"created_at"`
			Focal     *struct{ X, Y float64 }
			Width     int
			Crop      *struct{ X float64 }
		}
		must.Do(t, c.JSON(http.MethodGet, "/admin/media/"+id, nil, &file))
		if id == cropped && (file.Crop == nil || file.Crop.X != 0.5 || file.Width != 20 || file.Size != picture.Len()) {
			t.Errorf("the whole picture and its crop are copied: %+v", file)
		}
		if file.CreatedAt != created || id == large && file.Size != largeFile ||
			id == small && (file.Alt != "Alt" || file.Alts["en"] != "English" || file.Focal == nil || file.Focal.X != 0.25) {
			t.Errorf("%+v", file)
		}
	}
	was, err := os.ReadDir(filepath.Join(dir, "files"))
	must.Do(t, err)
	now, err := os.ReadDir(filepath.Join(again, "files"))
	if err != nil || fmt.Sprint(was) != fmt.Sprint(now) {
		t.Errorf("files %v, then %v, %v", was, now, err)
	}
}

// TestImportGoesOn takes what can be taken beside files that are lost and lines that are broken.
func TestImportGoesOn(t *testing.T) {
	c := use(t, serve(t))
	sendTestFile(t, c, uuid.NewString(), "a.txt", "", []byte("one"))
	dir := t.TempDir()
	expect(t, 0, "export", dir)
	media := filepath.Join(dir, "media.jsonl")
	whole, err := os.ReadFile(media)
	must.Do(t, err)
	lost := fmt.Sprintf("{broken\n{\"model\":\"media\",\"id\":%q,\"name\":\"a.txt\",\"sha256\":\"00\"}\n",
		uuid.NewString())
	must.Do(t, os.WriteFile(media, append([]byte(lost), whole...), 0o600))
	c = use(t, serve(t))
	expect(t, exitFailed, "import", dir)
	var files []any
	if err := c.JSON(http.MethodGet, "/admin/media", nil, &files); err != nil || len(files) != 1 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// sendTestFile stores a file under an id.
func sendTestFile(t *testing.T, c *client.Client, id, name, created string, content []byte) {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", name)
	if err == nil {
		_, err = part.Write(content)
	}
	for key, v := range map[string]string{"id": id, "created_at": created} {
		if err == nil {
			err = w.WriteField(key, v)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		_, err = c.Send(http.MethodPost, "/admin/import/media", w.FormDataContentType(), body.Bytes())
	}
	must.Do(t, err)
}

// sendLargeFile stores a text of largeFile bytes under an id, straight in the store of files.
func sendLargeFile(t *testing.T, c *client.Client, id, created string) {
	t.Helper()
	var begun struct {
		Upload struct {
			URL, Method string
			Headers     map[string]string
		}
	}
	file := map[string]any{"id": id, "name": "large.txt", "mime": "text/plain", "size": largeFile,
		"created_at": created}
	err := c.JSON(http.MethodPost, "/admin/import/media/direct", file, &begun)
	must.Do(t, err)
	content := bytes.NewReader(bytes.Repeat([]byte("x"), largeFile))
	req, err := http.NewRequest(begun.Upload.Method, begun.Upload.URL, content)
	must.Do(t, err)
	for name, value := range begun.Upload.Headers {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	must.Do(t, err)
	resp.Body.Close()
	err = c.JSON(http.MethodPost, "/admin/media/direct/"+id+"/complete", struct{}{}, nil)
	must.Do(t, err)
}

// TestDoctorVersions shows the version of the service beside that of the program.
func TestDoctorVersions(t *testing.T) {
	for _, row := range []struct{ version, says string }{
		{"v9.1.0", "note  cms has the version devel, the service v9.1.0\n"},
		{"devel", "ok    cms and the service have the version devel\n"},
	} {
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Service-Version", row.version)
		}))
		t.Cleanup(service.Close)
		t.Setenv("CMS_URL", service.URL)
		t.Setenv("CMS_TOKEN", "pat_x")
		if said := output(t, 0, "doctor"); !strings.Contains(said, row.says) {
			t.Errorf("%s: %s", row.version, said)
		}
	}
}

// TestDoctorDown has a line that begins with fail for a service that does not answer, and for no service.
func TestDoctorDown(t *testing.T) {
	use(t, serve(t))
	t.Setenv("CMS_URL", "http://127.0.0.1:1")
	if said := output(t, exitFailed, "doctor"); !strings.HasPrefix(said, "fail  http://127.0.0.1:1 does not answer") {
		t.Errorf("a service that is down: %q", said)
	}
	t.Setenv("CMS_URL", "")
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	if said := output(t, exitFailed, "doctor"); !strings.HasPrefix(said, "fail  set CMS_URL") {
		t.Errorf("no service: %q", said)
	}
}
