package editing

import (
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
)

// Record adds the events of a change and an activity record, named after the last event, to its
// transaction.
func Record(tx *db.Tx, actor cms.Actor, m *site.Model, e *cms.Entry, events ...string) {
	for i, kind := range events {
		tx.EntryEvent(actor, kind, m.Slug, EventData(m, e), e.Version, i)
	}
	tx.Activity(actor, events[len(events)-1], Subject(m, e), e.ID)
}

// Subject returns the name of an entry in the activity log.
func Subject(m *site.Model, e *cms.Entry) string {
	return m.Slug + "/" + e.Slug + " (" + e.Locale + ")"
}

// EventData returns the data of events about an entry.
func EventData(m *site.Model, e *cms.Entry) cms.EntryEventData {
	return cms.EntryEventData{
		ID: e.ID, ModelSlug: m.Slug, Title: e.Title, Slug: e.Slug, Locale: e.Locale,
		Status: string(e.Status), PublishedAt: e.PublishedAt.String(),
		URL: m.URLOf(e.Place()),
	}
}
