package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headless/pkg/admin/say"
	"headless/pkg/api"
	"headless/pkg/api/formroutes"
	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/db"
	"headless/pkg/forms"
	"headless/pkg/index"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/site"
	"headless/pkg/spam"
	"headless/pkg/table/bolt"
)

// formSite is the public side of the API on a real store whose clock the test moves.
type formSite struct {
	*cmstest.Clock
	http.Handler
	t     *testing.T
	store *rooms.Stores
	subs  *forms.Submissions
}

var admin = cms.Actor{Name: "root@example.com", Source: cms.SourceAdmin}

func newSite(t *testing.T) *formSite {
	t.Helper()
	s := &formSite{t: t, Clock: cmstest.NewClock(time.Date(2026, 1, 1, 0, 0, 30, 0, time.UTC))}
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync(), bolt.WithClock(s.Now))
	must.Do(t, err)
	s.store = rooms.New(tb, s.Now)
	t.Cleanup(func() {
		if err := s.store.Close(); err != nil {
			t.Error(err)
		}
	})
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	must.Do(t, (&site.Locales{Store: s.store.Site}).EnsureDefault(t.Context()))
	s.subs = &forms.Submissions{Store: s.store.Forms, Log: quiet}
	s.Handler = pipeline.New(pipeline.Config{Keys: s.store.Keys, Log: quiet}, api.SiteRoutes(),
		formroutes.New(s.subs, say.ForVisitor))
	return s
}

// form makes a form of a definition in JSON.
func (s *formSite) form(definition string) {
	s.t.Helper()
	body, err := cms.DecodeObject([]byte(definition))
	must.Do(s.t, err)
	if _, err := (&forms.Forms{Store: s.store.Forms}).Create(s.t.Context(), admin, body); err != nil {
		s.t.Fatal(err)
	}
}

const contact = `{"slug": "contact", "name": "Contact", "success_message": "Thanks.", "fields": [
	{"name": "email", "type": "email"}, {"name": "message", "type": "textarea"}, {"name": "website", "type": "honeypot"}]}`

type reply struct {
	*httptest.ResponseRecorder
	Data  map[string]any `json:"data"`
	Error *struct {
		Code    string              `json:"code"`
		Details map[string][]string `json:"details"`
	} `json:"error"`
}

// send makes a request from an address; body is JSON, or a form if it does not start with a
// brace.
func (s *formSite) send(address, path, body string) reply {
	method, contentType := "POST", "application/json"
	switch {
	case body == "":
		method = "GET"
	case body[0] != '{':
		contentType = "application/x-www-form-urlencoded"
	}
	r := httptest.NewRequest(method, "/api/v1"+path, strings.NewReader(body))
	r.RemoteAddr = address
	r.Header.Set("Content-Type", contentType)
	a := reply{ResponseRecorder: httptest.NewRecorder()}
	s.ServeHTTP(a, r)
	_ = json.Unmarshal(a.Body.Bytes(), &a) // lists have no object for data
	return a
}

func (s *formSite) stored(slug string) []cms.Submission {
	s.t.Helper()
	page, err := s.subs.List(s.t.Context(), slug, index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 100}})
	must.Do(s.t, err)
	return page.Items
}

func TestSubmitLimitOfParallelRequests(t *testing.T) {
	s := newSite(t)
	s.form(contact)
	statuses := make(chan int, 50)
	for range 50 {
		go func() {
			statuses <- s.send("192.0.2.1:1000", "/forms/contact/submit", `{"message": "x"}`).Code
		}()
	}
	count := map[int]int{}
	for range 50 {
		count[<-statuses]++
	}
	if count[201] != 5 || count[429] != 45 || len(s.stored("contact")) != 5 {
		t.Errorf("answers %v, stored %d", count, len(s.stored("contact")))
	}
}

