package redirects

import (
	"context"
	"encoding/json"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// Change is a change of a redirect by an import, as the texts of PutText.
type Change struct{ ID, Was, Now string }

// text returns the path, target and status of a redirect as JSON.
func (r *Redirect) text() string {
	return string(db.MustMarshal(Listed{r.From, r.To, r.Status}))
}

// PutText makes a redirect lead as a text of a Change says, or deletes it for "", unless ok refuses the present text.
// Errors: those of Create, and FORBIDDEN.
func (s *Redirects) PutText(ctx context.Context, actor cms.Actor, id, _, text string,
	ok func(now string) error) error {
	action := cms.ActionWrite
	if text == "" {
		action = cms.ActionDelete
	}
	if err := input.PermitPublic(ctx, action, cms.AreaRedirects, "redirect"); err != nil {
		return err
	}
	return s.Store.Retry(ctx, func() error {
		now, was := "", (*doc)(nil)
		d, err := docs(s.Store.DB).Get(ctx, id)
		if err == nil {
			now, was = d.Value.text(), &d
		} else if !errors.Is(err, db.ErrNotFound) {
			return err
		}
		if err := ok(now); err != nil || now == text {
			return err
		}
		if text == "" {
			return s.remove(ctx, actor, d)
		}
		var to Listed
		if err := json.Unmarshal([]byte(text), &to); err != nil {
			return err
		}
		saved := Redirect{ID: id, CreatedAt: d.Value.CreatedAt, From: to.From, To: to.To, Status: to.Status}
		g, err := s.graph(ctx)
		if err != nil {
			return err
		}
		tx := s.Store.Begin()
		if err := g.stage(tx, actor, was, &saved, nil); err != nil {
			return err
		}
		Note(tx, actor, saved.From)
		return s.Store.Commit(ctx, tx)
	})
}
