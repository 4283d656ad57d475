package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Submission is a stored submission with what its form was when it came.
type Submission struct {
	cms.Submission
	FormID   string
	FormName string
	FormSlug string
	Released bool // mails and event have been committed; false while the flag holds them back

	version int64
	index   *indexed
}

// storedSubmission is the document of a submission.
type storedSubmission struct {
	ID         string               `json:"id"`
	FormID     string               `json:"form_id"`
	FormName   string               `json:"form_name"`
	FormSlug   string               `json:"form_slug"`
	ReceivedAt cms.Time             `json:"received_at"`
	Status     cms.SubmissionStatus `json:"status"`
	Spam       bool                 `json:"spam"`
	SpamReason *string              `json:"spam_reason"`
	Fields     []cms.SubmittedField `json:"fields"`
	Released   bool                 `json:"released"`
	Index      indexed              `json:"index"` // what leads to it, see Tx.reindex
}

func decodeSubmission(item *table.Item) (*Submission, error) {
	raw, err := unpack(item.Body)
	if err != nil {
		return nil, err
	}
	var d storedSubmission
	if err := cms.Unmarshal(raw, &d); err != nil {
		return nil, fmt.Errorf("store: damaged submission: %w", err)
	}
	return &Submission{
		Submission: cms.Submission{
			ID: d.ID, ReceivedAt: d.ReceivedAt, Status: d.Status, Spam: d.Spam, SpamReason: d.SpamReason, Fields: d.Fields,
		},
		FormID: d.FormID, FormName: d.FormName, FormSlug: d.FormSlug, Released: d.Released, version: item.Version, index: &d.Index,
	}, nil
}

// submissionPaths are the kinds of what submissions are filtered and sorted by.
var submissionPaths = map[string]cms.ValueKind{
	"id": cms.ValueID, "status": cms.ValueText, "spam": cms.ValueBool, "received_at": cms.ValueTime,
}

// SubmissionPath gives the kind of a path of submissions.
func SubmissionPath(path string) (cms.PathInfo, bool) {
	kind, ok := submissionPaths[path]
	return cms.PathInfo{Kind: kind}, ok
}

// submissionSpec is the index of submissions.
func submissionSpec() *indexSpec {
	return &indexSpec{
		paths:  []indexedPath{{path: "status", counted: true}, {path: "spam", counted: true}, {path: "received_at"}},
		order:  []cms.SortField{{Path: "received_at", Desc: true}},
		values: func(doc any, path string) []cms.Value { return doc.(*Submission).values(path) },
	}
}

func (v *Submission) values(path string) []cms.Value {
	switch path {
	case "id":
		return []cms.Value{{Kind: cms.ValueText, Text: v.ID}}
	case "status":
		return []cms.Value{{Kind: cms.ValueText, Text: string(v.Status)}}
	case "spam":
		return []cms.Value{{Kind: cms.ValueBool, Bool: v.Spam}}
	case "received_at":
		return []cms.Value{{Kind: cms.ValueTime, Time: v.ReceivedAt.Time}}
	}
	return nil
}

// submissions is the collection of a form's submissions.
func submissions(formID string) *collection {
	return &collection{
		spec:   submissionSpec(),
		key:    func(id uuid.UUID) table.Key { return submissionKey(formID, id.String()) },
		decode: func(item *table.Item) (any, error) { return decodeSubmission(item) },
		space:  func(doc any) string { return submissionSpace(doc.(*Submission).FormID) },
		lookup: SubmissionPath,
		fixed:  func(string, string) (string, bool) { return "", false },
	}
}

// PutSubmission creates a submission, or changes one that was read before.
func (t *Tx) PutSubmission(v Submission) {
	spec := submissionSpec()
	now := spec.index(submissionSpace(v.FormID), &v)
	item := table.Item{Key: submissionKey(v.FormID, v.ID), Version: v.version + 1, Body: pack(mustMarshal(storedSubmission{
		ID: v.ID, FormID: v.FormID, FormName: v.FormName, FormSlug: v.FormSlug, ReceivedAt: v.ReceivedAt, Status: v.Status, Spam: v.Spam,
		SpamReason: v.SpamReason, Fields: v.Fields, Released: v.Released, Index: now,
	}))}
	if v.version == 0 {
		t.create(item, ErrOvertaken)
	} else {
		t.replace(item, v.version)
	}
	t.reindex(v.index, &now, uuid.MustParse(v.ID), item.Version, spec.scalars(&v))
}

