package tasks

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// Kind says what a user is asked to do.
type Kind string

// The kinds of tasks.
const (
	Review   Kind = "review"   // approve a version
	Returned Kind = "returned" // change what was sent back
	Assigned Kind = "assigned" // work on a thread of comments
	Mention  Kind = "mention"  // read a comment
)

// Kinds lists the kinds of tasks.
var Kinds = []Kind{Review, Returned, Assigned, Mention}

// MaxListed is how many tasks of each kind are listed and counted, MaxDue how many of each kind are
// looked at for a calendar.
const (
	MaxListed = 1000
	MaxDue    = 10_000
)

// Task is what waits for a user.
type Task struct {
	Kind    Kind     `json:"-"`
	ModelID string   `json:"model"`
	EntryID string   `json:"entry"`
	Locale  string   `json:"locale"`
	Comment string   `json:"comment,omitempty"` // id
	Field   *string  `json:"field,omitempty"`
	Gen     int      `json:"gen,omitempty"` // of the model whose names Field has
	Text    *string  `json:"text,omitempty"`
	By      string   `json:"by"` // id of the user who caused it
	At      cms.Time `json:"at"`
	Due     *string  `json:"due,omitempty"`
}

// Put stores a task of a user.
func Put(tx *db.Tx, userID string, t Task) {
	tx.Put(table.Item{Key: t.rowKey(userID), Body: db.Pack(t)})
}

// End removes a task of a user, if it exists.
func End(tx *db.Tx, userID string, t Task) { tx.Delete(t.rowKey(userID)) }

// Move makes a task of a user that of another user, if it exists.
func Move(ctx context.Context, tx *db.Tx, from, to string, t Task) error {
	rows, err := tx.DB.Table.Get(ctx, table.Strong, t.rowKey(from))
	if err != nil || rows[0] == nil || from == to {
		return err
	}
	End(tx, from, t)
	tx.Put(table.Item{Key: t.rowKey(to), Body: rows[0].Body})
	return nil
}

// Of lists the tasks of a kind of a user, of every kind if it is "", up to limit.
func Of(ctx context.Context, d *db.DB, userID string, kind Kind, limit int) ([]Task, error) {
	within := table.Range{Partition: tasksPartition(userID), Limit: limit}
	if kind != "" {
		within.Prefix = string(kind) + "/"
	}
	rows, err := d.Table.Query(ctx, within)
	list := make([]Task, len(rows))
	for i := range rows {
		list[i].Kind = kindOf(rows[i].Key)
		if err := db.Unpack(rows[i].Body, &list[i]); err != nil {
			return nil, err
		}
	}
	return list, err
}

// mailbox is the part of a user that mails need.
type mailbox struct {
	Email    string `json:"email"`
	IsActive bool   `json:"is_active"`
	cms.MailChoice
}

// mailKind is the kind of the mails about a kind of tasks.
func (k Kind) mailKind() cms.MailKind {
	if k == Assigned || k == Mention {
		return cms.MailComments
	}
	return cms.MailReviews
}

// Tell adds a line to the next mail to a user, unless the user switched its kind off. It says what by did, with
// the title of the entry and a link.
func Tell(ctx context.Context, tx *db.Tx, userID string, t Task, line cms.Phrase) error {
	if userID == t.By {
		return nil
	}
	box, err := db.Docs[mailbox]{DB: tx.DB, Kind: "user"}.Get(ctx, userID)
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err != nil || !box.Value.IsActive || !box.Value.WantsMail(t.Kind.mailKind()) {
		return err
	}
	tx.Put(table.Item{Key: lineKey(userID, tx.At(), t), Body: db.Pack(news{box.Value.Email, line})})
	tx.SetTimer(db.Timer{At: tx.At(), Kind: KindNews, Ref: userID})
	return nil
}
