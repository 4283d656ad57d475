package schema

import (
	"encoding/json"
	"slices"
	"strconv"

	"headless/pkg/access"
	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/redirects"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// notInSchema are the keys that a document leaves out, because the site sets them or they are
// secret.
var notInSchema = []string{"id", "created_at", "updated_at", "version", "paused_reason", "headers", "public_key"}

// document returns the schema of a state. Without addresses, it leaves out those of webhooks and of
// who is told of submissions: an address of a webhook may hold a credential.
func (st *state) document(addresses bool) Document {
	hidden := []string{"recaptcha.secret_key"}
	if !addresses {
		hidden = append(hidden, "url", "notify_emails")
	}
	locales := slices.Clone(st.site.Locales)
	cms.SortBy(locales, func(l cms.Locale) string { return l.Code })
	settings := slices.DeleteFunc(site.AllSettings(st.site), site.IsDefaultLocale)
	cms.SortBy(settings, func(v cms.Setting) string { return v.Group + "." + v.Key })
	return Document{
		Models:    slice.Map(sortedModels(st.site), func(m *site.Model) Part { return part(m.Model) }),
		Locales:   slice.Map(locales, func(l cms.Locale) Part { return part(l) }),
		Settings:  slice.Map(settings, settingPart),
		Forms:     slice.Map(sortedValues(st.site.Forms), func(f *cms.Form) Part { return withoutKeys(part(*f), hidden...) }),
		Folders:   slice.Map(st.folders, func(f assets.Folder) Part { return part(f.Folder) }),
		Webhooks:  slice.Map(st.hooks, func(h namedHook) Part { return withoutKeys(part(h.hook.Webhook), hidden...) }),
		Roles:     slice.Map(st.roles, func(r access.Role) Part { return part(r.Role) }),
		Redirects: slice.Map(st.redirects, func(r redirects.Redirect) Part { return part(r) }),
	}
}

// part returns a value without the keys in notInSchema, in the key order of the admin routes.
func part(v any) Part { return withoutKeys(v, notInSchema...) }

// withoutKeys encodes a value without some of its keys.
func withoutKeys(v any, keys ...string) Part {
	raw, err := cms.Marshal(v)
	if err != nil {
		panic("schema: cannot be encoded: " + err.Error())
	}
	return ordered{raw, keys}
}

// ordered is a JSON object without some of its keys, in its own key order.
type ordered struct {
	raw  []byte
	drop []string
}

// MarshalJSON writes the object.
func (o ordered) MarshalJSON() ([]byte, error) {
	return dropKeys(o.raw, o.drop)
}

// settingPart leaves out the values of private settings, which hold credentials.
func settingPart(v cms.Setting) Part {
	if v.IsPublic {
		return part(v)
	}
	return withoutKeys(v, "value", "translations")
}

// objectOf returns a part as a decoded body.
func objectOf(p Part) map[string]any {
	body, err := cms.DecodeObject(mustMarshal(p))
	if err != nil {
		panic("schema: a part is not an object: " + err.Error())
	}
	return body
}

// mustMarshal encodes a value that can be encoded. Stored hashes depend on its form.
func mustMarshal(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("schema: cannot be encoded: " + err.Error())
	}
	return raw
}

// namer numbers repeated names: a, a#2, a#3.
type namer map[string]int

func (n namer) nextName(name string) string {
	if n[name]++; n[name] > 1 {
		return name + "#" + strconv.Itoa(n[name])
	}
	return name
}
