package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/access/grants"
	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/slice"
)

// tool is one tool of the server.
type tool struct {
	name, description string
	input             map[string]any // JSON schema of the arguments
	lacks             string         // what the caller needs to use it, such as "the scope write"; "" if nothing
	run               func(ctx context.Context, args map[string]any) ([]byte, error)
}

// levels are the levels of grants that include a scope.
var levels = map[string]grants.Level{cms.ScopeWrite: grants.LevelDraft, cms.ScopePublish: grants.LevelPublish}

// lacksScope returns what the caller needs to have the rights of a scope, "" if nothing.
func (s *session) lacksScope(scope string) string {
	switch {
	case s.call.Key.HasScope(scope):
		return ""
	case s.visitor != nil:
		return "the level " + string(levels[scope])
	}
	return "the scope " + scope
}

// lacksRole returns what the caller needs to have the role admin, "" if nothing.
func (s *session) lacksRole() string {
	if s.call.Key.IsAdmin() {
		return ""
	}
	return "the role admin"
}

// aUser names the caller that comments need. A caller with a key is none, and no other key helps.
const aUser = "a user, since comments have an author"

// wayOut tells how to get what the caller lacks.
func (s *session) wayOut(lacks string) string {
	connect := "connect to " + s.h.SiteURL + Path + " without a key, as a user."
	switch {
	case s.visitor != nil:
		return "End this program under Allowed programs in your profile, connect it again, and choose the level."
	case lacks == aUser:
		return "To comment, " + connect
	}
	return "Make another key (cms keys create agent --scopes read,write,publish --role admin), or " + connect
}

