package e2e

import (
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

var formScenarios = []scenario{
	{name: "forms/schema", run: formSchema},
	{name: "forms/submit", run: submitForm},
	{name: "forms/without JavaScript", run: plainForms, submits: true},
	{name: "forms/success_url", run: successURLs},
	{name: "forms/consent", run: formConsent, submits: true},
	{name: "forms/validation", run: formValidation, submits: true},
	{name: "forms/bodies", run: formBodies, submits: true},
	{name: "forms/spam", run: formSpam, submits: true},
	{name: "forms/blocked", run: blockedAddresses, submits: true},
	{name: "forms/limit", run: submitLimit, submits: true},
	{name: "forms/mail", run: formMail, submits: true},
	{name: "forms/submissions", run: submissions, submits: true},
}

// makeForm makes a form by the admin routes and returns its slug.
func makeForm(t *testing.T, s *suite, definition obj) string {
	t.Helper()
	slug := unique("form")
	body := obj{"slug": slug, "name": "Form " + slug, "success_message": "Thank you, friend.", "fields": list{
		obj{"name": "email", "label": "Address", "type": "email", "required": true},
		obj{"name": "message", "label": "Message", "type": "textarea", "required": true, "max": 20},
		obj{"name": "website", "type": "honeypot"},
	}}
	maps.Copy(body, definition)
	s.admin(t).ok(t, 201, "POST /forms", body)
	return slug
}

func formSchema(t *testing.T, s *suite) {
	slug := makeForm(t, s, obj{"notify_emails": list{"desk@example.com"},
		"block_emails": list{"*@bad.example"}, "block_disposable": true,
		"recaptcha": obj{"site_key": "site", "secret_key": "hidden-secret"}})
	v := s.public()
	a := v.step(t, step{call: "GET /forms/" + slug, status: 200, want: obj{
		"data.name": "Form " + slug, "data.slug": slug,
		"data.success_message": "Thank you, friend.", "data.fields.#": 3,
		"data.fields.0.name": "email", "data.fields.0.label": "Address",
		"data.fields.0.type": "email", "data.fields.0.required": true, "data.fields.1.max": 20,
		"data.fields.2.type": "honeypot", "data.fields.2.label": nil, "meta": obj{},
	}})
	if strings.Contains(string(a.Raw), "hidden-secret") ||
		strings.Contains(string(a.Raw), "desk@example.com") ||
		strings.Contains(string(a.Raw), "bad.example") {
		t.Errorf("the schema shows what is internal: %s", a.Raw)
	}
	v.run(t,
		step{name: "unknown", call: "GET /forms/" + unique("none"), status: 404, code: "FORM_NOT_FOUND"},
		step{name: "any origin", call: "GET /forms/" + slug, status: 200},
	)
	s.admin(t).ok(t, 200, "PUT /forms/"+slug, obj{"is_active": false})
	v.run(t,
		step{name: "inactive", call: "GET /forms/" + slug, status: 410, code: "FORM_INACTIVE"},
		step{name: "inactive, submit", call: "POST /forms/" + slug + "/submit",
			body: obj{"email": "ada@example.com", "message": "x"}, status: 410, code: "FORM_INACTIVE"},
	)
	s.admin(t).ok(t, 200, "PUT /forms/"+slug, obj{"is_active": true})
	v.run(t, step{name: "active again", call: "GET /forms/" + slug, status: 200})
}

func submitForm(t *testing.T, s *suite) {
	slug := makeForm(t, s, nil)
	v := s.visitor(t)
	a := v.step(t, step{call: "POST /forms/" + slug + "/submit",
		body: obj{"email": "ada@example.com", "message": " Hello\r\n", "website": "",
			"extra": "dropped"}, status: 201, want: obj{
			"data.id": present, "data.received_at": timestamp, "data.message": "Thank you, friend.",
			"meta": obj{},
		}})
	s.admin(t).run(t,
		step{name: "stored", call: "GET /forms/" + slug + "/submissions", status: 200, want: obj{
			"meta.total": 1, "data.0.id": a.get("data.id"), "data.0.status": "new",
			"data.0.spam": false, "data.0.fields.email": "ada@example.com",
			"data.0.fields.message": " Hello\r\n",
			"data.0.fields.extra":   nil,
		}},
	)
	t.Run("activity", func(t *testing.T) {
		s.eventually(t, "an anonymous activity record", func() bool {
			return s.walk(t, "/activity", func(item any) bool {
				return dig(item, "event") == "form.submission.created" &&
					dig(item, "actor") == nil && dig(item, "source") == "api"
			})
		})
	})
	id, list := a.get("data.id"), "POST /forms/"+slug+"/submissions"
	s.admin(t).run(t,
		step{name: "several", call: list, body: obj{"ids": []any{id, noID}, "status": "read"},
			status: 200, want: obj{"data.done": 1, "data.failed.0.id": noID,
				"data.failed.0.code": "NOT_FOUND"}},
		step{name: "they are read", call: "GET /forms/" + slug + "/submissions?status=read",
			status: 200, want: obj{"meta.total": 1}},
		step{name: "no ids", call: list, body: obj{"status": "read"}, status: 422, code: "VALIDATION_FAILED"},
		step{name: "no such status", call: list, body: obj{"ids": []any{id}, "status": "old"},
			status: 422, code: "VALIDATION_FAILED"},
	)
	s.anonymousAdmin().step(t, step{call: list, body: obj{"ids": []any{id}, "status": "read"},
		status: 401, code: "UNAUTHORIZED"})
	v.run(t, step{name: "unknown form", call: "POST /forms/" + unique("none") + "/submit",
		body: obj{"a": "b"}, status: 404, code: "FORM_NOT_FOUND"})
}

// formConsent asks for consent: nobody sends the form without it, and each submission keeps the text.
func formConsent(t *testing.T, s *suite) {
	const text = "You may <mail> me & keep this for 30 days."
	slug := makeForm(t, s, obj{"consent": " " + text + "\n", "retention_days": 30})
	admin, v := s.admin(t), s.visitor(t)
	submit := "POST /forms/" + slug + "/submit"
	v.run(t,
		step{name: "the box", call: "GET /forms/" + slug, status: 200, want: obj{"data.fields.#": 4, "data.fields.3.name": "consent",
			"data.fields.3.label": text, "data.fields.3.type": "checkbox", "data.fields.3.required": true}},
		step{name: "without", call: submit, body: obj{"email": "ada@example.com", "message": "Hi"}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"consent"}},
		step{name: "refused", call: submit, body: obj{"email": "ada@example.com", "message": "Hi", "consent": false}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"consent"}},
		step{name: "given", call: submit, body: obj{"email": "ada@example.com", "message": "Hi", "consent": true}, status: 201},
	)
	values := url.Values{"email": {"eve@example.com"}, "message": {"Hi"}}
	if status, _, page := sendPlain(t, s, slug, "", "text/html", values); status != 422 ||
		!strings.Contains(page, `<input type="checkbox" name="consent" value="true">`) || !strings.Contains(page, "&lt;mail&gt; me &amp; keep") {
		t.Errorf("a page without consent: %d %s", status, page)
	}
	values.Set("consent", "true")
	if status, _, page := sendPlain(t, s, slug, "", "text/html", values); status != 201 {
		t.Errorf("a page with consent: %d %s", status, page)
	}
	admin.run(t,
		step{name: "another text", call: "PUT /forms/" + slug, body: obj{"consent": "Another text."}, status: 200,
			want: obj{"data.consent": "Another text.", "data.fields.#": 3}},
		step{name: "they keep theirs", call: "GET /forms/" + slug + "/submissions", status: 200, want: obj{"meta.total": 2,
			"data.0.fields.consent": text, "data.1.fields.consent": text}},
		step{name: "a field of the name", call: "PUT /forms/" + slug, body: obj{"fields": list{obj{"name": "consent", "type": "checkbox"}}},
			status: 422, code: "VALIDATION_FAILED", details: []string{"fields.0.name"}},
		step{name: "a long text", call: "PUT /forms/" + slug, body: obj{"consent": strings.Repeat("x", 2001)}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"consent"}},
	)
	if a := admin.ok(t, 200, "GET /forms/"+slug+"/submissions.csv", nil); !strings.Contains(string(a.Raw), ",email,message,consent\r\n") ||
		!strings.Contains(string(a.Raw), text) {
		t.Errorf("the file: %s", a.Raw)
	}
}

