package forms

import (
	"net/url"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Forms has the scenarios of forms and submissions.
var Forms = []kit.Scenario{
	{Name: "forms/schema", Run: formSchema},
	{Name: "forms/submit", Run: submitForm},
	{Name: "forms/without JavaScript", Run: plainForms, Submits: true},
	{Name: "forms/success_url", Run: successURLs},
	{Name: "forms/consent", Run: formConsent, Submits: true},
	{Name: "forms/validation", Run: formValidation, Submits: true},
	{Name: "forms/bodies", Run: formBodies, Submits: true},
	{Name: "forms/spam", Run: formSpam, Submits: true},
	{Name: "forms/blocked", Run: blockedAddresses, Submits: true},
	{Name: "forms/limit", Run: submitLimit, Submits: true},
	{Name: "forms/mail", Run: formMail, Submits: true},
	{Name: "forms/submissions", Run: submissions, Submits: true},
}

func formSchema(t *testing.T, s *kit.Suite) {
	slug := kit.MakeForm(t, s, kit.Obj{"notify_emails": kit.List{"desk@example.com"},
		"block_emails": kit.List{"*@bad.example"}, "block_disposable": true,
		"recaptcha": kit.Obj{"site_key": "site", "secret_key": "hidden-secret"}})
	v := s.Public()
	a := v.Step(t, kit.Step{Call: "GET /forms/" + slug, Want: kit.Obj{
		"data.name": "Form " + slug, "data.slug": slug,
		"data.success_message": "Thank you, friend.", "data.fields.#": 3,
		"data.fields.0.name": "email", "data.fields.0.label": "Address",
		"data.fields.0.type": "email", "data.fields.0.required": true, "data.fields.1.max": 20,
		"data.fields.2.type": "honeypot", "data.fields.2.label": nil, "meta": kit.Obj{},
	}})
	a.Lacks(t, "the schema", "hidden-secret", "desk@example.com", "bad.example")
	v.Run(t,
		kit.Step{Name: "unknown", Call: "GET /forms/" + kit.Unique("none"), Code: "FORM_NOT_FOUND"},
		kit.Step{Name: "any origin", Call: "GET /forms/" + slug},
	)
	s.Admin(t).Put(t, "/forms/"+slug, kit.Obj{"is_active": false})
	v.Run(t,
		kit.Step{Name: "inactive", Call: "GET /forms/" + slug, Code: "FORM_INACTIVE"},
		kit.Step{Name: "inactive, submit", Call: "POST /forms/" + slug + "/submit",
			Body: kit.Obj{"email": "ada@example.com", "message": "x"}, Code: "FORM_INACTIVE"},
	)
	s.Admin(t).Put(t, "/forms/"+slug, kit.Obj{"is_active": true})
	v.Run(t, kit.Step{Name: "active again", Call: "GET /forms/" + slug})
}

func submitForm(t *testing.T, s *kit.Suite) {
	slug := kit.MakeForm(t, s, nil)
	v := s.Visitor(t)
	a := v.Step(t, kit.Step{Call: "POST /forms/" + slug + "/submit",
		Body: kit.Obj{"email": "ada@example.com", "message": " Hello\r\n", "website": "", "extra": "dropped"}, Status: 201,
		Want: kit.Obj{
			"data.id": kit.Present, "data.received_at": kit.Timestamp, "data.message": "Thank you, friend.",
			"meta": kit.Obj{},
		}})
	s.Admin(t).Run(t,
		kit.Step{Name: "stored", Call: "GET /forms/" + slug + "/submissions", Want: kit.Obj{
			"meta.total": 1, "data.0.id": a.Get("data.id"), "data.0.status": "new",
			"data.0.spam": false, "data.0.fields.email": "ada@example.com",
			"data.0.fields.message": " Hello\r\n",
			"data.0.fields.extra":   nil,
		}},
	)
	s.Listed(t, "/activity", kit.Obj{"event": "form.submission.created", "actor": nil, "source": "api"})
	id, list := a.Get("data.id"), "POST /forms/"+slug+"/submissions"
	s.Admin(t).Run(t,
		kit.Step{Name: "several", Call: list, Body: kit.Obj{"ids": []any{id, kit.UnknownID}, "status": "read"},
			Want: kit.Obj{"data.done": 1, "data.failed.0.id": kit.UnknownID, "data.failed.0.code": "NOT_FOUND"}},
		kit.Step{Name: "they are read", Call: "GET /forms/" + slug + "/submissions?status=read",
			Want: kit.Obj{"meta.total": 1}},
		kit.Step{Name: "no ids", Call: list, Body: kit.Obj{"status": "read"}, Code: "VALIDATION_FAILED"},
		kit.Step{Name: "no such status", Call: list, Body: kit.Obj{"ids": []any{id}, "status": "old"},
			Code: "VALIDATION_FAILED"},
	)
	s.AnonymousAdmin().Step(t, kit.Step{Call: list, Body: kit.Obj{"ids": []any{id}, "status": "read"},
		Code: "UNAUTHORIZED"})
	s.Admin(t).Run(t,
		kit.Step{Name: "delete and mark", Call: list, Body: kit.Obj{"ids": []any{id}, "action": "delete", "status": "read"},
			Code: "VALIDATION_FAILED"},
		kit.Step{Name: "delete several", Call: list, Body: kit.Obj{"ids": []any{id, kit.UnknownID}, "action": "delete"},
			Want: kit.Obj{"data.done": 1, "data.failed.0.id": kit.UnknownID, "data.failed.0.code": "NOT_FOUND"}},
		kit.Step{Name: "none is left", Call: "GET /forms/" + slug + "/submissions", Want: kit.Obj{"meta.total": 0}},
	)
	v.Run(t, kit.Step{Name: "unknown form", Call: "POST /forms/" + kit.Unique("none") + "/submit",
		Body: kit.Obj{"a": "b"}, Code: "FORM_NOT_FOUND"})
}

// formConsent asks for consent: nobody sends the form without it, and each submission keeps the text.
func formConsent(t *testing.T, s *kit.Suite) {
	const text = "You may <mail> me & keep this for 30 days."
	slug := kit.MakeForm(t, s, kit.Obj{"consent": " " + text + "\n", "retention_days": 30})
	admin, v := s.Admin(t), s.Visitor(t)
	submit := "POST /forms/" + slug + "/submit"
	v.Run(t,
		kit.Step{Name: "the box", Call: "GET /forms/" + slug,
			Want: kit.Obj{"data.fields.#": 4, "data.fields.3.name": "consent",
				"data.fields.3.label": text, "data.fields.3.type": "checkbox", "data.fields.3.required": true}},
		kit.Step{Name: "without", Call: submit, Body: kit.Obj{"email": "ada@example.com", "message": "Hi"},
			Invalid: "consent"},
		kit.Step{Name: "refused", Call: submit,
			Body: kit.Obj{"email": "ada@example.com", "message": "Hi", "consent": false}, Invalid: "consent"},
		kit.Step{Name: "given", Call: submit, Body: kit.Obj{"email": "ada@example.com", "message": "Hi", "consent": true},
			Status: 201},
	)
	values := url.Values{"email": {"eve@example.com"}, "message": {"Hi"}}
	page := sendPlain(t, s, slug, "", "text/html", values)
	page.HasStatus(t, "a page without consent", 422)
	page.Contains(t, "a page without consent", `<input type="checkbox" name="consent" value="true" `+
		`aria-invalid="true" aria-describedby="consent-problem">`, "&lt;mail&gt; me &amp; keep")
	values.Set("consent", "true")
	sendPlain(t, s, slug, "", "text/html", values).HasStatus(t, "a page with consent", 201)
	admin.Run(t,
		kit.Step{Name: "another text", Call: "PUT /forms/" + slug, Body: kit.Obj{"consent": "Another text."},
			Want: kit.Obj{"data.consent": "Another text.", "data.fields.#": 3}},
		kit.Step{Name: "they keep theirs", Call: "GET /forms/" + slug + "/submissions",
			Want: kit.Obj{"meta.total": 2, "data.0.fields.consent": text, "data.1.fields.consent": text}},
		kit.Step{Name: "a field of the name", Call: "PUT /forms/" + slug,
			Body: kit.Obj{"fields": kit.List{kit.Obj{"name": "consent", "type": "checkbox"}}}, Invalid: "fields.0.name"},
		kit.Step{Name: "a long text", Call: "PUT /forms/" + slug, Body: kit.Obj{"consent": strings.Repeat("x", 2001)},
			Invalid: "consent"},
	)
	admin.Get(t, "/forms/"+slug+"/submissions.csv").Contains(t, "the file", ",email,message,consent\r\n", text)
}

// sendPlain sends a form as a browser without JavaScript does, and returns the page or the redirect.
func sendPlain(t *testing.T, s *kit.Suite, slug, from, accept string, values url.Values) kit.Answer {
	t.Helper()
	c := s.Visitor(t)
	req, _ := c.NewRequest(t, "POST /forms/"+slug+"/submit",
		kit.Text("application/x-www-form-urlencoded", values.Encode()))
	req.Header.Set("Accept", accept)
	if from != "" {
		req.Header.Set("Origin", from)
	}
	return kit.Exchange(t, c.HTTP, req)
}

const browserAccept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// plainForms answers browsers without JavaScript with redirects and pages.
func plainForms(t *testing.T, s *kit.Suite) {
	slug := kit.MakeForm(t, s, nil)
	good := url.Values{"email": {"ada@example.com"}, "message": {"Hello"}}
	taken := sendPlain(t, s, slug, "", browserAccept, good)
	taken.HasStatus(t, "a form", 201)
	taken.Contains(t, "a form", `<p dir="auto">Thank you, friend.</p>`)
	for _, accept := range []string{"application/json, text/html", "text/html;q=0, */*",
		"text/html;q=0.5, application/json"} {
		taken = sendPlain(t, s, slug, "", accept, good)
		taken.HasStatus(t, accept, 201)
		kit.Same(t, accept, taken.Raw[0], byte('{'))
	}
	refused := sendPlain(t, s, slug, "", browserAccept,
		url.Values{"email": {"<ada>"}, "message": {"much too long for <b>this</b> field"}})
	refused.HasStatus(t, "a bad form", 422)
	refused.Contains(t, "a bad form", `value="&lt;ada&gt;"`, "much too long for &lt;b&gt;this&lt;/b&gt; field</textarea>",
		"This field must be an e-mail address<", "This field must have at most 20")
	refused.Lacks(t, "the honeypot is hidden", "website")
	campaign := kit.MakeForm(t, s, kit.Obj{"fields": kit.List{
		kit.Obj{"name": "from", "label": "From", "type": "hidden", "max": 5},
		kit.Obj{"name": "email", "label": "E-mail", "type": "email"}}})
	refused = sendPlain(t, s, campaign, "", browserAccept, url.Values{"email": {"ada"}, "from": {"<ad>"}})
	refused.Contains(t, "a hidden field", `<form method="post"><input type="hidden" name="from" value="&lt;ad&gt;"><p`)
	refused = sendPlain(t, s, campaign, "", browserAccept, url.Values{"from": {"too long"}})
	refused.Contains(t, "a hidden field with a problem", "<label>From<br>", `name="from" value="too long"`)
	unknown := sendPlain(t, s, kit.Unique("none"), "", browserAccept, good)
	unknown.HasStatus(t, "an unknown form", 404)
	unknown.Contains(t, "an unknown form", `<p role="alert">`)
	shop := "https://" + kit.Unique("shop") + ".example"
	s.Key(t, kit.Obj{"origins": kit.List{shop}})
	s.Admin(t).Put(t, "/forms/"+slug, kit.Obj{"success_url": "/thanks?a=b"})
	led := sendPlain(t, s, slug, shop, browserAccept, good)
	led.HasStatus(t, "a form of a site", 303)
	kit.Same(t, "the page of the site", led.Header.Get("Location"), shop+"/thanks?a=b")
}

// successURLs refuses addresses of other sites.
func successURLs(t *testing.T, s *kit.Suite) {
	admin, slug := s.Admin(t), kit.MakeForm(t, s, nil)
	shop := "https://" + kit.Unique("shop") + ".example"
	refused := func(to string) {
		admin.Step(t, kit.Step{Name: to, Call: "PUT /forms/" + slug, Body: kit.Obj{"success_url": to},
			Invalid: "success_url"})
	}
	for _, to := range []string{shop + "/x", "//evil.example/x", "javascript:alert(1)", "thanks", "/\\evil.example",
		"https://*.example/"} {
		refused(to)
	}
	s.Key(t, kit.Obj{"origins": kit.List{shop, "https://*.pattern.example"}})
	refused("https://a.pattern.example/x")
	admin.Step(t, kit.Step{Call: "PUT /forms/" + slug, Body: kit.Obj{"success_url": shop + "/x"},
		Want: kit.Obj{"data.success_url": shop + "/x"}})
	admin.Step(t, kit.Step{Call: "PUT /forms/" + slug, Body: kit.Obj{"success_url": ""},
		Want: kit.Obj{"data.success_url": ""}})
}

func formValidation(t *testing.T, s *kit.Suite) {
	one := func(kind string, more kit.Obj) kit.Obj {
		return kit.Merge(kit.Obj{"name": "f", "label": "F", "type": kind}, more)
	}
	rows := []struct {
		name      string
		field     kit.Obj
		good, bad kit.List
	}{
		{"text", one("text", kit.Obj{"required": true, "max": 4}), kit.List{"äöüß"}, kit.List{"", nil, "abcde"}},
		{"long text", one("textarea", nil), kit.List{strings.Repeat("ä", 10000), ""}, kit.List{strings.Repeat("ä", 10001)}},
		{"line break", one("textarea", kit.Obj{"max": 3}), kit.List{"a\r\nb"}, kit.List{"a\r\nbc"}},
		{"email", one("email", nil), kit.List{"ada@example.com", ""}, kit.List{"ada", "a b@example.com"}},
		{"tel", one("tel", nil), kit.List{"+49 (30) 123-45"}, kit.List{"call me"}},
		{"url", one("url", nil), kit.List{"https://example.com/x"}, kit.List{"javascript:alert(1)", "example"}},
		{"number", one("number", nil), kit.List{"12.5", 3, "01067"}, kit.List{"twelve", "1e999"}},
		{"date", one("date", nil), kit.List{"2024-02-29"}, kit.List{"2023-02-29", "tomorrow"}},
		{"select", one("select", kit.Obj{"options": kit.List{"a", "b"}}), kit.List{"b"}, kit.List{"c"}},
		{"radio", one("radio", kit.Obj{"options": kit.List{"a", "b"}, "required": true}), kit.List{"b"}, kit.List{"c", ""}},
		{"checkbox", one("checkbox", kit.Obj{"required": true}), kit.List{true}, kit.List{false, nil}},
		{"checkboxes", one("checkbox", kit.Obj{"options": kit.List{"a", "b"}}), kit.List{kit.List{"b"}, nil},
			kit.List{kit.List{"c"}}},
		{"hidden", one("hidden", nil), kit.List{"campaign"}, nil},
		{"wrong type", one("text", nil), kit.List{"x"}, kit.List{kit.Obj{"a": 1}}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			slug := kit.MakeForm(t, s, kit.Obj{"fields": kit.List{row.field}})
			v := s.Visitor(t) // a row has at most five values
			for _, value := range row.good {
				v.Post(t, "/forms/"+slug+"/submit", kit.Obj{"f": value})
			}
			for _, value := range row.bad {
				v.Step(t, kit.Step{Call: "POST /forms/" + slug + "/submit", Body: kit.Obj{"f": value}, Invalid: "f"})
			}
		})
	}
	t.Run("all at once", func(t *testing.T) {
		s.Visitor(t).Step(t, kit.Step{Call: "POST /forms/" + kit.MakeForm(t, s, nil) + "/submit",
			Body: kit.Obj{"message": strings.Repeat("x", 21)}, Invalid: "email message"})
	})
}

