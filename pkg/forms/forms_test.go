package forms_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/forms"
	"headless/pkg/index"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table/bolt"
)

// formsWorld is forms and submissions on a store whose clock the test moves.
type formsWorld struct {
	*cmstest.Clock
	t     *testing.T
	store *forms.Store
	forms *forms.Forms
	subs  *forms.Submissions
}

func newFormsWorld(t *testing.T) *formsWorld {
	t.Helper()
	w := &formsWorld{t: t, Clock: cmstest.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))}
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync(), bolt.WithClock(w.Now))
	must.Do(t, err)
	w.store = forms.Open(site.Open(db.New(tb, w.Now)))
	t.Cleanup(func() {
		if err := w.store.Close(); err != nil {
			t.Error(err)
		}
	})
	w.forms = &forms.Forms{Store: w.store}
	w.subs = &forms.Submissions{Store: w.store, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	return w
}

var formAdmin = cms.Actor{Name: "root@example.com", Source: cms.SourceAdmin}

func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	body, err := cms.DecodeObject([]byte(text))
	must.Do(t, err)
	return body
}

func (w *formsWorld) create(text string) cms.Form {
	w.t.Helper()
	f, err := w.forms.Create(w.t.Context(), formAdmin, parsed(w.t, text))
	must.Do(w.t, err)
	return f
}

func (w *formsWorld) submit(slug, text string) string {
	w.t.Helper()
	r, err := w.subs.Submit(w.t.Context(), cms.Actor{}, nil, slug, parsed(w.t, text), forms.Visitor{Address: "192.0.2.1"})
	must.Do(w.t, err)
	w.Advance(time.Second)
	return r.ID
}

// wrong is the code of an error and the paths of its details.
func wrong(err error) string {
	var e *cms.Error
	if !errors.As(err, &e) {
		return fmt.Sprint(err)
	}
	return strings.TrimSpace(string(e.Code) + " " + strings.Join(slices.Sorted(maps.Keys(e.Details)), " "))
}

func TestFormDefinitions(t *testing.T) {
	w := newFormsWorld(t)
	w.create(`{"slug": "taken", "name": "Taken"}`)
	field := func(f string) string { return `{"slug": "x", "name": "X", "fields": [` + f + `]}` }
	for name, row := range map[string]struct{ body, want string }{
		"nothing":     {`{}`, "VALIDATION_FAILED name slug"},
		"taken":       {`{"slug": "taken", "name": "X"}`, "CONFLICT"},
		"slug":        {`{"slug": "No Slug", "name": "X"}`, "VALIDATION_FAILED slug"},
		"unknown key": {`{"slug": "x", "name": "X", "colour": "red"}`, "VALIDATION_FAILED colour"},
		"wrong types": {`{"slug": 1, "name": "X", "fields": {}, "is_active": "yes"}`,
			"VALIDATION_FAILED fields is_active slug"},
		"addresses": {`{"slug": "x", "name": "X", "notify_emails": ["a@example.com", "b"], "block_emails": ["*@", "*@x.example"]}`,
			"VALIDATION_FAILED block_emails.0 notify_emails.1"},
		"header injection": {`{"slug": "x", "name": "X", "notify_emails": ["a@example.com\r\nBcc: b@example.com"]}`,
			"VALIDATION_FAILED notify_emails.0"},
		"retention": {`{"slug": "x", "name": "X", "retention_days": -1}`,
			"VALIDATION_FAILED retention_days"},
		"recaptcha": {`{"slug": "x", "name": "X", "recaptcha": {"site_key": "a", "min_score": 2}}`,
			"VALIDATION_FAILED recaptcha.min_score recaptcha.secret_key"},
		"duplicate field": {field(`{"name": "a", "type": "text"}, {"name": "a", "type": "email"}`),
			"VALIDATION_FAILED fields.1.name"},
		"field name": {field(
			`{"name": "a b", "type": "text"}, {"name": "g-recaptcha-response", "type": "text"}, {"type": "text"}`),
			"VALIDATION_FAILED fields.0.name fields.1.name fields.2.name"},
		"field type": {field(`{"name": "a", "type": "colour"}`), "VALIDATION_FAILED fields.0.type"},
		"no options": {field(`{"name": "a", "type": "select"}, {"name": "b", "type": "radio", "options": []}`),
			"VALIDATION_FAILED fields.0.options fields.1.options"},
		"bad options": {field(
			`{"name": "a", "type": "select", "options": ["x", "", "x"]}, {"name": "b", "type": "text", "options": ["x"]}`),
			"VALIDATION_FAILED fields.0.options.1 fields.0.options.2 fields.1.options"},
		"honeypot": {field(`{"name": "a", "type": "honeypot", "required": true, "max": -1}`),
			"VALIDATION_FAILED fields.0.max fields.0.required"},
		"max": {field(`{"name": "a", "type": "text", "max": 0}, {"name": "b", "type": "text", "max": null}`),
			"VALIDATION_FAILED fields.0.max"},
	} {
		if _, err := w.forms.Create(t.Context(), formAdmin, parsed(t, row.body)); wrong(err) != row.want {
			t.Errorf("%s: %v, want %s", name, wrong(err), row.want)
		}
	}
}