// sendPlain sends a form as a browser without JavaScript does, and returns the page or the redirect.
func sendPlain(t *testing.T, s *suite, slug, from, accept string, values url.Values) (status int, location, page string) {
	t.Helper()
	c := s.visitor(t)
	req, _ := c.request(t, "POST /forms/"+slug+"/submit", raw{"application/x-www-form-urlencoded", []byte(values.Encode())})
	req.Header.Set("Accept", accept)
	if from != "" {
		req.Header.Set("Origin", from)
	}
	once := *c.http
	once.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := once.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("Location"), string(b)
}

const browserAccept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// plainForms answers browsers without JavaScript with redirects and pages.
func plainForms(t *testing.T, s *suite) {
	slug := makeForm(t, s, nil)
	good := url.Values{"email": {"ada@example.com"}, "message": {"Hello"}}
	if status, _, page := sendPlain(t, s, slug, "", browserAccept, good); status != 201 || !strings.Contains(page, "<p>Thank you, friend.</p>") {
		t.Errorf("%d %s", status, page)
	}
	if status, _, page := sendPlain(t, s, slug, "", "application/json, text/html", good); status != 201 || !strings.HasPrefix(page, "{") {
		t.Errorf("%d %s", status, page)
	}
	status, _, page := sendPlain(t, s, slug, "", browserAccept, url.Values{"email": {"<ada>"}, "message": {"much too long for <b>this</b> field"}})
	for _, part := range []string{`value="&lt;ada&gt;"`, "much too long for &lt;b&gt;this&lt;/b&gt; field</textarea>", "Address must be", "Message must"} {
		if status != 422 || !strings.Contains(page, part) {
			t.Errorf("%d, no %q in %s", status, part, page)
		}
	}
	if strings.Contains(page, "website") {
		t.Errorf("the page shows the honeypot: %s", page)
	}
	if status, _, page := sendPlain(t, s, unique("none"), "", browserAccept, good); status != 404 || !strings.Contains(page, "<p role=\"alert\">") {
		t.Errorf("%d %s", status, page)
	}
	shop := "https://" + unique("shop") + ".example"
	s.key(t, obj{"origins": list{shop}})
	s.admin(t).ok(t, 200, "PUT /forms/"+slug, obj{"success_url": "/thanks?a=b"})
	if status, to, page := sendPlain(t, s, slug, shop, browserAccept, good); status != 303 || to != shop+"/thanks?a=b" {
		t.Errorf("%d %s %s", status, to, page)
	}
}

