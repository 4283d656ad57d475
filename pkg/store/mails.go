package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// MailRef names a mail: the one to the N-th address, from 0, about a submission.
type MailRef struct {
	FormID       string `json:"form"`
	SubmissionID string `json:"submission"`
	N            int    `json:"n"`
}

// ID is the mail's name in messages and logs.
func (r MailRef) ID() string { return r.SubmissionID + "-" + strconv.Itoa(r.N) }

// Mail is the truth about one mail; queue messages only say that there is something to do.
type Mail struct {
	MailRef
	cms.SubmissionMail
	Due   cms.Time `json:"due"`   // when the sweeper looks at it; zero when finished
	Lease cms.Time `json:"lease"` // until when a worker has it

	version int64
	wasDue  cms.Time
}

func decodeMail(item *table.Item) (Mail, error) {
	m := Mail{version: item.Version}
	err := unmarshal(item.Body, &m)
	m.wasDue = m.Due
	return m, err
}

// PutMail creates a mail, or changes one that was read before, and where it is looked for. Once that is committed, the mail may be changed
// again without being read.
func (t *Tx) PutMail(m *Mail) {
	item := table.Item{Key: mailKey(m.MailRef), Version: m.version + 1, Body: mustMarshal(m)}
	if m.version == 0 {
		t.create(item, ErrOvertaken)
	} else {
		t.replace(item, m.version)
	}
	if !m.wasDue.Equal(m.Due.Time) {
		if !m.wasDue.IsZero() {
			t.delete(mailDueKey(m.wasDue.Time, m.MailRef))
		}
		if !m.Due.IsZero() {
			t.put(table.Item{Key: mailDueKey(m.Due.Time, m.MailRef)})
		}
	}
	m.version, m.wasDue = item.Version, m.Due
}

// Mail reads a mail and what it is about; ErrNotFound when either does not exist (any more).
func (s *Store) Mail(ctx context.Context, r MailRef) (Mail, *Submission, error) {
	items, err := s.table.Get(ctx, table.Strong, mailKey(r), submissionKey(r.FormID, r.SubmissionID))
	if err != nil {
		return Mail{}, nil, err
	}
	if items[0] == nil || items[1] == nil {
		return Mail{}, nil, ErrNotFound
	}
	m, err := decodeMail(items[0])
	if err != nil {
		return m, nil, err
	}
	about, err := decodeSubmission(items[1])
	return m, about, err
}

// DueMail is a row of the index of mails that are not sent yet.
type DueMail struct {
	MailRef
	key table.Key
}

// Leads tells whether the row is where the mail is looked for.
func (d DueMail) Leads(m *Mail) bool {
	return !m.Due.IsZero() && d.key == mailDueKey(m.Due.Time, m.MailRef)
}

// DueMails lists up to limit mails that are to be looked at before a time, the earliest of each shard first.
func (s *Store) DueMails(ctx context.Context, before time.Time, limit int) ([]DueMail, error) {
	var parts [shards][]DueMail
	g, ctx := errgroup.WithContext(ctx)
	for shard := range shards {
		g.Go(func() error {
			rows, err := s.table.Query(ctx, table.Range{
				Partition: mailDuePartition(shard), To: timeBytes(before), Limit: (limit + shards - 1) / shards,
			})
			for _, row := range rows {
				d := DueMail{key: row.Key}
				if names := strings.Split(row.Sort[8:], "/"); len(names) == 3 {
					d.FormID, d.SubmissionID = names[0], names[1]
					d.N, err = strconv.Atoi(names[2])
				}
				if err != nil {
					return err
				}
				parts[shard] = append(parts[shard], d)
			}
			return err
		})
	}
	err := g.Wait()
	return slices.Concat(parts[:]...), err
}

// DropDueMails removes rows of the index whose mails do not need them.
func (s *Store) DropDueMails(ctx context.Context, rows ...DueMail) error {
	keys := make([]table.Key, len(rows))
	for i, r := range rows {
		keys[i] = r.key
	}
	return s.table.BatchWrite(ctx, nil, keys)
}
