package entryforms

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// BaseKey is the name of the hidden input with the values of the entry when the form was opened: a
// JSON object with a digest for each field.
const BaseKey = "_base"

// FieldDigests maps the key of each field of an entry to a digest of its value. The keys are title,
// slug, seo.title, seo.description, seo.noindex and data.<name>.
type FieldDigests map[string]string

// EntryValues returns the values of an entry that a form edits, by field key. They are canonical:
// equal values are equal however they were written.
func EntryValues(m *site.Model, e *cms.Entry) map[string]any {
	values := map[string]any{
		"title": plainText(e.Title), "slug": plainText(e.Slug),
		"seo.title": plainText(e.SEO.Title), "seo.description": plainText(e.SEO.Description),
		"seo.noindex": checked(e.SEO.Noindex),
	}
	for i := range m.Fields {
		values["data."+m.Fields[i].Name] = Canonical(&m.Fields[i], e.Data[m.Fields[i].Name])
	}
	return values
}

// BodyValues returns the canonical values of the fields in the body of a form, by field key.
func BodyValues(m *site.Model, body map[string]any) map[string]any {
	values := map[string]any{}
	for key, v := range body {
		inner, _ := v.(map[string]any)
		switch key {
		case "title", "slug":
			text, _ := v.(string)
			values[key] = plainText(text)
		case "seo":
			for name, v := range inner {
				switch v := v.(type) {
				case string:
					values["seo."+name] = plainText(v)
				case bool:
					values["seo."+name] = checked(v)
				}
			}
		case "data":
			for name, v := range inner {
				if f := m.Field(name); f != nil {
					values["data."+name] = Canonical(f, v)
				}
			}
		}
	}
	return values
}

// plainText returns a text with the line ends of browsers, nil if it is blank.
func plainText(s string) any {
	if s = strings.ReplaceAll(s, "\r\n", "\n"); strings.TrimSpace(s) == "" {
		return nil
	}
	return s
}

// checked returns the value of a checkbox, nil if it is not checked.
func checked(v bool) any {
	if !v {
		return nil
	}
	return v
}

// Canonical returns the value of a field without differences that a form cannot express. Empty
// texts, lists and groups become nil, and so do unchecked checkboxes. Times are converted to UTC.
func Canonical(f *cms.Field, v any) any {
	switch v := v.(type) {
	case string:
		if t, ok := cms.ParseDateTime(v); ok && f.Type == cms.TypeDateTime {
			return ui.InputTime(cms.Time{Time: t})
		}
		if f.Type == cms.TypeJSON {
			return v
		}
		return plainText(v)
	case bool:
		if f.Type == cms.TypeBoolean {
			return checked(v)
		}
	case []any:
		if f.HasFields() {
			return canonicalRows(f, v)
		}
		if len(v) == 0 && f.Type != cms.TypeJSON {
			return nil
		}
	case map[string]any:
		if f.HasFields() {
			return canonicalGroup(f.Fields, v)
		}
	}
	return v
}

func canonicalRows(f *cms.Field, rows []any) any {
	var list []any
	for _, row := range rows {
		object, _ := row.(map[string]any)
		kind, _ := object["type"].(string)
		fields := f.Fields
		if f.Type == cms.TypeBlocks {
			fields = BlockOf(*f, kind).Fields
		}
		group := canonicalGroup(fields, object)
		if f.Type == cms.TypeBlocks {
			list = append(list, []any{kind, group})
		} else if group != nil {
			list = append(list, group)
		}
	}
	if list == nil {
		return nil
	}
	return list
}

func canonicalGroup(fields []cms.Field, object map[string]any) any {
	group := map[string]any{}
	for i := range fields {
		if v := Canonical(&fields[i], object[fields[i].Name]); v != nil {
			group[fields[i].Name] = v
		}
	}
	if len(group) == 0 {
		return nil
	}
	return group
}

// DigestOf returns a short hash of a value.
func DigestOf(v any) string {
	raw, err := cms.Marshal(v)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:6])
}

// DigestsOf returns the digest of each value, by field key.
func DigestsOf(values map[string]any) FieldDigests {
	digests := FieldDigests{}
	for key, v := range values {
		digests[key] = DigestOf(v)
	}
	return digests
}

// String returns the digests as the JSON value of the hidden input.
func (d FieldDigests) String() string {
	raw, err := json.Marshal(d)
	if err != nil {
		return ""
	}
	return string(raw)
}

// readDigests reads the digests from a form. A field that the form does not name gets its current
// digest.
func readDigests(form url.Values, now FieldDigests) FieldDigests {
	read := FieldDigests{}
	_ = json.Unmarshal([]byte(form.Get(BaseKey)), &read) // invalid JSON names no fields
	all := maps.Clone(now)
	for key := range all {
		if was, ok := read[key]; ok {
			all[key] = was
		}
	}
	return all
}

// EntryMerge is the result of a comparison of three versions of an entry, field by field: the one
// that the form showed first, the one that the form sends, and the stored one.
type EntryMerge struct {
	Mine      []string     // keys of fields that only the form changed
	Others    []string     // keys of fields that only somebody else changed
	Conflicts []string     // keys of fields that both changed, to different values
	Base      FieldDigests // new digests for the form, once it shows the values of others
}

// MergeEntry compares the values that a form sent with the stored ones and with the digests in the
// form.
func MergeEntry(form url.Values, sent, stored map[string]any) EntryMerge {
	now := DigestsOf(stored)
	was := readDigests(form, now)
	merged := EntryMerge{Base: maps.Clone(now)}
	for _, key := range slices.Sorted(maps.Keys(stored)) {
		v, given := sent[key]
		digest := DigestOf(v)
		switch {
		case !given || digest == was[key]:
			if was[key] != now[key] {
				merged.Others = append(merged.Others, key)
			}
		case digest == now[key]:
		case was[key] == now[key]:
			merged.Mine = append(merged.Mine, key)
		default:
			merged.Conflicts = append(merged.Conflicts, key)
			merged.Base[key] = was[key]
		}
	}
	return merged
}

// Only returns a body with only the given field keys.
func Only(body map[string]any, keys []string) map[string]any {
	kept := map[string]any{}
	for _, key := range keys {
		outer, inner, deeper := strings.Cut(key, ".")
		if !deeper {
			kept[key] = body[key]
			continue
		}
		from, _ := body[outer].(map[string]any)
		into, ok := kept[outer].(map[string]any)
		if !ok {
			into = map[string]any{}
			kept[outer] = into
		}
		into[inner] = from[inner]
	}
	return kept
}

// Forget removes a field and all inputs inside it from a form.
func Forget(form url.Values, key string) {
	for name := range form {
		if name == key || ui.Within(name, key) {
			delete(form, name)
		}
	}
}

// HasRows reports whether one of the fields, at any depth, is a list or blocks.
func HasRows(fields []cms.Field) bool {
	return slices.ContainsFunc(fields, func(f cms.Field) bool {
		return f.HasFields() && f.Type != cms.TypeGroup || HasRows(f.Fields)
	})
}

// BlockOf returns the definition of a block type. A type that the model does not have gets a
// definition without fields.
func BlockOf(f cms.Field, kind string) cms.Field {
	for _, block := range f.Fields {
		if block.Name == kind {
			return block
		}
	}
	return cms.Field{Name: kind}
}
