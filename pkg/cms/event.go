package cms

import "encoding/json"

// Kinds of events (specification §6.1, decisions §8, extensions §16).
const (
	EventEntryCreated          = "entry.created"
	EventEntryUpdated          = "entry.updated"
	EventEntryPublished        = "entry.published"
	EventEntryUnpublished      = "entry.unpublished"
	EventEntryDeleted          = "entry.deleted"
	EventEntryScheduleFailed   = "entry.schedule_failed"
	EventEntryReviewRequested  = "entry.review_requested"
	EventEntryApproved         = "entry.approved"
	EventEntryReturned         = "entry.returned"
	EventFormSubmissionCreated = "form.submission.created"
	EventMediaUploaded         = "media.uploaded"
	EventMediaUpdated          = "media.updated"
	EventMediaReplaced         = "media.replaced"
	EventMediaDeleted          = "media.deleted"
	EventUserCreated           = "user.created"
	EventSettingsUpdated       = "settings.updated"
	EventLocalesUpdated        = "locales.updated"
	EventRedirectsUpdated      = "redirects.updated"
	EventMenuUpdated           = "menu.updated"
	EventPathsUpdated          = "paths.updated"
	EventSchemaUpdated         = "schema.updated"
	EventReleasePublished      = "release.published"
	EventReleaseFailed         = "release.failed"
	EventActivityRecorded      = "activity.recorded" // never part of "*" or of bundles
	EventChanges               = "changes"           // a bundle of events; webhooks cannot subscribe to it
	EventWebhookTest           = "webhook.test"
)

// EventKinds lists the kinds that a webhook can subscribe to.
var EventKinds = []string{
	EventEntryCreated, EventEntryUpdated, EventEntryPublished, EventEntryUnpublished,
	EventEntryDeleted, EventEntryScheduleFailed,
	EventEntryReviewRequested, EventEntryApproved, EventEntryReturned,
	EventFormSubmissionCreated, EventMediaUploaded, EventMediaUpdated, EventMediaReplaced,
	EventMediaDeleted, EventUserCreated, EventSettingsUpdated, EventLocalesUpdated,
	EventRedirectsUpdated, EventMenuUpdated, EventPathsUpdated, EventSchemaUpdated, EventReleasePublished,
	EventReleaseFailed,
	EventActivityRecorded,
}

// Event is a change that webhooks may deliver. It is committed in the transaction of the change.
type Event struct {
	ID         string          `json:"id"` // time-ordered UUID
	Kind       string          `json:"kind"`
	OccurredAt Time            `json:"occurred_at"`
	Model      string          `json:"model,omitempty"` // model slug, for entry events
	Data       json.RawMessage `json:"data"`
	// RequestID is the id of the request that raised the event, "" without a request.
	RequestID string `json:"request_id,omitempty"`

	// Version is the entry's version after the change. Sequence grows with each event of the entry:
	// the event with the larger number is the later one, in whichever order they arrive. Both are 0
	// for other events.
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
	URL         string `json:"url"` // see site.Model.URLOf
}

// Actor is who makes a change, for revisions and the activity log.
type Actor struct {
	Name    string // e-mail address of a user, name of a key; "": anonymous
	Source  string // such as SourceAPI
	Address string // IP address of the client; "" if the service acts by itself
	// RequestID is the id of the request that made the change, "" without a request.
	RequestID string

	// UserID is the id of a user of the admin area, KeyID that of an API key. Package rights finds
	// what they may do. Both are "" if the service acts by itself.
	UserID, KeyID string
	// Term is that of the user at the time of the change. What a user has planned or started ends
	// with the term, so that nothing goes on after the account is activated again.
	Term int64 `json:",omitempty"`
	// Reviewed says that what the actor publishes needs approvals whoever it is, because an agent
	// causes it (extensions §14).
	Reviewed bool `json:",omitempty"`
	// Program is the name of the program that a user has allowed to make the change, "" if the user
	// made it (extensions §17).
	Program string `json:",omitempty"`
}

// Named returns the actor with a name, for clients that have just signed in.
func (a Actor) Named(name string) Actor {
	a.Name = name
	return a
}

// Sources of a change (decisions §9).
const (
	SourceAPI      = "api"
	SourceMCP      = "mcp"      // a program in the name of a user
	SourceSchedule = "schedule" // a planned change, with the actor who planned it
	// With an anonymous actor: a change that the service makes by itself, as set up in the admin
	// area.
	SourceAdmin = "admin"
)
