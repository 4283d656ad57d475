package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"headless/pkg/must"
	"headless/scripts/internal/nextformat"
	"headless/scripts/internal/service"
)

// TestFormats puts a version of another format over a table with content, a newer one and then an
// older one: each refuses everything and changes nothing, and the former version goes on after it.
// The version of the next format upgrades the table. `make test-operations` runs it.
func TestFormats(t *testing.T) {
	e, built := prepare(t)
	now := version{built, filepath.Join(t.TempDir(), "cms")}
	now.buildProgram(t)
	later := buildFormat(t, nextformat.Later)
	t.Run("newer over older", func(t *testing.T) {
		replaced(t, e, "formats-up", now, later, nextformat.NewerRefuses)
	})
	t.Run("older over newer", func(t *testing.T) {
		replaced(t, e, "formats-down", later, now, nextformat.OlderRefuses(nextformat.Later))
	})
	next := buildFormat(t, nextformat.Next)
	t.Run("upgrade", func(t *testing.T) { upgraded(t, e, now, next) })
}

// version is a build of the service.
type version struct {
	functions string // folder
	program   string // cms
}

func (v version) buildProgram(t *testing.T) {
	t.Helper()
	if text, err := exec.Command("go", "build", "-o", v.program, "./scripts/cms").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// open makes the first user, and all else that traffic needs.
func (v version) open(t *testing.T, e *emulators, prefix string) *world {
	t.Helper()
	w := startWorld(t, e, v.functions, prefix)
	w.d.pump(w.ctx, time.Hour)
	create := exec.Command(v.program, "users", "create", service.Email)
	create.Env = append(os.Environ(), "ADMIN_PASSWORD="+service.Password)
	for name, value := range w.d.environment() {
		create.Env = append(create.Env, name+"="+value)
	}
	if text, err := create.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	w.fill()
	return w
}

// buildFormat builds the functions as a version of another format.
func buildFormat(t *testing.T, format int) version {
	t.Helper()
	before, dir := os.Getenv("GOFLAGS"), t.TempDir()
	must.Do(t, os.Setenv("GOFLAGS", nextformat.Flags(t, format)))
	defer os.Setenv("GOFLAGS", before)
	v := version{filepath.Join(dir, "built"), filepath.Join(dir, "cms")}
	buildInto(t, v.functions)
	v.buildProgram(t)
	return v
}

// over starts a version on the table of another one, and stops that one.
func (v version) over(former *world, e *emulators, prefix string) *world {
	former.t.Helper()
	former.stop()
	w := startWorld(former.t, e, v.functions, prefix)
	w.headers = former.headers
	w.d.pump(w.ctx, time.Hour)
	return w
}

// makeEntry makes an entry and returns its path.
func (w *world) makeEntry() string {
	w.t.Helper()
	status, made := w.ask("POST", "/api/v1/posts",
		`{"title": "Kept", "status": "published", "data": {"body": "Größe"}}`)
	var entry struct{ Data struct{ ID string } }
	if err := json.Unmarshal(made, &entry); err != nil || status != 201 {
		w.t.Fatalf("%d %s", status, made)
	}
	return "/api/v1/posts/" + entry.Data.ID
}

// keeps checks that an entry is as before and can be changed.
func (w *world) keeps(at string, before []byte) {
	w.t.Helper()
	if status, after := w.ask("GET", at, ""); status != 200 || string(after) != string(before) {
		w.t.Errorf("the entry is %d %s, was %s", status, after, before)
	}
	if status, answer := w.ask("PUT", at, `{"title": "Changed"}`); status != 200 {
		w.t.Errorf("a change: %d %s", status, answer)
	}
}

// upgraded fills a table by one version and puts the next one over it, which refuses everything until its sweeper has
// upgraded the table. The first version refuses it then.
func upgraded(t *testing.T, e *emulators, first, next version) {
	const prefix = "formats-upgrade"
	w := first.open(t, e, prefix)
	at := w.makeEntry()
	_, before := w.ask("GET", at, "")

	w = next.over(w, e, prefix)
	if status, answer := w.ask("GET", at, ""); status != 503 || !strings.Contains(string(answer), nextformat.Upgrading) {
		t.Errorf("before the upgrade: %d %s", status, answer)
	}
	must.Do(t, w.invokeSweeper())
	if status, answer := w.ask("GET", "/api/v1/search?q=kept", ""); status != 200 ||
		!strings.Contains(string(answer), `"Kept"`) {
		t.Errorf("a search: %d %s", status, answer)
	}
	w.keeps(at, before)

	w = first.over(w, e, prefix)
	refusal := nextformat.OlderRefuses(nextformat.Next)
	if status, answer := w.ask("GET", at, ""); status != 503 || !strings.Contains(string(answer), refusal) {
		t.Errorf("the former version: %d %s", status, answer)
	}
}

// replaced fills a table by one version, deploys another over it, and the first one again.
func replaced(t *testing.T, e *emulators, prefix string, first, other version, refusal string) {
	w := first.open(t, e, prefix)
	at := w.makeEntry()
	_, before := w.ask("GET", at, "")
	w.quiet()
	rows := w.rows()

	w = other.over(w, e, prefix)
	for _, r := range [][3]string{{"GET", at}, {"GET", "/api/v1/posts?per_page=20"}, {"DELETE", at},
		{"PUT", at, `{"title": "Lost"}`}, {"POST", "/api/v1/posts", `{"title": "Lost"}`},
		{"GET", "/api/v1/settings"}, {"GET", "/api/v1/search?q=kept"},
		{"POST", "/admin/login", `{"email": "root@example.com", "password": "a long enough password"}`}} {
		if status, answer := w.ask(r[0], r[1], r[2]); status != 503 ||
			!strings.Contains(string(answer), refusal) {
			t.Errorf("%s %s: %d %s", r[0], r[1], status, answer)
		}
	}
	if w.invokeSweeper() == nil {
		t.Error("the sweeper works on rows of another format")
	}
	w.quiet()
	for key, now := range w.rows() {
		if !reflect.DeepEqual(now, rows[key]) {
			t.Errorf("the row %s was changed or made", key)
		}
		delete(rows, key)
	}
	for key := range rows {
		t.Errorf("the row %s was deleted", key)
	}
	first.over(w, e, prefix).keeps(at, before)
}

// ask makes a request and returns the answer.
func (w *world) ask(method, path, body string) (status int, answer []byte) {
	w.t.Helper()
	req, err := http.NewRequest(method, w.d.address+path, strings.NewReader(body))
	must.Do(w.t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	for name, value := range w.headers {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	must.Do(w.t, err)
	defer resp.Body.Close()
	if answer, err = io.ReadAll(resp.Body); err != nil {
		w.t.Fatal(err)
	}
	return resp.StatusCode, answer
}

// quiet waits until no function has had anything to do for a while.
func (w *world) quiet() {
	w.t.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	for last, since := int64(-1), time.Now(); time.Since(since) < 2*time.Second; time.Sleep(50 * time.Millisecond) {
		info, err := os.Stat(w.log)
		must.Do(w.t, err)
		if size := info.Size(); size != last {
			last, since = size, time.Now()
		}
		if time.Now().After(deadline) {
			w.t.Fatal("the functions work all the time")
		}
	}
}

// rows are those of the table by their keys.
func (w *world) rows() map[string]any {
	w.t.Helper()
	rows, name := map[string]any{}, w.d.scope.Refs["Table"]
	pages := dynamodb.NewScanPaginator(w.d.cloud.Tables, &dynamodb.ScanInput{TableName: &name})
	for pages.HasMorePages() {
		page, err := pages.NextPage(w.ctx)
		must.Do(w.t, err)
		for _, item := range page.Items {
			rows[fmt.Sprintf("%s %q", item["pk"].(*types.AttributeValueMemberS).Value,
				item["sk"].(*types.AttributeValueMemberB).Value)] = item
		}
	}
	return rows
}
