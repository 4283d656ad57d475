package review

import (
	"cmp"
	"context"
	"slices"

	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/rights"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
	"headless/pkg/tasks"
)

// waits changes for whom a review waits, with a change of it by somebody: for its reviewers or, if it
// is returned, for who asked.
func (s *Reviews) waits(ctx context.Context, tx *db.Tx, by cms.Person, v subject, now *approval.Review) error {
	was, link := &v.Review, s.SiteURL+"/admin/models/"+v.m.Slug+"/entries/"+v.Entry.ID+"/review"
	task := approval.Task(v.m, v.Entry.ID, tasks.Review)
	task.Locale, task.Text, task.By, task.At, task.Due = v.Entry.Locale, now.Note, by.ID, tx.At(), now.Due
	switch {
	case now.State == approval.Returned:
		task.Kind, task.Due = tasks.Returned, nil
		tasks.Put(tx, now.RequestedBy, task)
		return tasks.Tell(ctx, tx, now.RequestedBy, task,
			cms.Phrased("{1} sent back \"{2}\":\n{3}", by.Name, v.Entry.Title, link))
	case was.State == approval.Returned:
		tasks.End(tx, was.RequestedBy, approval.Task(v.m, v.Entry.ID, tasks.Returned))
	case len(now.Approvals) > len(was.Approvals):
		return nil // whose approval it is sees no task any more
	}
	for _, user := range was.Reviewers {
		if !slices.Contains(now.Reviewers, user) {
			tasks.End(tx, user, task)
		}
	}
	for _, user := range now.Reviewers {
		tasks.Put(tx, user, task)
		if slices.Contains(was.Reviewers, user) && was.State != approval.Returned {
			continue // knows already
		}
		line := cms.Phrased("{1} asks for your review of \"{2}\":\n{3}", by.Name, v.Entry.Title, link)
		if err := tasks.Tell(ctx, tx, user, task, line); err != nil {
			return err
		}
	}
	return nil
}

// Task is a task as shown.
type Task struct {
	Kind    tasks.Kind `json:"kind"`
	Model   string     `json:"model"` // slug
	ID      string     `json:"id"`    // of the entry
	Title   string     `json:"title"`
	Locale  string     `json:"locale"`
	Comment *string    `json:"comment"` // id
	Field   *string    `json:"field"`
	Text    *string    `json:"text"` // of the comment, or the note of the review
	By      cms.Person `json:"by"`
	At      cms.Time   `json:"at"`
	Due     *string    `json:"due"`
}

// TaskList is a page of tasks with the number of all tasks of each kind.
type TaskList struct {
	db.Page[Task]
	Counts map[tasks.Kind]int // to tasks.MaxListed each
}

// Tasks lists what waits for a user: what is due first, then the newest. Entries that the caller may
// not read are left out.
func (s *Reviews) Tasks(ctx context.Context, userID string, p db.Paging) (TaskList, error) {
	list := TaskList{Page: db.Page[Task]{Paging: p, Items: []Task{}}, Counts: map[tasks.Kind]int{}}
	now, all, err := s.waitingFirst(ctx, userID, tasks.MaxListed, func(tasks.Task) bool { return true })
	if err != nil {
		return list, err
	}
	for _, kind := range tasks.Kinds {
		list.Counts[kind] = 0
	}
	for _, t := range all {
		list.Counts[t.Kind]++
	}
	cms.Sort(all, func(a, b tasks.Task) int {
		if a.Due != nil && b.Due != nil && *a.Due != *b.Due {
			return cmp.Compare(*a.Due, *b.Due)
		}
		return cmp.Or(cms.CompareBool(a.Due == nil, b.Due == nil), b.At.Compare(a.At.Time))
	})
	page := db.PageOf(all, p)
	list.Total = page.Total
	list.Items, err = s.showTasks(ctx, now, page.Items)
	return list, err
}

// Open counts what waits for a user, up to tasks.MaxListed, by one query if nothing does.
func (s *Reviews) Open(ctx context.Context, userID string) (int, error) {
	now, err := s.Entries.Store.Site(ctx)
	if err != nil {
		return 0, err
	}
	list, err := tasks.Of(ctx, s.Entries.Store.DB, userID, "", tasks.MaxListed)
	if err == nil {
		list, err = s.stillWaiting(ctx, now, userID, list)
	}
	return len(list), err
}

// Due lists what waits for a user and is due in a time that wanted reports, as Tasks does. It looks at
// tasks.MaxDue tasks of each kind, since tasks are not stored by their time.
func (s *Reviews) Due(ctx context.Context, userID string, wanted func(due string) bool) ([]Task, error) {
	now, list, err := s.waitingFirst(ctx, userID, tasks.MaxDue,
		func(t tasks.Task) bool { return t.Due != nil && wanted(*t.Due) })
	if err != nil {
		return nil, err
	}
	return s.showTasks(ctx, now, list)
}

