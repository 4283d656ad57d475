package sitepages

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/pickers"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/site"
)

// The inputs of a setting are named <group>.<key> and, for its translations,
// <group>.<key>.<locale>. The inputs of its options have these suffixes, which are never locales.
const (
	publicKey       = ".is_public"
	translatableKey = ".is_translatable"
	removeKey       = "._remove"
)

// newSetting is the prefix of the inputs of a new setting. No group has this name.
const newSetting = "_new."

// settingLabels has the labels of groups and keys that cannot be made from their names.
var settingLabels = map[string]string{
	"seo": "Search engines", "social": "Social networks", "seo.og_image": "Picture for shared links",
	"views.enabled":   "Count views",
	"social.linkedin": "LinkedIn", "social.github": "GitHub", "social.youtube": "YouTube",
}

func groupLabel(group string) string { return labelFor(group, group) }

func settingLabel(v cms.Setting) string { return labelFor(v.Group+"."+v.Key, v.Key) }

// labelFor makes "Default locale" of "default_locale".
func labelFor(id, name string) string {
	if label := settingLabels[id]; label != "" {
		return label
	}
	name = strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(name[:1]) + name[1:] // names are ASCII and not empty
}

// isPicture reports whether the value of a setting is the URL of an image.
func isPicture(v cms.Setting) bool {
	return slices.Contains([]string{"site.logo", "site.favicon", "seo.og_image"}, v.Group+"."+v.Key)
}

// isViews reports whether a setting is the one that has views counted.
func isViews(v cms.Setting) bool { return v.Group == "views" && v.Key == "enabled" }

// withViews adds the setting that has views counted, if it is not stored yet.
func withViews(all []cms.Setting) []cms.Setting {
	if slices.ContainsFunc(all, isViews) {
		return all
	}
	return append(all, cms.Setting{Group: "views", Key: "enabled", Translations: map[string]string{}})
}

// form returns the page with the settings by group.
func (h settingHandlers) form(c *frame.Call) (*ui.Page, error) {
	all, err := h.settings.List(c.R.Context())
	if err != nil {
		return nil, err
	}
	site, err := h.Entries.Store.Site(c.R.Context())
	if err != nil {
		return nil, err
	}
	version, err := frame.VersionOf(all)
	if err != nil {
		return nil, err
	}
	var groups []ui.Field
	for _, v := range withViews(all) {
		at := slices.IndexFunc(groups, func(f ui.Field) bool { return f.Name == v.Group })
		if at < 0 {
			at = len(groups)
			groups = append(groups, ui.Field{Name: v.Group, Label: groupLabel(v.Group), Kind: "group"})
		}
		fields, err := h.fields(c, site, v)
		if err != nil {
			return nil, err
		}
		groups[at].Fields = append(groups[at].Fields, fields...)
	}
	if err := h.Fill(c, site, groups); err != nil {
		return nil, err
	}
	for _, f := range pickers.PicksOf(groups, nil) {
		for i, v := range f.Pick.Chosen {
			if !cms.IsUUID(v.ID) {
				f.Pick.Chosen[i].Note = "not in the library"
			}
		}
	}
	groups = append(groups, ui.Field{Name: newSetting, Label: "Another setting", Kind: "group",
		Fields: []ui.Field{
			{Kind: "row", Fields: []ui.Field{{Name: newSetting + "group", Label: "Group"},
				{Name: newSetting + "key", Label: "Key"}, {Name: newSetting + "value", Label: "Value"}}},
			ui.Checkbox(newSetting+"is_public", "Public", false),
		}})
	at := ui.Base + "/settings"
	return &ui.Page{Title: "Settings", Form: &ui.Form{Action: at, Method: "PUT", Fields: groups,
		Submit: "Save", Cancel: at, Version: version}}, nil
}

// fields returns the inputs of one setting.
func (h settingHandlers) fields(c *frame.Call, site *site.Site, v cms.Setting) ([]ui.Field, error) {
	name, kind, help := v.Group+"."+v.Key, "text", ""
	if len(v.Value) > 80 || strings.Contains(v.Value, "\n") {
		kind = "textarea"
	}
	if !v.IsPublic {
		help = "Private: the API does not show it."
	}
	value := ui.Field{Name: name, Label: settingLabel(v), Kind: kind, Value: v.Value, Help: help}
	var fields []ui.Field
	switch {
	case isPicture(v):
		id, err := h.fileAt(c, v.Value)
		if err != nil {
			return nil, err
		}
		if value.Value = id; c.IsForm && c.Form.Has(name) {
			value.Value = input.FormValue(c.Form[name]).Last()
		}
		value.Kept = true
		fields = append(fields, h.Library.Field(site, cms.Field{Type: cms.TypeMedia}, value))
	case isViews(v):
		off := v.Value
		if off == "true" {
			off = "false"
		}
		value.Kind, value.Options = "select", []ui.Option{{Value: off, Label: "Off"}, {Value: "true", Label: "On"}}
		value.Help = "How often entries were seen in the last 30 days is a column of their lists. No address is kept."
		fields = append(fields, value)
	case v.IsSecret():
		value.Kind, value.Value, value.Help = "password", "", help+" It is not set."
		if v.Value != "" {
			value.Help = help + " Leave empty to keep it."
		}
		fields = append(fields, value)
	default:
		fields = append(fields, value)
		for _, l := range site.Locales {
			if v.IsTranslatable && l.Code != site.Default {
				fields = append(fields, ui.Field{Name: name + "." + l.Code, Label: settingLabel(v) +
					" in " + l.Name, Kind: kind, Value: v.Translations[l.Code], Lang: l.Code})
			}
		}
	}
	flags := []ui.Field{ui.Checkbox(name+publicKey, "Public", v.IsPublic),
		ui.Checkbox(name+translatableKey, "Translatable", v.IsTranslatable),
		ui.Checkbox(name+removeKey, "Remove", false)}
	return append(fields, ui.Field{Kind: "more", Label: "Options of " + name,
		Fields: []ui.Field{{Kind: "flags", Fields: flags}}}), nil
}

