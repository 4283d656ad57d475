package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"headless/pkg/app"
	"headless/pkg/app/embedded"
)

const password = "correct horse battery"

// serve runs the whole service for a test.
func serve(t *testing.T) http.Handler {
	t.Helper()
	vars := map[string]string{"DATA_DIR": t.TempDir(), "SEED": "none",
		"ADMIN_EMAIL": "admin@example.com", "ADMIN_PASSWORD": password}
	cfg, err := app.FromEnv(func(name string) string { return vars[name] })
	if err != nil {
		t.Fatal(err)
	}
	server, err := embedded.New(cfg, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// pages writes a file of records and returns its name.
func pages(t *testing.T, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pages.jsonl.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	defer z.Close()
	for _, line := range lines {
		fmt.Fprintln(z, line)
	}
	return name
}

func TestLoadResumeVerify(t *testing.T) {
	var busy atomic.Int64
	handler := serve(t)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" && strings.HasPrefix(r.URL.Path, "/api/") && busy.Add(1)%7 == 3 {
			handler.ServeHTTP(httptest.NewRecorder(), r) // done, but the answer is lost
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	var lines []string
	for i := range 40 {
		locale := []string{"en", "pt-br"}[i%2]
		line, _ := json.Marshal(map[string]any{
			"locale": locale, "slug": fmt.Sprintf("Guide/Page_%d", i/2),
			"title": fmt.Sprint("Page ", i), "description": "About " + locale,
			"body": fmt.Sprintf("# %d\n\nÄpfel & <b>", i), "rank": 1.50, "ready": i%3 == 0,
			"tags": []string{"a"}, "gone": nil,
		})
		lines = append(lines, string(line))
	}
	ctx := context.Background()
	do := func(file string, verify bool, want string) error {
		t.Helper()
		o := options{file: file, url: web.URL, model: "guides", status: "published",
			email: "admin@example.com", password: password, parallel: 4, setup: true,
			verify: verify, mapping: mapping{}}
		var out strings.Builder
		err := run(ctx, o, &out)
		if !strings.Contains(out.String(), want) {
			t.Fatalf("%v\n%s\nlacks %q", err, out.String(), want)
		}
		return err
	}
	all := pages(t, lines...)
	if err := do(pages(t, lines[:15]...), false, " 0 failed\n"); err != nil {
		t.Fatal(err)
	}
	if err := do(all, false, " 0 failed\n"); err != nil {
		t.Fatal(err)
	}
	if err := do(all, false, ": 0 created, 40 already there, 0 updated, 0 failed\n"); err != nil {
		t.Fatal(err)
	}
	if err := do(all, true, ": 40 identical, 0 not; lists of 2 locales hold them once each, but for 0, and 0 other entries\n"); err != nil {
		t.Fatal(err)
	}
	lines[7] = strings.Replace(lines[7], `"ready":`, `"rank":2,"ready":`, 1)
	if do(pages(t, lines...), true, "data.rank differs") == nil {
		t.Error("a difference was not an error")
	}
	if do(pages(t, `{"slug": 1}`, "{", `{"title": "no slug"}`), false, "line 3: has no slug") == nil {
		t.Error("bad lines were not an error")
	}
}

func TestMapping(t *testing.T) {
	m := mapping{}
	if err := m.set("name=title,handle=slug,summary=seo.description,description=data.intro,internal=-"); err != nil {
		t.Fatal(err)
	}
	e, err := m.entry(map[string]any{"name": "N", "handle": "A b", "summary": "S",
		"description": "D", "internal": "x", "Some Key": true}, "draft")
	if err != nil {
		t.Fatal(err)
	}
	if e.Title != "N" || e.Slug != "a-b" || e.SEO["description"] != "S" ||
		fmt.Sprint(e.Data) != "map[intro:D some_key:true]" || e.Status != "draft" {
		t.Errorf("entry = %+v", e)
	}
	for _, bad := range []string{"a", "=title", "a=nowhere"} {
		if m.set(bad) == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func TestSurveyTypes(t *testing.T) {
	o := options{mapping: mapping{}, file: pages(t,
		`{"slug":"a","one":"x","two":"x","n":1,"b":true,"mixed":1,"list":[1]}`,
		`{"slug":"b","one":"y","two":"x\ny","n":2.5,"b":false,"mixed":"1"}`)}
	fields, locales, err := o.survey(context.Background())
	if err != nil || len(locales) != 0 {
		t.Fatal(locales, err)
	}
	var got []string
	for _, f := range fields {
		got = append(got, fmt.Sprint(f["name"], ":", f["type"]))
	}
	if s := strings.Join(got, " "); s != "b:boolean list:json mixed:json n:number one:text two:richtext" {
		t.Error(s)
	}
}
