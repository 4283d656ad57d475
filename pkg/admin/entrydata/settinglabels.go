package entrydata

import (
	"cmp"

	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
)

// settingLabels has the labels of groups and keys that cannot be made from their names.
var settingLabels = map[string]say.Text{
	"seo": "Search engines", "social": "Social networks", "seo.og_image": "Picture for shared links",
	"views.enabled": "Count views", "schema.locked": "Models are locked", "site.default_locale": "Default language",
	"social.linkedin": "LinkedIn", "social.github": "GitHub", "social.youtube": "YouTube",
}

// SettingLabel returns the label of a setting, as "Default title" of seo.default_title, or of a group.
func SettingLabel(id string) say.Text {
	if label := cmp.Or(settingLabels[id], say.KeyLabels[id]); label != "" {
		return label
	}
	_, name := ui.CutLast(id)
	return say.Known(ui.Words(name))
}