// successURLs refuses addresses of other sites.
func successURLs(t *testing.T, s *suite) {
	admin, slug := s.admin(t), makeForm(t, s, nil)
	shop := "https://" + unique("shop") + ".example"
	refused := func(to string) {
		admin.step(t, step{name: to, call: "PUT /forms/" + slug, body: obj{"success_url": to}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"success_url"}})
	}
	for _, to := range []string{shop + "/x", "//evil.example/x", "javascript:alert(1)", "thanks", "/\\evil.example", "https://*.example/"} {
		refused(to)
	}
	s.key(t, obj{"origins": list{shop, "https://*.pattern.example"}})
	refused("https://a.pattern.example/x")
	admin.step(t, step{call: "PUT /forms/" + slug, body: obj{"success_url": shop + "/x"}, status: 200, want: obj{"data.success_url": shop + "/x"}})
	admin.step(t, step{call: "PUT /forms/" + slug, body: obj{"success_url": ""}, status: 200, want: obj{"data.success_url": ""}})
}

func formValidation(t *testing.T, s *suite) {
	one := func(kind string, more obj) obj {
		f := obj{"name": "f", "label": "F", "type": kind}
		maps.Copy(f, more)
		return f
	}
	rows := []struct {
		name      string
		field     obj
		good, bad list
	}{
		{"text", one("text", obj{"required": true, "max": 4}), list{"äöüß"}, list{"", nil, "abcde"}},
		{"long text", one("textarea", nil), list{strings.Repeat("ä", 10000), ""},
			list{strings.Repeat("ä", 10001)}},
		{"email", one("email", nil), list{"ada@example.com", ""}, list{"ada", "a b@example.com"}},
		{"tel", one("tel", nil), list{"+49 (30) 123-45"}, list{"call me"}},
		{"url", one("url", nil), list{"https://example.com/x"}, list{"javascript:alert(1)", "example"}},
		{"number", one("number", nil), list{"12.5", 3}, list{"twelve"}},
		{"date", one("date", nil), list{"2024-02-29"}, list{"2023-02-29", "tomorrow"}},
		{"select", one("select", obj{"options": list{"a", "b"}}), list{"b"}, list{"c"}},
		{"radio", one("radio", obj{"options": list{"a", "b"}, "required": true}), list{"b"}, list{"c", ""}},
		{"hidden", one("hidden", nil), list{"campaign"}, nil},
		{"wrong type", one("text", nil), list{"x"}, list{obj{"a": 1}}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			slug := makeForm(t, s, obj{"fields": list{row.field}})
			v := s.visitor(t) // a row has at most five values
			for _, value := range row.good {
				v.ok(t, 201, "POST /forms/"+slug+"/submit", obj{"f": value})
			}
			for _, value := range row.bad {
				v.step(t, step{call: "POST /forms/" + slug + "/submit", body: obj{"f": value},
					status: 422, code: "VALIDATION_FAILED", details: []string{"f"}})
			}
		})
	}
	t.Run("all at once", func(t *testing.T) {
		s.visitor(t).step(t, step{call: "POST /forms/" + makeForm(t, s, nil) + "/submit",
			body: obj{"message": strings.Repeat("x", 21)}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"email", "message"}})
	})
}

