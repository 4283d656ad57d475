package forms

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// MailRef identifies a mail about a submission: the one to the N-th address, counted from 0.
type MailRef struct {
	FormID       string `json:"form"`
	SubmissionID string `json:"submission"`
	N            int    `json:"n"`
}

// ID returns the mail's id for messages and logs.
func (r MailRef) ID() string { return r.SubmissionID + "-" + strconv.Itoa(r.N) }

// Mail is the state of one mail. Messages of the queue hold no state; they only wake workers.
type Mail struct {
	MailRef
	cms.SubmissionMail
	Due   cms.Time `json:"due"`   // when the sweeper checks it; zero when finished
	Lease cms.Time `json:"lease"` // end of the worker's lease
	// RequestID is the id of the request that caused the mail, "" if there was none.
	RequestID string `json:"request_id,omitempty"`
	// Notice is the content of a mail to a user. Its paragraphs are removed once it is sent.
	Notice *cms.Notice `json:"notice,omitempty"`

	version int64
	wasDue  cms.Time
}

// AccountMails is the FormID of mails about accounts.
const AccountMails = "account"

// noticeDays is how long a mail about an account is kept.
const noticeDays = 30

func decodeMail(item *table.Item) (Mail, error) {
	m := Mail{version: item.Version}
	err := db.Unmarshal(item.Body, &m)
	m.wasDue = m.Due
	return m, err
}

// PutMail adds the creation of a mail to a transaction, or the replacement of one that was read,
// and updates its row in the index of due mails. After the commit, PutMail may be called again
// without reading m.
func PutMail(t *db.Tx, m *Mail) {
	item := table.Item{Key: mailKey(m.MailRef), Body: db.MustMarshal(m)}
	if m.Notice != nil {
		item.Expires = t.Time.AddDate(0, 0, noticeDays).Unix()
	}
	t.Save(item, m.version)
	if !m.wasDue.Equal(m.Due.Time) {
		if !m.wasDue.IsZero() {
			t.Delete(mailDueKey(m.wasDue.Time, m.MailRef))
		}
		if !m.Due.IsZero() {
			t.Put(table.Item{Key: mailDueKey(m.Due.Time, m.MailRef)})
		}
	}
	m.version, m.wasDue = m.version+1, m.Due
}

// Mail reads a mail and its submission, which is nil for a mail about an account. It returns
// db.ErrNotFound if either does not exist.
func (s *Store) Mail(ctx context.Context, r MailRef) (Mail, *Submission, error) {
	items, err := s.Table.Get(ctx, table.Strong, mailKey(r), submissionKey(r.FormID, r.SubmissionID))
	if err != nil {
		return Mail{}, nil, err
	}
	if items[0] == nil {
		return Mail{}, nil, db.ErrNotFound
	}
	m, err := decodeMail(items[0])
	if err != nil || m.Notice != nil {
		return m, nil, err
	}
	if items[1] == nil {
		return Mail{}, nil, db.ErrNotFound
	}
	about, err := decodeSubmission(items[1])
	return m, about, err
}

// DueMail is a row of the index of mails that are not sent yet.
type DueMail struct {
	MailRef
	key table.Key
}

// Leads reports whether the row is current: whether the mail is due at the row's time.
func (d DueMail) Leads(m *Mail) bool {
	return !m.Due.IsZero() && d.key == mailDueKey(m.Due.Time, m.MailRef)
}

// DueMails lists about limit mails whose Due is before a time, the earliest of each shard first.
func (s *Store) DueMails(ctx context.Context, before time.Time, limit int) ([]DueMail, error) {
	parts, err := s.QueryShards(ctx, mailDuePartition,
		table.Range{To: db.TimeBytes(before), Limit: db.ShardLimit(limit)}, db.Shards)
	if err != nil {
		return nil, err
	}
	var list []DueMail
	for _, row := range slices.Concat(parts...) {
		d := DueMail{key: row.Key}
		if names := strings.Split(row.Sort[8:], "/"); len(names) == 3 {
			d.FormID, d.SubmissionID = names[0], names[1]
			d.N, err = strconv.Atoi(names[2])
		}
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}