func formBodies(t *testing.T, s *kit.Suite) {
	slug := kit.MakeForm(t, s, nil)
	call := "POST /forms/" + slug + "/submit"
	v := s.Visitor(t)
	v.Run(t,
		kit.Step{Name: "urlencoded", Call: call, Body: kit.Text("application/x-www-form-urlencoded",
			url.Values{"email": {"ada@example.com"}, "message": {"ä & b"}}.Encode()), Status: 201},
		kit.Step{Name: "text", Call: call, Body: kit.Text("text/plain", "x"), Code: "UNSUPPORTED_MEDIA_TYPE"},
		kit.Step{Name: "malformed", Call: call, Body: kit.Text("application/json", "{"), Code: "BAD_REQUEST"},
	)
	s.Visitor(t).Run(t,
		kit.Step{Name: "a list", Call: call, Body: kit.Text("application/json", "[]"), Code: "BAD_REQUEST"},
		kit.Step{Name: "too large", Call: call,
			Body: kit.Obj{"email": "ada@example.com", "message": strings.Repeat("x", 1<<20)}, Code: "PAYLOAD_TOO_LARGE"},
		kit.Step{Name: "malformed form", Call: call, Body: kit.Text("application/x-www-form-urlencoded", "email=%zz"),
			Code: "BAD_REQUEST"},
	)
	s.Admin(t).Run(t, kit.Step{Name: "as sent", Call: "GET /forms/" + slug + "/submissions",
		Want: kit.Obj{"meta.total": 1, "data.0.fields.message": "ä & b"}})
}

