package cms

// Schedule has the planned changes of an entry (extensions §4).
type Schedule struct {
	PublishAt   Time           `json:"publish_at"`
	UnpublishAt Time           `json:"unpublish_at"`
	Error       *ScheduleError `json:"error"` // why the last planned change failed; nil after the next save or plan
	// Changed is the last change of the content since then by somebody who may not publish the
	// entry. The publication will fail; nil if there was none.
	Changed *PlanChange `json:"changed"`
	// Children is what the unpublication does with the entries below: up, down, or "" for nothing.
	Children string `json:"children,omitempty"`
}

// PlanChange is a change of content after its publication was planned (extensions §14).
type PlanChange struct {
	By Person `json:"by"`
	At Time   `json:"at"`
}

// Person is a user as others see them.
type Person struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// ScheduleError describes why a planned change failed.
type ScheduleError struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	At      Time   `json:"at"`
}

// ScheduleFailedData is the data of entry.schedule_failed: the data of other entry events, and the
// error.
type ScheduleFailedData struct {
	EntryEventData
	Action  string `json:"action"` // publish or unpublish
	Code    string `json:"code"`
	Message string `json:"message"`
}