func TestFormUpdates(t *testing.T) {
	w := newFormsWorld(t)
	w.create(`{"slug": "other", "name": "Other"}`)
	f := w.create(`{"slug": "contact", "name": "Contact", "fields": [{"name": "a", "type": "honeypot", "label": "Trap"}], "notify_emails": ["a@example.com", "A@example.com"],
		"recaptcha": {"site_key": "site", "secret_key": "hidden", "min_score": 0.5}}`)
	if !f.IsActive || f.Fields[0].Label != "" || len(f.NotifyEmails) != 1 || f.BlockEmails == nil {
		t.Errorf("created %+v", f)
	}
	update := func(body string) (cms.Form, error) {
		return w.forms.Update(t.Context(), formAdmin, "contact", parsed(t, body), nil)
	}
	// A form that was read, in which the secret does not stand, is sent back.
	f, err := update(`{"id": "x", "created_at": "x", "recaptcha": {"site_key": "site2"}, "is_active": false}`)
	if err != nil || !w.hasSecret(f, "hidden") || f.Recaptcha.SiteKey != "site2" ||
		f.Recaptcha.MinScore != nil || f.IsActive || f.Name != "Contact" {
		t.Errorf("%+v, %v", f, err)
	}
	if f, err = update(`{"recaptcha": null, "is_active": true}`); err != nil || f.Recaptcha != nil {
		t.Errorf("%+v, %v", f, err)
	}
	w.submit("contact", `{}`)
	if _, err = update(`{"slug": "other"}`); wrong(err) != "CONFLICT" {
		t.Error(err)
	}
	if f, err = update(`{"slug": "renamed"}`); err != nil || f.Slug != "renamed" {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err = w.subs.Submit(t.Context(), cms.Actor{}, nil, "contact", nil,
		forms.Visitor{}); wrong(err) != "FORM_NOT_FOUND" {
		t.Error(err)
	}
	if n := w.total("renamed"); n != 1 {
		t.Errorf("%d submissions after the rename", n)
	}
}

func (w *formsWorld) list(slug string, q index.ListQuery) db.Page[cms.Submission] {
	w.t.Helper()
	if q.PerPage == 0 {
		q.Paging = db.Paging{Page: 1, PerPage: 100}
	}
	page, err := w.subs.List(w.t.Context(), slug, q)
	must.Do(w.t, err)
	return page
}

func (w *formsWorld) total(slug string, filters ...query.Filter) int {
	w.t.Helper()
	page := w.list(slug, index.ListQuery{Filters: filters})
	if len(page.Items) != page.Total {
		w.t.Errorf("%d items, total %d", len(page.Items), page.Total)
	}
	return page.Total
}

func equals(path, value string) query.Filter {
	return query.Filter{Path: path, Op: query.OpEq, Values: []string{value}}
}

func TestSubmissionLists(t *testing.T) {
	w := newFormsWorld(t)
	w.create(`{"slug": "contact", "name": "Contact", "fields": [{"name": "text", "type": "text"}, {"name": "trap", "type": "honeypot"}]}`)
	var ids []string
	for i := range 6 {
		ids = append(ids,
			w.submit("contact", fmt.Sprintf(`{"text": "number %d", "trap": %q}`, i,
				strings.Repeat("x", i/4))))
	}
	for i, status := range []string{"read", "archived", "read"} {
		if _, err := w.subs.SetStatus(t.Context(), formAdmin, "contact", ids[i],
			map[string]any{"status": status}); err != nil {
			t.Fatal(err)
		}
	}
	page := w.list("contact", index.ListQuery{})
	for i, v := range page.Items {
		if v.ID != ids[5-i] {
			t.Fatalf("order %+v", page.Items)
		}
	}
	for name, row := range map[string]struct {
		filters []query.Filter
		want    int
	}{
		"new":              {[]query.Filter{equals("status", "new")}, 3},
		"read":             {[]query.Filter{equals("status", "read")}, 2},
		"spam":             {[]query.Filter{equals("spam", "true")}, 2},
		"new without spam": {[]query.Filter{equals("status", "new"), equals("spam", "false")}, 1},
		"since": {[]query.Filter{{Path: "received_at", Op: query.OpGte,
			Values: []string{"2026-01-01T00:00:02Z"}}}, 4},
		"id": {[]query.Filter{equals("id", ids[2])}, 1},
	} {
		if n := w.total("contact", row.filters...); n != row.want {
			t.Errorf("%s: %d, want %d", name, n, row.want)
		}
	}
	second := w.list("contact", index.ListQuery{Paging: db.Paging{Page: 2, PerPage: 4}})
	if second.Total != 6 || len(second.Items) != 2 || second.Items[1].ID != ids[0] {
		t.Errorf("page 2: %+v", second)
	}
	for _, q := range []index.ListQuery{{Filters: []query.Filter{equals("fields.text", "x")}},
		{Filters: []query.Filter{equals("spam", "perhaps")}}, {Sort: []query.SortField{{Path: "id"}}}} {
		if _, err := w.subs.List(t.Context(), "contact", q); wrong(err) != "BAD_REQUEST" {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if _, err := w.subs.Get(t.Context(), "contact", "nothing"); wrong(err) != "NOT_FOUND" {
		t.Error(err)
	}
	for _, body := range []map[string]any{{}, {"status": "gone"}, {"status": 1}, {"state": "read"}} {
		if _, err := w.subs.SetStatus(t.Context(), formAdmin, "contact", ids[0], body); !strings.HasPrefix(wrong(err),
			"VALIDATION_FAILED") {
			t.Errorf("%v: %v", body, err)
		}
	}
	must.Do(t, w.subs.Delete(t.Context(), formAdmin, "contact", ids[0]))
	if err := w.subs.Delete(t.Context(), formAdmin, "contact", ids[0]); wrong(err) != "NOT_FOUND" ||
		w.total("contact") != 5 || w.total("contact", equals("status", "read")) != 1 {
		t.Errorf("deleted: %v, %d left", err, w.total("contact"))
	}
}

func TestExportIsHarmless(t *testing.T) {
	w := newFormsWorld(t)
	w.create(`{"slug": "contact", "name": "Contact", "fields": [{"name": "old", "type": "text"}, {"name": "text", "type": "text"}, {"name": "trap", "type": "honeypot"},
		{"name": "box", "type": "checkbox"}, {"name": "list", "type": "checkbox", "options": ["a", "b"]}]}`)
	values := []string{"plain", "=1+1", "+49 30", "-2+3", "-12.5", "@SUM(A1)", "\t=1", " =1", "＝1",
		"a,\"b\"\nc", "\r=x", "é"}
	for _, v := range values {
		body, err := cms.Marshal(map[string]any{"old": "o", "text": v, "box": true,
			"list": []string{"a", "b"}})
		must.Do(t, err)
		w.submit("contact", string(body))
	}
	if _, err := w.forms.Update(t.Context(), formAdmin, "contact",
		parsed(t, `{"fields": [{"name": "text", "type": "text"}, {"name": "box", "type": "checkbox"}]}`), nil); err != nil {
		t.Fatal(err)
	}
	file, next, err := w.subs.Export(t.Context(), formAdmin, "contact", index.ListQuery{})
	if err != nil || next != "" {
		t.Fatal(err, next)
	}
	r := csv.NewReader(strings.NewReader(string(file)))
	rows, err := r.ReadAll()
	must.Do(t, err)
	if got := strings.Join(rows[0], " "); got != "id received_at status spam spam_reason text box old list" {
		t.Errorf("header %s", got)
	}
	want := []string{"plain", "'=1+1", "'+49 30", "'-2+3", "-12.5", "'@SUM(A1)", "'\t=1", "' =1",
		"'＝1", "a,\"b\"\nc", "'\r=x", "é"}
	for i, row := range rows[1:] {
		text := want[len(want)-1-i]
		if row[5] != text || row[2] != "new" || row[3] != "false" || row[6] != "yes" ||
			row[7] != "o" || row[8] != "a, b" {
			t.Errorf("%q, want %q", row, text)
		}
	}
}

func TestPurge(t *testing.T) {
	w := newFormsWorld(t)
	w.create(`{"slug": "short", "name": "Short", "retention_days": 2, "notify_emails": ["desk@example.com"]}`)
	w.create(`{"slug": "long", "name": "Long"}`)
	purge := func(limit, want int) {
		t.Helper()
		if n, err := w.subs.PurgeExpired(t.Context(), limit); err != nil || n != want {
			t.Errorf("removed %d, %v, want %d", n, err, want)
		}
	}
	for range 3 {
		w.submit("short", `{}`)
		w.submit("long", `{}`)
	}
	purge(10, 0)
	w.Advance(47 * time.Hour)
	kept := w.submit("short", `{}`)
	w.Advance(time.Hour)
	purge(2, 2)
	purge(10, 1)
	purge(10, 0)
	if page := w.list("short", index.ListQuery{}); page.Total != 1 || page.Items[0].ID != kept ||
		w.total("long") != 3 {
		t.Errorf("left %+v, %d", page, w.total("long"))
	}
	must.Do(t, w.forms.Delete(t.Context(), formAdmin, "long"))
	if _, err := w.subs.List(t.Context(), "long", index.ListQuery{}); wrong(err) != "NOT_FOUND" {
		t.Error(err)
	}
	purge(2, 2)
	purge(10, 1)
	if gone, err := w.store.GoneForms(t.Context()); err != nil || len(gone) != 0 {
		t.Errorf("still to go: %v, %v", gone, err)
	}
	due, err := w.store.DueMails(t.Context(), w.Now().AddDate(1, 0, 0), 0)
	if err != nil || len(due) != 1 || due[0].SubmissionID != kept {
		t.Errorf("due mails %v, %v", due, err)
	}
}

// hasSecret reports whether the secret key of a form is stored sealed and is the one given.
func (w *formsWorld) hasSecret(f cms.Form, want string) bool {
	secret, err := w.store.UnsealText(f.Recaptcha.SecretKey)
	return err == nil && secret == want && f.Recaptcha.SecretKey != want
}
