package forms

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/forms/files"
	"headless/pkg/index"
	"headless/pkg/index/sortkey"
	"headless/pkg/index/totals"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Submission is a stored submission, with name and slug of its form at the time it arrived.
type Submission struct {
	cms.Submission
	FormID   string `json:"form_id"`
	FormName string `json:"form_name"`
	FormSlug string `json:"form_slug"`
	// Released reports whether its event was raised and its mails created; false for spam until the flag is cleared.
	Released bool `json:"released"`

	version int64
	index   *index.Indexed
}

// storedSubmission is the document of a submission.
type storedSubmission struct {
	*Submission
	Fields []cms.SubmittedField `json:"fields"` // with their definitions
	Index  index.Indexed        `json:"index"`  // its index rows, see index.Reindex
}

func decodeSubmission(item *table.Item) (*Submission, error) {
	raw, err := db.UnpackBytes(item.Body)
	if err != nil {
		return nil, err
	}
	d := storedSubmission{Submission: &Submission{}}
	if err := cms.Unmarshal(raw, &d); err != nil {
		return nil, fmt.Errorf("forms: damaged submission: %w", err)
	}
	v := d.Submission
	v.Submission.Fields, v.version, v.index = d.Fields, item.Version, &d.Index
	return v, nil
}

// submissionPaths maps the paths by which submissions are filtered and sorted to their kinds.
var submissionPaths = map[string]cms.ValueKind{
	"id": cms.ValueID, "status": cms.ValueText, "spam": cms.ValueBool, "received_at": cms.ValueTime,
}

// textPath leads to what a visitor wrote, in lower case. Searches look at it; it has no index rows.
const textPath = "text"

// SubmissionPath returns the kind of a path of submissions; false if the path is unknown.
func SubmissionPath(path string) (cms.PathInfo, bool) {
	kind, ok := submissionPaths[path]
	return cms.PathInfo{Kind: kind}, ok
}

// submissionSpec returns the specification of the index of submissions.
func submissionSpec() *index.IndexSpec {
	return &index.IndexSpec{
		Paths: []index.IndexedPath{{Path: "status", Counted: true}, {Path: "spam", Counted: true},
			{Path: "received_at"}},
		Order:  []query.SortField{{Path: "received_at", Desc: true}},
		Values: func(doc any, path string) []query.Value { return doc.(*Submission).values(path) },
	}
}

func (v *Submission) values(path string) []query.Value {
	switch path {
	case "id":
		return []query.Value{{Kind: cms.ValueText, Text: v.ID}}
	case "status":
		return []query.Value{{Kind: cms.ValueText, Text: string(v.Status)}}
	case "spam":
		return []query.Value{{Kind: cms.ValueBool, Bool: v.Spam}}
	case "received_at":
		return []query.Value{{Kind: cms.ValueTime, Time: v.ReceivedAt.Time}}
	case textPath:
		var texts []query.Value
		for _, f := range v.Fields {
			if _, isBox := f.Value.(bool); !isBox {
				texts = append(texts, query.Value{Kind: cms.ValueText, Text: strings.ToLower(f.Text())})
			}
		}
		return texts
	}
	return nil
}

// submissions returns the collection of a form's submissions.
func submissions(formID string) *index.Collection {
	return &index.Collection{
		Spec:   submissionSpec(),
		Key:    func(id uuid.UUID) table.Key { return submissionKey(formID, id.String()) },
		Decode: func(item *table.Item) (any, error) { return decodeSubmission(item) },
		Space:  func(doc any) string { return submissionSpace(doc.(*Submission).FormID) },
		Lookup: func(path string) (cms.PathInfo, bool) {
			if path == textPath {
				return cms.PathInfo{Kind: cms.ValueText}, true
			}
			return SubmissionPath(path)
		},
		Fixed: func(string, string) (string, bool) { return "", false },
	}
}

// PutSubmission adds the creation of a submission to a transaction, or the replacement of one that
// was read.
func PutSubmission(t *db.Tx, v Submission) {
	spec := submissionSpec()
	now := spec.Index(submissionSpace(v.FormID), &v)
	body := db.PackBytes(db.MustMarshal(storedSubmission{&v, v.Fields, now}))
	item := table.Item{Key: submissionKey(v.FormID, v.ID), Body: body}
	t.Save(item, v.version)
	index.Reindex(t, v.index, &now, uuid.MustParse(v.ID), v.version+1, spec.Scalars(&v))
}

