package preview

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// EntryRef identifies an entry by the slug of its model and its id.
type EntryRef struct{ Model, ID string }

// EntryLink is the preview link of one of several entries.
type EntryLink struct {
	Model string `json:"model"`
	ID    string `json:"id"`
	Link
}

// CreateEach creates a link for each of some entries, in their order (extensions §5). body is the
// same as for Create. Entries that do not exist, or that the caller may not read, are left out. Errors: FORBIDDEN,
// VALIDATION_FAILED.
func (l Links) CreateEach(ctx context.Context, actor cms.Actor, entries []EntryRef,
	body map[string]any) ([]EntryLink, error) {
	lifetime, err := Lifetime(body)
	if err != nil {
		return nil, err
	}
	now, err := l.Entries.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	var refs []content.Reference
	for _, r := range entries {
		if m := now.Models[r.Model]; m != nil {
			refs = append(refs, content.Reference{Model: m, ID: r.ID})
		}
	}
	found, err := l.Entries.Store.EntriesByID(ctx, refs)
	if err != nil {
		return nil, err
	}
	var kept []content.Reference
	var previewed []*cms.Entry
	for i, e := range found {
		if e != nil {
			kept, previewed = append(kept, refs[i]), append(previewed, e)
		}
	}
	made, err := l.make(ctx, actor, kept, previewed, lifetime)
	links := make([]EntryLink, len(made))
	for i, link := range made {
		links[i] = EntryLink{Model: kept[i].Model.Slug, ID: kept[i].ID, Link: link}
	}
	return links, err
}

// revokedEach returns how often the tokens of each entry were revoked.
func (l Links) revokedEach(ctx context.Context, refs []content.Reference) ([]int64, error) {
	counts := make([]int64, len(refs))
	if len(refs) == 0 {
		return counts, nil
	}
	keys := slice.Map(refs, func(r content.Reference) table.Key { return revokedKey(r.ID) })
	items, err := l.Entries.Store.Table.Get(ctx, table.Strong, keys...)
	for i, item := range items {
		if item != nil {
			counts[i] = item.Count
		}
	}
	return counts, err
}
