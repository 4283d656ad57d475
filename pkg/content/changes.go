package content

import (
	"headless/pkg/cms"
	"headless/pkg/content/tree"
	"headless/pkg/db"
	"headless/pkg/recheck"
	"headless/pkg/redirects"
	"headless/pkg/refs"
	"headless/pkg/site"
)

// entryChanged records that a transaction changes an entry from was to now; either is nil if there
// is no entry. isNew says that nothing can refer to the entry yet. If the public sees the entry before
// or after, it touches the tags of cached answers and adds a line to the feed of the model. It also
// updates the redirects from former slugs.
func entryChanged(t *db.Tx, m *site.Model, was, now *cms.Entry, isNew bool) {
	redirects.Follow(t, m, was, now)
	recheck.Changed(t, m.ID, was, now, isNew)
	public := func(e *cms.Entry) bool { return e != nil && e.Status == cms.StatusPublished }
	if !public(was) && !public(now) {
		if m.Tree && was != nil && now != nil {
			tree.TouchBelow(t, was, now, cms.TagList(m.Slug, now.Locale))
		}
		return
	}
	var line db.Change
	for _, e := range []*cms.Entry{now, was} {
		if public(e) {
			line.ID, line.Locale = e.ID, e.Locale
			t.Touch(cms.NewEntry(m.Slug, e.Locale)...)
			switch {
			case was != nil || e.Version > 1:
				t.Touch(cms.TagEntry(e.ID))
			case !isNew:
				t.TouchIfUsed(e.ID, cms.TagEntry(e.ID))
			}
		}
	}
	t.AddChange(m.ID, line)
}

// referEntry records the new references of an entry that is saved.
func referEntry(t *db.Tx, m *site.Model, before, e *cms.Entry) {
	var was map[string]bool
	if before != nil {
		was = refs.TargetsOf(before)
	}
	t.Refer(db.Holder{Kind: db.HolderEntry, ModelID: m.ID, ID: e.ID}, was, refs.TargetsOf(e),
		func(target string) []string { return refs.RequiredPathsTo(&m.Model, e, target) })
}
