package embedded

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"time"

	"headless/pkg/admin/admintest"
	"headless/pkg/must"
)

// maxMemory is how much memory a request may take (design §1), in bytes of live heap.
const maxMemory = 64 << 20

// liveHeap is the metric of the bytes that the last garbage collection left.
const liveHeap = "/gc/heap/live:bytes"

// peakOf returns how far the live heap grows while f runs, in bytes. The heap is collected whenever it grows by 10 %.
func peakOf(f func()) (peak uint64) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	sample := []metrics.Sample{{Name: liveHeap}}
	live := func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	runtime.GC()
	runtime.GC() // without what pools kept
	base := live()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	for tick := time.NewTicker(time.Millisecond); ; {
		select {
		case <-done:
			tick.Stop()
			return peak
		case <-tick.C:
			if now := live(); now > base {
				peak = max(peak, now-base)
			}
		}
	}
}

// largeSite is a service with entries that have many rows, and the cookie of a person.
type largeSite struct {
	*keySite
	cookie *http.Cookie
	over   *[]string // the requests that took too much memory
}

// inMemory acts on a large site. No request may take more than maxMemory.
//
// Objects that die while the collector works count as live, and on a busy machine it works for long. So if a request
// took too much, all is done again on another site, twice at most.
func inMemory(t *testing.T, act func(largeSite)) {
	t.Helper()
	var over []string
	for range 3 {
		over = nil
		if act(newLargeSite(t, &over)); over == nil {
			return
		}
	}
	t.Errorf("too much memory, at most %d MB: %s", maxMemory>>20, strings.Join(over, ", "))
}

func newLargeSite(t *testing.T, over *[]string) largeSite {
	s := largeSite{keySite: newKeySite(t), over: over}
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/admin/login", strings.NewReader(url.Values{
		"email": {"root@example.com"}, "password": {fuzzPassword}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Accept", "text/html")
	s.ServeHTTP(w, r)
	if w.Code != 303 {
		t.Fatal(w.Code, w.Body)
	}
	s.cookie = w.Result().Cookies()[0]
	return s
}

// browse sends a request of a browser, with a form if there is one.
func (s largeSite) browse(method, path string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.AddCookie(s.cookie)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// manyRows returns the JSON of 25,000 rows, in which # is the number of the row.
func manyRows(row string) string {
	rows := make([]string, 25_000)
	for i := range rows {
		rows[i] = strings.ReplaceAll(row, "#", strconv.Itoa(i+1))
	}
	return "[" + strings.Join(rows, ",") + "]"
}

// within sends a request and notes whether it takes too much memory.
func (s largeSite) within(what string, status int, send func() *httptest.ResponseRecorder) *httptest.ResponseRecorder {
	s.t.Helper()
	var w *httptest.ResponseRecorder
	peak := peakOf(func() { w = send() })
	if s.t.Logf("%-16s %8d bytes, %5.1f MB of heap", what, w.Body.Len(), float64(peak)/(1<<20)); peak > maxMemory {
		*s.over = append(*s.over, fmt.Sprintf("%s takes %d MB", what, peak>>20))
	}
	if w.Code != status {
		s.t.Fatalf("%s: %d, want %d: %.300s", what, w.Code, status, w.Body)
	}
	return w
}

// TestMemory asks the routes of an entry with 25,000 rows, of which all change between its revisions.
func TestMemory(t *testing.T) { inMemory(t, largeSite.askForManyRows) }

func (s largeSite) askForManyRows() {
	s.admin("POST", "/models", `{"slug":"notes","name":"Notes","localized":true,"fields":[
		{"name":"list","type":"list","fields":[{"name":"name","type":"text"},{"name":"note","type":"text"}]},
		{"name":"teaser","type":"text"}]}`)
	data := func(note string) string {
		return `"data":{"list":` + manyRows(`{"name":"Row #","note":"`+note+` #"}`) + `}}`
	}
	api := func(method, path, body string) func() *httptest.ResponseRecorder {
		return func() *httptest.ResponseRecorder { return s.ask("all", method, "/api/v1/notes"+path, body) }
	}
	w := s.within("create", 201, api("POST", "", `{"title":"N","status":"published",`+data("One")))
	var made struct{ Data struct{ ID string } }
	must.Do(s.t, json.Unmarshal(w.Body.Bytes(), &made))
	id := "/" + made.Data.ID
	browse := func(method, path string, form url.Values) func() *httptest.ResponseRecorder {
		return func() *httptest.ResponseRecorder {
			return s.browse(method, "/admin/models/notes/entries"+id+path, form)
		}
	}
	s.within("read", 200, api("GET", id, ""))
	s.within("list", 200, api("GET", "", ""))
	s.within("update", 200, api("PUT", id, `{"data":{"teaser":"x"}}`))
	form := admintest.FormIn(s.within("form", 200, browse("GET", "", nil)).Body.String())
	form.Set("_method", "PUT")
	form.Set("data.teaser", "Mine")
	s.within("save a field", 303, browse("POST", "/draft", form))
	for _, note := range []string{"Two", "Three", "Four"} {
		s.within("draft", 200, api("PUT", id+"/draft", `{`+data(note)))
	}
	form = admintest.FormIn(s.within("form of draft", 200, browse("GET", "", nil)).Body.String())
	form.Set("_method", "PUT")
	form.Set("data.list.7.name", "Mine")
	s.within("save a row", 303, browse("POST", "/draft", form))
	for _, page := range []string{"/draft", "/review", "/revisions", "/revisions?show=1", "/translate", "/preview"} {
		s.within(page, 200, browse("GET", page, nil))
	}
	s.within("publish", 303, browse("POST", "/publish", url.Values{"_csrf": form["_csrf"]}))
	s.within("overwrite", 200, api("PUT", id, `{`+data("Five")))
	s.within("history", 200, browse("GET", "/revisions", nil))
}

// TestMemoryOfRefusals sends as many rows as a body can hold. The refusal takes no more memory than an answer.
func TestMemoryOfRefusals(t *testing.T) { inMemory(t, largeSite.sendTooManyRows) }

func (s largeSite) sendTooManyRows() {
	s.admin("POST", "/models", `{"slug":"notes","name":"Notes","fields":[
		{"name":"list","type":"list","fields":[{"name":"name","type":"text"}]}]}`)
	s.admin("POST", "/models", `{"slug":"free","name":"Free","fields":[{"name":"list","type":"json"}]}`)
	for _, model := range []string{"/notes", "/free"} {
		api := func(method, path, body string) func() *httptest.ResponseRecorder {
			return func() *httptest.ResponseRecorder { return s.ask("all", method, "/api/v1"+model+path, body) }
		}
		var made struct{ Data struct{ ID string } }
		must.Do(s.t, json.Unmarshal(s.within("create", 201, api("POST", "", `{"title":"N"}`)).Body.Bytes(), &made))
		for _, row := range []string{`{},`, `{"name":""},`} {
			body := `{"title":"N","data":{"list":[` + strings.Repeat(row, 1_000_000/len(row)) + `{}]}}`
			s.within("create", 422, api("POST", "", body))
			s.within("update", 422, api("PUT", "/"+made.Data.ID, body))
			s.within("draft", 422, api("PUT", "/"+made.Data.ID+"/draft", body))
		}
	}
}
