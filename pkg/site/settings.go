package site

import (
	"slices"

	"headless/pkg/cms"
)

// KnownSettings are always there, unset "" (specification §2.4). Texts are translatable until
// somebody says otherwise.
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

// AllSettings are the known settings in their order with their stored values, secret ones sealed,
// then the others.
func AllSettings(site *Site) []cms.Setting {
	list := KnownSettings()
	for _, v := range site.Settings {
		if i := SettingIndex(list, v.Group, v.Key); i >= 0 {
			list[i] = v
		} else {
			list = append(list, v)
		}
	}
	v := &list[SettingIndex(list, "site", "default_locale")]
	v.Value, v.IsTranslatable, v.Translations = site.Default, false,
		map[string]string{} // the locales say which it is
	return list
}

// IsDefaultLocale reports whether a setting only repeats which locale is the default.
func IsDefaultLocale(v cms.Setting) bool { return v.Group == "site" && v.Key == "default_locale" }

// SettingIndex is where a list has a setting, -1 where it has none.
func SettingIndex(list []cms.Setting, group, key string) int {
	return slices.IndexFunc(list, func(v cms.Setting) bool { return v.Group == group && v.Key == key })
}

// PublicSettings returns the settings that the public may read in a locale: every known group and
// key, "" if it is unset or private, and all others that are public. A missing translation falls
// back to the untranslated value.
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
