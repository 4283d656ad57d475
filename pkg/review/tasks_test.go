package review

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table/sim"
	"headless/pkg/tasks"
)

// TestTasksOfOneReview looks up what waits for somebody who asked for a review and is among its reviewers. After the
// return there are two tasks in the review, of which one still waits.
func TestTasksOfOneReview(t *testing.T) {
	store := content.New(sim.New(sim.Options{}), time.Now)
	s, id := &Reviews{Entries: &editing.Entries{Store: store}}, uuid.NewString()
	m := &site.Model{Model: cms.Model{ID: "m1"}}
	list := []tasks.Task{approval.Task(m, id, tasks.Review), approval.Task(m, id, tasks.Returned)}
	r := approval.Review{State: approval.Returned, RequestedBy: "ann", Reviewers: []string{"ann"}}
	tx := store.Begin()
	approval.Put(tx, m, id, &r)
	must.Do(t, store.Commit(t.Context(), tx))
	found, err := s.reviewsOf(t.Context(), "ann", list)
	if err != nil || len(found) != 1 || found[0].Kind != tasks.Returned {
		t.Errorf("%+v, %v", found, err)
	}
}
