package planning

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing/moving"
	"headless/pkg/input"
	"headless/pkg/site"
)

// decodeRelease applies a body to a release and returns its items. All problems are reported at once.
func (s *Releases) decodeRelease(ctx context.Context, actor cms.Actor, body map[string]any, r *release,
	was []storedItem, now cms.Time) (items []storedItem, err error) {
	items = was
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
				r.PublishAt = input.FutureTime(p, key, body[key], now, MaxAhead)
			}
		case "items":
			if items, err = s.decodeItems(ctx, p, body[key], was); err != nil {
				return nil, err
			}
			keepItems(planner(actor), was, items)
		case "id", "status", "problems", "done", "published_at", "created_at", "updated_at":
		default:
			p.Add(key, "is not a known key")
		}
	}
	p.Require("name", r.Name)
	p.LimitLength("name", r.Name, maxReleaseName)
	return items, p.Err()
}

// keepItems completes the items of a body: those that were there before stay those of who added
// them, and stay bound to the same content unless they are sent with a version.
func keepItems(by cms.Actor, was, items []storedItem) {
	for i := range items {
		items[i].By, items[i].bound = by, true
		if old := slices.IndexFunc(was, items[i].isSame); old >= 0 {
			items[i].Locale, items[i].By, items[i].bound = was[old].Locale, was[old].By, items[i].version != ""
		}
	}
}

// decodeItems returns the items of a body. Those in was may stay when their entry was deleted.
func (s *Releases) decodeItems(ctx context.Context, p cms.Problems, v any, was []storedItem) ([]storedItem, error) {
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
	var paths []string // of the items
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
			seen[m.ID+item.ID], item.ModelID = true, m.ID
			refs, paths = append(refs, content.Reference{Model: m, ID: item.ID}), append(paths, at)
			items = append(items, item)
		}
	}
	found, err := s.Store.EntriesByID(ctx, refs)
	if err != nil {
		return nil, err
	}
	for i, e := range found {
		if e == nil {
			old := slices.IndexFunc(was, items[i].isSame)
			if old < 0 || items[i].version != "" ||
				!cms.PermissionsOf(ctx).May(cms.ActionRead, items[i].Model, was[old].Locale) {
				p.Add(paths[i]+".id", "there is no such entry")
			}
			continue
		}
		items[i].Locale = e.Locale
		if err := s.checkVersion(ctx, p, paths[i], items[i], refs[i].Model, e); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// checkVersion adds a problem if an item was sent with a version that is not the present one.
func (s *Releases) checkVersion(ctx context.Context, p cms.Problems, at string, item storedItem,
	m *site.Model, e *cms.Entry) error {
	if item.version == "" {
		return nil
	}
	d, err := s.Store.Draft(ctx, m, e.ID)
	if err == nil && item.version != versionOf(e, d) {
		p.Add(at+".version", "is not the present version")
	}
	return err
}

// versionOf returns the version of an entry as items name it: of its draft, if it has one.
func versionOf(e *cms.Entry, d *content.Draft) string {
	if d.Open {
		return "d" + strconv.FormatInt(d.Number, 10)
	}
	return strconv.FormatInt(e.Version, 10)
}

// PresentVersions returns, by entry, the version that binds an item to what its entry holds now. It
// leaves out entries that do not exist or that the caller may not read.
func (s *Releases) PresentVersions(ctx context.Context, items []ReleaseItem) (map[string]string, error) {
	now, err := s.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	var refs []content.Reference
	for _, item := range items {
		if m := now.Models[item.Model]; m != nil {
			refs = append(refs, content.Reference{Model: m, ID: item.ID})
		}
	}
	entries, err := s.Store.EntriesByID(ctx, refs)
	if err != nil {
		return nil, err
	}
	drafts, err := s.Store.Drafts(ctx, refs)
	if err != nil {
		return nil, err
	}
	versions := map[string]string{}
	for i, e := range entries {
		if e != nil {
			versions[e.ID] = versionOf(e, drafts[i])
		}
	}
	return versions, nil
}

func decodeItem(p cms.Problems, at string, v any) (item storedItem, ok bool) {
	object, isObject := v.(map[string]any)
	if !isObject {
		p.Add(at, "must be an object")
		return item, false
	}
	before := len(p)
	for _, key := range slices.Sorted(maps.Keys(object)) {
		text, isText := object[key].(string)
		switch {
		case key == "changed", key == "version" && object[key] == nil: // read only; not sent
		case key == "children":
			item.Children = moving.Decode(p, at+"."+key, object[key])
		case !slices.Contains([]string{"model", "id", "action", "version"}, key):
			p.Add(at+"."+key, "is not a known key")
		case !isText:
			p.Add(at+"."+key, "must be a string")
		case key == "model":
			item.Model = text
		case key == "id":
			item.ID = strings.ToLower(text)
		case key == "version":
			if item.version = text; text == "" {
				item.version = "none" // is not the present one
			}
		default:
			item.Action = text
		}
	}
	for _, key := range []string{"model", "id"} {
		if _, sent := object[key]; !sent {
			p.Add(at+"."+key, "is required")
		}
	}
	if len(p[at+".action"]) == 0 && item.Action != ActionPublish && item.Action != ActionUnpublish {
		p.Add(at+".action", "must be one of: publish, unpublish")
	}
	if item.Children != "" && item.Action == ActionPublish {
		p.Add(at+".children", "is only for unpublish")
	}
	return item, len(p) == before
}
