package service

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/spam"
	"headless/pkg/store"
)

// The submit limit (specification §8, decisions §6).
const (
	submitLimit  = 5
	submitWindow = time.Minute
)

// Submissions are what visitors send by forms. Their mails are committed with them; the dispatch of the event sends for a worker, see
// Mails.Announce.
type Submissions struct {
	Store     *store.Store
	Recaptcha spam.Verifier
	Log       *slog.Logger
}

// Received is the answer to a submit.
type Received struct {
	ID         string   `json:"id"`
	ReceivedAt cms.Time `json:"received_at"`
	Message    string   `json:"message"` // the form's success message
}

// Allow counts a post of a client to any form: RATE_LIMITED past 5 in a sliding minute. client is an address, or an IPv6 network.
func (s *Submissions) Allow(ctx context.Context, client string) error {
	wait, ok, err := s.Store.AllowSubmit(ctx, client, submitLimit, submitWindow)
	if err != nil || ok {
		return err
	}
	return &cms.Error{
		Code: cms.CodeRateLimited, Message: "Too many submissions from your address. Try again in a minute.", RetryAfter: min(wait, submitWindow), Limit: submitLimit,
	}
}

// Submit checks what a visitor sent and stores it, together with its activity record and, unless it is spam, its event and mails. A body is the
// JSON object, or FormValues; site is the configuration as the request found it, nil to read it. Errors: FORM_NOT_FOUND, FORM_INACTIVE, VALIDATION_FAILED
// with all problems, unless a honeypot was filled: that is spam, whatever else is wrong, and only the values that can be kept are.
func (s *Submissions) Submit(ctx context.Context, site *store.Site, slug string, body map[string]any, address string) (Received, error) {
	var received Received
	var checked token
	id := uuid.Must(uuid.NewV7()).String()
	err := s.Store.Retry(ctx, func() (err error) {
		if site == nil {
			if site, err = s.Store.Site(ctx); err != nil {
				return err
			}
		}
		form, err := PublicForm(site, slug)
		if err != nil {
			return err
		}
		p := cms.Problems{}
		in := readSubmit(form, body, p)
		if in.honeypot {
			p = cms.Problems{} // nobody is told what a machine got wrong (specification §8)
		} else {
			checkBlocked(form, in.fields, p)
			err = s.checkToken(ctx, form, in.token, address, &checked, p)
		}
		if err := errors.Join(p.Err(), err); err != nil {
			return err
		}
		tx := s.Store.Begin()
		v := newSubmission(id, tx.At(), form, in, checked)
		tx.HoldSite(site)
		site = nil // another try starts from what it is then
		if !v.Spam {
			release(tx, &v, form)
		}
		tx.PutSubmission(v)
		tx.Activity(cms.Actor{Source: cms.SourceAPI}, cms.EventFormSubmissionCreated, subjectOf(form, id))
		received = Received{ID: id, ReceivedAt: v.ReceivedAt, Message: form.SuccessMessage}
		return s.Store.Commit(ctx, tx)
	})
	return received, err
}

// token is a reCAPTCHA token that was checked: that works once.
type token struct {
	secret  string // the form's, when it was checked
	verdict spam.Verdict
}

