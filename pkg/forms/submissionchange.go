package forms

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/forms/files"
	"headless/pkg/index/totals"
	"headless/pkg/input"
	"headless/pkg/site"
)

// statusInput is the body of a submission's update.
type statusInput struct {
	Status *string `json:"status"`
}

// SetStatus changes the status of a submission. The status spam sets the spam flag, another status
// clears it. If the submission arrived as spam, clearing the flag for the first time raises its
// event and creates its mails.
func (s *Submissions) SetStatus(ctx context.Context, actor cms.Actor, slug, id string,
	body map[string]any) (SubmissionDetail, error) {
	if err := input.Permit(ctx, cms.ActionWrite, cms.AreaForms, "submission"); err != nil {
		return SubmissionDetail{}, err
	}
	in, p := input.Decode[statusInput](body, "received_at", "spam", "spam_reason", "fields", "mails")
	status := cms.SubmissionStatus(input.Given(in.Status, ""))
	switch {
	case len(p["status"]) > 0:
	case status == "":
		p.Add("status", "is required")
	case !slices.Contains(cms.SubmissionStatuses(), status):
		p.Add("status", "must be new, read, archived or spam")
	}
	if err := p.Err(); err != nil {
		return SubmissionDetail{}, err
	}
	return s.changeMarks(ctx, actor, slug, id, func(v *Submission) error { mark(v, status); return nil })
}

// PutBack marks a submission as it was marked before: status, spam and spam_reason, if ok
// permits to replace its present marks. Errors: those of SetStatus and of ok.
func (s *Submissions) PutBack(ctx context.Context, actor cms.Actor, slug, id string, was Marks,
	ok input.Precondition[Marks]) error {
	if err := input.Permit(ctx, cms.ActionWrite, cms.AreaForms, "submission"); err != nil {
		return err
	}
	reasons := []string{"", cms.SpamHoneypot, cms.SpamRecaptcha, cms.SpamMarked}
	if !slices.Contains(cms.SubmissionStatuses(), was.Status) || was.Spam != (was.SpamReason != nil) ||
		!slices.Contains(reasons, input.Given(was.SpamReason, "")) {
		return cms.Problems{"was": {"must be marks of a submission"}}.Err()
	}
	_, err := s.changeMarks(ctx, actor, slug, id, func(v *Submission) error {
		now := Marks{v.Status, v.Spam, v.SpamReason}
		v.Status, v.Spam, v.SpamReason = was.Status, was.Spam, was.SpamReason
		return ok.Check(now)
	})
	return err
}

// Marks are how a submission is marked.
type Marks struct {
	Status     cms.SubmissionStatus `json:"status"`
	Spam       bool                 `json:"spam"`
	SpamReason *string              `json:"spam_reason"`
}

// MarksOf returns the marks of a submission.
func MarksOf(v cms.Submission) Marks { return Marks{v.Status, v.Spam, v.SpamReason} }

// changeMarks changes how a submission is marked.
func (s *Submissions) changeMarks(ctx context.Context, actor cms.Actor, slug, id string,
	change func(v *Submission) error) (SubmissionDetail, error) {
	var detail SubmissionDetail
	err := s.Store.Retry(ctx, func() error {
		siteNow, form, v, mails, err := s.readSubmission(ctx, slug, id)
		if err != nil {
			return err
		}
		tx := s.Store.Begin()
		if err := change(v); err != nil {
			return err
		}
		if !v.Spam && !v.Released {
			site.RequireSite(tx, siteNow)
			mails = append(mails, release(tx, actor, v, form, s.SiteURL)...)
		}
		PutSubmission(tx, *v)
		tx.Activity(actor, "submission.updated", subjectOf(form, v.ID), v.ID)
		detail = s.detailOf(form, v, mails)
		return s.Store.Commit(ctx, tx)
	})
	return detail, err
}

func mark(v *Submission, status cms.SubmissionStatus) {
	v.Status = status
	switch {
	case status != cms.SubmissionSpam:
		v.Spam, v.SpamReason = false, nil
	case !v.Spam:
		reason := cms.SpamMarked
		v.Spam, v.SpamReason = true, &reason
	}
}

// Delete removes a submission, its mails and its files. Mails that are not sent yet are never sent.
func (s *Submissions) Delete(ctx context.Context, actor cms.Actor, slug, id string) error {
	if err := input.Permit(ctx, cms.ActionDelete, cms.AreaForms, "submission"); err != nil {
		return err
	}
	return s.Store.Retry(ctx, func() error {
		_, form, v, mails, err := s.readSubmission(ctx, slug, id)
		if err != nil {
			return err
		}
		return s.removeSubmission(ctx, v, mails, func(tx *db.Tx) {
			tx.Activity(actor, "submission.deleted", subjectOf(form, v.ID), v.ID)
		})
	})
}

