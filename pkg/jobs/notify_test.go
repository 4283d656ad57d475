package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/forms"
	"headless/pkg/hooks/webhook"
	"headless/pkg/index"
	"headless/pkg/jobs"
	"headless/pkg/mail"
	"headless/pkg/must"
	"headless/pkg/queue"
	"headless/pkg/site"
	"headless/pkg/table"
)

// fakeMail is a mail service that fails as told.
type fakeMail struct {
	mu   sync.Mutex
	fail error
	sent map[string][]mail.Message // by recipient
}

func (f *fakeMail) Send(_ context.Context, m mail.Message) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail != nil {
		return f.fail
	}
	if f.sent == nil {
		f.sent = map[string][]mail.Message{}
	}
	f.sent[m.To] = append(f.sent[m.To], m)
	return nil
}

func (f *fakeMail) failWith(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail = err
}

// mailWorld is the way from a submit to its mails.
type mailWorld struct {
	*world
	mailQueue   *fakeQueue
	service     *fakeMail
	submissions *forms.Submissions
	notifier    jobs.Notifier
}

var desk, boss = "desk@example.com", "boss@example.com"

func newMailWorld(t *testing.T) *mailWorld {
	t.Helper()
	w := &mailWorld{world: newWorld(t), service: &fakeMail{}}
	w.mailQueue = &fakeQueue{now: w.clock.Now}
	w.startMail(w.table, w.mailQueue, w.service)
	forms := &forms.Forms{Store: w.store.Forms}
	body := map[string]any{
		"name": "Contact", "slug": "contact", "notify_emails": []any{desk, boss},
		"success_message": "Thanks.",
		"fields": []any{
			map[string]any{"name": "email", "label": "Address", "type": "email", "required": true},
			map[string]any{"name": "website", "type": "honeypot"},
			map[string]any{"name": "message", "label": "What is it <about>?", "type": "textarea"},
			map[string]any{"name": "news", "label": "News", "type": "checkbox"},
			map[string]any{"name": "terms", "label": "Terms", "type": "checkbox"},
		},
	}
	if _, err := forms.Create(t.Context(), tester, body); err != nil {
		t.Fatal(err)
	}
	return w
}

// startMail wires everything as a process does that starts.
func (w *mailWorld) startMail(tb table.Table, q queue.Queue, sender mail.Sender) {
	w.start(tb, w.queue, webhook.DefaultSchedule())
	mails := &forms.Mails{Store: w.store.Forms, Queue: q, Rand: middle, Log: quiet}
	w.submissions = &forms.Submissions{Store: w.store.Forms, Log: quiet}
	w.notifier = jobs.Notifier{Mails: mails, Sender: sender, From: "Site <cms@example.com>",
		SiteURL: "https://cms.example.com", Language: say.ForVisitor}
	w.dispatcher.OnEvent = jobs.Announce(mails)
	w.sweeper = jobs.Sweeper{Dispatcher: w.dispatcher, Tasks: jobs.FormTasks(mails, w.submissions)}
}

func (w *mailWorld) submit(message string) (forms.Received, error) {
	return w.submissions.Submit(w.t.Context(), cms.Actor{}, nil, "contact",
		map[string]any{"email": "ada@example.com", "message": message, "news": true}, forms.Visitor{Address: "192.0.2.1"})
}

func (w *mailWorld) mustSubmit(message string) string {
	w.t.Helper()
	r, err := w.submit(message)
	must.Do(w.t, err)
	return r.ID
}

// workMail handles the messages that are due; what fails is left to the sweeper.
func (w *mailWorld) workMail() {
	for due := w.mailQueue.take(); len(due) > 0; due = w.mailQueue.take() {
		w.notifier.Handle(w.t.Context(), due)
	}
}

// settle lets time pass with sweeps until no mail is pending.
func (w *mailWorld) settle() {
	w.t.Helper()
	for range 400 {
		w.workMail()
		due, err := w.store.Forms.DueMails(w.t.Context(), w.clock.Now().AddDate(1, 0, 0), 0)
		must.Do(w.t, err)
		if len(due) == 0 {
			return
		}
		w.clock.Advance(time.Minute)
		w.sweep()
	}
	w.t.Fatal("mails are still pending")
}

func (w *mailWorld) mails(id string) []cms.SubmissionMail {
	w.t.Helper()
	d, err := w.submissions.Get(w.t.Context(), "contact", id)
	must.Do(w.t, err)
	return d.Mails
}

