package menus

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// Import creates or changes the menu of a line of an export, and returns its slug and the result (see
// package input). Errors: those of Create; CONFLICT for a menu that differs, with ImportFail.
func (s *Menus) Import(ctx context.Context, actor cms.Actor, line map[string]any,
	o input.ImportOptions) (slug, result string, err error) {
	body := map[string]any{"slug": line["slug"], "name": line["name"], "items": line["items"]}
	slug, _ = line["slug"].(string)
	was, err := docs(s.Store.DB).Get(ctx, slug)
	known := err == nil
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return slug, "", err
	}
	now, err := s.checkMenu(ctx, body, was)
	if err != nil {
		return slug, "", err
	}
	same := known && now.Name == was.Value.Name && len(changedLocales(was.Value, now)) == 0
	updated, _ := line["updated_at"].(string)
	at, _ := cms.ParseDateTime(updated)
	switch {
	case same:
		return slug, input.ImportUnchanged, nil
	case known && o.OnConflict == input.ImportFail:
		return slug, "", cms.Errorf(cms.CodeConflict, "The menu %q differs.", slug)
	case known && (o.OnConflict == input.ImportSkip || updated != "" && at.Before(was.Value.UpdatedAt.Time)):
		return slug, input.ImportSkipped, nil
	case known:
		if !o.DryRun {
			_, err = s.Update(ctx, actor, slug, body, nil)
		}
		return slug, input.ImportUpdated, err
	}
	if !o.DryRun {
		_, err = s.Create(ctx, actor, body)
	}
	return slug, input.ImportCreated, err
}