// removeSubmission removes a submission with its mails and files; more adds to the transaction. The sweeper removes the
// objects of files that cannot be removed now.
func (s *Submissions) removeSubmission(ctx context.Context, v *Submission, mails []Mail, more func(*db.Tx)) error {
	tx := s.Store.Begin()
	deleteSubmission(tx, v, mails)
	var stored []cms.StoredFile
	for _, f := range v.Fields {
		if f.File != nil {
			stored = append(stored, *f.File)
		}
	}
	dropped, err := files.Drop(ctx, s.Store.DB, tx, v.FormID, stored)
	if err != nil {
		return err
	}
	more(tx)
	if err := s.Store.Commit(ctx, tx); err != nil {
		return err
	}
	for _, f := range dropped {
		if err := s.Files.Remove(context.WithoutCancel(ctx), s.Store.DB, f); err != nil {
			s.Log.WarnContext(ctx, "a removed file is left to the sweeper", "file", f.ID, "error", err.Error())
		}
	}
	return nil
}

// PurgeExpired removes up to limit submissions that are older than their form's retention days or
// whose form is deleted, and returns how many. Call it until it removes none; once an hour is
// enough.
func (s *Submissions) PurgeExpired(ctx context.Context, limit int) (removed int, err error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return 0, err
	}
	var errs []error
	now := s.Store.Now()
	for _, form := range site.Forms {
		if form.RetentionDays == 0 || removed >= limit {
			continue
		}
		n, err := s.purge(ctx, form.ID, now.AddDate(0, 0, -form.RetentionDays), limit-removed, "form "+form.Slug)
		removed += n
		errs = append(errs, err)
	}
	gone, err := s.Store.GoneForms(ctx)
	errs = append(errs, err)
	for _, id := range gone {
		if removed >= limit {
			break
		}
		n, err := s.purge(ctx, id, now.AddDate(1000, 0, 0), limit-removed, "a deleted form")
		if err == nil && n < limit-removed {
			err = s.Store.ForgetForm(ctx, id)
		}
		removed += n
		errs = append(errs, err)
	}
	return removed, errors.Join(errs...)
}

// purge removes up to limit submissions that arrived before a time, and writes one activity record
// with their number. of names their form in the record.
func (s *Submissions) purge(ctx context.Context, formID string, before time.Time, limit int,
	of string) (removed int, err error) {
	ids, err := s.Store.SubmissionsBefore(ctx, formID, before, limit)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	for _, id := range ids {
		if err = s.purgeOne(ctx, formID, id); err != nil {
			break
		}
		removed++
	}
	if removed > 0 {
		tx := s.Store.Begin()
		tx.Activity(cms.Actor{Source: cms.SourceAdmin}, "submission.purged",
			"submissions of "+of+": "+strconv.Itoa(removed))
		err = errors.Join(err, s.Store.Commit(ctx, tx))
	}
	return removed, err
}

func (s *Submissions) purgeOne(ctx context.Context, formID, id string) error {
	return s.Store.Retry(ctx, func() error {
		v, mails, err := s.Store.Submission(ctx, formID, id)
		if err != nil {
			return db.Missing(err, nil) // another worker has removed it
		}
		return s.removeSubmission(ctx, v, mails, func(*db.Tx) {})
	})
}

// Resend makes all unsent mails about a submission due, failed ones too. The next sweep wakes a
// worker.
func (s *Submissions) Resend(ctx context.Context, actor cms.Actor, slug, id string) (SubmissionDetail, error) {
	if err := input.Permit(ctx, cms.ActionWrite, cms.AreaForms, "submission"); err != nil {
		return SubmissionDetail{}, err
	}
	var detail SubmissionDetail
	err := s.Store.Retry(ctx, func() error {
		_, form, v, mails, err := s.readSubmission(ctx, slug, id)
		if err != nil {
			return err
		}
		tx := s.Store.Begin()
		resent := 0
		for i := range mails {
			m := &mails[i]
			if m.Status == cms.MailSent || tx.At().Before(m.Lease.Time) {
				continue
			}
			m.Status, m.Attempts, m.NextAt, m.Due = cms.MailPending, 0, tx.At(), tx.At()
			PutMail(tx, m)
			resent++
		}
		detail = s.detailOf(form, v, mails)
		if resent == 0 {
			return nil
		}
		tx.Activity(actor, "submission.resent", subjectOf(form, v.ID), v.ID)
		return s.Store.Commit(ctx, tx)
	})
	return detail, err
}

// MergeTotals merges what changes of submissions say of totals.
func (s *Submissions) MergeTotals(ctx context.Context) error {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, form := range site.Forms {
		_, err := totals.Merge(ctx, s.Store.DB, submissionSpace(form.ID))
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
