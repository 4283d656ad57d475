package ahead

import (
	"context"
	"errors"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/links/preview"
	"headless/pkg/planning"
	"headless/pkg/site"
)

// Made is a new link to the site as it will be.
type Made struct {
	ID string `json:"id"`
	preview.Link
	Changes  int                `json:"changes"`
	Problems []planning.Problem `json:"problems"` // what would prevent changes
}

// maxName is the length of a name, in characters.
const maxName = 255

// Create makes a link from a body: name, expires_in, locales, and one of at, release and drafts.
// Errors: FORBIDDEN for who may not save anything, VALIDATION_FAILED.
func (p Previews) Create(ctx context.Context, actor cms.Actor, body map[string]any) (Made, error) {
	maker := cms.PermissionsOf(ctx)
	if err := p.Releases.May(ctx, "", cms.ActionWrite); err != nil {
		return Made{}, err
	}
	now, err := p.Releases.Store.Site(ctx)
	if err != nil {
		return Made{}, err
	}
	problems := cms.Problems{}
	rest := map[string]any{}
	if v, ok := body["expires_in"]; ok {
		rest["expires_in"] = v
	}
	lifetime, err := preview.Lifetime(rest)
	var refused *cms.Error
	if errors.As(err, &refused) {
		problems.Merge(refused.Details)
	}
	v, kind := decodeView(body, now, problems)
	if v.Release != "" {
		if _, err := p.Releases.Get(ctx, v.Release); cms.CodeOf(err) == cms.CodeNotFound {
			problems.Add("release", "is not a release")
		} else if err != nil {
			return Made{}, err
		}
	}
	if err := problems.Err(); err != nil {
		return Made{}, err
	}
	if now, err = p.site(ctx); err != nil {
		return Made{}, err
	}
	found, err := p.list(ctx, now, v)
	if err != nil {
		return Made{}, err
	}
	l := newLaying(ctx, p, now, preview.Site{View: v, Made: p.Releases.Store.Now()}, found)
	l.maker = func() (*cms.Permissions, error) { return maker, nil }
	all, err := l.changes(l.all)
	if cms.CodeOf(err) == cms.CodeConflict && errors.As(err, &refused) {
		return Made{}, cms.Problems{kind: {refused.Message}}.Err()
	}
	if err != nil {
		return Made{}, err
	}
	made := Made{Changes: all.planned}
	if made.Problems, err = p.Releases.CheckSteps(ctx, actor, l.toCheck(all, maker)); err != nil {
		return Made{}, err
	}
	listed, _ := l.countListed(maker)
	v.Unchanged = listed - made.Changes
	made.ID, made.Link, err = p.links().MakeSite(ctx, actor, v, lifetime)
	return made, err
}

// toCheck lists the steps that change entries, in their order, and items of releases whose entries are missing. It
// leaves out what follows from another step, which is checked with that one.
func (l *laying) toCheck(all laid, maker *cms.Permissions) (steps []planning.Step) {
	type action struct{ id, action, at string }
	of := func(s planning.Step) action { return action{s.ID, s.Action, s.At.String()} }
	changes := map[action]bool{}
	for _, c := range all.changes {
		for _, step := range c.steps {
			changes[of(step)] = changes[of(step)] || !step.Below
		}
	}
	for _, step := range l.all {
		if changes[of(step)] || !l.v.Drafts && !step.Own && l.missing[step.ID] && l.mayShow(maker, step) {
			steps = append(steps, step)
		}
	}
	return steps
}

// decodeView reads a view. kind is the key that says what it shows.
func decodeView(body map[string]any, now *site.Site, problems cms.Problems) (v preview.View, kind string) {
	var kinds []string
	for key, value := range body {
		if value == nil {
			continue
		}
		text, isText := value.(string)
		switch key {
		case "expires_in":
		case "name":
			if v.Name = text; !isText || utf8.RuneCountInString(text) > maxName {
				problems.Add(key, "must be a text of at most %d characters", maxName)
			}
		case "locales":
			v.Locales = decodeLocales(value, now, problems)
		case "at":
			at, ok := cms.ParseDateTime(text)
			if kinds, v.At = append(kinds, key), cms.At(at); !ok || v.At.IsZero() {
				problems.Add(key, "must be a timestamp of the form 2026-01-31T12:00:00Z")
			}
		case "release":
			id, ok := input.CanonicalID(text)
			if kinds = append(kinds, key); !ok {
				problems.Add(key, "is not a release")
				id = ""
			}
			v.Release = id
		case "drafts":
			if kinds, v.Drafts = append(kinds, key), true; value != true {
				problems.Add(key, "must be true")
			}
		default:
			problems.Add(key, "is not a known key")
		}
	}
	if len(kinds) == 1 {
		return v, kinds[0]
	}
	if len(kinds) == 0 {
		problems.Add("at", "is required, unless release or drafts is set")
	}
	for _, key := range kinds {
		problems.Add(key, "cannot be set together with another of at, release and drafts")
	}
	return v, ""
}

func decodeLocales(value any, now *site.Site, problems cms.Problems) []string {
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		problems.Add("locales", "must be a list of codes of locales, or null for all")
	}
	codes := []string{}
	for _, item := range list {
		code, _ := item.(string)
		if now.Locale(code) == nil {
			problems.Add("locales", "has %q, which is not a locale of this site", cms.Shorten(code))
		}
		codes = append(codes, code)
	}
	return codes
}
