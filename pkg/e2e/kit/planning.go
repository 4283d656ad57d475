package kit

import (
	"testing"
	"time"
)

// FromNow returns a time in the future, in the format of the API.
func FromNow(d time.Duration) string {
	return time.Now().Add(d).UTC().Format("2006-01-02T15:04:05.000Z")
}

// RunJob starts a job, waits for its end and returns the finished job.
func (s *Suite) RunJob(t *testing.T, body Obj) Answer {
	t.Helper()
	admin := s.Admin(t)
	made := admin.Step(t, Step{Call: "POST /jobs", Body: body, Status: 202, Want: Obj{
		"data.id": Present, "data.status": Present, "data.total": Present, "data.done": Present,
		"data.failed": Present,
	}})
	return s.EndOfJob(t, made.Str(t, "data.id"))
}

// EndOfJob waits for the end of a job.
func (s *Suite) EndOfJob(t *testing.T, id string) (a Answer) {
	t.Helper()
	s.Eventually(t, "the end of the job", func() bool {
		a = s.Admin(t).Get(t, "/jobs/"+id)
		return a.Get("data.status") != "running"
	})
	return a
}

// ReleaseItem is what a release does with an entry.
func ReleaseItem(model, id, action string) Obj {
	return Obj{"model": model, "id": id, "action": action}
}

// EndOfRelease waits for the end of a release, which it returns. release is the path.
func (s *Suite) EndOfRelease(t *testing.T, release string) Answer {
	t.Helper()
	var a Answer
	s.Eventually(t, "the end of the release", func() bool {
		a = s.Admin(t).Get(t, release)
		return a.Get("data.status") == "published" || a.Get("data.status") == "failed"
	})
	return a
}
