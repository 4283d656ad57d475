package comments

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/review"
	"headless/pkg/rights"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/tasks"
)

// Comments are the use cases of comments.
type Comments struct {
	Entries *editing.Entries
	SiteURL string // the links in mails start with it
}

var (
	errNoComment = cms.Errorf(cms.CodeNotFound, "There is no such comment.")
	errMany      = cms.Errorf(cms.CodeConflict, "This entry has %d comments. Delete some first.", MaxOfEntry)
	errNotAuthor = cms.Errorf(cms.CodeForbidden, "Only its author may change the text of a comment.")
	errNotYours  = cms.Errorf(cms.CodeForbidden, "Only its author and admins may delete a comment.")
)

func (s *Comments) db() *db.DB { return s.Entries.Store.DB }

// entryOf returns an entry with its model. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND.
func (s *Comments) entryOf(ctx context.Context, model, id string) (*site.Model, *cms.Entry, error) {
	m, id, err := s.Entries.Locate(ctx, (*site.Site).Model, model, id)
	if err != nil {
		return nil, nil, err
	}
	e, err := s.Entries.Store.Entry(ctx, m, id)
	return m, e, content.EntryNotFound(err)
}

// Stamp returns a number that every change of the comments on an entry increases; 0 before the first.
// It may be seconds old.
func (s *Comments) Stamp(ctx context.Context, modelID, entryID string) (int64, error) {
	rows, err := s.db().Table.Get(ctx, table.Eventual, content.CommentsKey(modelID, entryID))
	if err != nil || rows[0] == nil {
		return 0, err
	}
	return rows[0].Version, nil
}

// Filter selects comments; the zero value selects all.
type Filter struct {
	Resolved *bool // of the thread
	Field    *string
}

// List lists the comments on an entry, newest last. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND.
func (s *Comments) List(ctx context.Context, model, id string, f Filter, p db.Paging) (db.Page[Comment], error) {
	page := db.Page[Comment]{Paging: p, Items: []Comment{}}
	m, e, err := s.entryOf(ctx, model, id)
	if err != nil {
		return page, err
	}
	rows, err := s.db().Table.Query(ctx, table.Range{Partition: content.CommentKey(m.ID, e.ID, "").Partition,
		Prefix: content.CommentPrefix, Limit: MaxOfEntry})
	if err != nil {
		return page, err
	}
	resolved, found := map[string]bool{}, []*stored{}
	for i := range rows {
		c, err := decodeComment(m, &rows[i])
		if err != nil {
			return page, err
		}
		resolved[c.ID] = c.Resolved
		done := c.Resolved || resolved[c.Parent]
		if (f.Resolved == nil || *f.Resolved == done) && (f.Field == nil || c.Field != nil && *c.Field == *f.Field) {
			found = append(found, c)
		}
	}
	shown := db.PageOf(found, p)
	page.Total = shown.Total
	n := names{s.db(), map[string]cms.Person{}}
	for _, c := range shown.Items {
		v, err := c.show(ctx, n)
		if err != nil {
			return page, err
		}
		page.Items = append(page.Items, v)
	}
	return page, nil
}

func (s *Comments) readComment(ctx context.Context, m *site.Model, entryID, id string) (*stored, error) {
	id, valid := input.CanonicalID(id)
	if !valid {
		return nil, errNoComment
	}
	item, err := s.db().Get(ctx, content.CommentKey(m.ID, entryID, id))
	if err != nil {
		return nil, db.Missing(err, errNoComment)
	}
	return decodeComment(m, item)
}

// body is the body of a create or update.
type body struct {
	Field    *string  `json:"field"`
	Quote    *string  `json:"quote"`
	Text     *string  `json:"text"`
	Parent   *string  `json:"parent"`
	Assignee **string `json:"assignee"`
	Due      **string `json:"due"`
	Resolved *bool    `json:"resolved"`
}

// readOnly are keys of a comment that a body may hold and that are ignored.
var readOnly = []string{"author", "resolved_by", "edited_at"}

// Create writes a comment on an entry. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND, VALIDATION_FAILED,
// CONFLICT if the entry has too many.
func (s *Comments) Create(ctx context.Context, actor cms.Actor, model, id string, in map[string]any) (Comment, error) {
	var made *stored
	err := s.db().Retry(ctx, func() error {
		m, e, err := s.entryOf(ctx, model, id)
		if err != nil {
			return err
		}
		b, p := input.Decode[body](in, append(readOnly, "resolved")...)
		tx := s.db().Begin()
		made = &stored{ID: uuid.Must(uuid.NewV7()).String(), Field: emptyAsNil(b.Field), Quote: emptyAsNil(b.Quote),
			Text: b.Text, Gen: m.Gen,
			Author: actor.UserID, Email: actor.Name, CreatedAt: tx.At()}
		p.LimitLength("field", input.Given(made.Field, ""), maxField)
		p.LimitLength("quote", input.Given(made.Quote, ""), maxQuote)
		checkText(p, made.Text)
		var first *stored
		if parent := input.Given(b.Parent, ""); parent != "" {
			first, err = s.readComment(ctx, m, e.ID, parent)
			switch {
			case errors.Is(err, errNoComment):
				p.Add("parent", "there is no such comment")
			case err != nil:
				return err
			case first.Parent != "":
				p.Add("parent", "is a reply itself")
			}
			made.Parent = parent
		}
		if err := s.assign(ctx, p, m, e, made, b); err != nil {
			return err
		}
		if err := p.Err(); err != nil {
			return err
		}
		thread := made
		if first != nil {
			thread, made.Parent = first, first.ID
			first.Replies++
		}
		if err := s.wait(ctx, tx, actor, m, e, thread, made); err != nil {
			return err
		}
		if err := s.changeCount(ctx, tx, m, e.ID, 1); err != nil {
			return err
		}
		made.putIn(tx, m.ID, e.ID)
		if first != nil {
			first.putIn(tx, m.ID, e.ID)
		}
		tx.Put(table.Item{Key: authorKey(actor.Name, m.ID, e.ID, made.ID)})
		content.RequireEntry(tx, m, e.ID)
		tx.Activity(actor, "entry.commented", editing.Subject(m, e), e.ID)
		return content.EntryNotFound(s.db().Commit(ctx, tx))
	})
	if err != nil {
		return Comment{}, err
	}
	return made.show(ctx, names{s.db(), map[string]cms.Person{}})
}

