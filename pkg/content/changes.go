package content

import (
	"headless/pkg/cms"
	"headless/pkg/cms/mentions"
	"headless/pkg/db"
	"headless/pkg/redirects"
	"headless/pkg/site"
)

// EntryChanged notes what a transaction does to what the public sees of an entry: was and now are
// nil for none. It touches the tags of answers, adds a line to the feed of the model and keeps the
// entry's former slugs.
func EntryChanged(t *db.Tx, m *site.Model, was, now *cms.Entry) {
	redirects.Follow(t, m, was, now)
	public := func(e *cms.Entry) bool { return e != nil && e.Status == cms.StatusPublished }
	if !public(was) && !public(now) {
		return
	}
	var line db.Change
	for _, e := range []*cms.Entry{now, was} {
		if public(e) {
			line.ID, line.Locale = e.ID, e.Locale
			t.Touch(cms.ChangedEntry(m.Slug, e.ID, e.Locale)...)
		}
	}
	t.AddChange(m.ID, line)
}

// referEntry notes the references of an entry that is saved.
func referEntry(t *db.Tx, m *site.Model, before, e *cms.Entry) {
	var was map[string]bool
	if before != nil {
		was = mentions.TargetsOf(before)
	}
	t.Refer(db.Holder{Kind: db.HolderEntry, ModelID: m.ID, ID: e.ID}, was, mentions.TargetsOf(e),
		func(target string) []string { return mentions.PathsTo(&m.Model, e, target) })
}
