package fulltext

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"headless/pkg/db"
	"headless/pkg/fulltext/segment"
	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/sim"
)

// TestLikeDynamoDB saves texts of one model for a minute on a table that behaves like DynamoDB:
// eventual reads lag, transactions conflict, keys have a limited throughput. A process is frozen for an
// hour between the swap of its flush and the deletion of the rows. Each search finds what was saved
// before it.
func TestLikeDynamoDB(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const (
			writers = 16
			span    = 20 * time.Second
			rate    = 600 // saves a second
		)
		tb := sim.New(sim.AWS())
		process := func(t table.Table) *Texts { return NewTexts(db.New(t, time.Now)) }
		var saved atomic.Int64
		var all sync.WaitGroup
		start := time.Now()
		for range writers {
			all.Go(func() {
				s := process(tb)
				for i := 0; time.Since(start) < span; i++ {
					words := fmt.Sprintf("alpha word%d", i%50)
					x := textOf(words)
					if err := s.Pace(t.Context(), "a.1"); err != nil {
						t.Error(err)
						return
					}
					tx := s.Begin()
					Put(tx, "a.1", uuid.Must(uuid.NewV7()), Change{Texts: []IndexedText{x}}, true)
					if err := tb.Write(t.Context(), tx.Ops); err != nil {
						t.Error(err)
						return
					}
					saved.Add(1)
					time.Sleep(time.Until(start.Add(time.Duration(i+1) * writers * time.Second / rate)))
				}
			})
		}
		all.Go(func() { // the process that is frozen
			time.Sleep(span / 2)
			swapped := false
			s := process(table.NewFaulty(tb, func(c table.Call) table.Fault {
				if swapped && c.Method == "Write" {
					swapped = false
					return table.Fault{Delay: time.Hour}
				}
				swapped = c.Method == "Write" && c.Ops[0].Item.Key == rootKey
				return table.Fault{}
			}))
			_, _, err := s.flushOnce(t.Context(), segment.ID(1), 50, 1<<20)
			if err != nil && !errors.Is(err, errOvertaken) {
				t.Error(err)
			}
		})
		most, reader := 0, process(tb)
		for time.Since(start) < span {
			before := saved.Load()
			found, err := reader.Search(t.Context(), Query{Text: "alpha", Spaces: []TextSpace{{"a.1#en#draft",
				"a.1#en#draft", "en"}}})
			if err != nil || found.Total < int(before) {
				t.Fatalf("found %+v of %d; %v", found, before, err)
			}
			rows, err := reader.readRows(t.Context(), []string{"a.1"})
			must.Do(t, err)
			most = max(most, len(rows))
			time.Sleep(100 * time.Millisecond)
		}
		all.Wait()
		if n := saved.Load(); n < rate*int64(span.Seconds())*9/10 {
			t.Errorf("only %d saves in %v", n, span)
		}
		if most > fullRows {
			t.Errorf("%d rows were pending", most)
		}
		last := process(tb)
		if _, err := last.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		found, err := last.Search(t.Context(), Query{Text: "alpha", Spaces: []TextSpace{{"a.1#en#draft",
			"a.1#en#draft", "en"}}})
		if err != nil || found.Total != int(saved.Load()) {
			t.Errorf("found %+v of %d; %v", found, saved.Load(), err)
		}
		t.Logf("%d saves, at most %d rows pending, %d segments", saved.Load(), most, len(last.newestView().segs))
	})
}

func textOf(words string) IndexedText {
	w := &world{texts: map[string]IndexedText{}}
	return IndexedText{"a.1#en#draft", w.analyzed(words, "en").Terms}
}
