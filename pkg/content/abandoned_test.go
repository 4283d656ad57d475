package content

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db/waiting"
	"headless/pkg/fulltext"
	"headless/pkg/table"
)

// TestAbandonedMerge: after the only process was killed in a merge, nobody merged for half a
// minute, and writers who waited for that got 503.
func TestAbandonedMerge(t *testing.T) {
	t.Parallel()
	s := testStore(t)
	saved := s.withModel(t, oracleModel())
	tx := s.Begin()
	SaveEntry(tx, saved, nil, &cms.Entry{ID: uuid.NewString(), Version: 1, Title: "Word", Slug: "s",
		Locale: "en",
		Status: cms.StatusPublished}, cms.Actor{}, cms.EventEntryCreated)
	if err := s.Commit(t.Context(), tx); err != nil {
		t.Fatal(err)
	}
	begun := s.Clock()
	state := table.Key{Partition: fulltext.PendingPartition(saved.IndexName()), Sort: "\x00"}
	if err := s.Table.Write(t.Context(), []table.Op{{Kind: table.Put, Item: table.Item{Key: state, Version: 1,
		Count: begun.Add(waiting.Lease).UnixMilli()}}}); err != nil {
		t.Fatal(err)
	}
	if n, err := s.MergeText(t.Context(), saved); n != 0 || err != nil {
		t.Fatalf("merged %d beside another one; %v", n, err)
	}
	s.AloneSince = begun.Add(2 * time.Millisecond)
	if n, err := s.MergeText(t.Context(), saved); n != 1 || err != nil {
		t.Errorf("merged %d after the other one was killed, want 1; %v", n, err)
	}
}
