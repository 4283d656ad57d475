package bulk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/editing/moving"
	"headless/pkg/input"
	"headless/pkg/planning"
	"headless/pkg/site"
	"headless/pkg/translations"
)

// jobInput is the decoded body of a new job.
type jobInput struct {
	job
	ids      []string
	byFilter bool
}

// decodeJob decodes the body of a new job. All problems are reported at once.
func (s *Jobs) decodeJob(ctx context.Context, site *site.Site, body map[string]any) (jobInput, error) {
	var in jobInput
	p := cms.Problems{}
	for _, key := range slices.Sorted(maps.Keys(body)) {
		if !slices.Contains([]string{"action", "model", "ids", "filter", "set", "force", "children", "find",
			"replace", "of"}, key) {
			p.Add(key, "is not a known key")
		}
	}
	in.Action, _ = body["action"].(string)
	if !slices.Contains(Actions, in.Action) {
		p.Add("action", "must be one of: %s", strings.Join(Actions, ", "))
	}
	in.Model, _ = body["model"].(string)
	m := site.Models[in.Model]
	if m == nil || !m.IsActive {
		if !isArea(in.Model) || body["of"] == nil {
			p.Add("model", "is not a model")
		}
		m = nil
	}
	if v, ok := body["force"]; ok && v != nil {
		if in.Force, ok = v.(bool); !ok {
			p.Add("force", "must be true or false")
		}
	}
	in.Children = moving.Decode(p, "children", body["children"])
	if in.Children != "" && (in.Action == planning.ActionPublish || in.Action == ActionRestore ||
		in.Action == ActionReplaceText) {
		p.Add("children", "is only for actions by which entries leave the public")
	}
	in.decodeTargets(p, site, m, body)
	if object := in.decodeSet(p, body["set"]); object != nil && m != nil {
		wrong, err := s.Entries.CheckChanges(ctx, site, m, object)
		if err != nil {
			return in, err
		}
		for path, messages := range wrong {
			p["set."+path] = append(p["set."+path], messages...)
		}
	}
	in.decodeWording(p, body)
	if v, ok := body["of"]; ok && v != nil {
		text, _ := v.(string)
		if in.Of, ok = input.CanonicalID(text); !ok || in.Action != ActionRevert {
			p.Add("of", "must be the id of a job, for the action %s", ActionRevert)
		}
	}
	return in, p.Err()
}

// decodeTargets decodes the ids or the filter of the entries.
func (in *jobInput) decodeTargets(p cms.Problems, site *site.Site, m *site.Model, body map[string]any) {
	ids, hasIDs := body["ids"]
	filter, hasFilter := body["filter"]
	hasIDs, hasFilter = hasIDs && ids != nil, hasFilter && filter != nil
	switch {
	case !hasIDs && !hasFilter && body["of"] != nil: // all that the job changed
	case hasIDs == hasFilter:
		p.Add("ids", "exactly one of ids and filter is required")
	case hasIDs:
		in.decodeIDs(p, ids)
	case in.Action == ActionRestore:
		p.Add("filter", "cannot find entries in the trash: use ids")
	default:
		in.byFilter = true
		in.Choice = translations.DecodeChoice(p, site, m, filter)
	}
}

func (in *jobInput) decodeIDs(p cms.Problems, v any) {
	list, ok := v.([]any)
	switch {
	case !ok:
		p.Add("ids", "must be a list")
		return
	case len(list) == 0:
		p.Add("ids", "must not be empty")
	case len(list) > maxIDs:
		p.Add("ids", "must have at most %d items", maxIDs)
		return
	}
	seen := map[string]bool{}
	for i, item := range list {
		id, ok := item.(string)
		if !ok || len(id) > maxIDBytes {
			p.Add(fmt.Sprintf("ids.%d", i), "must be the id of an entry")
			continue
		}
		if stored, ok := input.CanonicalID(id); ok {
			id = stored
		}
		if !seen[id] {
			seen[id] = true
			in.ids = append(in.ids, id)
		}
	}
}

// decodeSet decodes the body that the action set saves into every entry, and returns it; nil if there is none. It must
// not have keys whose values differ between entries. Problems that do not depend on the entry are reported before the
// job, the others as failures of the job. An empty body saves the entries as they are, which makes references of
// addresses in their texts (extensions §12).
func (in *jobInput) decodeSet(p cms.Problems, v any) map[string]any {
	if in.Action != ActionSet {
		if v != nil {
			p.Add("set", "is only for the action set")
		}
		return nil
	}
	object, ok := v.(map[string]any)
	if !ok {
		p.Add("set", "is required: an object with the fields to save")
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if slices.Contains([]string{"title", "slug", "translation_of"}, key) {
			p.Add("set."+key, "cannot be set for many entries")
		}
	}
	raw, err := cms.Marshal(object)
	if err != nil {
		p.Add("set", "cannot be stored")
	}
	in.Set = raw
	return object
}

// onFilter turns the BAD_REQUEST of a list into a problem of the body's filter.
func onFilter(err error) error {
	if refused, ok := errors.AsType[*cms.Error](err); ok && refused.Code == cms.CodeBadRequest {
		p := cms.Problems{}
		p.Add("filter", "%s", refused.Message)
		return p.Err()
	}
	return err
}
