package tasks

import (
	"cmp"
	"context"
	"errors"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/rights"
	"headless/pkg/table"
)

// mailEvery is the time between two mails to a user. Lines that come sooner wait for its end.
const mailEvery = 10 * time.Minute

// maxLines is how many lines one mail holds; it leaves room for the rest of its transaction.
const maxLines = 80

// news is one line of a mail.
type news struct {
	To   string     `json:"to"`
	Line cms.Phrase `json:"line"`
}

// News mails users what waits for them.
type News struct {
	DB     *db.DB
	Mailer db.Mailer // nil sends nothing
	// Waiting returns those of some tasks that still wait for an active user who may read their entries now.
	Waiting func(ctx context.Context, userID string, list []Task) ([]Task, error)
}

// Send sends the lines for a user in one mail, at most every mailEvery. It leaves out lines whose tasks
// have ended, and those about entries that the user may not read any more. It is the handler of timers
// of the kind KindNews.
func (n News) Send(ctx context.Context, userID string) (nextRun cms.Time, err error) {
	err = n.DB.Retry(ctx, func() error {
		nextRun, err = n.sendNews(ctx, userID)
		return err
	})
	return nextRun, err
}

func (n News) sendNews(ctx context.Context, userID string) (nextRun cms.Time, err error) {
	rows, err := n.DB.Table.Query(ctx, table.Range{Partition: newsPartition(userID), Prefix: linePrefix, Limit: maxLines +
		1})
	if err != nil || len(rows) == 0 {
		return nextRun, err
	}
	last, version, err := db.Find[cms.Time](ctx, n.DB, sentKey(userID))
	if err != nil {
		return nextRun, err
	}
	tx := n.DB.Begin()
	if next := cms.At(last.Add(mailEvery)); tx.At().Before(next.Time) {
		return next, nil
	}
	account, err := rights.AccountOf(ctx, n.DB, userID)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return nextRun, err
	}
	var waits map[string]Task
	if account.IsActive {
		if waits, err = n.stillWaiting(ctx, userID, rows[:min(len(rows), maxLines)]); err != nil {
			return nextRun, err
		}
	}
	to, count := account.Email, 0
	var lines []cms.Phrase
	for _, row := range rows[:min(len(rows), maxLines)] {
		var line news
		if err := db.Unpack(row.Body, &line); err != nil {
			return nextRun, err
		}
		if t, ok := waits[taskName(row.Key)]; ok {
			to, lines, count = cmp.Or(to, line.To), append(lines, line.Line), count+1
			if t.Due != nil {
				lines = append(lines, cms.Phrased("Due: {1}", *t.Due).Timed())
			}
		}
		tx.Delete(row.Key)
	}
	if len(rows) > maxLines {
		nextRun = cms.At(tx.At().Add(mailEvery))
	}
	if count > 0 {
		tx.Save(table.Item{Key: sentKey(userID), Body: db.Pack(tx.At()),
			Expires: tx.At().Add(2 * mailEvery).Unix()}, version)
		if n.Mailer != nil {
			n.Mailer.Notify(tx, cms.Actor{}, to, cms.Notice{Paragraphs: lines, Optional: true, Language: account.Language,
				Subject: cms.Counted(count, "{1} task waits for you", "{1} tasks wait for you")})
		}
	}
	return nextRun, n.DB.Commit(ctx, tx)
}

// stillWaiting returns the tasks of lines, by name, that have not ended and whose entries the user may read.
func (n News) stillWaiting(ctx context.Context, userID string, lines []table.Item) (map[string]Task, error) {
	seen, keys := map[string]bool{}, []table.Key{}
	for _, line := range lines {
		if name := taskName(line.Key); !seen[name] {
			seen[name] = true
			keys = append(keys, table.Key{Partition: tasksPartition(userID), Sort: name})
		}
	}
	rows, err := n.DB.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	var found []Task
	for i, row := range rows {
		if row == nil {
			continue
		}
		var t Task
		if err := db.Unpack(row.Body, &t); err != nil {
			return nil, err
		}
		t.Kind = kindOf(keys[i])
		found = append(found, t)
	}
	if len(found) > 0 {
		found, err = n.Waiting(ctx, userID, found)
	}
	waits := map[string]Task{}
	for _, t := range found {
		waits[t.sortName()] = t
	}
	return waits, err
}
