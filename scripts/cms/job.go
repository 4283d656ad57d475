package main

import (
	"net/http"
	"time"

	"headless/pkg/planning/bulk"
	"headless/scripts/cms/client"
)

// jobEvery is how often commands ask for the progress of a job.
const jobEvery = 500 * time.Millisecond

// await waits for the end of a job, and calls advanced with the number of entries that were done meanwhile.
func await(c *client.Client, j *bulk.Job, advanced func(entries int)) error {
	for j.Status == bulk.Running {
		done := j.Done
		time.Sleep(jobEvery)
		if err := c.JSON(http.MethodGet, "/admin/jobs/"+j.ID, nil, j); err != nil {
			return err
		}
		advanced(j.Done - done)
	}
	return nil
}
