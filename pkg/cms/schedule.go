package cms

// Schedule is what is planned for an entry (extensions §4).
type Schedule struct {
	PublishAt   Time           `json:"publish_at"`
	UnpublishAt Time           `json:"unpublish_at"`
	Error       *ScheduleError `json:"error"` // why the last planned change failed; nil after the next save or plan
}

// ScheduleError is why a planned change was not made.
type ScheduleError struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	At      Time   `json:"at"`
}

// ScheduleFailedData is the data of entry.schedule_failed: that of other entry events, and what
// failed.
type ScheduleFailedData struct {
	EntryEventData
	Action  string `json:"action"` // publish or unpublish
	Code    string `json:"code"`
	Message string `json:"message"`
}
