package forms

import (
	"context"
	"slices"
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/csvfile"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/input"
)

const (
	exportPage = 200
	searchPage = 2_000   // of a search, which reads all submissions for each page
	exportSize = 4 << 20 // bytes of values: a Lambda response may have 6 MB
)

// Export returns a CSV file of the submissions that match a query, whatever its page. The columns
// are id, received_at, status, spam, spam_reason, the fields of the form, then fields that the form
// had before. If the file would be too large, next is the cursor for the next file, else "". Each
// file is recorded in the activity log, since it takes personal data out of the service.
func (s *Submissions) Export(ctx context.Context, actor cms.Actor, slug string,
	q index.ListQuery) (file []byte, next string, err error) {
	if err := input.Permit(ctx, cms.ActionRead, cms.AreaForms, "form"); err != nil {
		return nil, "", err
	}
	_, form, err := s.Store.readForm(ctx, slug)
	if err != nil {
		return nil, "", err
	}
	var found []*Submission
	q.Paging = db.Paging{Page: 1, PerPage: exportPage}
	if q.Text != "" {
		q.PerPage = searchPage
	}
	for size := 0; ; {
		page, err := s.list(ctx, slug, q)
		if err != nil {
			return nil, "", err
		}
		for _, v := range page.Items {
			found = append(found, v)
			for _, f := range v.Fields {
				size += len(f.Text()) + 1
			}
		}
		if q.Cursor = page.Next; q.Cursor == "" || size > exportSize {
			break
		}
	}
	var names []string
	for _, f := range form.Shown() {
		if f.Type != cms.FormHoneypot {
			names = append(names, f.Name)
		}
	}
	tx := s.Store.Begin()
	tx.Activity(actor, "export.made", "submissions of form "+slug, slug)
	if err := s.Store.Commit(ctx, tx); err != nil {
		return nil, "", err
	}
	return writeCSV(names, found), q.Cursor, nil
}

func writeCSV(names []string, found []*Submission) []byte {
	for _, v := range found {
		for _, f := range v.Fields {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	var file csvfile.File
	row := append([]string{"id", "received_at", "status", "spam", "spam_reason"}, names...)
	file.Add(row...)
	for _, v := range found {
		row = append(row[:0], v.ID, v.ReceivedAt.String(), string(v.Status), strconv.FormatBool(v.Spam), "")
		if v.SpamReason != nil {
			row[4] = *v.SpamReason
		}
		for _, name := range names {
			row = append(row, v.Fields.Named(name).Text())
		}
		file.Add(row...)
	}
	return file.Bytes()
}