func emptyAsNil(text *string) *string {
	if text != nil && *text == "" {
		return nil
	}
	return text
}

func checkText(p cms.Problems, text *string) {
	p.Require("text", strings.TrimSpace(input.Given(text, "")))
	p.LimitLength("text", input.Given(text, ""), maxText)
}

// assign sets assignee and due of a comment, which only the first of a thread has.
func (s *Comments) assign(ctx context.Context, p cms.Problems, m *site.Model, e *cms.Entry, c *stored, b body) error {
	if b.Assignee != nil {
		id := input.Given(*b.Assignee, "")
		if c.Parent != "" && id != "" {
			p.Add("assignee", "belongs to the first comment of a thread")
		} else if id != "" {
			canonical, _ := input.CanonicalID(id)
			may, err := rights.May(ctx, s.db(), canonical, cms.ActionRead, m.Slug, e.Locale)
			if err != nil {
				return err
			}
			if id = canonical; !may {
				p.Add("assignee", "must be the id of an active user who may read this entry")
			}
		}
		c.Assignee = id
	}
	if b.Due != nil {
		if c.Due = review.Due(p, *b.Due); c.Parent != "" && c.Due != nil {
			p.Add("due", "belongs to the first comment of a thread")
		}
	}
	return nil
}

// changeCount changes the number of comments on an entry, by 0 if only their stamp changes; CONFLICT if
// it has too many.
func (s *Comments) changeCount(ctx context.Context, tx *db.Tx, m *site.Model, entryID string, by int) error {
	key := content.CommentsKey(m.ID, entryID)
	n, version, err := db.Find[int](ctx, s.db(), key)
	if err != nil {
		return err
	}
	if n += by; by > 0 && n > MaxOfEntry {
		return errMany
	}
	tx.Save(table.Item{Key: key, Body: db.Pack(n)}, version)
	return nil
}

// wait changes for whom a thread waits after a change of one of its comments: the assignee of the
// first, and the people mentioned in c who may read the entry, but for its author.
func (s *Comments) wait(ctx context.Context, tx *db.Tx, actor cms.Actor, m *site.Model, e *cms.Entry,
	first, c *stored) error {
	was := first.Waiting
	now := slices.DeleteFunc(slices.Clone(was), func(w waiting) bool {
		return w.Task.Comment == c.ID
	})
	add := func(user string, kind tasks.Kind) {
		same := func(w waiting) bool { return w.User == user && w.Task.Comment == c.ID && w.Kind == kind }
		t := tasks.Task{Kind: kind, ModelID: m.ID, EntryID: e.ID, Locale: e.Locale, Comment: c.ID, Field: c.Field,
			Gen: m.Gen, Text: c.Text, By: actor.UserID, At: tx.At(), Due: c.Due}
		if i := slices.IndexFunc(was, same); i >= 0 {
			t.By, t.At = was[i].Task.By, was[i].Task.At
		}
		if len(now) < maxWaiting {
			now = append(now, waiting{user, t, kind})
		}
	}
	if c.Assignee != "" {
		add(c.Assignee, tasks.Assigned)
	}
	for _, id := range mentionsIn(c.Text) {
		may, err := rights.May(ctx, s.db(), id, cms.ActionRead, m.Slug, e.Locale)
		if err != nil {
			return err
		}
		if may && id != c.Author {
			add(id, tasks.Mention)
		}
	}
	for _, w := range was {
		if !slices.ContainsFunc(now, w.isSame) {
			tasks.End(tx, w.User, w.Task)
		}
	}
	first.Waiting = now
	for _, w := range now {
		switch {
		case first.Resolved:
			tasks.End(tx, w.User, w.Task)
			continue
		case w.Task.Comment == c.ID:
			tasks.Put(tx, w.User, w.Task)
		}
		if slices.ContainsFunc(was, w.isSame) {
			continue
		}
		if err := s.addNews(ctx, tx, actor, m, e, w); err != nil {
			return err
		}
	}
	return nil
}

func (w waiting) isSame(v waiting) bool {
	return w.User == v.User && w.Task.Comment == v.Task.Comment && w.Kind == v.Kind
}

// addNews adds a line to the next mail to a user for whom a thread waits from now on.
func (s *Comments) addNews(ctx context.Context, tx *db.Tx, actor cms.Actor, m *site.Model, e *cms.Entry,
	w waiting) error {
	by, err := rights.Person(ctx, s.db(), actor.UserID)
	if err != nil {
		return err
	}
	link := s.SiteURL + "/admin/models/" + m.Slug + "/entries/" + e.ID + "/review#c-" + w.Task.Comment
	line := cms.Phrased("{1} mentioned you in a comment on \"{2}\":\n{3}", by.Name, e.Title, link)
	if w.Kind == tasks.Assigned {
		line = cms.Phrased("{1} assigned you a comment on \"{2}\":\n{3}", by.Name, e.Title, link)
	}
	return tasks.Tell(ctx, tx, w.User, w.Task, line)
}
