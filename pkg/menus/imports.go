package menus

import (
	"context"
	"errors"
	"maps"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// Import creates or changes the menu of a line of an export, and returns its slug and the result (see
// package input). The menu keeps its times, and may lead to entries that are imported later. Items of locales that the
// site does not have are left out. Errors:
// VALIDATION_FAILED; CONFLICT for a menu that differs, with ImportFail.
func (s *Menus) Import(ctx context.Context, actor cms.Actor, line map[string]any,
	o input.ImportOptions) (slug, result string, err error) {
	body := map[string]any{"slug": line["slug"], "name": line["name"], "items": line["items"]}
	slug, _ = line["slug"].(string)
	err = s.Store.Retry(ctx, func() error {
		was, err := docs(s.Store.DB).Get(ctx, slug)
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return err
		}
		siteNow, err := s.Store.Site(ctx)
		if err != nil {
			return err
		}
		if items, ok := body["items"].(map[string]any); ok {
			maps.DeleteFunc(items, func(code string, _ any) bool {
				return siteNow.Locale(code) == nil && was.Value.Items[code] == nil
			})
		}
		now, err := s.checkMenu(ctx, body, was, true)
		if err != nil {
			return err
		}
		p := cms.Problems{}
		now.CreatedAt = input.Given(input.ImportTime(p, "created_at", line["created_at"]), cms.Time{})
		now.UpdatedAt = input.Given(input.ImportTime(p, "updated_at", line["updated_at"]), cms.Time{})
		if err := p.Err(); err != nil {
			return err
		}
		known := was.ID != ""
		result = input.ImportUpdated
		switch {
		case known && now.Name == was.Value.Name && len(changedLocales(was.Value, now)) == 0:
			result = input.ImportUnchanged
		case known && o.OnConflict == input.ImportFail:
			return cms.Errorf(cms.CodeConflict, "The menu %q differs.", slug)
		case known && (o.OnConflict == input.ImportSkip ||
			!now.UpdatedAt.IsZero() && now.UpdatedAt.Before(was.Value.UpdatedAt.Time)):
			result = input.ImportSkipped
		case !known:
			result = input.ImportCreated
		}
		if o.DryRun || result == input.ImportUnchanged || result == input.ImportSkipped {
			return nil
		}
		return s.putMenu(ctx, actor, was, &now)
	})
	return slug, result, err
}
