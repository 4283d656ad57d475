package usages

import (
	"errors"
	"net/http"

	"headless/pkg/admin/frame"
	"headless/pkg/editing"
	"headless/pkg/editing/moving"
	"headless/pkg/planning/bulk"
)

// startedError says that a job makes the change.
type startedError struct{ job *bulk.Started }

func (startedError) Error() string { return "a job makes the change" }

// Leave makes a change by which an entry may leave the middle of a tree, with the query parameter children
// (extensions §13). Its route needs ShowJob.
func Leave(c *frame.Call, entries *editing.Entries, x bulk.Exit) (err error) {
	if x.Children, err = moving.Asked(c.R.URL.Query()); err != nil {
		return err
	}
	jobs := bulk.Jobs{Store: entries.Store, Entries: entries}
	started, err := jobs.Leave(c.R.Context(), c.Actor(), x)
	if err == nil && started != nil {
		err = startedError{started}
	}
	return err
}

// ShowJob answers with the job if one makes the change of a handler.
func ShowJob(change frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		result, err := change(c)
		var started startedError
		if errors.As(err, &started) {
			return frame.Result{Status: http.StatusAccepted, Data: started.job, Redirect: "/jobs/" + started.job.ID}, nil
		}
		return result, err
	}
}
