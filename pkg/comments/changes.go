package comments

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/tasks"
)

// thread returns the first comment of the thread of c, which may be c.
func (s *Comments) thread(ctx context.Context, m *site.Model, entryID string, c *stored) (*stored, error) {
	if c.Parent == "" {
		return c, nil
	}
	return s.readComment(ctx, m, entryID, c.Parent)
}

// Update changes a comment: its author the text, everybody who may comment whether the thread is
// resolved, its assignee and when it is due. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND, NOT_FOUND,
// FORBIDDEN, VALIDATION_FAILED.
func (s *Comments) Update(ctx context.Context, actor cms.Actor, model, id, comment string,
	in map[string]any) (Comment, error) {
	var c *stored
	err := s.db().Retry(ctx, func() error {
		m, e, err := s.entryOf(ctx, model, id)
		if err != nil {
			return err
		}
		if c, err = s.readComment(ctx, m, e.ID, comment); err != nil {
			return err
		}
		b, p := input.Decode[body](in, append(readOnly, "field", "quote", "parent")...)
		tx := s.db().Begin()
		if _, sent := in["text"]; sent {
			if err := c.setText(actor, b.Text, tx.At()); err != nil {
				return err
			}
			checkText(p, c.Text)
		}
		if b.Resolved != nil {
			c.setResolved(p, actor, *b.Resolved)
		}
		reopened := b.Resolved != nil && !c.Resolved
		if err := s.assign(ctx, p, m, e, c, b); err != nil {
			return err
		}
		if err := p.Err(); err != nil {
			return err
		}
		first, err := s.thread(ctx, m, e.ID, c)
		if err != nil {
			return err
		}
		if err := s.wait(ctx, tx, actor, m, e, first, c); err != nil {
			return err
		}
		for _, w := range first.Waiting {
			if reopened && w.Task.Comment != c.ID { // wait puts those of c
				tasks.Put(tx, w.User, w.Task)
			}
		}
		c.putIn(tx, m.ID, e.ID)
		if first != c {
			first.putIn(tx, m.ID, e.ID)
		}
		if err := s.changeCount(ctx, tx, m, e.ID, 0); err != nil {
			return err
		}
		content.RequireEntry(tx, m, e.ID)
		tx.Activity(actor, "entry.comment_changed", editing.Subject(m, e), e.ID)
		return content.EntryNotFound(s.db().Commit(ctx, tx))
	})
	if err != nil {
		return Comment{}, err
	}
	return c.show(ctx, names{s.db(), map[string]cms.Person{}})
}

// setText changes the text of a comment, if it differs; FORBIDDEN unless the actor is the author.
func (c *stored) setText(actor cms.Actor, text *string, at cms.Time) error {
	if c.Text != nil && text != nil && *text == *c.Text {
		return nil
	}
	if c.Author != actor.UserID {
		return errNotAuthor
	}
	c.Text, c.EditedAt = text, &at
	return nil
}

// setResolved resolves the thread that a comment begins, or opens it again.
func (c *stored) setResolved(p cms.Problems, actor cms.Actor, resolved bool) {
	switch {
	case c.Parent != "":
		p.Add("resolved", "belongs to the first comment of a thread")
	case resolved != c.Resolved:
		c.Resolved, c.ResolvedBy = resolved, ""
		if resolved {
			c.ResolvedBy = actor.UserID
		}
	}
}

// Delete deletes a comment. One that has replies keeps its place without text and author. Errors:
// MODEL_NOT_FOUND, ENTRY_NOT_FOUND, NOT_FOUND, FORBIDDEN for comments of others unless any is set.
func (s *Comments) Delete(ctx context.Context, actor cms.Actor, model, id, comment string, anyAuthor bool) error {
	return s.db().Retry(ctx, func() error {
		m, e, err := s.entryOf(ctx, model, id)
		if err != nil {
			return err
		}
		c, err := s.readComment(ctx, m, e.ID, comment)
		if err != nil {
			return err
		}
		if c.Text == nil {
			return errNoComment // deleted, and still there for its replies
		}
		if c.Author != actor.UserID && !anyAuthor {
			return errNotYours
		}
		first, err := s.thread(ctx, m, e.ID, c)
		if err != nil && !errors.Is(err, errNoComment) {
			return err
		}
		tx := s.db().Begin()
		tx.Delete(authorKey(c.Email, m.ID, e.ID, c.ID))
		removed := 1
		c.Text, c.Assignee = nil, ""
		if err := s.wait(ctx, tx, actor, m, e, first, c); err != nil {
			return err
		}
		switch {
		case first == c && c.Replies > 0:
			c.Author, c.Email, c.Quote, removed = "", "", nil, 0
			c.putIn(tx, m.ID, e.ID)
		case first == c:
			tx.Remove(content.CommentKey(m.ID, e.ID, c.ID), c.version)
		default:
			tx.Remove(content.CommentKey(m.ID, e.ID, c.ID), c.version)
			if first.Replies--; first.Replies == 0 && first.Text == nil {
				tx.Remove(content.CommentKey(m.ID, e.ID, first.ID), first.version)
				removed++
			} else {
				first.putIn(tx, m.ID, e.ID)
			}
		}
		if err := s.changeCount(ctx, tx, m, e.ID, -removed); err != nil {
			return err
		}
		tx.Activity(actor, "entry.comment_deleted", editing.Subject(m, e), e.ID)
		return s.db().Commit(ctx, tx)
	})
}
