package forms

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/forms/files"
	"headless/pkg/index"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/spam"
	"headless/pkg/table"
)

// The submit limit (specification §8, decisions §6).
const (
	submitLimit  = 5
	submitWindow = time.Minute
	maxFiles     = 5            // of a submission (extensions §16)
	uploadLimit  = 2 * maxFiles // direct uploads that an address may begin in submitWindow
)

// Submissions has the use cases of submissions. A submission and its mails are stored in one
// transaction; the dispatcher of its event wakes the mail worker (see Mails.Announce).
type Submissions struct {
	Store     *Store
	Files     files.Files
	SiteURL   string // root URL of the service, without a slash at the end, for the URLs of files
	Recaptcha spam.Verifier
	Log       *slog.Logger
}

// Received is the answer to a submit.
type Received struct {
	ID         string   `json:"id"`
	ReceivedAt cms.Time `json:"received_at"`
	Message    string   `json:"message"` // the form's success message
}

// Allow counts a post of a client to any form. Error: RATE_LIMITED after 5 posts in a sliding
// minute. client is an IPv4 address or an IPv6 network.
func (s *Submissions) Allow(ctx context.Context, client string) error {
	return s.allow(ctx, submitsKey(client), submitLimit, "Too many submissions from your address. Try again in a minute.")
}

// AllowUpload counts the start of a direct upload like Allow, in a limit of its own.
func (s *Submissions) AllowUpload(ctx context.Context, client string) error {
	return s.allow(ctx, uploadsKey(client), uploadLimit, "Too many uploads from your address. Try again in a minute.")
}

func (s *Submissions) allow(ctx context.Context, key table.Key, limit int, message string) error {
	wait, ok, err := s.Store.allowPost(ctx, key, limit, submitWindow)
	if err != nil || ok {
		return err
	}
	return &cms.Error{Code: cms.CodeRateLimited, Message: message, RetryAfter: min(wait, submitWindow),
		Limit: int64(limit)}
}

// Visitor is who sends a submission.
type Visitor struct {
	Address string // IP address
	SiteURL string // root URL of the service, as the visitor reached it
}

// Submit checks and stores a submission, with an activity record and, unless it is spam, its event
// and mails. The values of body are JSON values, input.FormValue, or []*upload.Upload for a field of
// the type file. siteNow is the configuration, nil to read it. Errors: FORM_NOT_FOUND, FORM_INACTIVE,
// VALIDATION_FAILED with all problems, and FILE_TOO_LARGE where the form has no room for files. A
// submission that fills a honeypot is spam: it is stored with its valid values, without files and
// without any error.
func (s *Submissions) Submit(ctx context.Context, actor cms.Actor, siteNow *site.Site, slug string,
	body map[string]any, from Visitor) (Received, error) {
	var received Received
	var checked token
	var taken []*sentFile
	id := uuid.Must(uuid.NewV7()).String()
	err := s.Store.Retry(ctx, func() (err error) {
		if siteNow == nil {
			if siteNow, err = s.Store.Site(ctx); err != nil {
				return err
			}
		}
		form, err := PublicForm(siteNow, slug)
		if err != nil {
			return err
		}
		p := cms.Problems{}
		in := readSubmit(form, body, p)
		defer in.close()
		if in.honeypot {
			p = cms.Problems{} // a bot must not learn what it got wrong (specification §8)
			in.dropFiles()
		} else {
			checkBlocked(form, in.fields, p)
			if err = s.checkFiles(ctx, form, in.files, p); err == nil {
				err = s.checkToken(ctx, form, in.token, from.Address, &checked, p)
			}
		}
		if err := errors.Join(p.Err(), err); err != nil {
			return err
		}
		if err := s.storeFiles(ctx, siteNow, in.files); err != nil {
			siteNow = nil
			return err
		}
		tx := s.Store.Begin()
		v := newSubmission(id, tx.At(), form, in, checked)
		site.RequireSite(tx, siteNow)
		siteNow = nil // a retry reloads the configuration
		if !v.Spam {
			release(tx, actor, &v, form, from.SiteURL)
		}
		PutSubmission(tx, v)
		tx.Activity(actor, cms.EventFormSubmissionCreated, subjectOf(form, id), id)
		received = Received{ID: id, ReceivedAt: v.ReceivedAt, Message: form.SuccessMessage}
		taken = in.files
		if err := s.takeFiles(ctx, tx, taken); err != nil {
			return err
		}
		return s.Store.Commit(ctx, tx)
	})
	if err == nil {
		s.forgetSent(context.WithoutCancel(ctx), taken)
	}
	return received, err
}

// token is the result of verifying a reCAPTCHA token.
type token struct {
	secret  string // the form's sealed secret that was used
	verdict spam.Verdict
}