func TestMailsOfASubmission(t *testing.T) {
	w := newMailWorld(t)
	id := w.mustSubmit("Hello <b>there</b>\r\nBcc: eve@example.com")
	w.dispatch()
	w.workMail()
	for i, to := range []string{desk, boss} {
		sent := w.service.sent[to]
		if len(sent) != 1 {
			t.Fatalf("%d mails to %s", len(sent), to)
		}
		m := sent[0]
		if m.ReplyTo != "ada@example.com" || m.Subject != "New submission: Contact" ||
			m.ID != fmt.Sprintf("%s-%d", id, i) {
			t.Errorf("%+v", m)
		}
		if strings.Index(m.Text, "Address: ada@example.com") > strings.Index(m.Text, "What is it <about>?:") {
			t.Errorf("not in the form's order:\n%s", m.Text)
		}
		if !strings.Contains(m.HTML, "Hello &lt;b&gt;there&lt;/b&gt;") ||
			strings.Contains(m.HTML, "<about>") {
			t.Errorf("not escaped:\n%s", m.HTML)
		}
		raw, err := m.Raw()
		must.Do(t, err)
		if head, _, _ := strings.Cut(string(raw), "\r\n\r\n"); strings.Contains(head, "eve@example.com") {
			t.Errorf("header injected:\n%s", head)
		}
	}
	for _, m := range w.mails(id) {
		if m.Status != cms.MailSent || m.Attempts != 1 || m.Error != nil || m.SentAt.IsZero() {
			t.Errorf("%+v", m)
		}
	}
}

// TestMailInLanguage reads a mail about a submission in the language of the site, which is written from right to left.
func TestMailInLanguage(t *testing.T) {
	w := newMailWorld(t)
	locales := site.Locales{Store: w.store.Site}
	_, err := locales.Create(t.Context(), tester, map[string]any{"code": "ar", "name": "Arabic", "is_default": true})
	must.Do(t, err)
	w.mustSubmit("Hello")
	w.dispatch()
	w.workMail()
	m := w.service.sent[boss][0]
	if !strings.Contains(m.HTML, `<html lang="ar" dir="rtl"><body dir="rtl"`) || strings.Contains(m.HTML, "left") {
		t.Errorf("not from right to left:\n%s", m.HTML)
	}
	if !strings.Contains(m.Text, "News: نعم\n") || !strings.Contains(m.Text, "Terms: لا\n") {
		t.Errorf("boxes in another language:\n%s", m.Text)
	}
}

// TestMailFaults breaks one thing after the other; once the fault ends, each mail goes out once.
func TestMailFaults(t *testing.T) {
	for name, fault := range map[string]struct {
		begin func(*mailWorld)
		end   func(*mailWorld)
		tries bool // the mail service was asked meanwhile
	}{
		"mail service down": {func(w *mailWorld) { w.service.failWith(errors.New("connection refused")) },
			func(w *mailWorld) { w.service.failWith(nil) }, true},
		"mail service slow": {func(w *mailWorld) { w.service.failWith(context.DeadlineExceeded) },
			func(w *mailWorld) { w.service.failWith(nil) }, true},
		"queue away": {func(w *mailWorld) { w.mailQueue.fail = errors.New("queue away") },
			func(w *mailWorld) { w.mailQueue.fail = nil }, false},
		"queue loses":        {func(*mailWorld) {}, func(w *mailWorld) { w.mailQueue.purge() }, true},
		"nothing dispatches": {func(w *mailWorld) { w.dispatcher.OnEvent = nil }, func(*mailWorld) {}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newMailWorld(t)
			fault.begin(w)
			id := w.mustSubmit("Hello")
			w.dispatch()
			if name != "queue loses" {
				for range 90 {
					w.workMail()
					w.clock.Advance(time.Minute)
					if name != "nothing dispatches" {
						w.sweep()
					}
				}
				for _, m := range w.mails(id) {
					if m.Status != cms.MailPending || (m.Attempts > 0) != fault.tries ||
						(m.Error != nil) != fault.tries || m.NextAt.IsZero() {
						t.Errorf("meanwhile: %+v", m)
					}
				}
			}
			fault.end(w)
			w.settle()
			for _, m := range w.mails(id) {
				if m.Status != cms.MailSent || m.Error != nil {
					t.Errorf("afterwards: %+v", m)
				}
			}
			for _, to := range []string{desk, boss} {
				if n := len(w.service.sent[to]); n != 1 {
					t.Errorf("%d mails to %s", n, to)
				}
			}
		})
	}
}

