package comments

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/tasks"
)

// Held is a thread of comments that is assigned to a user and not resolved.
type Held struct {
	Model  string  `json:"model"` // slug
	Entry  string  `json:"entry"` // id
	Title  string  `json:"title"`
	Locale string  `json:"locale"`
	ID     string  `json:"id"` // of the first comment
	Field  *string `json:"field"`
	Text   *string `json:"text"`
	Due    *string `json:"due"`
}

// heldThread is a thread that is assigned to a user.
type heldThread struct {
	tasks.Task
	m     *site.Model
	entry *cms.Entry // nil if the caller may not read it
}

// heldBy lists the threads that are assigned to a user and not resolved. Those of entries in the
// trash are left out.
func (s *Comments) heldBy(ctx context.Context, userID string) (list []heldThread, err error) {
	now, err := s.Entries.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	assigned, err := tasks.Of(ctx, s.db(), userID, tasks.Assigned, tasks.MaxListed)
	if err != nil {
		return nil, err
	}
	ids := slice.Map(assigned, func(t tasks.Task) string { return t.EntryID })
	places, err := s.Entries.Store.Addresses(ctx, slice.Distinct(ids))
	if err != nil {
		return nil, err
	}
	var refs []content.Reference
	for _, t := range assigned {
		if m := now.ModelByID(t.ModelID); m != nil && places[t.EntryID].ModelID == t.ModelID {
			list = append(list, heldThread{Task: t, m: m})
			refs = append(refs, content.Reference{Model: m, ID: t.EntryID})
		}
	}
	entries, err := s.Entries.Store.EntriesByID(ctx, refs)
	for i := range entries {
		list[i].entry = entries[i]
	}
	return list, err
}

// HeldBy lists the threads that are assigned to a user, on entries that the caller may read.
func (s *Comments) HeldBy(ctx context.Context, userID string) ([]Held, error) {
	held, err := s.heldBy(ctx, userID)
	list := []Held{}
	for _, t := range held {
		if t.entry != nil {
			list = append(list, Held{t.m.Slug, t.EntryID, t.entry.Title, t.entry.Locale, t.Comment,
				t.m.PathSince(t.Gen, t.Field), t.Text, t.Due})
		}
	}
	return list, err
}

// MayTake returns FORBIDDEN or NOT_FOUND unless the caller may read the entries on which a user has threads.
func (s *Comments) MayTake(ctx context.Context, userID string) error {
	held, err := s.heldBy(cms.WithPermissions(ctx, nil), userID) // of all models, also of those hidden from the caller
	for _, t := range held {
		if t.entry != nil && err == nil {
			err = cms.PermissionsOf(ctx).Check(cms.ActionRead, t.m.Slug, t.entry.Locale, "entry")
		}
	}
	return err
}

// Reassign assigns the threads of a user to another actor.
func (s *Comments) Reassign(ctx context.Context, userID string, to cms.Actor) error {
	held, err := s.heldBy(ctx, userID)
	for _, t := range held {
		if err != nil {
			return err
		}
		err = s.db().Retry(ctx, func() error {
			c, err := s.readComment(ctx, t.m, t.EntryID, t.Comment)
			if errors.Is(err, errNoComment) {
				return nil
			}
			if err != nil || c.Assignee != userID {
				return err
			}
			tx := s.db().Begin()
			c.Assignee = to.UserID
			for i, w := range c.Waiting {
				if w.User == userID && w.Kind == tasks.Assigned {
					c.Waiting[i].User = to.UserID
				}
			}
			if err := tasks.Move(ctx, tx, userID, to.UserID, t.Task); err != nil {
				return err
			}
			c.putIn(tx, t.m.ID, t.EntryID)
			return s.db().Commit(ctx, tx)
		})
	}
	return err
}
