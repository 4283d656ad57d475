// Package demo fills an empty store with the site of an invented company that makes lamps: models,
// entries in two locales, a tree of pages, a menu, relations, drafts, forms, settings and pictures.
// It uses the services, so that events, revisions and indexes are like those of any other content. It also has an
// example site, which reads this content through the delivery API.
package demo

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/editing/moving"
	"headless/pkg/forms"
	"headless/pkg/menus"
	"headless/pkg/settings"
	"headless/pkg/site"
)

//go:embed content
var files embed.FS

// Services are the use cases that create the content.
type Services struct {
	Locales  *site.Locales
	Settings *settings.Settings
	Models   *site.Models
	Entries  *editing.Entries
	Forms    *forms.Forms
	Keys     *apikeys.Keys
	// SiteURL is the URL of the service, without a slash at the end.
	SiteURL string
	// Upload stores a picture and returns its id.
	Upload func(ctx context.Context, actor cms.Actor, name, alt string, content []byte) (id string, err error)
}

// actor is the author of the content in revisions and the activity log.
var actor = cms.Actor{Name: "demo content", Source: cms.SourceAdmin}

type object = map[string]any

// demoSite is content/site.yaml.
type demoSite struct {
	Locales, Forms, Media []object
	Settings              []any
}

// Keys are the API keys for the content.
type Keys struct {
	Full apikeys.WithSecret // may read, write and delete
	Site string             // publishable key of the example site
}

// Seed creates the content and its keys.
func Seed(ctx context.Context, s Services) (keys Keys, err error) {
	b := builder{Services: s, ids: map[string]string{}}
	if err := b.site(ctx); err != nil {
		return Keys{}, err
	}
	for _, file := range []string{"people", "products", "posts.en", "posts.de", "pages"} {
		if err := b.entries(ctx, file); err != nil {
			return Keys{}, err
		}
	}
	if err := b.siteMap(ctx); err != nil {
		return Keys{}, err
	}
	site, err := s.Keys.Create(ctx, actor, object{"name": "Example site", "kind": "publishable"})
	if err != nil {
		return Keys{}, err
	}
	full, err := FullKey(ctx, s.Keys, "Demo")
	return Keys{Full: full, Site: site.PublicKey}, err
}

// FullKey creates a key that may read, write and delete.
func FullKey(ctx context.Context, keys *apikeys.Keys, name string) (apikeys.WithSecret, error) {
	return keys.Create(ctx, actor, object{
		"name": name, "scopes": []any{cms.ScopeRead, cms.ScopeWrite, cms.ScopeDelete},
		"rate_limit": json.Number("10000"),
	})
}

// builder has the ids of the created content.
type builder struct {
	Services
	ids map[string]string // by reference: @media/<name>, @<model>/<slug>, @<model>/<locale>/<slug>
}

// site creates everything except entries.
func (b *builder) site(ctx context.Context) error {
	var all demoSite
	if err := readContent("site", &all); err != nil {
		return err
	}
	for _, body := range all.Locales {
		if _, err := b.Locales.Create(ctx, actor, body); err != nil {
			return problem(err, "locale", body)
		}
	}
	if b.previews() {
		all.Settings = append(all.Settings, object{"group": "site", "key": "preview_url", "value": b.SiteURL +
			sitePreviewAhead})
	}
	if _, err := b.Settings.Update(ctx, actor, all.Settings, nil); err != nil {
		return problem(err, "settings", nil)
	}
	for _, body := range all.Forms {
		if _, err := b.Forms.Create(ctx, actor, body); err != nil {
			return problem(err, "form", body)
		}
	}
	for _, file := range all.Media {
		name, alt := fmt.Sprint(file["name"]), fmt.Sprint(file["alt"])
		picture, err := files.ReadFile("content/media/" + name)
		if err != nil {
			return err
		}
		if b.ids["@media/"+name], err = b.Upload(ctx, actor, name, alt, picture); err != nil {
			return problem(err, "media", file)
		}
	}
	var models []object
	if err := readContent("models", &models); err != nil {
		return err
	}
	for _, body := range models {
		if path := sitePreviews[fmt.Sprint(body["slug"])]; path != "" && b.previews() {
			body["preview_url"] = b.SiteURL + path
		}
		if _, err := b.Models.Create(ctx, actor, body); err != nil {
			return problem(err, "model", body)
		}
	}
	return nil
}

// previews reports whether preview URLs may be on the service: they must be https, or on localhost.
func (b *builder) previews() bool {
	return strings.HasPrefix(b.SiteURL, "https://") || strings.HasPrefix(b.SiteURL, "http://localhost")
}

// entries creates the entries of a file in order. References must be to earlier entries or earlier
// files.
func (b *builder) entries(ctx context.Context, file string) error {
	var list []object
	if err := readContent(file, &list); err != nil {
		return err
	}
	for _, body := range list {
		model := fmt.Sprint(body["model"])
		delete(body, "model")
		if body["status"] == nil {
			body["status"] = string(cms.StatusPublished)
		}
		resolved, err := b.resolve(body)
		if err != nil {
			return problem(err, model, body)
		}
		e, err := b.Entries.Create(ctx, actor, model, resolved.(object))
		if err != nil {
			return problem(err, model, body)
		}
		b.ids["@"+model+"/"+e.Slug] = e.ID
		b.ids["@"+model+"/"+e.Locale+"/"+e.Slug] = e.ID
	}
	return nil
}

// siteMap moves pages and makes menus: content/map.yaml.
func (b *builder) siteMap(ctx context.Context) error {
	var all struct{ Moves, Menus []object }
	if err := readContent("map", &all); err != nil {
		return err
	}
	for _, body := range slices.Concat(all.Moves, all.Menus) {
		if _, err := b.resolve(body); err != nil {
			return problem(err, "map", body)
		}
	}
	for _, body := range all.Moves {
		if _, err := (moving.Trees{Entries: b.Entries}).Move(ctx, actor, "pages", body, nil); err != nil {
			return problem(err, "move", body)
		}
	}
	for _, body := range all.Menus {
		if _, err := (&menus.Menus{Store: b.Entries.Store}).Create(ctx, actor, body); err != nil {
			return problem(err, "menu", body)
		}
	}
	return nil
}

// resolve replaces references by ids, in place in objects and lists.
func (b *builder) resolve(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case string:
		if !strings.HasPrefix(v, "@") {
			return v, nil
		}
		if id, ok := b.ids[v]; ok {
			return id, nil
		}
		return nil, fmt.Errorf("%s refers to nothing", v)
	case []any:
		for i := range v {
			if v[i], err = b.resolve(v[i]); err != nil {
				return nil, err
			}
		}
	case object:
		for k := range v {
			if v[k], err = b.resolve(v[k]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// readContent decodes a file of the content like the body of a request.
func readContent(name string, into any) error {
	raw, err := files.ReadFile("content/" + name + ".yaml")
	if err != nil {
		return err
	}
	var v any
	if err := yaml.Unmarshal(raw, &v); err != nil {
		return fmt.Errorf("demo content: %s: %w", name, err)
	}
	if raw, err = json.Marshal(v); err != nil {
		return fmt.Errorf("demo content: %s: %w", name, err)
	}
	return cms.Unmarshal(raw, into)
}

func problem(err error, what string, body object) error {
	var details any
	if e, ok := err.(*cms.Error); ok {
		details = e.Details
	}
	return fmt.Errorf("demo content: %s %v: %w %v", what, body["slug"], err, details)
}