func TestMailRefused(t *testing.T) {
	w := newMailWorld(t)
	w.service.failWith(fmt.Errorf("%w: no such address", mail.ErrPermanent))
	id := w.mustSubmit("Hello")
	w.dispatch()
	w.settle()
	for _, m := range w.mails(id) {
		if m.Status != cms.MailFailed || m.Attempts != 1 || m.Error == nil ||
			!strings.Contains(*m.Error, "no such address") {
			t.Errorf("%+v", m)
		}
	}
	w.service.failWith(nil)
	for range 2 { // the second time there is nothing to send again
		if _, err := w.submissions.Resend(t.Context(), tester, "contact", id); err != nil {
			t.Fatal(err)
		}
		w.clock.Advance(time.Second)
		w.sweep()
		w.settle()
	}
	if len(w.service.sent[desk]) != 1 || len(w.service.sent[boss]) != 1 {
		t.Errorf("sent again: %v", w.service.sent)
	}
}

// TestMailGivenUp asks a mail service that is down for days less and less often, and then no more.
func TestMailGivenUp(t *testing.T) {
	w := newMailWorld(t)
	w.service.failWith(errors.New("down"))
	id := w.mustSubmit("Hello")
	w.dispatch()
	start := w.clock.Now()
	for range 500 {
		w.workMail()
		if w.mails(id)[0].Status != cms.MailPending {
			break
		}
		w.clock.Advance(30 * time.Minute)
		if _, err := w.notifier.Mails.WakeDue(t.Context(), 100); err != nil {
			t.Fatal(err)
		}
	}
	m := w.mails(id)[0]
	if took := w.clock.Now().Sub(start); m.Status != cms.MailFailed || m.Attempts != 30 ||
		took < 3*24*time.Hour || took > 7*24*time.Hour {
		t.Errorf("%+v after %v", m, took)
	}
}

func TestSpamHoldsBack(t *testing.T) {
	w := newMailWorld(t)
	w.dispatch() // the event of the new form
	r, err := w.submissions.Submit(t.Context(), cms.Actor{}, nil, "contact",
		map[string]any{"email": "bot@example.com", "website": "x"}, forms.Visitor{Address: "192.0.2.1"})
	must.Do(t, err)
	events := func() int {
		rows, err := w.store.Outbox(t.Context(), 100)
		must.Do(t, err)
		return len(rows)
	}
	if n := events(); n != 0 {
		t.Fatalf("%d events of spam", n)
	}
	// Each step changes the status; spam that is no spam sets off everything, once.
	for i, step := range []struct {
		status string
		events int
		mails  int
	}{{"spam", 0, 0}, {"new", 1, 2}, {"spam", 0, 2}, {"read", 0, 2}, {"archived", 0, 2}} {
		d, err := w.submissions.SetStatus(t.Context(), tester, "contact", r.ID,
			map[string]any{"status": step.status})
		must.Do(t, err)
		if d.Spam != (step.status == "spam") || (d.SpamReason != nil) != d.Spam ||
			len(d.Mails) != step.mails || events() != step.events {
			t.Errorf("step %d: %+v, %d events", i, d, events())
		}
		w.dispatch()
		w.settle()
	}
	if len(w.service.sent[desk]) != 1 || len(w.service.sent[boss]) != 1 {
		t.Errorf("sent %v", w.service.sent)
	}
}

// killedMail is a mail service as a process sees it that may end at any call.
type killedMail struct {
	killer *killer
	inner  mail.Sender
}

func (s killedMail) Send(ctx context.Context, m mail.Message) error {
	return s.killer.do(func() error { return s.inner.Send(ctx, m) })
}

// TestMailKilledAtEveryCall ends the process at each call to table, queue and mail service, before
// and after its effect, or lets one or four of them fail, starts it again, and finds that every
// submission that was answered is stored and its mails are sent, repeats under the same id.
func TestMailKilledAtEveryCall(t *testing.T) {
	calls := mailKilled(t, &killer{}, false)
	if calls < 15 {
		t.Fatalf("only %d calls", calls)
	}
	for at := 1; at <= calls; at++ {
		for _, after := range []bool{false, true} {
			for _, times := range []int{0, 1, 4} {
				t.Run(fmt.Sprintf("call %d, after %v, %d fail", at, after, times), func(t *testing.T) {
					t.Parallel()
					mailKilled(t, &killer{at: at, after: after, times: times}, at%2 == 0)
				})
			}
		}
	}
}