// waitingFirst returns the wanted ones of the first tasks of each kind that still wait for a user and whose
// entries the caller may read, by kind.
func (s *Reviews) waitingFirst(ctx context.Context, userID string, limit int,
	wanted func(tasks.Task) bool) (now *site.Site, all []tasks.Task, err error) {
	if now, err = s.Entries.Store.Site(ctx); err != nil {
		return nil, nil, err
	}
	for _, kind := range tasks.Kinds {
		found, err := tasks.Of(ctx, s.Entries.Store.DB, userID, kind, limit)
		found = slices.DeleteFunc(found, func(t tasks.Task) bool {
			m := now.ModelByID(t.ModelID)
			return m == nil || !wanted(t)
		})
		if err == nil {
			found, err = s.stillWaiting(ctx, now, userID, found)
		}
		if err != nil {
			return nil, nil, err
		}
		all = append(all, found...)
	}
	return now, all, nil
}

// Waiting returns those of some tasks that still wait for a user who is active, and whose entries the
// user may read now.
func (s *Reviews) Waiting(ctx context.Context, userID string, list []tasks.Task) ([]tasks.Task, error) {
	account, err := rights.AccountOf(ctx, s.Entries.Store.DB, userID)
	if err != nil {
		return nil, err
	}
	ctx, err = rights.As(ctx, s.Entries.Store.DB, cms.Actor{UserID: userID, Term: account.Term})
	if err != nil {
		return nil, err
	}
	now, err := s.Entries.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	return s.stillWaiting(ctx, now, userID, list)
}

// stillWaiting is Waiting for the permissions of the context.
func (s *Reviews) stillWaiting(ctx context.Context, now *site.Site, userID string,
	list []tasks.Task) ([]tasks.Task, error) {
	ofComment := func(t tasks.Task) bool { return t.Comment != "" }
	found, err := s.reviewsOf(ctx, userID, slices.DeleteFunc(slices.Clone(list), ofComment))
	for _, t := range list {
		if ofComment(t) {
			found = append(found, t)
		}
	}
	if err == nil {
		found, err = s.withEntries(ctx, found)
	}
	return slices.DeleteFunc(found, func(t tasks.Task) bool {
		m := now.ModelByID(t.ModelID)
		return m == nil || !cms.PermissionsOf(ctx).May(cms.ActionRead, m.Slug, t.Locale)
	}), err
}

// reviewsOf returns the tasks of reviews that still wait for a user: those that were returned
// to the user, and those of versions that the user has not approved.
func (s *Reviews) reviewsOf(ctx context.Context, userID string, list []tasks.Task) ([]tasks.Task, error) {
	keyOf := func(t tasks.Task) table.Key { return approval.Key(t.ModelID, t.EntryID) }
	keys := slice.Distinct(slice.Map(list, keyOf)) // who asked may be a reviewer too
	rows, err := s.Entries.Store.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	reviews := map[table.Key]*approval.Review{}
	for i, row := range rows {
		if reviews[keys[i]], err = approval.Decode(row); err != nil {
			return nil, err
		}
	}
	var waiting []tasks.Task
	for _, t := range list {
		approved := func(a approval.Approval) bool { return a.User == userID }
		switch r := reviews[keyOf(t)]; {
		case r == nil:
		case t.Kind == tasks.Returned && r.State == approval.Returned,
			t.Kind == tasks.Review && r.State != approval.Returned && !slices.ContainsFunc(r.Approvals, approved):
			waiting = append(waiting, t)
		}
	}
	return waiting, nil
}

// withEntries returns the tasks whose entries are not deleted, with their present locales.
func (s *Reviews) withEntries(ctx context.Context, list []tasks.Task) ([]tasks.Task, error) {
	ids := slice.Distinct(slice.Map(list, func(t tasks.Task) string { return t.EntryID }))
	found, err := s.Entries.Store.Addresses(ctx, ids)
	list = slices.DeleteFunc(list, func(t tasks.Task) bool { return found[t.EntryID].ModelID != t.ModelID })
	for i := range list {
		list[i].Locale = found[list[i].EntryID].Locale
	}
	return list, err
}

func (s *Reviews) showTasks(ctx context.Context, now *site.Site, list []tasks.Task) ([]Task, error) {
	refs := make([]content.Reference, len(list))
	for i, t := range list {
		refs[i] = content.Reference{Model: now.ModelByID(t.ModelID), ID: t.EntryID}
	}
	entries, err := s.Entries.Store.EntriesByID(ctx, refs)
	shown := []Task{}
	for i, e := range entries {
		if e == nil || err != nil {
			continue // deleted meanwhile
		}
		t, by := list[i], cms.Person{}
		if by, err = rights.Person(ctx, s.Entries.Store.DB, t.By); err != nil {
			break
		}
		v := Task{Kind: t.Kind, Model: refs[i].Model.Slug, ID: e.ID, Title: e.Title, Locale: e.Locale,
			Field: refs[i].Model.PathSince(t.Gen, t.Field), Text: t.Text, By: by, At: t.At, Due: t.Due}
		if t.Comment != "" {
			v.Comment = &t.Comment
		}
		shown = append(shown, v)
	}
	return shown, err
}
