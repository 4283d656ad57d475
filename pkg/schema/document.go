package schema

import (
	"encoding/json"
	"strconv"

	"headless/pkg/cms"
)

// notInSchema are the keys that a document leaves out, because the site sets them or they are
// secret.
var notInSchema = []string{"id", "created_at", "updated_at", "version", "paused_reason", "headers",
	"public_key"}

// document returns the schema of a state. Without addresses, it leaves out those of webhooks and of
// who is told of submissions: an address of a webhook may hold a credential.
func (st *state) document(addresses bool) Document {
	hidden := []string{"recaptcha.secret_key"}
	if !addresses {
		hidden = append(hidden, "url", "notify_emails")
	}
	d := Document{Models: []Part{}, Locales: []Part{}, Settings: []Part{}, Forms: []Part{},
		Folders: []Part{}, Webhooks: []Part{}, Roles: []Part{}, Redirects: []Part{}}
	for _, m := range sortedModels(st.site) {
		d.Models = append(d.Models, part(m.Model))
	}
	for _, l := range sortedLocales(st.site) {
		d.Locales = append(d.Locales, part(l))
	}
	for _, v := range sortedSettings(st.site) {
		d.Settings = append(d.Settings, settingPart(v))
	}
	for _, f := range sortedForms(st.site) {
		d.Forms = append(d.Forms, withoutKeys(part(*f), hidden...))
	}
	for _, f := range st.folders {
		d.Folders = append(d.Folders, part(f.Folder))
	}
	for _, h := range st.hooks {
		d.Webhooks = append(d.Webhooks, withoutKeys(part(h.hook.Webhook), hidden...))
	}
	for _, r := range st.roles {
		d.Roles = append(d.Roles, part(r.Role))
	}
	for _, r := range st.redirects {
		d.Redirects = append(d.Redirects, part(r))
	}
	return d
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
	raw, err := json.Marshal(p)
	if err == nil {
		var body map[string]any
		if body, err = cms.DecodeObject(raw); err == nil {
			return body
		}
	}
	panic("schema: a part is not an object: " + err.Error())
}

// namer numbers repeated names: a, a#2, a#3.
type namer map[string]int

func (n namer) nextName(name string) string {
	if n[name]++; n[name] > 1 {
		return name + "#" + strconv.Itoa(n[name])
	}
	return name
}

// hookName returns the name of a webhook in a document: its name, or else its URL.
func hookName(name, url string) string {
	if name != "" {
		return name
	}
	return url
}