func formSpam(t *testing.T, s *kit.Suite) {
	slug := kit.MakeForm(t, s, nil)
	s.Visitor(t).Step(t, kit.Step{Call: "POST /forms/" + slug + "/submit",
		Body: kit.Obj{"email": "bot@example.com", "message": "x", "website": "http://spam"}, Status: 201,
		Want: kit.Obj{"data.message": "Thank you, friend."}})
	s.Visitor(t).Step(t, kit.Step{Call: "POST /forms/" + slug + "/submit",
		Body: kit.Obj{"email": "no address", "website": "http://spam"}, Status: 201})
	admin := s.Admin(t)
	l := "/forms/" + slug + "/submissions"
	a := admin.Step(t, kit.Step{Call: "GET " + l,
		Want: kit.Obj{"meta.total": 2, "data.0.spam": true, "data.0.spam_reason": kit.Present, "data.0.status": "new"}})
	one := l + "/" + a.Str(t, "data.0.id")
	admin.Run(t,
		kit.Step{Name: "read", Call: "PATCH " + one, Body: kit.Obj{"status": "read"},
			Want: kit.Obj{"data.status": "read", "data.spam": false}},
		kit.Step{Name: "spam", Call: "PATCH " + one, Body: kit.Obj{"status": "spam"}, Want: kit.Obj{"data.spam": true}},
		kit.Step{Name: "not a status", Call: "PATCH " + one, Body: kit.Obj{"status": "gone"}, Invalid: "status"},
	)
}

