package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
)

// tool is one tool of the server.
type tool struct {
	name, description string
	input             map[string]any // JSON schema of the arguments
	allowed           bool
	run               func(ctx context.Context, args map[string]any) ([]byte, error)
}

// tools returns all tools. allowed reports whether the key's scopes permit a tool.
func (s *session) tools() []tool {
	key := s.call.Key
	writes, publishes := key.HasScope(cms.ScopeWrite), key.HasScope(cms.ScopePublish)
	model := map[string]any{"type": "string", "description": "Slug of a content model.", "enum": s.slugs()}
	if len(s.slugs()) == 0 {
		delete(model, "enum")
	}
	id := text("Id of the entry.")
	return []tool{
		{"list_models", "List the content models with their fields.", schema(nil), true, s.listModels},
		{"search", "Search published content of all models by words.",
			schema(props{"q": text("Words; all must match."),
				"models": text("Slugs of models, separated by commas."),
				"locale": text("Code of a locale, or any."), "page": number("Page, from 1."),
				"per_page": number("Results a page.")}, "q"), true, s.search},
		{"list_entries", "List entries of a model.",
			schema(props{"model": model, "filter": map[string]any{"type": "object",
				"description": "Filters by name, such as {\"status\": \"draft\", \"data.price\": {\"gte\": 5}}."},
				"sort": text("Fields separated by commas; a - in front means descending."),
				"q":    text("Words to search for."), "locale": text("Code of a locale."),
				"include": text("Relations and media to resolve, separated by commas."),
				"fields":  text("Keys to return, separated by commas."),
				"page":    number("Page, from 1."), "per_page": number("Entries a page."),
				"cursor": text("next_cursor of the page before.")}, "model"), true, s.listEntries},
		{"get_entry", "Read one entry by its id or its slug.",
			schema(props{"model": model, "id": id, "slug": text("Slug of the entry."),
				"locale":  text("Code of the locale, with a slug."),
				"include": text("Relations and media to resolve, separated by commas.")}, "model"),
			true, s.getEntry},
		{"write_draft",
			"Save changes as a draft that nobody sees until it is published: of the entry with the id, or " +
				"of a new entry without one.",
			schema(props{"model": model, "id": id, "title": text("Title of the entry."),
				"slug":           text("Slug; made from the title where left out."),
				"locale":         text("Locale of a new entry."),
				"translation_of": text("Id of the entry that a new entry is a translation of."),
				"data": map[string]any{"type": "object",
					"description": "Fields of the model to set; null clears one."}}, "model"),
			writes, s.writeDraft},
		{"list_media", "List files.",
			schema(props{"q": text("Words in the name."), "mime": text("Type, such as image/*."),
				"page": number("Page, from 1."), "per_page": number("Files a page.")}), true, s.listMedia},
		{"get_health", "List what is wrong with published entries, such as dead links and missing texts of pictures.",
			schema(props{"kind": text("Kind of finding, such as link.gone or alt.missing."), "model": model,
				"locale": text("Code of a locale."), "per_page": number("Findings a page."),
				"cursor": text("next_cursor of the page before.")}), key.IsAdmin(), s.getHealth},
		{"comment", "Comment on an entry, for the people who edit it.",
			schema(props{"model": model, "id": id, "text": text("The comment, as plain text."),
				"field":  text("Path of the field that it is about, such as data.body."),
				"quote":  text("The words that it is about."),
				"parent": text("Id of the comment that it replies to.")}, "model", "id", "text"),
			writes && s.visitor != nil, s.comment},
		{"upload_from_url", "Upload a file from a public https address.",
			schema(props{"url": text("Address of the file."),
				"name": text("File name with its ending."),
				"alt":  text("Description for readers who do not see it.")}, "url", "name"), writes,
			s.upload},
		{"preview_link", "Make a link that shows an entry with its draft.",
			schema(props{"model": model, "id": id}, "model", "id"), key.IsAdmin() && (writes || s.visitor == nil), s.preview},
		{"publish", "Publish an entry, with its draft where there is one.",
			schema(props{"model": model, "id": id}, "model", "id"), publishes, s.publish},
	}
}

type props = map[string]any

func text(description string) map[string]any {
	return map[string]any{"type": "string", "description": description}
}

func number(description string) map[string]any {
	return map[string]any{"type": "integer", "minimum": 1, "description": description}
}

func schema(properties props, required ...string) map[string]any {
	if properties == nil {
		properties = props{}
	}
	s := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// checkArguments reports unknown and missing arguments, and values of another type than the schema
// says. null counts as left out.
func checkArguments(schema, args map[string]any) error {
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]string)
	for _, name := range required {
		if v, ok := args[name]; !ok || v == "" || v == nil {
			return fmt.Errorf("the argument %q is required", name)
		}
	}
	for name, v := range args {
		property, ok := properties[name].(map[string]any)
		if !ok {
			return fmt.Errorf("the tool has no argument %q", name)
		}
		fits := v == nil
		switch property["type"] {
		case "string":
			_, is := v.(string)
			fits = fits || is
		case "integer":
			_, is := v.(json.Number)
			fits = fits || is
		case "object":
			_, is := v.(map[string]any)
			fits = fits || is
		}
		if !fits {
			return fmt.Errorf("the argument %q must be of type %s", name, property["type"])
		}
	}
	return nil
}

