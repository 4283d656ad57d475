package planning

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/content"
)

// decode applies a body to a release and returns its items. Items that were there before stay those
// of who added them. All problems are reported at once.
func (s *Releases) decode(ctx context.Context, actor cms.Actor, body map[string]any, r *release,
	items []storedItem, now cms.Time) ([]storedItem, error) {
	was := items
	p := cms.Problems{}
	for _, key := range slices.Sorted(maps.Keys(body)) {
		switch key {
		case "name":
			name, ok := body[key].(string)
			if r.Name = name; !ok && body[key] != nil {
				p.Add(key, "must be a string")
			}
		case "publish_at": // the stored value may be sent back, even if it is in the past
			was := r.PublishAt
			if text, ok := body[key].(string); !ok || was.IsZero() || text != was.String() {
				r.PublishAt = futureTime(p, key, body[key], now)
			}
		case "items":
			var err error
			if items, err = s.decodeItems(ctx, p, body[key]); err != nil {
				return nil, err
			}
		case "id", "status", "problems", "done", "published_at", "created_at", "updated_at":
		default:
			p.Add(key, "is not a known key")
		}
	}
	switch {
	case r.Name == "" && len(p["name"]) == 0:
		p.Add("name", "is required")
	case utf8.RuneCountInString(r.Name) > maxReleaseName:
		p.Add("name", "must have at most %d characters", maxReleaseName)
	}
	for i := range items {
		old := slices.IndexFunc(was, items[i].same)
		if items[i].By = planner(actor); old >= 0 {
			items[i] = was[old]
		}
	}
	return items, p.Err()
}

func (s *Releases) decodeItems(ctx context.Context, p cms.Problems, v any) ([]storedItem, error) {
	list, ok := v.([]any)
	switch {
	case v == nil:
		return []storedItem{}, nil
	case !ok:
		p.Add("items", "must be a list")
		return nil, nil
	case len(list) > maxReleaseItems:
		p.Add("items", "must have at most %d items", maxReleaseItems)
		return nil, nil
	}
	site, err := s.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	items, seen := make([]storedItem, 0, len(list)), map[string]bool{}
	var refs []content.Reference
	var paths []string
	for i, v := range list {
		at := fmt.Sprintf("items.%d", i)
		item, ok := decodeItem(p, at, v)
		if !ok {
			continue
		}
		m := site.Models[item.Model]
		switch {
		case m == nil:
			p.Add(at+".model", "is not a model")
		case !cms.IsUUID(item.ID):
			p.Add(at+".id", "there is no such entry")
		case seen[m.ID+item.ID]:
			p.Add(at+".id", "is already in this release")
		default:
			seen[m.ID+item.ID] = true
			refs, paths = append(refs, content.Reference{Model: m, ID: item.ID}), append(paths, at+".id")
			items = append(items, storedItem{ReleaseItem: item})
		}
	}
	found, err := s.Store.EntriesByID(ctx, refs)
	for i, e := range found {
		if e == nil {
			p.Add(paths[i], "there is no such entry")
		} else {
			items[i].Locale = e.Locale
		}
	}
	return items, err
}

func decodeItem(p cms.Problems, at string, v any) (item ReleaseItem, ok bool) {
	object, isObject := v.(map[string]any)
	if !isObject {
		p.Add(at, "must be an object")
		return item, false
	}
	ok = true
	for _, key := range slices.Sorted(maps.Keys(object)) {
		text, isText := object[key].(string)
		switch {
		case !slices.Contains([]string{"model", "id", "action"}, key):
			p.Add(at+"."+key, "is not a known key")
			ok = false
		case !isText:
			p.Add(at+"."+key, "must be a string")
			ok = false
		case key == "model":
			item.Model = text
		case key == "id":
			item.ID = strings.ToLower(text)
		default:
			item.Action = text
		}
	}
	for _, key := range []string{"model", "id"} {
		if _, sent := object[key]; !sent {
			p.Add(at+"."+key, "is required")
			ok = false
		}
	}
	if len(p[at+".action"]) == 0 && item.Action != ActionPublish && item.Action != ActionUnpublish {
		p.Add(at+".action", "must be one of: publish, unpublish")
		ok = false
	}
	return item, ok
}