// DeleteSubmission removes a submission with its mails.
func (t *Tx) DeleteSubmission(v *Submission, mails []Mail) {
	t.remove(submissionKey(v.FormID, v.ID), v.version)
	t.reindex(v.index, nil, uuid.MustParse(v.ID), v.version, nil)
	for _, m := range mails {
		t.delete(mailKey(m.MailRef))
		if !m.Due.IsZero() {
			t.delete(mailDueKey(m.Due.Time, m.MailRef))
		}
	}
}

// Submission reads a submission with its mails; ErrNotFound when the form has none with this id.
func (s *Store) Submission(ctx context.Context, formID, id string) (*Submission, []Mail, error) {
	if !cms.IsUUID(id) {
		return nil, nil, ErrNotFound
	}
	items, err := s.table.Query(ctx, table.Range{Partition: submissionPartition(formID, id)})
	if err != nil {
		return nil, nil, err
	}
	var found *Submission
	var mails []Mail
	for i := range items {
		if items[i].Sort == submissionKey(formID, id).Sort {
			found, err = decodeSubmission(&items[i])
		} else {
			var m Mail
			m, err = decodeMail(&items[i])
			mails = append(mails, m)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if found == nil {
		return nil, nil, ErrNotFound
	}
	return found, mails, nil
}

// Submissions lists a form's submissions, newest first where q has no sort.
func (s *Store) Submissions(ctx context.Context, formID string, q ListQuery) (Page[*Submission], error) {
	records, err := s.list(ctx, submissions(formID), []string{submissionSpace(formID)}, nil, q)
	page := Page[*Submission]{Paging: q.Paging, Total: records.Total, Estimate: records.Estimate, Next: records.Next, Items: []*Submission{}}
	if err != nil {
		return page, err
	}
	for _, r := range records.Items {
		v, err := decodeSubmission(r.item)
		if err != nil {
			return page, err
		}
		page.Items = append(page.Items, v)
	}
	return page, nil
}

// NewSubmissions counts the submissions of each of some forms that nobody has dealt with, spam among them, by counters in one round trip.
func (s *Store) NewSubmissions(ctx context.Context, formIDs ...string) ([]int, error) {
	status := valueCounter("status", cms.Value{Kind: cms.ValueText, Text: string(cms.SubmissionNew)})
	counts := make([]int, len(formIDs))
	g, ctx := errgroup.WithContext(ctx)
	for i, id := range formIDs {
		g.Go(func() error {
			totals, err := s.counts(ctx, []string{submissionSpace(id)}, status)
			if err == nil {
				counts[i] = totals[0]
			}
			return err
		})
	}
	return counts, g.Wait()
}

// SubmissionsBefore gives the ids of up to limit submissions of a form that came before an instant, the oldest first.
func (s *Store) SubmissionsBefore(ctx context.Context, formID string, before time.Time, limit int) ([]string, error) {
	rows, err := s.table.Query(ctx, table.Range{
		Partition: rowPartition(submissionSpace(formID), "received_at"), To: string(encode(cms.Value{Kind: cms.ValueTime, Time: before})), Limit: limit,
	})
	ids := make([]string, len(rows))
	for i, row := range rows {
		var id uuid.UUID
		copy(id[:], row.Sort[len(row.Sort)-len(id):])
		ids[i] = id.String()
	}
	return ids, err
}

// DropForm removes a form from the site and notes that its submissions are to be removed; see GoneForms.
func (t *Tx) DropForm(site *Site, slug string) {
	t.put(table.Item{Key: formGoneKey(site.Forms[slug].ID)})
	t.DeleteForm(site, slug)
}

// GoneForms lists the ids of deleted forms that may still have submissions.
func (s *Store) GoneForms(ctx context.Context) ([]string, error) {
	rows, err := s.table.Query(ctx, table.Range{Partition: formGonePartition})
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.Sort
	}
	return ids, err
}

// ForgetForm removes what is left of a deleted form without submissions.
func (s *Store) ForgetForm(ctx context.Context, formID string) error {
	counters, err := s.table.Query(ctx, table.Range{Partition: counterPartition(submissionSpace(formID))})
	if err != nil {
		return err
	}
	keys := []table.Key{formGoneKey(formID)}
	for _, c := range counters {
		keys = append(keys, c.Key)
	}
	return s.table.BatchWrite(ctx, nil, keys)
}