func formBodies(t *testing.T, s *suite) {
	slug := makeForm(t, s, nil)
	call := "POST /forms/" + slug + "/submit"
	v := s.visitor(t)
	v.run(t,
		step{name: "urlencoded", call: call, body: text("application/x-www-form-urlencoded",
			url.Values{"email": {"ada@example.com"}, "message": {"ä & b"}}.Encode()), status: 201},
		step{name: "text", call: call, body: text("text/plain", "x"), status: 415,
			code: "UNSUPPORTED_MEDIA_TYPE"},
		step{name: "malformed", call: call, body: text("application/json", "{"), status: 400,
			code: "BAD_REQUEST"},
	)
	s.visitor(t).run(t,
		step{name: "a list", call: call, body: text("application/json", "[]"), status: 400,
			code: "BAD_REQUEST"},
		step{name: "too large", call: call,
			body:   obj{"email": "ada@example.com", "message": strings.Repeat("x", 1<<20)},
			status: 413, code: "PAYLOAD_TOO_LARGE"},
		step{name: "malformed form", call: call, body: text("application/x-www-form-urlencoded",
			"email=%zz"), status: 400, code: "BAD_REQUEST"},
	)
	s.admin(t).run(t, step{name: "as sent", call: "GET /forms/" + slug + "/submissions",
		status: 200, want: obj{"meta.total": 1, "data.0.fields.message": "ä & b"}})
}