// deleteSubmission adds the deletion of a submission and its mails to a transaction.
func deleteSubmission(t *db.Tx, v *Submission, mails []Mail) {
	t.Remove(submissionKey(v.FormID, v.ID), v.version)
	index.Reindex(t, v.index, nil, uuid.MustParse(v.ID), v.version, nil)
	for _, m := range mails {
		t.Delete(mailKey(m.MailRef))
		if !m.Due.IsZero() {
			t.Delete(mailDueKey(m.Due.Time, m.MailRef))
		}
	}
}

// Submission reads a submission with its mails; db.ErrNotFound if the form has none with this id.
func (s *Store) Submission(ctx context.Context, formID, id string) (*Submission, []Mail, error) {
	if !cms.IsUUID(id) {
		return nil, nil, db.ErrNotFound
	}
	items, err := s.Table.Query(ctx, table.Range{Partition: submissionPartition(formID, id)})
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
		return nil, nil, db.ErrNotFound
	}
	return found, mails, nil
}

var errLargeInbox = cms.Errorf(cms.CodeQueryNotIndexed,
	"There are too many submissions to search. Search those of a status, or of some days by received_at.")

// Submissions lists a form's submissions, newest first unless q has a sort order. With a text in q,
// it lists those of which a field contains it, in upper or lower case. Error: QUERY_NOT_INDEXED if there
// are too many to read.
func (s *Store) Submissions(ctx context.Context, formID string, q index.ListQuery) (db.Page[*Submission], error) {
	if text := strings.ToLower(strings.TrimSpace(q.Text)); text != "" {
		q.Filters = append(slices.Clip(q.Filters),
			query.Filter{Path: textPath, Op: query.OpContains, Values: []string{text}})
	}
	records, err := index.List(ctx, s.DB, submissions(formID), []string{submissionSpace(formID)}, q)
	if errors.Is(err, index.ErrNotIndexed) && q.Text != "" {
		err = errLargeInbox
	}
	page := db.Page[*Submission]{Paging: q.Paging, Total: records.Total, Estimate: records.Estimate,
		Next: records.Next, Items: []*Submission{}}
	if err != nil {
		return page, err
	}
	for _, r := range records.Items {
		v, err := decodeSubmission(r.Item)
		if err != nil {
			return page, err
		}
		page.Items = append(page.Items, v)
	}
	return page, nil
}

// NewSubmissions returns how many submissions of each form have the status new, spam included. It
// reads counters in one round trip.
func (s *Store) NewSubmissions(ctx context.Context, formIDs ...string) ([]int, error) {
	status := index.ValueCounter("status", query.Value{Kind: cms.ValueText, Text: string(cms.SubmissionNew)})
	counts := make([]int, len(formIDs))
	g, ctx := errgroup.WithContext(ctx)
	for i, id := range formIDs {
		g.Go(func() error {
			n, err := totals.Of(ctx, s.DB, []string{submissionSpace(id)}, status)
			if err == nil {
				counts[i] = n[0]
			}
			return err
		})
	}
	return counts, g.Wait()
}

// SubmissionsBefore returns the ids of up to limit submissions of a form that arrived before a
// time, oldest first.
func (s *Store) SubmissionsBefore(ctx context.Context, formID string, before time.Time, limit int) ([]string, error) {
	rows, err := s.Table.Query(ctx, table.Range{
		Partition: index.RowPartition(submissionSpace(formID), "received_at"),
		To:        string(sortkey.Encode(query.Value{Kind: cms.ValueTime, Time: before})), Limit: limit,
	})
	ids := make([]string, len(rows))
	for i, row := range rows {
		var id uuid.UUID
		copy(id[:], row.Sort[len(row.Sort)-len(id):])
		ids[i] = id.String()
	}
	return ids, err
}

// DropForm removes a form from the site and adds it to the deleted forms, whose submissions are
// removed later; see GoneForms.
func DropForm(t *db.Tx, siteNow *site.Site, slug string) {
	t.Put(table.Item{Key: formGoneKey(siteNow.Forms[slug].ID)})
	site.DeleteForm(t, siteNow, slug)
}

// GoneForms lists the ids of deleted forms that may still have submissions.
func (s *Store) GoneForms(ctx context.Context) ([]string, error) {
	rows, err := s.Table.Query(ctx, table.Range{Partition: formGonePartition})
	return slice.Map(rows, func(row table.Item) string { return row.Sort }), err
}

// ForgetForm removes the remaining rows of a deleted form that has no submissions any more.
func (s *Store) ForgetForm(ctx context.Context, formID string) error {
	dropped, err := totals.Drop(ctx, s.DB, submissionSpace(formID), submissionSpace(formID))
	if err != nil || !dropped { // the next run finds it
		return err
	}
	return s.Table.BatchWrite(ctx, nil, []table.Key{formGoneKey(formID), files.BytesKey(formID)})
}
