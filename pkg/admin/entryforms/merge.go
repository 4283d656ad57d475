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

// BaseKey is the name of the hidden input that says what the fields of an entry held when the form
// was made: a digest of each, as a JSON object by their keys.
const BaseKey = "_base"

// FieldDigests are digests of the fields of an entry by their keys: title, slug, seo.title,
// seo.description, seo.noindex and data.<name>.
type FieldDigests map[string]string

// EntryValues are the fields of an entry that a form edits, by their keys, in a form that does not
// depend on how they were written.
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

// BodyValues are the fields that the body of a form holds, likewise.
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

// plainText is a text with the line ends that a browser shows, nil for an empty one.
func plainText(s string) any {
	if s = strings.ReplaceAll(s, "\r\n", "\n"); strings.TrimSpace(s) == "" {
		return nil
	}
	return s
}

// checked is the value of a box, nil where it is not checked.
func checked(v bool) any {
	if !v {
		return nil
	}
	return v
}

// Canonical is the value of a field without what a form cannot tell apart: empty texts, lists and
// groups are nil, as are boxes that are not checked; instants are in UTC.
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

// DigestOf is a short text that differs where the value differs.
func DigestOf(v any) string {
	raw, err := cms.Marshal(v)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:6])
}

// DigestsOf are the digests of an entry's values by the names of their fields.
func DigestsOf(values map[string]any) FieldDigests {
	digests := FieldDigests{}
	for key, v := range values {
		digests[key] = DigestOf(v)
	}
	return digests
}

// String is the digests as the value of an input.
func (d FieldDigests) String() string {
	raw, err := json.Marshal(d)
	if err != nil {
		return ""
	}
	return string(raw)
}

// readDigests reads the input of a form; what it does not name was as it is stored now.
func readDigests(form url.Values, now FieldDigests) FieldDigests {
	read := FieldDigests{}
	_ = json.Unmarshal([]byte(form.Get(BaseKey)), &read) // broken: as if nothing were named
	all := maps.Clone(now)
	for key := range all {
		if was, ok := read[key]; ok {
			all[key] = was
		}
	}
	return all
}

// EntryMerge compares three versions of an entry by field: what a form showed, what it sends, and
// what is stored.
type EntryMerge struct {
	Mine      []string     // keys that the form changed and nobody else did
	Others    []string     // keys that somebody else changed and the form did not
	Conflicts []string     // keys that both changed, to other values
	Base      FieldDigests // what the form is an edit of, once the others' values are shown in it
}

// MergeEntry compares what a form sent with what is stored now and with what the form was made of.
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

// Only keeps of a body the keys of some fields.
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

// Forget takes a field out of a form, with the inputs inside of it.
func Forget(form url.Values, key string) {
	for name := range form {
		if name == key || ui.Within(name, key) {
			delete(form, name)
		}
	}
}

// HasRows reports whether an entry has a list or blocks at any depth.
func HasRows(fields []cms.Field) bool {
	return slices.ContainsFunc(fields, func(f cms.Field) bool {
		return f.HasFields() && f.Type != cms.TypeGroup || HasRows(f.Fields)
	})
}

// BlockOf is the type of a block; one that the model does not know any more has no fields.
func BlockOf(f cms.Field, kind string) cms.Field {
	for _, block := range f.Fields {
		if block.Name == kind {
			return block
		}
	}
	return cms.Field{Name: kind}
}