func TestSubmitLimitSlides(t *testing.T) {
	s := newSite(t)
	s.form(contact)
	post := func(address string) reply { return s.send(address, "/forms/contact/submit", `{"message": "x"}`) }
	for i := range 5 { // at 0, 10, 20, 30 and 40 s
		if a := post("192.0.2.1:1"); a.Code != 201 {
			t.Fatalf("number %d: %d", i, a.Code)
		}
		s.Advance(10 * time.Second)
	}
	for _, step := range []struct {
		wait  time.Duration
		code  int
		retry string
	}{
		{0, 429, "10"}, {4 * time.Second, 429, "6"}, {5900 * time.Millisecond, 429, "1"}, // refused posts do not count…
		{100 * time.Millisecond, 201, ""}, {0, 429, "10"}, // …so one place is free after a minute, and the next 10 s later
		{10 * time.Second, 201, ""}, {0, 429, "10"},
	} {
		s.Advance(step.wait)
		if a := post("192.0.2.1:2"); a.Code != step.code || a.Header().Get("Retry-After") != step.retry {
			t.Errorf("after %v: %d, Retry-After %q, want %d, %q", step.wait, a.Code,
				a.Header().Get("Retry-After"), step.code, step.retry)
		}
	}
	if a := post("192.0.2.2:1"); a.Code != 201 {
		t.Errorf("another address: %d", a.Code)
	}
}

func TestSubmitLimitOfNetworks(t *testing.T) {
	s := newSite(t)
	s.form(contact)
	post := func(address string) int { return s.send(address, "/forms/contact/submit", `{}`).Code }
	for i := range 5 {
		if code := post(fmt.Sprintf("[2001:db8:1:2::%d]:1", i)); code != 201 {
			t.Fatalf("number %d: %d", i, code)
		}
	}
	for address, want := range map[string]int{
		"[2001:db8:1:2:ffff::1]:1": 429, "[2001:db8:1:3::1]:1": 201, "[::ffff:192.0.2.9]:1": 201,
		"192.0.2.9:1": 201,
	} {
		if code := post(address); code != want {
			t.Errorf("%s: %d, want %d", address, code, want)
		}
	}
}

func TestSubmitKeepsWhatWasSent(t *testing.T) {
	s := newSite(t)
	s.form(`{"slug": "all", "name": "All", "fields": [{"name": "z", "type": "text"}, {"name": "n", "type": "number"}, {"name": "agree", "type": "checkbox"},
		{"name": "news", "type": "checkbox"}, {"name": "topics", "type": "checkbox", "options": ["a", "b", "c"]}, {"name": "trap", "type": "honeypot"}]}`)
	for _, row := range []struct{ body, want string }{
		{`{"z": " <b>ä\r\n ", "n": 1.50, "agree": true, "topics": ["b"], "other": 1, "trap": ""}`,
			`{"z":" <b>ä\r\n ","n":1.50,"agree":true,"news":false,"topics":["b"]}`},
		{url.Values{"z": {"+ &"}, "n": {"7"}, "agree": {"on"}, "topics": {"c", "a"}}.Encode(),
			`{"z":"+ &","n":"7","agree":true,"news":false,"topics":["c","a"]}`},
		{`{"z": "", "n": null, "news": "yes"}`, `{"z":"","agree":false,"news":true,"topics":[]}`},
	} {
		a := s.send("192.0.2.1:1", "/forms/all/submit", row.body)
		if a.Code != 201 {
			t.Fatalf("%s: %d %s", row.body, a.Code, a.Body)
		}
		v, err := s.subs.Get(t.Context(), "all", a.Data["id"].(string))
		must.Do(t, err)
		if got, err := cms.Marshal(v.Fields); err != nil || string(got) != row.want {
			t.Errorf("stored %s, want %s, %v", got, row.want, err)
		}
		if v.Spam || v.Status != cms.SubmissionNew || v.ReceivedAt.String() != a.Data["received_at"] {
			t.Errorf("%+v", v)
		}
	}
}