// checkToken verifies the visitor's token and adds its problems to p. Tokens are single-use, so it
// is verified last, and only if there is no other problem. checked keeps the result for a retry.
func (s *Submissions) checkToken(ctx context.Context, form *cms.Form, text, address string,
	checked *token, p cms.Problems) error {
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
		secret, err := s.Store.UnsealText(r.SecretKey)
		if err != nil {
			return err
		}
		verdict, err := s.Recaptcha.Verify(ctx, secret, text, address, r.MinScore)
		if err != nil {
			s.Log.Warn("recaptcha could not be checked", "form", form.Slug, "error", err.Error())
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		*checked = token{r.SecretKey, verdict}
	}
	if checked.verdict == spam.Fail {
		p.Add(RecaptchaField, "is not valid any more: solve the reCAPTCHA again")
	}
	return nil
}

func newSubmission(id string, at cms.Time, form *cms.Form, in submitted, checked token) Submission {
	v := Submission{
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

// release adds the event of a submission and one mail for each notified address to a transaction.
// It runs at most once for each submission.
func release(tx *db.Tx, actor cms.Actor, v *Submission, form *cms.Form, siteURL string) (mails []Mail) {
	v.Released = true
	tx.Event(actor, cms.EventFormSubmissionCreated, "", cms.SubmissionEventData{
		ID: v.ID, FormSlug: form.Slug, ReceivedAt: v.ReceivedAt, Fields: ShownFields(&v.Submission, form.Slug, siteURL),
	})
	for i, to := range form.NotifyEmails {
		m := newMail(actor, MailRef{FormID: form.ID, SubmissionID: v.ID, N: i}, to, tx.At())
		PutMail(tx, &m)
		mails = append(mails, m)
	}
	return mails
}

// SubmissionDetail is a submission with its mails.
type SubmissionDetail struct {
	cms.Submission
	Mails []cms.SubmissionMail `json:"mails"`
}

func (s *Submissions) detailOf(form *cms.Form, v *Submission, mails []Mail) SubmissionDetail {
	d := SubmissionDetail{Submission: v.Submission, Mails: []cms.SubmissionMail{}}
	d.Fields = ShownFields(&v.Submission, form.Slug, s.SiteURL)
	cms.Sort(mails, func(a, b Mail) int { return a.N - b.N })
	for _, m := range mails {
		d.Mails = append(d.Mails, m.SubmissionMail)
	}
	return d
}

// List lists a form's submissions with spam, newest first unless q has a sort order. Errors:
// NOT_FOUND, and BAD_REQUEST for a filter or sort order on other paths than id, status, spam and
// received_at.
func (s *Submissions) List(ctx context.Context, slug string, q index.ListQuery) (db.Page[cms.Submission], error) {
	if err := input.Permit(ctx, cms.ActionRead, cms.AreaForms, "form"); err != nil {
		return db.Page[cms.Submission]{}, err
	}
	page := db.Page[cms.Submission]{Paging: q.Paging, Items: []cms.Submission{}}
	found, err := s.list(ctx, slug, q)
	if err != nil {
		return page, err
	}
	page.Total, page.Estimate, page.Next = found.Total, found.Estimate, found.Next
	for _, v := range found.Items {
		v.Fields = ShownFields(&v.Submission, slug, s.SiteURL)
		page.Items = append(page.Items, v.Submission)
	}
	return page, nil
}

func (s *Submissions) list(ctx context.Context, slug string, q index.ListQuery) (db.Page[*Submission], error) {
	none := db.Page[*Submission]{}
	_, form, err := s.Store.readForm(ctx, slug)
	if err != nil {
		return none, err
	}
	for _, f := range q.Filters {
		info, ok := SubmissionPath(f.Path)
		if !ok {
			return none, cms.UnknownName("filter", f.Path, "id", "received_at", "spam", "status")
		}
		if err := f.Check(info.Kind); err != nil {
			return none, err
		}
	}
	for _, f := range q.Sort {
		if _, ok := SubmissionPath(f.Path); !ok || f.Path == "id" {
			return none, cms.UnknownName("sort", f.Path, "received_at", "spam", "status")
		}
	}
	return s.Store.Submissions(ctx, form.ID, q)
}

// Get reads a submission with its mails; NOT_FOUND if the form has none with this id.
func (s *Submissions) Get(ctx context.Context, slug, id string) (SubmissionDetail, error) {
	if err := input.Permit(ctx, cms.ActionRead, cms.AreaForms, "submission"); err != nil {
		return SubmissionDetail{}, err
	}
	_, form, v, mails, err := s.readSubmission(ctx, slug, id)
	if err != nil {
		return SubmissionDetail{}, err
	}
	return s.detailOf(form, v, mails), nil
}

func (s *Submissions) readSubmission(ctx context.Context, slug, id string) (*site.Site, *cms.Form,
	*Submission, []Mail, error) {
	site, form, err := s.Store.readForm(ctx, slug)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	v, mails, err := s.Store.Submission(ctx, form.ID, strings.ToLower(id))
	return site, &form, v, mails, input.NotFound(err, "submission")
}
