package service

import (
	"bytes"
	"context"
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/store"
)

const (
	exportPage = 200
	exportSize = 4 << 20 // bytes of values: a function's answer holds 6 MB
)

// Export is the CSV file of the submissions that a query finds, whatever its page: id, received_at, status, spam, spam_reason, then a column
// for each field of the form, then fields that the form had before. Where that is too much for one file, next is the cursor of the rest.
func (s *Submissions) Export(ctx context.Context, slug string, q store.ListQuery) (file []byte, next string, err error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return nil, "", err
	}
	form, err := formOf(site, slug)
	if err != nil {
		return nil, "", err
	}
	var found []*store.Submission
	q.Paging = store.Paging{Page: 1, PerPage: exportPage}
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
	for _, f := range form.Fields {
		if f.Type != cms.FormHoneypot {
			names = append(names, f.Name)
		}
	}
	body, err := writeCSV(names, found)
	return body, q.Cursor, err
}

func writeCSV(names []string, found []*store.Submission) ([]byte, error) {
	for _, v := range found {
		for _, f := range v.Fields {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	w.UseCRLF = true
	row := append([]string{"id", "received_at", "status", "spam", "spam_reason"}, names...)
	if err := w.Write(row); err != nil {
		return nil, err
	}
	for _, v := range found {
		row = append(row[:0], v.ID, v.ReceivedAt.String(), string(v.Status), strconv.FormatBool(v.Spam), "")
		if v.SpamReason != nil {
			row[4] = *v.SpamReason
		}
		for _, name := range names {
			row = append(row, harmless(v.Fields.Named(name).Text()))
		}
		if err := w.Write(row); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return buf.Bytes(), w.Error()
}

// harmless puts an apostrophe before what a spreadsheet would run as a formula. Negative numbers stay numbers.
func harmless(s string) string {
	trimmed := strings.TrimLeft(s, " \u00a0\u3000")
	if trimmed == "" {
		return s
	}
	switch first, _ := utf8.DecodeRuneInString(trimmed); first {
	case '=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '−':
		if first == '-' && isPlainNumber(s[1:]) {
			return s
		}
		return "'" + s
	}
	return s
}

func isPlainNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789.") == "" && strings.Count(s, ".") <= 1
}
