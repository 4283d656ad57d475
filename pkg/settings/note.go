package settings

import (
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
)

// Note adds the event and the activity record of a change to settings of a site.
func Note(tx *db.Tx, actor cms.Actor, siteNow *site.Site, changed ...cms.Setting) {
	keys := make([]string, len(changed))
	before, after := map[string]any{}, map[string]any{}
	known := site.AllSettings(siteNow)
	for i, v := range changed {
		keys[i] = v.Group + "." + v.Key
		after[keys[i]] = loggedPart(v)
		if was := site.SettingIndex(known, v.Group, v.Key); was >= 0 {
			before[keys[i]] = loggedPart(known[was])
		}
	}
	tx.Event(actor, cms.EventSettingsUpdated, "", struct {
		Keys   []string `json:"keys"`
		Locale string   `json:"locale"`
	}{keys, siteNow.Default})
	tx.Audit(actor, "settings.updated", "settings "+cms.ShortList(keys), "", before, after)
}

// loggedPart returns the part of a setting for the activity log. The value of a private setting may be a
// secret.
func loggedPart(v cms.Setting) any {
	if !v.IsPublic {
		return struct {
			IsPublic bool `json:"is_public"`
			IsSet    bool `json:"is_set"`
		}{false, v.Value != "" || len(v.Translations) > 0}
	}
	return struct {
		Value        string            `json:"value"`
		IsPublic     bool              `json:"is_public"`
		Translations map[string]string `json:"translations,omitempty"`
	}{v.Value, true, v.Translations}
}