// tools returns all tools.
func (s *session) tools() []tool {
	writes, publishes, admin := s.lacksScope(cms.ScopeWrite), s.lacksScope(cms.ScopePublish), s.lacksRole()
	previews, comments := admin, writes
	if s.visitor != nil {
		previews = writes
	} else {
		comments = aUser
	}
	model := map[string]any{"type": "string", "description": "Slug of a content model.", "enum": s.slugs()}
	if len(s.slugs()) == 0 {
		delete(model, "enum")
	}
	id, slug := textSchema("Id of the entry."), textSchema("Slug of the entry, in place of the id.")
	locale := textSchema("Code of the locale, with a slug.")
	version := map[string]any{"type": "string", "enum": []string{"published", "draft"},
		"description": "draft lays the draft of an entry over it; needs the role admin."}
	seen, listed := "", `; the filter {"status": "any"} shows drafts, too`
	if admin != "" {
		seen, listed = ". This key does not see drafts", ". This key does not see drafts"
	}
	return []tool{
		{"list_models", "List the content models with their fields and their addresses on the site.", schema(nil), "",
			s.listModels},
		{"search", "Search published content of all models by words.",
			schema(props{"q": textSchema("Words; all must match."),
				"models": textSchema("Slugs of models, separated by commas."),
				"locale": textSchema("Code of a locale, or any."), "page": numberSchema("Page, from 1."),
				"per_page": numberSchema("Results a page.")}, "q"), "", s.search},
		{"list_entries", "List published entries of a model" + listed + ".",
			schema(props{"model": model, "filter": map[string]any{"type": "object",
				"description": "Filters by name, such as {\"status\": \"draft\", \"data.price\": {\"gte\": 5}}."},
				"sort": textSchema("Fields separated by commas; a - in front means descending."),
				"q":    textSchema("Words to search for."), "locale": textSchema("Code of a locale."),
				"include": textSchema("Relations and media to resolve, separated by commas."),
				"fields":  textSchema("Keys to return, separated by commas."), "version": version,
				"page": numberSchema("Page, from 1."), "per_page": numberSchema("Entries a page."),
				"cursor": textSchema("next_cursor of the page before.")}, "model"), "", s.listEntries},
		{"get_entry", "Read one entry by its id or its slug" + seen + ".",
			schema(props{"model": model, "id": id, "slug": slug, "locale": locale, "version": version,
				"include": textSchema("Relations and media to resolve, separated by commas.")}, "model"),
			"", s.getEntry},
		{"write_draft",
			"Save changes as a draft that nobody sees until it is published: of the entry with the id, or " +
				"of a new entry without one. The answer has the id and the model of the entry.",
			schema(props{"model": model,
				"id":             textSchema("Id of the entry to change; a new entry is made without it."),
				"title":          textSchema("Title of the entry."),
				"slug":           textSchema("Slug; made from the title where left out."),
				"locale":         textSchema("Locale of a new entry."),
				"translation_of": textSchema("Id of the entry that a new entry is a translation of."),
				"seo": map[string]any{"type": "object",
					"description": "What search engines show: {\"title\": \"…\", \"description\": \"…\", \"noindex\": false}."},
				"data": map[string]any{"type": "object",
					"description": "Fields of the model to set; null clears one. A media field takes the id of a file: from " +
						"list_media, upload_from_url, or cms files put for a file on your disk. A relation takes the id of an " +
						"entry, richtext Markdown, blocks a list of objects with their type."}}, "model"),
			writes, s.writeDraft},
		{"list_media", "List files. Their ids are what media fields take.",
			schema(props{"q": textSchema("Words in the name."), "mime": textSchema("Type, such as image/*."),
				"page": numberSchema("Page, from 1."), "per_page": numberSchema("Files a page.")}), "", s.listMedia},
		{"get_health", "List what is wrong with published entries, such as dead links and missing texts of pictures.",
			schema(props{"kind": textSchema("Kind of finding, such as link.gone or alt.missing."), "model": model,
				"locale": textSchema("Code of a locale."), "per_page": numberSchema("Findings a page."),
				"cursor": textSchema("next_cursor of the page before.")}), admin, s.getHealth},
		{"comment", "Comment on an entry, for the people who edit it.",
			schema(props{"model": model, "id": id, "slug": slug, "locale": locale,
				"text":   textSchema("The comment, as plain text."),
				"field":  textSchema("Path of the field that it is about, such as data.body."),
				"quote":  textSchema("The words that it is about."),
				"parent": textSchema("Id of the comment that it replies to.")}, "model", "text"),
			comments, s.comment},
		{"upload_from_url", "Upload a file from a public https address. " + localFiles,
			schema(props{"url": textSchema("Address of the file."),
				"name": textSchema("File name with its ending."),
				"alt":  textSchema("Description for readers who do not see it."),
				"alts": map[string]any{"type": "object",
					"description": "The same in other languages, by locale: {\"de\": \"…\"}."}},
				"url", "name"), writes,
			s.upload},
		{"preview_link", "Make a link that shows an entry with its draft on the site. The model needs a preview_url.",
			schema(props{"model": model, "id": id, "slug": slug, "locale": locale,
				"expires_in": numberSchema("Seconds until it ends: 3600 by default, 2592000 at most.")}, "model"),
			previews, s.preview},
		{"publish", "Publish an entry, with its draft where there is one.",
			schema(props{"model": model, "id": id, "slug": slug, "locale": locale}, "model"), publishes, s.publish},
	}
}

type props = map[string]any

func textSchema(description string) map[string]any {
	return map[string]any{"type": "string", "description": description}
}

func numberSchema(description string) map[string]any {
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
	for name, v := range args {
		property, ok := properties[name].(map[string]any)
		if !ok {
			return fmt.Errorf("the tool has no argument %q. Known: %s", name,
				cmp.Or(strings.Join(slices.Sorted(maps.Keys(properties)), ", "), "none"))
		}
		fits := v == nil
		switch property["type"] {
		case "string":
			_, is := v.(string)
			fits = fits || is
		case "integer":
			_, is := cms.WholeNumber(v)
			fits = fits || is
		case "object":
			_, is := v.(map[string]any)
			fits = fits || is
		}
		if !fits {
			return fmt.Errorf("the argument %q must be of type %s", name, property["type"])
		}
	}
	for _, name := range required {
		if v, ok := args[name]; !ok || v == "" || v == nil {
			return fmt.Errorf("the argument %q is required", name)
		}
	}
	return nil
}

