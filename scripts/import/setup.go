package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// session is a signed-in administrator with a key for this run.
type session struct {
	admin           *client
	id, key, secret string
}

// setUp creates missing locales, a missing model, and a key.
func setUp(ctx context.Context, o options, out io.Writer) (*session, error) {
	fields, locales, err := o.survey(ctx)
	if err != nil {
		return nil, err
	}
	admin := newClient(o.url+"/admin", 1)
	a, err := admin.call(ctx, "POST", "/login", map[string]string{"email": o.email, "password": o.password})
	if err != nil {
		return nil, err
	}
	var login struct{ Token string }
	if err := json.Unmarshal(a.Data, &login); err != nil {
		return nil, err
	}
	admin.header.Set("Authorization", "Bearer "+login.Token)
	for _, code := range locales {
		tag := language.Make(code)
		locale := map[string]any{"code": code, "name": display.English.Tags().Name(tag),
			"native_name": display.Self.Name(tag)}
		if err := ensure(ctx, admin, out, "/locales", code, locale); err != nil {
			return nil, err
		}
	}
	model := map[string]any{
		"slug": o.model, "name": strings.ToUpper(o.model[:1]) + o.model[1:], "kind": "collection",
		"localized": len(locales) > 0, "fields": fields,
	}
	if err := ensure(ctx, admin, out, "/models", o.model, model); err != nil {
		return nil, err
	}
	return newKey(ctx, admin)
}

// newKey creates the key of this run, which can read entries of every status.
func newKey(ctx context.Context, admin *client) (*session, error) {
	a, err := admin.call(ctx, "POST", "/keys",
		map[string]any{"name": "Import", "scopes": []string{"read", "write"}, "role": "admin",
			"rate_limit": 1_000_000})
	if err != nil {
		return nil, err
	}
	var key struct {
		ID        string `json:"id"`
		PublicKey string `json:"public_key"`
		Secret    string `json:"secret"`
	}
	err = json.Unmarshal(a.Data, &key)
	return &session{admin: admin, id: key.ID, key: key.PublicKey, secret: key.Secret}, err
}

// ensure creates a resource unless it exists.
func ensure(ctx context.Context, admin *client, out io.Writer, path, name string, body map[string]any) error {
	_, err := admin.call(ctx, "GET", path+"/"+name, nil)
	var missing *apiError
	if err == nil || !errors.As(err, &missing) || missing.Status != 404 {
		return err
	}
	if _, err := admin.call(ctx, "POST", path, body); err != nil {
		return fmt.Errorf("%s %s: %w", path, name, err)
	}
	fmt.Fprintf(out, "made %s/%s\n", path, name)
	return nil
}

// close deletes the key and signs out.
func (s *session) close(ctx context.Context) error {
	_, err := s.admin.call(ctx, "DELETE", "/keys/"+s.id, nil)
	_, out := s.admin.call(ctx, "POST", "/logout", nil)
	return errors.Join(err, out)
}

// survey reads the file once and returns the fields of a model for its data, and its locales.
func (o *options) survey(ctx context.Context) (fields []map[string]any, locales []string, err error) {
	types, codes := map[string]string{}, map[string]bool{}
	entries := make(chan *entry, 64)
	read := make(chan error, 1)
	go func() { read <- o.read(ctx, func(int, error) {}, entries) }()
	for e := range entries {
		if e.Locale != "" {
			codes[e.Locale] = true
		}
		for name, v := range e.Data {
			types[name] = wider(types[name], typeOf(v))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		kind := types[name]
		fields = append(fields, map[string]any{
			"name": name, "label": strings.ReplaceAll(name, "_", " "), "type": kind,
			"searchable": kind == "text" || kind == "textarea" || kind == "richtext",
		})
	}
	return fields, slices.Sorted(maps.Keys(codes)), <-read
}

// typeOf returns the narrowest field type for a value.
func typeOf(v any) string {
	switch v := v.(type) {
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		switch {
		case strings.Contains(v, "\n"):
			return "richtext"
		case utf8.RuneCountInString(v) > 255:
			return "textarea"
		}
		return "text"
	}
	return "json"
}

// wider returns a type for the values of both types; a is "" at first.
func wider(a, b string) string {
	texts := []string{"text", "textarea", "richtext"}
	i, j := slices.Index(texts, a), slices.Index(texts, b)
	switch {
	case a == "" || a == b:
		return b
	case i >= 0 && j >= 0:
		return texts[max(i, j)]
	}
	return "json"
}