// fileAt returns the id of the file with the URL address. If it is not the URL of a file, it
// returns address.
func (h settingHandlers) fileAt(c *frame.Call, address string) (string, error) {
	id := path.Base(address)
	if !cms.IsUUID(id) {
		return address, nil
	}
	found, err := h.Files.Inline(c.R.Context(), []string{id})
	if m, ok := found[id].(cms.MediaInline); ok && m.URL == address {
		return id, err
	}
	return address, err
}

// posted returns the changes that a form asks for: list has the changed settings, names the names
// of their inputs, and gone the settings to remove.
func (h settingHandlers) posted(c *frame.Call) (list []any, names []string, gone []cms.Setting, err error) {
	all, err := h.settings.List(c.R.Context())
	if err != nil {
		return nil, nil, nil, err
	}
	for _, v := range withViews(all) {
		name := v.Group + "." + v.Key
		if isChecked(c, name+removeKey, false) {
			gone = append(gone, v)
			continue
		}
		now := v
		if now.Value, err = h.postedValue(c, v); err != nil {
			return nil, nil, nil, err
		}
		now.IsPublic, now.IsTranslatable = isChecked(c, name+publicKey, v.IsPublic),
			isChecked(c, name+translatableKey, v.IsTranslatable)
		publishes := now.IsPublic && !v.IsPublic
		texts, changed := map[string]any{}, now.Value != v.Value || now.IsPublic != v.IsPublic ||
			now.IsTranslatable != v.IsTranslatable
		for code, text := range v.Translations {
			if !publishes { // then only what was typed counts
				texts[code] = text
			}
		}
		for field := range c.Form {
			if code, ok := strings.CutPrefix(field, name+"."); ok &&
				!slices.Contains([]string{publicKey, translatableKey, removeKey}, "."+code) {
				changed = changed || typedValue(c, field) != v.Translations[code]
				texts[code] = typedValue(c, field)
			}
		}
		if changed {
			body := map[string]any{
				"group": v.Group, "key": v.Key, "value": now.Value, "translations": texts,
				"is_public": now.IsPublic, "is_translatable": now.IsTranslatable,
			}
			if publishes && (!c.Form.Has(name) || v.IsSecret() && typedValue(c, name) == "") {
				delete(body, "value")
			}
			list, names = append(list, body), append(names, name)
		}
	}
	if typedValue(c, newSetting+"key") != "" {
		list, names = append(list, map[string]any{
			"group": typedValue(c, newSetting+"group"), "key": typedValue(c, newSetting+"key"),
			"value":     typedValue(c, newSetting+"value"),
			"is_public": isChecked(c, newSetting+"is_public", false),
		}), append(names, "")
	}
	return list, names, gone, nil
}

// postedValue returns the value that a form gives a setting.
func (h settingHandlers) postedValue(c *frame.Call, v cms.Setting) (string, error) {
	name := v.Group + "." + v.Key
	text := typedValue(c, name)
	switch {
	case !c.Form.Has(name) || v.IsSecret() && text == "":
		return v.Value, nil
	case isPicture(v) && cms.IsUUID(text):
		found, err := h.Files.Inline(c.R.Context(), []string{text})
		if m, ok := found[text].(cms.MediaInline); ok || err != nil {
			return m.URL, err
		}
		p := cms.Problems{}
		p.Add(name, "is not a file of the library")
		return "", p.Err()
	}
	return text, nil
}

// typedValue returns the value of a text field of a form.
func typedValue(c *frame.Call, name string) string {
	return strings.ReplaceAll(input.FormValue(c.Form[name]).Last(), "\r\n", "\n") // of browsers
}

// isChecked returns the state of a checkbox of a form, or was if the form does not have it.
func isChecked(c *frame.Call, name string, was bool) bool {
	if !c.Form.Has(name) {
		return was
	}
	return input.FormValue(c.Form[name]).Last() == "true"
}

// besideFields changes the paths in messages about elements of a list into the names of the inputs
// that the elements came from.
func besideFields(details cms.Problems, names []string) cms.Problems {
	out := cms.Problems{}
	for path, messages := range details {
		index, rest, _ := strings.Cut(path, ".")
		if i, err := strconv.Atoi(index); err == nil && i < len(names) {
			if path = newSetting + rest; names[i] != "" {
				path = strings.TrimSuffix(names[i]+"."+strings.TrimPrefix(strings.TrimPrefix(rest,
					"translations."), "value"), ".")
			}
		}
		out[path] = append(out[path], messages...)
	}
	return out
}
