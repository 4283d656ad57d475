package cms

import "encoding/json"

// Kinds of event (specification §6.1, decisions §8).
const (
	EventEntryCreated          = "entry.created"
	EventEntryUpdated          = "entry.updated"
	EventEntryPublished        = "entry.published"
	EventEntryUnpublished      = "entry.unpublished"
	EventEntryDeleted          = "entry.deleted"
	EventFormSubmissionCreated = "form.submission.created"
	EventMediaUploaded         = "media.uploaded"
	EventMediaDeleted          = "media.deleted"
	EventUserCreated           = "user.created"
	EventSettingsUpdated       = "settings.updated"
	EventWebhookTest           = "webhook.test"
)

// EventKinds lists the kinds that a webhook can subscribe to.
var EventKinds = []string{
	EventEntryCreated, EventEntryUpdated, EventEntryPublished, EventEntryUnpublished, EventEntryDeleted,
	EventFormSubmissionCreated, EventMediaUploaded, EventMediaDeleted, EventUserCreated, EventSettingsUpdated,
}

// Event is a change that webhooks may tell others about. It is committed in the transaction of the change itself.
type Event struct {
	ID         string          `json:"id"` // time-ordered UUID
	Kind       string          `json:"kind"`
	OccurredAt Time            `json:"occurred_at"`
	Model      string          `json:"model,omitempty"` // model slug, for entry events
	Data       json.RawMessage `json:"data"`
}

// EntryEventData is the data of entry events: all strings (specification §6.2).
type EntryEventData struct {
	ID          string `json:"id"`
	ModelSlug   string `json:"model_slug"`
	Title       string `json:"title"`
	Slug        string `json:"slug"`
	Locale      string `json:"locale"`
	Status      string `json:"status"`
	PublishedAt string `json:"published_at"`
}

// Actor is who makes a change, for revisions and the activity log.
type Actor struct {
	Name   string // e-mail address of a user, name of a key; "" is anonymous
	Source string // SourceAPI or SourceAdmin
}

// Sources of a change (decisions §9).
const (
	SourceAPI   = "api"
	SourceAdmin = "admin" // with an anonymous actor: what the service does by itself, as it was set up in the admin area
)
