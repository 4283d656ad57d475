package cms

import "encoding/json"

// Kinds of event (specification §6.1, decisions §8).
const (
	EventEntryCreated          = "entry.created"
	EventEntryUpdated          = "entry.updated"
	EventEntryPublished        = "entry.published"
	EventEntryUnpublished      = "entry.unpublished"
	EventEntryDeleted          = "entry.deleted"
	EventEntryScheduleFailed   = "entry.schedule_failed"
	EventFormSubmissionCreated = "form.submission.created"
	EventMediaUploaded         = "media.uploaded"
	EventMediaDeleted          = "media.deleted"
	EventUserCreated           = "user.created"
	EventSettingsUpdated       = "settings.updated"
	EventReleasePublished      = "release.published"
	EventReleaseFailed         = "release.failed"
	EventChanges               = "changes" // a bundle of entry events; nobody subscribes to it
	EventWebhookTest           = "webhook.test"
)

// EventKinds lists the kinds that a webhook can subscribe to.
var EventKinds = []string{
	EventEntryCreated, EventEntryUpdated, EventEntryPublished, EventEntryUnpublished,
	EventEntryDeleted, EventEntryScheduleFailed,
	EventFormSubmissionCreated, EventMediaUploaded, EventMediaDeleted, EventUserCreated,
	EventSettingsUpdated, EventReleasePublished, EventReleaseFailed,
}

// Event is a change that webhooks may tell others about. It is committed in the transaction of the
// change itself.
type Event struct {
	ID         string          `json:"id"` // time-ordered UUID
	Kind       string          `json:"kind"`
	OccurredAt Time            `json:"occurred_at"`
	Model      string          `json:"model,omitempty"` // model slug, for entry events
	Data       json.RawMessage `json:"data"`
	// RequestID is that of the request that raised the event; "" where there was none.
	RequestID string `json:"request_id,omitempty"`

	// Version is the entry's version after the change, and Sequence grows with each event of the
	// entry: of two events the one with the larger number came later, in whichever order they
	// arrive. Both are 0 for other events.
	Version  int64 `json:"version,omitempty"`
	Sequence int64 `json:"sequence,omitempty"`
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
	Name    string // e-mail address of a user, name of a key; "" is anonymous
	Source  string // SourceAPI or SourceAdmin
	Address string // of the client; "" where the service acts by itself
	// RequestID is that of the request that made the change; "" where there was none.
	RequestID string
}

// Named is the actor under a name, which signing in gives to a client.
func (a Actor) Named(name string) Actor {
	a.Name = name
	return a
}

// Sources of a change (decisions §9).
const (
	SourceAPI      = "api"
	SourceSchedule = "schedule" // what was planned earlier, by the actor who planned it
	// With an anonymous actor: what the service does by itself, as it was set up in the admin area.
	SourceAdmin = "admin"
)