func formSpam(t *testing.T, s *suite) {
	slug := makeForm(t, s, nil)
	s.visitor(t).step(t, step{call: "POST /forms/" + slug + "/submit",
		body:   obj{"email": "bot@example.com", "message": "x", "website": "http://spam"},
		status: 201, want: obj{"data.message": "Thank you, friend."}})
	s.visitor(t).step(t, step{call: "POST /forms/" + slug + "/submit",
		body: obj{"email": "no address", "website": "http://spam"}, status: 201})
	admin := s.admin(t)
	l := "/forms/" + slug + "/submissions"
	a := admin.step(t,
		step{call: "GET " + l, status: 200, want: obj{"meta.total": 2, "data.0.spam": true,
			"data.0.spam_reason": present, "data.0.status": "new"}})
	one := l + "/" + a.str(t, "data.0.id")
	admin.run(t,
		step{name: "read", call: "PATCH " + one, body: obj{"status": "read"}, status: 200,
			want: obj{"data.status": "read", "data.spam": false}},
		step{name: "spam", call: "PATCH " + one, body: obj{"status": "spam"}, status: 200,
			want: obj{"data.spam": true}},
		step{name: "not a status", call: "PATCH " + one, body: obj{"status": "gone"}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"status"}},
	)
}

func blockedAddresses(t *testing.T, s *suite) {
	slug := makeForm(t, s, obj{"block_emails": list{"eve@example.com", "*@blocked.example"},
		"block_disposable": true})
	v := s.visitor(t)
	for _, address := range []string{"Eve@Example.com", "any@BLOCKED.example", "x@mailinator.com"} {
		v.run(t, step{name: address, call: "POST /forms/" + slug + "/submit",
			body: obj{"email": address, "message": "x"}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"email"}})
	}
	v.run(t, step{name: "another", call: "POST /forms/" + slug + "/submit",
		body: obj{"email": "ada@example.com", "message": "x"}, status: 201})
}

func submitLimit(t *testing.T, s *suite) {
	one, two := makeForm(t, s, nil), makeForm(t, s, nil)
	v := s.visitor(t)
	good := obj{"email": "ada@example.com", "message": "x"}
	for i, st := range []step{
		{call: "POST /forms/" + one + "/submit", body: good, status: 201},
		{call: "POST /forms/" + one + "/submit", body: obj{}, status: 422, code: "VALIDATION_FAILED"},
		{call: "POST /forms/" + two + "/submit", body: good, status: 201},
		{call: "POST /forms/" + unique("none") + "/submit", body: good, status: 404, code: "FORM_NOT_FOUND"},
		{call: "POST /forms/" + two + "/submit", body: text("application/json", "{"), status: 400,
			code: "BAD_REQUEST"},
	} {
		st.name = "number " + str(i+1)
		v.run(t, st)
	}
	sixth := step{name: "the sixth", call: "POST /forms/" + one + "/submit", body: good,
		status: 429, code: "RATE_LIMITED", header: obj{"Retry-After": matches(`^([1-9]|[1-5][0-9]|60)$`)}}
	v.run(t, sixth)
	sixth.name = "a forged address"
	v.with("X-Forwarded-For", "203.0.113.9").with("X-Real-IP", "203.0.113.9").with("Forwarded",
		"for=203.0.113.9").with("CF-Connecting-IP", "203.0.113.9").run(t, sixth)
	v.run(t, step{name: "reading is free", call: "GET /forms/" + one, status: 200})
	s.visitor(t).run(t, step{name: "another address", call: "POST /forms/" + one + "/submit",
		body: good, status: 201})
	s.admin(t).run(t, step{name: "nothing else was stored", call: "GET /forms/" + one +
		"/submissions", status: 200, want: obj{"meta.total": 2}})
}