func mailKilled(t *testing.T, k *killer, purged bool) int {
	w := newMailWorld(t)
	faulty := table.NewFaulty(w.table, func(table.Call) table.Fault { return table.Fault{Kind: k.next()} })
	w.startMail(faulty, killedQueue{k, w.mailQueue}, killedMail{k, w.service})
	var answered []string
	for _, message := range []string{"one", "two"} {
		if r, err := w.submit(message); err == nil {
			answered = append(answered, r.ID)
		}
	}
	_ = w.dispatcher.Drain(t.Context()) // dies at the given call
	w.workMail()

	w.startMail(w.table, w.mailQueue, w.service)
	if purged {
		w.mailQueue.purge()
	}
	w.settle()
	page, err := w.submissions.List(t.Context(), "contact",
		index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 10}})
	must.Do(t, err)
	stored := map[string]bool{}
	for _, v := range page.Items {
		stored[v.ID] = true
		for i, to := range []string{desk, boss} {
			sent := 0
			for _, m := range w.service.sent[to] {
				if m.ID == fmt.Sprintf("%s-%d", v.ID, i) {
					sent++
				}
			}
			if sent == 0 || sent > 2 {
				t.Errorf("%d mails to %s about %v", sent, to, v.Fields)
			}
		}
		for _, m := range w.mails(v.ID) {
			if m.Status != cms.MailSent {
				t.Errorf("%+v", m)
			}
		}
	}
	for _, id := range answered {
		if !stored[id] {
			t.Errorf("%s was answered and is not stored", id)
		}
	}
	return k.calls
}

// TestRestartBringsMailsBack acts as the embedded server: mails that a worker had when the
// process ended go out at once.
func TestRestartBringsMailsBack(t *testing.T) {
	w := newMailWorld(t)
	id := w.mustSubmit("Hello")
	w.dispatch()
	if m, _, err := w.notifier.Mails.Claim(t.Context(),
		forms.MailRef{FormID: formID(t, w), SubmissionID: id}); err != nil ||
		m == nil {
		t.Fatalf("claim: %v, %v", m, err)
	}
	w.mailQueue.purge()
	must.Do(t, w.notifier.Mails.Restart(t.Context()))
	w.workMail()
	if len(w.service.sent[desk]) != 1 || len(w.service.sent[boss]) != 1 {
		t.Errorf("sent %v", w.service.sent)
	}
}

func formID(t *testing.T, w *mailWorld) string {
	t.Helper()
	site, err := w.store.Site.Site(t.Context())
	must.Do(t, err)
	return site.Forms["contact"].ID
}

// TestMailLanguage: a mail is in the language that it names, else in that of the site. One that its reader may
// switch off says where.
func TestMailLanguage(t *testing.T) {
	w := newMailWorld(t)
	tx := w.store.DB.Begin()
	subject := cms.Counted(2, "{1} task waits for you", "{1} tasks wait for you")
	until := cms.Phrased("Received {1}.", "2026-03-01T09:30:00Z").Timed()
	for to, language := range map[string]string{"Ada@example.com": "fr", "bob@example.com": "", "new@example.com": "de"} {
		w.notifier.Mails.Notify(tx, tester, to, cms.Notice{Subject: subject, Paragraphs: []cms.Phrase{until, until},
			Language: language, Optional: language == "de"})
	}
	must.Do(t, w.store.DB.Commit(t.Context(), tx))
	locales := site.Locales{Store: w.store.Site}
	if _, err := locales.Create(t.Context(), tester,
		map[string]any{"code": "es-MX", "name": "Español", "is_default": true}); err != nil {
		t.Fatal(err)
	}
	w.workMail()
	for to, want := range map[string]string{
		"Ada@example.com": "2 tâches vous attendent: Reçu le 1 mars 2026, 09:30 UTC.",
		"bob@example.com": "2 tareas le esperan: Recibido el 1 mar 2026, 09:30 UTC.",
		"new@example.com": "2 Aufgaben warten auf Sie: Eingegangen am 01.03.2026, 09:30 UTC.",
	} {
		sent := w.service.sent[to]
		if len(sent) != 1 {
			t.Fatalf("%d mails to %s", len(sent), to)
		}
		line, rest, _ := strings.Cut(sent[0].Text, "\n\n")
		got := strings.ReplaceAll(sent[0].Subject+": "+line, "\u00a0", " ")
		rest, choice, _ := strings.Cut(rest, "\n\n")
		if to == "new@example.com" {
			rest, choice = rest+"\n", strings.TrimPrefix(choice, "Diese Mail kommt von "+w.notifier.SiteURL+
				". Welche Mails Sie bekommen, wählen Sie in Ihrem Profil:\n"+w.notifier.SiteURL+"/admin/profile\n")
		}
		if ends := sent[0].Unsubscribe != ""; ends != (to == "new@example.com") {
			t.Errorf("to %s: the header names %q", to, sent[0].Unsubscribe)
		}
		if got != want || rest != line+"\n" || choice != "" {
			t.Errorf("to %s: %q, then %q; want %q", to, got, rest, want)
		}
	}
}
