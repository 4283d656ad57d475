// Package rehearsal tries changes of entries that are not committed: alone, and several after one another. It tells
// before a release or a job begins which of its changes would be refused.
package rehearsal

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/moving"
	"headless/pkg/editing/standing"
	"headless/pkg/site"
)

// ErrNothingToDo says that an action would not change the entry.
var ErrNothingToDo = errors.New("rehearsal: nothing to do")

// errRehearsed stops a change before its commit.
var errRehearsed = errors.New("rehearsal: rehearsed")

// checkWorkers is how many changes are tried concurrently.
const checkWorkers = 16

// Try returns the transaction of a change to the content of a store, without committing it; nil if nothing changes.
func Try(entries *editing.Entries, s *content.Store, change func(*editing.Entries) error) (made *db.Tx, err error) {
	tried := *entries
	tried.Store, tried.Rehearsed = s, true
	tried.Follow = func(_ context.Context, _ *site.Model, tx *db.Tx) error {
		made = tx
		return errRehearsed
	}
	if err = change(&tried); errors.Is(err, errRehearsed) || errors.Is(err, ErrNothingToDo) {
		err = nil
	}
	return made, err
}

// Outcomes says of each of several changes why it would be refused after those before it; nil if it would be made.
// try returns the transaction of a change as Try does. It is called concurrently.
//
// A change of rows that those before it change is tried again on their result, and so is one for which try returns
// db.ErrOvertaken.
func Outcomes(ctx context.Context, s *content.Store, as []context.Context,
	try func(i int, s *content.Store) (*db.Tx, error)) ([]error, error) {
	made, refused := make([]*db.Tx, len(as)), make([]error, len(as))
	var g errgroup.Group
	g.SetLimit(checkWorkers)
	for i := range as {
		g.Go(func() error {
			if made[i], refused[i] = try(i, s); errors.Is(refused[i], db.ErrOvertaken) {
				return nil
			}
			return UnlessRefused(refused[i])
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	rehearsed := s.Rehearse()
	if err := rehearsed.Read(ctx, made...); err != nil {
		return nil, err
	}
	for i, as := range as {
		commit := func() {
			if refused[i] == nil && made[i] != nil {
				refused[i] = editing.Refusal(rehearsed.Commit(as, made[i]))
			}
		}
		commit()
		for _, again := range []*content.Store{s.Over(rehearsed.Table(), nil), s} {
			if errors.Is(refused[i], db.ErrOvertaken) { // by one before it, or by a merge of texts; the next need its result
				made[i], refused[i] = try(i, again)
				commit()
			}
		}
		if errors.Is(refused[i], db.ErrOvertaken) {
			refused[i] = nil // the change finds out what changed meanwhile
		}
		if err := UnlessRefused(refused[i]); err != nil {
			return nil, err
		}
	}
	return refused, nil
}

// UnlessRefused returns err unless it refuses the change, as its outcome.
func UnlessRefused(err error) error {
	var e *cms.Error
	if err == nil || errors.As(err, &e) && e.Code != cms.CodeUnavailable && e.Code != cms.CodeInternal {
		return nil
	}
	return err
}

// Leavers are the entries that leave the public together: by id, the fate of those below them (see package moving).
type Leavers map[string]string

// Below returns the fate of the entries below one whose change has an error: children if it says so, or moving.Down
// if these hold it and all leave too, before it.
func (l Leavers) Below(ctx context.Context, s *content.Store, err error, children string) (string, error) {
	if held, ok := errors.AsType[*standing.Held](err); ok && children == "" {
		all, err := l.TakeAll(ctx, s, held)
		if all {
			children = moving.Down
		}
		return children, err
	}
	return children, nil
}

// TakeAll reports whether all entries that hold another one leave too: themselves, or with one above them.
func (l Leavers) TakeAll(ctx context.Context, s *content.Store, held *standing.Held) (bool, error) {
	var others []string
	for _, n := range held.Below {
		if _, leaves := l[n.ID]; !leaves {
			others = append(others, n.ID)
		}
	}
	if held.Partly || len(others) == 0 {
		return !held.Partly, nil
	}
	known := content.Above{}
	err := s.AddAbove(ctx, known, others...)
	return err == nil && !slices.ContainsFunc(others, func(id string) bool {
		return !slices.ContainsFunc(known.Chain(id), func(above string) bool {
			return l[above] == moving.Down && known[above].Status == cms.StatusPublished && above != held.Entry.ID
		})
	}), err
}
