package clients_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"headless/pkg/must"
	"headless/scripts/internal/service"
)

// answer is what the API says about an entry.
type answer struct {
	Data map[string]any `json:"data"`
	Meta struct {
		Sources map[string]string `json:"sources"`
	} `json:"meta"`
}

// TestStega has @vercel/stega find the marks of a preview and take them out again (extensions §15).
func TestStega(t *testing.T) {
	if os.Getenv("STEGA") == "" {
		return // make test-sites
	}
	root := service.Start(t)
	admin := service.SignIn(t, root)
	admin.Do("POST", "/admin/models", map[string]any{"slug": "pages", "name": "Pages", "fields": []any{
		map[string]any{"name": "lead", "type": "textarea"}, map[string]any{"name": "body", "type": "richtext"},
		map[string]any{"name": "colour", "type": "text"},
	}}, nil)
	var made struct{ ID string }
	admin.Do("POST", "/admin/models/pages/entries",
		map[string]any{"title": "Straße 🎈", "slug": "street", "data": map[string]any{
			"colour": "#ff0000", "lead": "Two lines\nof text", "body": "# Heading\n\nA *paragraph*.\n\n```\ncode\n```\n"}},
		&made)
	var link struct{ Token string }
	admin.Do("POST", "/admin/models/pages/entries/"+made.ID+"/preview", map[string]any{}, &link)
	key := admin.MakeKey(map[string]any{"name": "site", "scopes": []string{"read"}})
	read := func(source string) (raw []byte, a answer) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "GET", root+"/api/v1/pages/"+made.ID+"?preview="+
			url.QueryEscape(link.Token)+source, nil)
		must.Do(t, err)
		r.Header.Set("X-API-Key", key.PublicKey)
		r.Header.Set("X-API-Secret", key.Secret)
		resp, err := http.DefaultClient.Do(r)
		must.Do(t, err)
		defer resp.Body.Close()
		if raw, err = io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s %s, %v", resp.Status, raw, err)
		}
		must.Do(t, json.Unmarshal(raw, &a))
		return raw, a
	}
	_, plain := read("")
	_, mapped := read("&source=map")
	marked, _ := read("&source=stega")

	cmd := exec.CommandContext(t.Context(), "node", filepath.Join("testdata", "stega.js"), "../shared/plain.js")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(marked), os.Stderr
	out, err := cmd.Output()
	must.Do(t, err)
	compareMarks(t, out, plain, mapped)
}

// compareMarks compares what testdata/stega.js has found with an answer without marks, and with one that
// names their places.
func compareMarks(t *testing.T, out []byte, plain, mapped answer) {
	t.Helper()
	var found struct {
		Clean, Plain answer
		Marks        map[string][]struct{ Origin, Href string }
	}
	must.Do(t, json.Unmarshal(out, &found))
	if !reflect.DeepEqual(found.Clean.Data, plain.Data) || !reflect.DeepEqual(found.Plain.Data, plain.Data) {
		t.Errorf("without marks: %v, and by plain %v, want %v", found.Clean.Data, found.Plain.Data, plain.Data)
	}
	sources := map[string]string{}
	for pointer, marks := range found.Marks {
		if len(marks) != 1 || marks[0].Origin != "cms" {
			t.Errorf("%s has %v", pointer, marks)
		}
		sources[pointer] = marks[0].Href
	}
	if len(sources) != 3 || !reflect.DeepEqual(sources, mapped.Meta.Sources) {
		t.Errorf("marks %v, sources %v", sources, mapped.Meta.Sources)
	}
}
