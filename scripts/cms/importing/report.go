package importing

import (
	"fmt"
	"os"
)

// Report counts the results of the records of an import.
type Report struct {
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	Skipped   int `json:"skipped"`
	Failed    int `json:"failed"`
}

// Results of a record.
const (
	ResultCreated   = "created"
	ResultUpdated   = "updated"
	ResultUnchanged = "unchanged"
	ResultSkipped   = "skipped"
	ResultFailed    = "failed"
)

// Add counts one result of POST /admin/import.
func (r *Report) Add(result string) {
	switch result {
	case ResultCreated:
		r.Created++
	case ResultUpdated:
		r.Updated++
	case ResultUnchanged:
		r.Unchanged++
	case ResultSkipped:
		r.Skipped++
	default:
		r.Failed++
	}
}

// Err returns an error if records failed.
func (r *Report) Err() error {
	if r.Failed > 0 {
		return fmt.Errorf("records that were not taken: %d", r.Failed)
	}
	return nil
}

func (r *Report) Print() {
	fmt.Fprintf(os.Stderr, "%d created, %d updated, %d unchanged, %d skipped, %d not taken\n",
		r.Created, r.Updated, r.Unchanged, r.Skipped, r.Failed)
}
