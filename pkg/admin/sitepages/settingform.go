package sitepages

import (
	"path"
	"slices"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/pickers"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
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

func settingLabel(v cms.Setting) say.Text { return entrydata.SettingLabel(v.Group + "." + v.Key) }

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
	version, err := resource.VersionOf(all)
	if err != nil {
		return nil, err
	}
	var groups, options []ui.Field
	for _, v := range withViews(all) {
		at := slices.IndexFunc(groups, func(f ui.Field) bool { return f.Name == v.Group })
		if at < 0 {
			at = len(groups)
			groups = append(groups, ui.Field{Name: v.Group, Label: entrydata.SettingLabel(v.Group), Kind: "group"})
			options = append(options, ui.Field{Label: "Visibility, translation and removal", Kind: "more"})
		}
		fields, err := h.fields(c, v)
		if err != nil {
			return nil, err
		}
		groups[at].Fields = append(groups[at].Fields, fields...)
		options[at].Fields = append(options[at].Fields, optionsOf(v))
	}
	for i := range groups {
		groups[i].Fields = append(groups[i].Fields, options[i])
	}
	if err := h.Fill(c, groups, ""); err != nil {
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
func (h settingHandlers) fields(c *frame.Call, v cms.Setting) ([]ui.Field, error) {
	name, kind, help := v.Group+"."+v.Key, "text", say.Text("")
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
		fields = append(fields, h.Library.Field(c.Site, cms.Field{Type: cms.TypeMedia}, value))
	case isViews(v):
		off := v.Value
		if off == "true" {
			off = "false"
		}
		value.Kind, value.Options = "select", []ui.Option{{Value: off, Label: "Off"}, {Value: "true", Label: "On"}}
		value.Help = "How often entries were seen in the last 30 days is a column of their lists. No address is kept."
		fields = append(fields, value)
	case v.IsSecret():
		value.Kind, value.Value, value.Help = "password", "", say.Sentences(help, "It is not set.")
		if v.Value != "" {
			value.Help = say.Sentences(help, "Leave empty to keep it.")
		}
		fields = append(fields, value)
	case site.IsDefaultLocale(v):
		value.Kind, value.Options = "select", ui.LocaleOptions(slices.DeleteFunc(slices.Clone(c.Site.Locales),
			func(l cms.Locale) bool { return !l.IsActive }))
		fields = append(fields, value)
	default:
		fields = append(fields, value)
		if v.IsTranslatable {
			others := slices.DeleteFunc(slices.Clone(c.Site.Locales),
				func(l cms.Locale) bool { return l.Code == c.Site.Default })
			fields = append(fields, ui.Translations(value, others, v.Translations)...)
		}
	}
	return fields, nil
}

// optionsOf returns the boxes that say what a setting is. Settings that every site has cannot be removed.
func optionsOf(v cms.Setting) ui.Field {
	name := v.Group + "." + v.Key
	flags := []ui.Field{ui.Checkbox(name+publicKey, "Public", v.IsPublic)}
	if !site.IsDefaultLocale(v) {
		flags = append(flags, ui.Checkbox(name+translatableKey, "Translatable", v.IsTranslatable))
	}
	if site.SettingIndex(site.KnownSettings(), v.Group, v.Key) < 0 {
		flags = append(flags, ui.Checkbox(name+removeKey, "Remove", false))
	}
	return ui.Field{Name: name + "._options", Label: settingLabel(v), Kind: "group",
		Fields: []ui.Field{{Kind: "flags", Fields: flags}}}
}

// fileAt returns the id of the file with the URL address. If it is not the URL of a file, it
// returns address.
func (h settingHandlers) fileAt(c *frame.Call, address string) (string, error) {
	id := path.Base(address)
	if !cms.IsUUID(id) {
		return address, nil
	}
	found, err := h.Files.Inline(c.R.Context(), []string{id})
	if m, ok := found[id].(*cms.MediaInline); ok && m.URL == address {
		return id, err
	}
	return address, err
}