func blockedAddresses(t *testing.T, s *kit.Suite) {
	slug := kit.MakeForm(t, s, kit.Obj{"block_emails": kit.List{"eve@example.com", "*@blocked.example"},
		"block_disposable": true})
	v := s.Visitor(t)
	for _, address := range []string{"Eve@Example.com", "any@BLOCKED.example", "x@mailinator.com"} {
		v.Run(t, kit.Step{Name: address, Call: "POST /forms/" + slug + "/submit",
			Body: kit.Obj{"email": address, "message": "x"}, Invalid: "email"})
	}
	v.Run(t, kit.Step{Name: "another", Call: "POST /forms/" + slug + "/submit",
		Body: kit.Obj{"email": "ada@example.com", "message": "x"}, Status: 201})
}

func submitLimit(t *testing.T, s *kit.Suite) {
	one, two := kit.MakeForm(t, s, nil), kit.MakeForm(t, s, nil)
	v := s.Visitor(t)
	good := kit.Obj{"email": "ada@example.com", "message": "x"}
	for i, st := range []kit.Step{
		{Call: "POST /forms/" + one + "/submit", Body: good, Status: 201},
		{Call: "POST /forms/" + one + "/submit", Body: kit.Obj{}, Status: 422, Code: "VALIDATION_FAILED"},
		{Call: "POST /forms/" + two + "/submit", Body: good, Status: 201},
		{Call: "POST /forms/" + kit.Unique("none") + "/submit", Body: good, Status: 404, Code: "FORM_NOT_FOUND"},
		{Call: "POST /forms/" + two + "/submit", Body: kit.Text("application/json", "{"), Status: 400, Code: "BAD_REQUEST"},
	} {
		st.Name = "number " + kit.Str(i+1)
		v.Run(t, st)
	}
	sixth := kit.Step{Name: "the sixth", Call: "POST /forms/" + one + "/submit", Body: good, Code: "RATE_LIMITED",
		Header: kit.Obj{"Retry-After": kit.Matches(`^([1-9]|[1-5][0-9]|60)$`)}}
	v.Run(t, sixth)
	sixth.Name = "a forged address"
	v.With("X-Forwarded-For", "203.0.113.9").With("X-Real-IP", "203.0.113.9").With("Forwarded",
		"for=203.0.113.9").With("CF-Connecting-IP", "203.0.113.9").Run(t, sixth)
	v.Run(t, kit.Step{Name: "reading is free", Call: "GET /forms/" + one})
	s.Visitor(t).Run(t, kit.Step{Name: "another address", Call: "POST /forms/" + one + "/submit", Body: good,
		Status: 201})
	s.Admin(t).Run(t, kit.Step{Name: "nothing else was stored", Call: "GET /forms/" + one + "/submissions",
		Want: kit.Obj{"meta.total": 2}})
}

