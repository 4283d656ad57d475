package site

import (
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/refs"
)

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