// slugs returns the slugs of the models that the key may read.
func (s *session) slugs() []string {
	return slice.Map(s.call.Models(), func(m *cms.Model) string { return m.Slug })
}

func (s *session) listModels(context.Context, map[string]any) ([]byte, error) {
	type shown struct {
		Slug      string        `json:"slug"`
		Name      string        `json:"name"`
		Kind      cms.ModelKind `json:"kind"`
		Localized bool          `json:"localized"`
		URL       string        `json:"url,omitempty"`         // template of addresses on the site
		Preview   string        `json:"preview_url,omitempty"` // for those who may make preview links
		Fields    []cms.Field   `json:"fields"`
	}
	list := []shown{}
	for _, m := range s.call.Models() {
		one := shown{Slug: m.Slug, Name: m.Name, Kind: m.Kind, Localized: m.Localized, URL: m.URL, Fields: m.Fields}
		if s.call.Key.IsAdmin() {
			one.Preview = m.PreviewURL
		}
		list = append(list, one)
	}
	return cms.Marshal(list)
}

func (s *session) search(ctx context.Context, args map[string]any) ([]byte, error) {
	q := parameters(args, "q", "models", "locale", "page", "per_page")
	return s.do(ctx, http.MethodGet, "/search?"+q.Encode(), "", nil)
}

func (s *session) listEntries(ctx context.Context, args map[string]any) ([]byte, error) {
	q := parameters(args, "locale", "sort", "q", "include", "fields", "version", "page", "per_page", "cursor")
	filters, _ := args["filter"].(map[string]any)
	maps.Copy(q, query.FilterParams(filters))
	q.Set("refs", "raw")
	return s.do(ctx, http.MethodGet, path(args, "model")+"?"+q.Encode(), "", nil)
}

func (s *session) getEntry(ctx context.Context, args map[string]any) ([]byte, error) {
	name, err := identifierOf(args)
	if err != nil {
		return nil, err
	}
	q := parameters(args, "locale", "include", "version")
	q.Set("refs", "raw")
	data, err := s.do(ctx, http.MethodGet, path(args, "model", name)+"?"+q.Encode(), "", nil)
	return data, s.unseen(err)
}

// identifierOf returns which argument names an entry: id, or slug without one.
func identifierOf(args map[string]any) (name string, err error) {
	for _, name := range []string{"id", "slug"} {
		if v, _ := args[name].(string); v != "" {
			return name, nil
		}
	}
	return "", errors.New(`one of the arguments "id" and "slug" is required`)
}

// identify sets the argument id to that of the entry that the arguments name.
func (s *session) identify(ctx context.Context, args map[string]any) error {
	name, err := identifierOf(args)
	if err != nil || name == "id" {
		return err
	}
	q := parameters(args, "locale")
	q.Set("fields", "id")
	raw, err := s.do(ctx, http.MethodGet, path(args, "model", "slug")+"?"+q.Encode(), "", nil)
	if err != nil {
		return s.unseen(err)
	}
	var entry struct {
		ID   string              `json:"id"`
		Data struct{ ID string } `json:"data"` // with meta
	}
	if err := json.Unmarshal(raw, &entry); err != nil {
		return err
	}
	args["id"] = cmp.Or(entry.ID, entry.Data.ID)
	return nil
}

// unseen adds to the error of a missing entry that the caller does not see drafts.
func (s *session) unseen(err error) error {
	var refused *refusal
	if s.call.Key.IsAdmin() || !errors.As(err, &refused) || refused.code() != cms.CodeEntryNotFound {
		return err
	}
	return &refusal{refused.text + "\n" + unseenDrafts + s.wayOut(s.lacksRole())}
}