// checkToken asks for the verdict on the visitor's token, once nothing else is wrong: a token does not survive being asked about.
func (s *Submissions) checkToken(ctx context.Context, form *cms.Form, text, address string, checked *token, p cms.Problems) error {
	r := form.Recaptcha
	if r == nil {
		*checked = token{verdict: spam.Pass}
		return nil
	}
	if strings.TrimSpace(text) == "" {
		p.Add(RecaptchaField, "is required")
	}
	if len(p) > 0 {
		return nil
	}
	if checked.secret != r.SecretKey {
		verdict, err := s.Recaptcha.Verify(ctx, r.SecretKey, text, address, r.MinScore)
		if err != nil {
			s.Log.Warn("recaptcha could not be checked", "form", form.Slug, "error", err.Error())
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		*checked = token{r.SecretKey, verdict}
	}
	if checked.verdict == spam.Fail {
		p.Add(RecaptchaField, "is not valid any more: solve it again")
	}
	return nil
}

func newSubmission(id string, at cms.Time, form *cms.Form, in submitted, checked token) store.Submission {
	v := store.Submission{
		Submission: cms.Submission{ID: id, ReceivedAt: at, Status: cms.SubmissionNew, Fields: in.fields},
		FormID:     form.ID, FormName: form.Name, FormSlug: form.Slug,
	}
	reason := ""
	switch {
	case in.honeypot:
		reason = cms.SpamHoneypot
	case checked.verdict == spam.Unknown:
		reason = cms.SpamRecaptcha
	default:
		return v
	}
	v.Spam, v.SpamReason = true, &reason
	return v
}

func subjectOf(form *cms.Form, id string) string { return "submission " + id + " of form " + form.Slug }

// release adds what a submission sets off: the event and one mail an address. That happens once, whatever becomes of its status.
func release(tx *store.Tx, v *store.Submission, form *cms.Form) (mails []store.Mail) {
	v.Released = true
	tx.Event(cms.EventFormSubmissionCreated, "", cms.SubmissionEventData{
		ID: v.ID, FormSlug: form.Slug, ReceivedAt: v.ReceivedAt, Fields: v.Fields,
	})
	for i, to := range form.NotifyEmails {
		m := newMail(store.MailRef{FormID: form.ID, SubmissionID: v.ID, N: i}, to, tx.At())
		tx.PutMail(&m)
		mails = append(mails, m)
	}
	return mails
}

// SubmissionDetail is a submission with its mails.
type SubmissionDetail struct {
	cms.Submission
	Mails []cms.SubmissionMail `json:"mails"`
}

func detailOf(v *store.Submission, mails []store.Mail) SubmissionDetail {
	d := SubmissionDetail{Submission: v.Submission, Mails: []cms.SubmissionMail{}}
	slices.SortFunc(mails, func(a, b store.Mail) int { return a.N - b.N })
	for _, m := range mails {
		d.Mails = append(d.Mails, m.SubmissionMail)
	}
	return d
}

// List lists a form's submissions, spam included, newest first where q has no sort. Errors: NOT_FOUND; BAD_REQUEST for a filter that is not
// on id, status, spam or received_at.
func (s *Submissions) List(ctx context.Context, slug string, q store.ListQuery) (store.Page[cms.Submission], error) {
	page := store.Page[cms.Submission]{Paging: q.Paging, Items: []cms.Submission{}}
	found, err := s.list(ctx, slug, q)
	if err != nil {
		return page, err
	}
	page.Total, page.Estimate, page.Next = found.Total, found.Estimate, found.Next
	for _, v := range found.Items {
		page.Items = append(page.Items, v.Submission)
	}
	return page, nil
}

func (s *Submissions) list(ctx context.Context, slug string, q store.ListQuery) (store.Page[*store.Submission], error) {
	none := store.Page[*store.Submission]{}
	site, err := s.Store.Site(ctx)
	if err != nil {
		return none, err
	}
	form, err := formOf(site, slug)
	if err != nil {
		return none, err
	}
	for _, f := range q.Filters {
		info, ok := store.SubmissionPath(f.Path)
		if !ok {
			return none, cms.UnknownName("filter", f.Path, "id", "received_at", "spam", "status")
		}
		if err := f.Check(info.Kind); err != nil {
			return none, err
		}
	}
	for _, f := range q.Sort {
		if _, ok := store.SubmissionPath(f.Path); !ok || f.Path == "id" {
			return none, cms.UnknownName("sort", f.Path, "received_at", "spam", "status")
		}
	}
	return s.Store.Submissions(ctx, form.ID, q)
}

// Get reads a submission with its mails; NOT_FOUND when the form has none with this id.
func (s *Submissions) Get(ctx context.Context, slug, id string) (SubmissionDetail, error) {
	_, _, v, mails, err := s.read(ctx, slug, id)
	if err != nil {
		return SubmissionDetail{}, err
	}
	return detailOf(v, mails), nil
}

func (s *Submissions) read(ctx context.Context, slug, id string) (*store.Site, *cms.Form, *store.Submission, []store.Mail, error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	form, err := formOf(site, slug)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	v, mails, err := s.Store.Submission(ctx, form.ID, strings.ToLower(id))
	return site, &form, v, mails, notFound(err, "submission")
}