func formMail(t *testing.T, s *suite) {
	if s.target.Mail == nil {
		t.Log("mails cannot be read on this target")
		return
	}
	first, second := unique("desk")+"@example.com", unique("boss")+"@example.com"
	slug := makeForm(t, s, obj{"notify_emails": list{first, second}})
	message := "mail\r\nBcc: x@evil"
	s.visitor(t).ok(t, 201, "POST /forms/"+slug+"/submit",
		obj{"email": "ada@example.com", "message": message})
	sent := func(to string) (n int, last string) {
		for _, m := range s.target.Mail(t) {
			if strings.Contains(string(m), to) {
				n, last = n+1, string(m)
			}
		}
		return n, last
	}
	for _, to := range []string{first, second} {
		s.eventually(t, "a mail to "+to, func() bool { n, _ := sent(to); return n > 0 })
		n, m := sent(to)
		head, _, _ := strings.Cut(strings.ReplaceAll(m, "\r\n", "\n"), "\n\n")
		if n != 1 || !strings.Contains(head, "Reply-To") ||
			!strings.Contains(head, "ada@example.com") || strings.Contains(head, "\nBcc") {
			t.Errorf("%d mails to %s:\n%s", n, to, m)
		}
	}
	if _, m := sent(first); strings.Contains(m, second) {
		t.Error("one message names both addresses")
	}
	t.Run("none for spam", func(t *testing.T) {
		s.visitor(t).ok(t, 201, "POST /forms/"+slug+"/submit",
			obj{"email": "ada@example.com", "message": "x", "website": "x"})
		never(t, "a mail was sent for spam", func() bool { n, _ := sent(first); return n > 1 })
	})
}

func submissions(t *testing.T, s *suite) {
	slug := makeForm(t, s, nil)
	v, admin := s.visitor(t), s.admin(t)
	for _, message := range []string{"one", "=1+1", "a,\"b\"\nc"} {
		v.ok(t, 201, "POST /forms/"+slug+"/submit", obj{"email": "ada@example.com", "message": message})
	}
	l := "/forms/" + slug + "/submissions"
	a := admin.step(t, step{call: "GET " + l + "?per_page=2", status: 200,
		want: obj{"meta.total": 3, "meta.per_page": 2, "meta.page": 1, "data.#": 2}})
	if a.str(t, "data.0.received_at") < a.str(t, "data.1.received_at") {
		t.Errorf("the newest is not first: %s", a.Raw)
	}
	one := ""
	s.walk(t, l, func(item any) bool {
		if str(dig(item, "fields.message")) == "a,\"b\"\nc" {
			one = l + "/" + str(dig(item, "id"))
		}
		return one != ""
	})
	admin.run(t,
		step{name: "read one", call: "GET " + one, status: 200, want: obj{"data.status": "new"}},
		step{name: "archive", call: "PATCH " + one, body: obj{"status": "archived"}, status: 200,
			want: obj{"data.status": "archived"}},
		step{name: "delete", call: "DELETE " + one, status: 204},
		step{name: "gone", call: "GET " + one, status: 404, code: "NOT_FOUND"},
		step{name: "counted", call: "GET " + l, status: 200, want: obj{"meta.total": 2}},
	)
	t.Run("CSV", func(t *testing.T) {
		a := admin.ok(t, 200, "GET "+l+".csv", nil)
		s.eventually(t, "the record of the export", func() bool {
			return s.walk(t, "/activity", func(item any) bool {
				return dig(item, "event") == "export.made" &&
					strings.Contains(l, "/"+str(dig(item, "subject_id"))+"/") &&
					str(dig(item, "address")) != ""
			})
		})
		if !strings.HasPrefix(a.Header.Get("Content-Type"), "text/csv") ||
			!strings.Contains(string(a.Raw), "one") || strings.Contains(string(a.Raw), ",=1+1") {
			t.Errorf("%s: %s", a.Header.Get("Content-Type"), a.Raw)
		}
	})
	admin.run(t, step{name: "delete the form", call: "DELETE /forms/" + slug, status: 204})
	v.run(t, step{name: "no form", call: "GET /forms/" + slug, status: 404, code: "FORM_NOT_FOUND"})
}
