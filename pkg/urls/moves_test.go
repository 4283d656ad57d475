package urls_test

import (
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table/sim"
	"headless/pkg/urls"
)

// TestMovesFromDeleted tells the new address of a page whose former parent, with the page above that, was deleted
// before the move was looked at, as a delete with children=up does.
func TestMovesFromDeleted(t *testing.T) {
	s, ctx, actor := content.New(sim.New(sim.Options{}), time.Now), t.Context(), cms.Actor{}
	entries := &editing.Entries{Store: s}
	must.Do(t, (&site.Locales{Store: s.Store, InUse: entries.LocaleInUse}).EnsureDefault(ctx))
	m, err := (&site.Models{Store: s.Store, HasEntries: entries.ModelHasEntries}).Create(ctx, actor, map[string]any{
		"slug": "pages", "name": "Pages", "tree": true, "url": "/{path}", "fields": []any{}})
	must.Do(t, err)
	var ids []string
	for _, title := range []string{"Top", "Middle", "Page"} {
		body := map[string]any{"title": title, "status": "published"}
		if len(ids) > 0 {
			body["parent"] = ids[len(ids)-1]
		}
		e, err := entries.Create(ctx, actor, "pages", body)
		must.Do(t, err)
		ids = append(ids, e.ID)
	}
	_, err = entries.Update(ctx, actor, "pages", ids[2], map[string]any{"parent": nil}, nil)
	must.Do(t, err)
	must.Do(t, entries.Delete(ctx, actor, "pages", ids[1], nil))
	must.Do(t, entries.Delete(ctx, actor, "pages", ids[0], nil))
	_, err = urls.Moves{Store: s}.Work(ctx, m.ID+"/"+ids[2]+"/1")
	must.Do(t, err)
	rows, err := s.Outbox(ctx, 100)
	must.Do(t, err)
	var told []string
	for _, row := range rows {
		pending, err := db.DecodePendingEvents(row)
		must.Do(t, err)
		for _, e := range pending.Events {
			if e.Kind == cms.EventPathsUpdated {
				told = append(told, string(e.Data))
			}
		}
	}
	if len(told) != 1 || !strings.Contains(told[0], `"from":"/top/middle/page","to":"/page"`) {
		t.Errorf("told %q", told)
	}
}