// unseenDrafts is said to keys without the role admin.
const unseenDrafts = "This key reads published entries only; drafts need the role admin. "

func (s *session) listMedia(ctx context.Context, args map[string]any) ([]byte, error) {
	q := parameters(args, "q", "page", "per_page")
	if mime, _ := args["mime"].(string); mime != "" {
		q.Set("filter[mime]", mime)
	}
	return s.do(ctx, http.MethodGet, "/upload/files?"+q.Encode(), "", nil)
}

// comment writes a comment by the user of the grant: API keys are nobody's.
func (s *session) comment(ctx context.Context, args map[string]any) ([]byte, error) {
	if err := s.identify(ctx, args); err != nil {
		return nil, err
	}
	body := given(args, "text", "field", "quote", "parent")
	model, _ := args["model"].(string)
	id, _ := args["id"].(string)
	made, err := s.h.Comments.Create(s.call.Context(), s.call.Actor(), model, id, body)
	if err != nil {
		return nil, &refusal{string(s.call.ErrorJSON(err))}
	}
	return cms.Marshal(made)
}

// writeDraft saves the draft of an entry, or creates an entry with the status draft. Both answers have
// the id and the model of the entry beside what the API answers.
func (s *session) writeDraft(ctx context.Context, args map[string]any) ([]byte, error) {
	body := given(args, "title", "slug", "locale", "translation_of", "seo", "data")
	more := map[string]any{"model": args["model"]}
	if !s.call.Key.IsAdmin() {
		more["note"] = "The draft is saved; write to it again by its id. " + unseenDrafts + s.wayOut(s.lacksRole())
	}
	id, _ := args["id"].(string)
	if id == "" {
		raw, err := s.sendJSON(ctx, http.MethodPost, path(args, "model")+"?draft=true&refs=raw", body)
		return withKeys(raw, err, more)
	}
	more["id"] = id
	raw, err := s.sendJSON(ctx, http.MethodPut, path(args, "model", "id")+"/draft?refs=raw", body)
	return withKeys(raw, err, more)
}

// withKeys adds keys to an answer of the API.
func withKeys(raw []byte, err error, more map[string]any) ([]byte, error) {
	if err != nil || len(more) == 0 {
		return raw, err
	}
	answer, err := cms.DecodeObject(raw)
	if err != nil {
		return nil, err
	}
	maps.Copy(answer, more)
	return cms.Marshal(answer)
}

func (s *session) preview(ctx context.Context, args map[string]any) ([]byte, error) {
	if err := s.identify(ctx, args); err != nil {
		return nil, err
	}
	more := map[string]any{}
	slug, _ := args["model"].(string)
	for _, m := range s.call.Models() {
		if m.Slug == slug && m.PreviewURL == "" {
			more["note"] = fmt.Sprintf("url is null because the model %s has no preview_url. Set it in the admin area, or in "+
				"schema.json for cms schema apply, such as https://www.example.com/%s/{slug}?preview={token}", slug, slug)
		}
	}
	raw, err := s.sendJSON(ctx, http.MethodPost, path(args, "model", "id")+"/preview", given(args, "expires_in"))
	return withKeys(raw, err, more)
}

// publish publishes an entry. It requires the scope publish: the request to the API is granted the
// scope write.
func (s *session) publish(ctx context.Context, args map[string]any) ([]byte, error) {
	if err := s.identify(ctx, args); err != nil {
		return nil, err
	}
	return s.sendJSON(pipeline.Grant(ctx, cms.ScopeWrite), http.MethodPost,
		path(args, "model", "id")+"/publish?refs=raw", map[string]any{})
}

// given returns those of the arguments with some names that are sent.
func given(args map[string]any, names ...string) map[string]any {
	sent := map[string]any{}
	for _, name := range names {
		if v := args[name]; v != nil {
			sent[name] = v
		}
	}
	return sent
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
			n, _ := cms.WholeNumber(v) // see checkArguments
			q.Set(name, strconv.FormatInt(n, 10))
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
