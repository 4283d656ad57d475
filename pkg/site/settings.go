package site

import (
	"maps"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/refs"
)

// KnownSettings returns the settings that every site has; unset ones are "" (specification §2.4).
// Text settings are translatable by default.
func KnownSettings() []cms.Setting {
	var list []cms.Setting
	add := func(group string, translatable bool, keys ...string) {
		for _, key := range keys {
			list = append(list, cms.Setting{Group: group, Key: key, IsPublic: true,
				IsTranslatable: translatable, Translations: map[string]string{}})
		}
	}
	add("site", true, "name", "tagline")
	add("site", false, "logo", "favicon", "default_locale")
	add("seo", true, "default_title", "default_description")
	add("seo", false, "og_image")
	add("social", false, "twitter", "linkedin", "github", "youtube")
	return list
}

// AllSettings returns the known settings in their order with the stored values, then the other
// settings. Secret values are sealed. Translations to locales that were deleted are left out.
func AllSettings(site *Site) []cms.Setting {
	list := KnownSettings()
	for _, v := range site.Settings {
		v.Translations = maps.Clone(v.Translations)
		maps.DeleteFunc(v.Translations, func(code, _ string) bool { return site.Locale(code) == nil })
		if i := SettingIndex(list, v.Group, v.Key); i >= 0 {
			list[i] = v
		} else {
			list = append(list, v)
		}
	}
	v := &list[SettingIndex(list, "site", "default_locale")]
	v.Value, v.IsTranslatable, v.Translations = site.Default, false,
		map[string]string{} // the locales define the default
	return list
}

// IsDefaultLocale reports whether a setting is site.default_locale, which mirrors the default of
// the locales.
func IsDefaultLocale(v cms.Setting) bool { return v.Group == "site" && v.Key == "default_locale" }

// setting returns a stored setting. Unlike Settings, it does not depend on the permissions of the reader.
func (s *Site) setting(group, key string) cms.Setting { return s.docs.settings[group+"."+key].Value }

// Name returns the public setting site.name, "" if it has no value or is not public. It is no method, which the linker
// would keep in every function.
func Name(s *Site) string {
	if v := s.setting("site", "name"); v.IsPublic {
		return v.Value
	}
	return ""
}

// URL returns the setting site.url without a slash at the end, "" if it has no value.
func (s *Site) URL() string { return strings.TrimSuffix(s.setting("site", "url").Value, "/") }

// PreviewURL returns the setting site.preview_url, the template of links to the site as it will be; ""
// if it has no value.
func (s *Site) PreviewURL() string { return s.setting("site", "preview_url").Value }

// CountsViews reports whether the setting views.enabled is on (extensions §16).
func (s *Site) CountsViews() bool { return s.setting("views", "enabled").Value == "true" }

// SettingIndex returns the index of a setting in a list, -1 if it is not there.
func SettingIndex(list []cms.Setting, group, key string) int {
	return slices.IndexFunc(list, func(v cms.Setting) bool { return v.Group == group && v.Key == key })
}

// PublicSettings returns the public settings in a locale: all known groups and keys ("" if unset or
// private), and all other public ones. A missing translation falls back to the untranslated value.
func PublicSettings(site *Site, locale string) map[string]map[string]string {
	out := map[string]map[string]string{}
	put := func(v cms.Setting, value string) {
		if out[v.Group] == nil {
			out[v.Group] = map[string]string{}
		}
		out[v.Group][v.Key] = value
	}
	for _, v := range KnownSettings() {
		put(v, "")
	}
	for _, v := range AllSettings(site) {
		if !v.IsPublic {
			continue
		}
		value := v.Value
		if t := v.Translations[locale]; v.IsTranslatable && t != "" {
			value = t
		}
		put(v, value)
	}
	return out
}

// referSettings records the references in settings.
func referSettings(t *db.Tx, settings []cms.Setting) {
	now := map[string]bool{}
	paths := map[string][]string{}
	for _, v := range settings {
		for _, p := range refs.OfSetting(v) {
			now[p.ID] = true
			paths[p.ID] = append(paths[p.ID], p.Path)
		}
	}
	t.Refer(db.Holder{Kind: db.HolderSettings}, nil, now, func(target string) []string { return paths[target] })
}
