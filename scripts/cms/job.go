package main

import (
	"net/http"
	"time"

	"headless/scripts/cms/client"
)

// jobEvery is how often commands ask for the progress of a job.
const jobEvery = 500 * time.Millisecond

// job is the part that all jobs of the service share.
type job struct {
	ID, Status, Message string
	Total, Done         int
}

// await waits for the end of a job. It decodes each answer into shown, of which j is a part, and calls
// advanced with the number of items that were done meanwhile.
func await(c *client.Client, j *job, shown any, advanced func(items int)) error {
	for j.Status == "running" {
		done := j.Done
		time.Sleep(jobEvery)
		if err := c.JSON(http.MethodGet, "/admin/jobs/"+j.ID, nil, shown); err != nil {
			return err
		}
		advanced(j.Done - done)
	}
	return nil
}