// TestSubmitWithRecaptcha asks a stand-in for the service.
func TestSubmitWithRecaptcha(t *testing.T) {
	answers := map[string]string{
		"right": `{"success": true, "score": 0.9}`, "low": `{"success": true, "score": 0.1}`,
		"wrong":     `{"success": false, "error-codes": ["invalid-input-response"]}`,
		"expired":   `{"success": false, "error-codes": ["timeout-or-duplicate"]}`,
		"our fault": `{"success": false, "error-codes": ["invalid-input-secret"]}`,
	}
	asked := 0
	google := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		_, _ = io.WriteString(w, answers[r.FormValue("response")])
	}))
	t.Cleanup(google.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for i, row := range []struct {
		form, token, url string
		code             int
		spam             string
	}{
		{"v2", "right", google.URL, 201, ""}, {"v3", "right", google.URL, 201, ""},
		{"v2", "low", google.URL, 201, ""}, {"v3", "low", google.URL, 422, ""},
		{"v2", "wrong", google.URL, 422, ""}, {"v3", "expired", google.URL, 422, ""},
		{"v2", "", google.URL, 422, ""},
		{"v2", "our fault", google.URL, 201, cms.SpamRecaptcha},
		{"v3", "right", gone.URL, 201, cms.SpamRecaptcha},
	} {
		s := newSite(t)
		s.form(`{"slug": "v2", "name": "V2", "fields": [], "recaptcha": {"site_key": "a", "secret_key": "hidden"}}`)
		s.form(`{"slug": "v3", "name": "V3", "fields": [], "recaptcha": {"site_key": "a", "secret_key": "hidden", "min_score": 0.5}}`)
		s.subs.Recaptcha = spam.Verifier{URL: row.url}
		asked = 0
		a := s.send("192.0.2.1:1", "/forms/"+row.form+"/submit",
			fmt.Sprintf(`{%q: %q}`, forms.RecaptchaField, row.token))
		if a.Code != row.code || row.code == 422 && len(a.Error.Details[forms.RecaptchaField]) != 1 {
			t.Errorf("%d %v: %d %s", i, row, a.Code, a.Body)
		}
		if want := row.token != "" && row.url == google.URL; (asked == 1) != want {
			t.Errorf("%d %v: asked %d times", i, row, asked)
		}
		if row.code != 201 {
			continue
		}
		if v := s.stored(row.form)[0]; v.Spam != (row.spam != "") || v.Spam && *v.SpamReason != row.spam {
			t.Errorf("%d %v: %+v", i, row, v)
		}
	}
}

// TestFormPageLanguage: pages for browsers without JavaScript are in the language of the browser, and name what is
// wrong with a field to readers of screens.
func TestFormPageLanguage(t *testing.T) {
	s := newSite(t)
	s.form(strings.Replace(contact, "{", `{"consent": "You may write to me.", `, 1))
	for accept, want := range map[string][]string{
		"de-AT, en;q=0.8": {`<html lang="de" dir="ltr">`, "<title>Nicht gesendet</title>", "<button>Senden</button>",
			`name="email" value="ada" aria-invalid="true" aria-describedby="email-problem">`,
			`<strong id="email-problem">Dieses Feld muss eine E-Mail-Adresse sein</strong>`},
		"ar": {`<html lang="ar" dir="rtl">`, "هذا الحقل يجب أن يكون عنوان بريد"},
		"": {`<html lang="en" dir="ltr">`, ">This field must be an e-mail address<",
			`<strong id="consent-problem">This field is required<`},
	} {
		r := httptest.NewRequest("POST", "/api/v1/forms/contact/submit", strings.NewReader("email=ada"))
		for name, value := range map[string]string{"Accept": "text/html", "Accept-Language": accept,
			"Content-Type": "application/x-www-form-urlencoded"} {
			r.Header.Set(name, value)
		}
		a := httptest.NewRecorder()
		s.ServeHTTP(a, r)
		for _, part := range want {
			if !strings.Contains(a.Body.String(), part) {
				t.Errorf("%q lacks %q: %s", accept, part, a.Body)
			}
		}
		if !strings.Contains(a.Header().Get("Vary"), "Accept-Language") {
			t.Errorf("%q: Vary is %q", accept, a.Header()["Vary"])
		}
	}
}