func formMail(t *testing.T, s *kit.Suite) {
	if s.Target.Mail == nil {
		t.Log("mails cannot be read on this target")
		return
	}
	first, second := kit.Unique("desk")+"@example.com", kit.Unique("boss")+"@example.com"
	slug := kit.MakeForm(t, s, kit.Obj{"notify_emails": kit.List{first, second}})
	message := "mail\r\nBcc: x@evil"
	s.Visitor(t).Post(t, "/forms/"+slug+"/submit", kit.Obj{"email": "ada@example.com", "message": message})
	sent := func(to string) (n int, last string) {
		for _, m := range s.Target.Mail(t) {
			if strings.Contains(string(m), to) {
				n, last = n+1, string(m)
			}
		}
		return n, last
	}
	for _, to := range []string{first, second} {
		s.Eventually(t, "a mail to "+to, func() bool { n, _ := sent(to); return n > 0 })
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
		s.Visitor(t).Post(t, "/forms/"+slug+"/submit", kit.Obj{"email": "ada@example.com", "message": "x", "website": "x"})
		kit.Never(t, "a mail was sent for spam", func() bool { n, _ := sent(first); return n > 1 })
	})
}

func submissions(t *testing.T, s *kit.Suite) {
	slug := kit.MakeForm(t, s, nil)
	v, admin := s.Visitor(t), s.Admin(t)
	for _, message := range []string{"one", "=1+1", "a,\"b\"\nc"} {
		v.Post(t, "/forms/"+slug+"/submit", kit.Obj{"email": "ada@example.com", "message": message})
	}
	l := "/forms/" + slug + "/submissions"
	a := admin.Step(t, kit.Step{Call: "GET " + l + "?per_page=2",
		Want: kit.Obj{"meta.total": 3, "meta.per_page": 2, "meta.page": 1, "data.#": 2}})
	if a.Str(t, "data.0.received_at") < a.Str(t, "data.1.received_at") {
		t.Errorf("the newest is not first: %s", a.Raw)
	}
	one := ""
	s.Walk(t, l, func(item any) bool {
		if kit.Str(kit.Dig(item, "fields.message")) == "a,\"b\"\nc" {
			one = l + "/" + kit.Str(kit.Dig(item, "id"))
		}
		return one != ""
	})
	admin.Run(t,
		kit.Step{Name: "read one", Call: "GET " + one, Want: kit.Obj{"data.status": "new"}},
		kit.Step{Name: "archive", Call: "PATCH " + one, Body: kit.Obj{"status": "archived"},
			Want: kit.Obj{"data.status": "archived"}},
		kit.Step{Name: "delete", Call: "DELETE " + one, Status: 204},
		kit.Step{Name: "gone", Call: "GET " + one, Code: "NOT_FOUND"},
		kit.Step{Name: "counted", Call: "GET " + l, Want: kit.Obj{"meta.total": 2}},
	)
	t.Run("CSV", func(t *testing.T) {
		a := admin.Get(t, l+".csv")
		s.Listed(t, "/activity", kit.Obj{"event": "export.made", "subject_id": slug, "address": kit.Present})
		if !strings.HasPrefix(a.Header.Get("Content-Type"), "text/csv") {
			t.Errorf("the file is %s", a.Header.Get("Content-Type"))
		}
		a.Contains(t, "the file", "one")
		a.Lacks(t, "no formula", ",=1+1")
	})
	admin.Run(t, kit.Step{Name: "delete the form", Call: "DELETE /forms/" + slug, Status: 204})
	v.Run(t, kit.Step{Name: "no form", Call: "GET /forms/" + slug, Code: "FORM_NOT_FOUND"})
}
