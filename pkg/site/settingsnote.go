package site

import (
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// NoteSettings adds the event and the activity record of a change to settings of a site.
func NoteSettings(tx *db.Tx, actor cms.Actor, site *Site, changed ...cms.Setting) {
	keys := make([]string, len(changed))
	before, after := map[string]any{}, map[string]any{}
	known := allSettings(site)
	for i, v := range changed {
		keys[i] = v.Group + "." + v.Key
		after[keys[i]] = noted(v)
		if was := settingIndex(known, v.Group, v.Key); was >= 0 {
			before[keys[i]] = noted(known[was])
		}
	}
	tx.Event(cms.EventSettingsUpdated, "", struct {
		Keys   []string `json:"keys"`
		Locale string   `json:"locale"`
	}{keys, site.Default})
	tx.Audit(actor, "settings.updated", "settings "+shortList(keys), "", before, after)
}

// noted is what the activity log keeps of a setting. The value of a private one may be a secret.
func noted(v cms.Setting) any {
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

// shortList names the first few of a list.
func shortList(names []string) string {
	const few = 5
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:few], ", ") + " and " + strconv.Itoa(len(names)-few) + " more"
}