// slugs returns the slugs of the models that the key may read.
func (s *session) slugs() []string {
	slugs := []string{}
	for _, m := range s.call.Models() {
		slugs = append(slugs, m.Slug)
	}
	return slugs
}

func (s *session) listModels(context.Context, map[string]any) ([]byte, error) {
	type shown struct {
		Slug      string        `json:"slug"`
		Name      string        `json:"name"`
		Kind      cms.ModelKind `json:"kind"`
		Localized bool          `json:"localized"`
		Fields    []cms.Field   `json:"fields"`
	}
	list := []shown{}
	for _, m := range s.call.Models() {
		list = append(list, shown{m.Slug, m.Name, m.Kind, m.Localized, m.Fields})
	}
	return cms.Marshal(list)
}

func (s *session) search(ctx context.Context, args map[string]any) ([]byte, error) {
	q := parameters(args, "q", "models", "locale", "page", "per_page")
	return s.do(ctx, http.MethodGet, "/search?"+q.Encode(), "", nil)
}

func (s *session) listEntries(ctx context.Context, args map[string]any) ([]byte, error) {
	q := parameters(args, "locale", "sort", "q", "include", "fields", "page", "per_page", "cursor")
	filters, _ := args["filter"].(map[string]any)
	for name, v := range filters {
		if operators, ok := v.(map[string]any); ok {
			for op, value := range operators {
				q.Set("filter["+name+"]["+op+"]", query.FilterText(value))
			}
			continue
		}
		if v == nil {
			q.Set("filter["+name+"][null]", "true")
			continue
		}
		q.Set("filter["+name+"]", query.FilterText(v))
	}
	q.Set("refs", "raw")
	return s.do(ctx, http.MethodGet, path(args, "model")+"?"+q.Encode(), "", nil)
}

func (s *session) getEntry(ctx context.Context, args map[string]any) ([]byte, error) {
	name := "id"
	if v, _ := args["id"].(string); v == "" {
		name = "slug"
	}
	if v, _ := args[name].(string); v == "" {
		return nil, fmt.Errorf("one of the arguments \"id\" and \"slug\" is required")
	}
	q := parameters(args, "locale", "include")
	q.Set("refs", "raw")
	return s.do(ctx, http.MethodGet, path(args, "model", name)+"?"+q.Encode(), "", nil)
}

func (s *session) listMedia(ctx context.Context, args map[string]any) ([]byte, error) {
	q := parameters(args, "q", "page", "per_page")
	if mime, _ := args["mime"].(string); mime != "" {
		q.Set("filter[mime]", mime)
	}
	return s.do(ctx, http.MethodGet, "/upload/files?"+q.Encode(), "", nil)
}

// comment writes a comment by the user of the grant: API keys are nobody's.
func (s *session) comment(_ context.Context, args map[string]any) ([]byte, error) {
	body := map[string]any{}
	for _, name := range []string{"text", "field", "quote", "parent"} {
		if v := args[name]; v != nil {
			body[name] = v
		}
	}
	model, _ := args["model"].(string)
	id, _ := args["id"].(string)
	made, err := s.h.Comments.Create(s.call.Context(), s.call.Actor(), model, id, body)
	if err != nil {
		return nil, &refusal{string(s.call.ErrorJSON(err))}
	}
	return cms.Marshal(made)
}

// writeDraft saves the draft of an entry, or creates an entry with the status draft.
func (s *session) writeDraft(ctx context.Context, args map[string]any) ([]byte, error) {
	body := map[string]any{}
	for _, name := range []string{"title", "slug", "locale", "translation_of", "data"} {
		if v := args[name]; v != nil {
			body[name] = v
		}
	}
	if id, _ := args["id"].(string); id != "" {
		return s.sendJSON(ctx, http.MethodPut, path(args, "model", "id")+"/draft?refs=raw", body)
	}
	return s.sendJSON(ctx, http.MethodPost, path(args, "model")+"?draft=true&refs=raw", body)
}

func (s *session) preview(ctx context.Context, args map[string]any) ([]byte, error) {
	return s.sendJSON(ctx, http.MethodPost, path(args, "model", "id")+"/preview", map[string]any{})
}

// publish publishes an entry. It requires the scope publish: the request to the API is granted the
// scope write.
func (s *session) publish(ctx context.Context, args map[string]any) ([]byte, error) {
	return s.sendJSON(pipeline.Grant(ctx, cms.ScopeWrite), http.MethodPost,
		path(args, "model", "id")+"/publish?refs=raw", map[string]any{})
}

// parameters returns the arguments with some names as query parameters.
func parameters(args map[string]any, names ...string) url.Values {
	q := url.Values{}
	for _, name := range names {
		switch v := args[name].(type) {
		case string:
			if v != "" {
				q.Set(name, v)
			}
		case json.Number:
			q.Set(name, v.String())
		}
	}
	return q
}

// path joins arguments to a path.
func path(args map[string]any, names ...string) string {
	var b strings.Builder
	for _, name := range names {
		v, _ := args[name].(string)
		b.WriteString("/" + url.PathEscape(v))
	}
	if slices.Contains(names, "model") && strings.Contains(b.String(), "/.") {
		return "/-" // not a path of the API
	}
	return b.String()
}
