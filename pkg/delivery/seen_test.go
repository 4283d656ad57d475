package delivery

import (
	"net/http/httptest"
	"testing"

	"headless/pkg/apikeys"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/settings"
)

// TestSeen counts views while the setting is on: only those of GET, and not those of a refused
// origin. No line of the request log has the address of a visitor.
func TestSeen(t *testing.T) {
	w := newWorld(t)
	const id = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	seen, logged := 0, 0
	w.fresh.Seen = func(string, string) { seen++ }
	w.fresh.LogRequest = func(db.RequestLine) { logged++ }
	key, err := (&apikeys.Keys{Store: w.stores.Keys}).Create(t.Context(), editor, map[string]any{"name": "own",
		"kind": "publishable", "origins": []any{"https://own.example"}})
	must.Do(t, err)
	ask := func(method, base, origin string) int {
		r := httptest.NewRequest(method, base+"/seen?e="+id, nil)
		r.Header.Set("Origin", origin)
		a := httptest.NewRecorder()
		w.fresh.ServeHTTP(a, r)
		if a.Code == 204 && (a.Body.Len() > 0 || a.Header().Get("Content-Type") != "") {
			t.Errorf("%s: %v %q", method, a.Header(), a.Body)
		}
		return a.Code
	}
	if code := ask("GET", w.base, "https://any.example"); code != 404 {
		t.Errorf("off: %d", code)
	}
	if _, err := (&settings.Settings{Store: w.stores.Site}).Update(t.Context(), editor,
		[]any{map[string]any{"group": "views", "key": "enabled", "value": "true"}}, nil); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		method, base, origin string
		code, seen           int
	}{
		{"GET", w.base, "https://any.example", 204, 1},
		{"HEAD", w.base, "https://any.example", 204, 1},
		{"GET", Base + "/" + key.PublicKey, "https://any.example", 403, 1},
		{"GET", Base + "/" + key.PublicKey, "https://own.example", 204, 2},
		{"GET", Base + "/pub_unknown", "https://any.example", 404, 2},
	} {
		if code := ask(test.method, test.base, test.origin); code != test.code || seen != test.seen || logged > 0 {
			t.Errorf("%v: %d, %d seen, %d logged", test, code, seen, logged)
		}
	}
}
