package fulltext

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/index"
	"headless/pkg/table"
)

// Limits of a merge.
const (
	mergeRows  = 1000             // pending changes merged together
	mergeBytes = 768 << 10        // of them, as stored: what a small function takes in the time
	MergeLease = 30 * time.Second // how long others leave a merge alone
	// How long a merge may take. It ends well before its lease, so no two merges write.
	mergeTime     = 15 * time.Second
	mergeParallel = 32 // calls at a time

	// The first pause is about this long, and each is twice as long as the one before.
	throttledPause = 50 * time.Millisecond
)

// MergeText brings the pending changes of a model into the lists of postings and the ranks, until
// none is left or ctx ends. Where another merge of the model is under way it leaves them to that.
// It returns how many it merged. A crash loses nothing: the next merge begins again.
func (s *Texts) MergeText(ctx context.Context, modelID string) (merged int, err error) {
	for {
		n, more, err := s.mergeSome(ctx, modelID, mergeRows, mergeBytes)
		if merged += n; err != nil || !more || ctx.Err() != nil {
			return merged, err
		}
	}
}

// mergeSome merges up to most pending changes, of so many bytes as stored. Searches take them in
// place of what the lists hold until the last step, so the order of the others does not matter to
// them.
func (s *Texts) mergeSome(ctx context.Context, modelID string, most, bytes int) (n int, more bool,
	err error) {
	all, err := s.Table.Query(ctx, table.Range{Partition: PendingPartition(modelID), Limit: most + 1})
	if err != nil {
		return 0, false, err
	}
	var state *table.Item
	if len(all) > 0 && all[0].Key == mergesKey(modelID) {
		state, all = &all[0], all[1:]
	}
	rows := upTo(bytes, all)
	if len(rows) == 0 {
		return 0, false, nil
	}
	begun, err := s.beginMerge(ctx, modelID, state)
	if err != nil || begun == nil {
		return 0, false, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), mergeTime) // one that has begun is ended
	defer cancel()
	texts := make(map[uuid.UUID]*PendingChange, len(rows))
	for i := range rows {
		id, _ := pendingEntry(rows[i].Key)
		if texts[id], err = DecodePending(&rows[i]); err != nil {
			return 0, false, err
		}
	}
	if err := patiently(ctx, func() error { return s.MergeTexts(ctx, texts) }); err != nil {
		return 0, false, err
	}
	if err := s.settleRanks(ctx, modelID, rows, texts); err != nil {
		return 0, false, err
	}
	begun.Count = 0
	more = len(rows) < len(all) || len(all) >= most
	return len(rows), more, patiently(ctx, func() error {
		return s.Table.BatchWrite(ctx, []table.Item{*begun}, nil)
	})
}

// patiently repeats a step of a merge while the table is throttled. A merge that gave up would
// leave its lease behind, and writers would have to wait until it ends.
func patiently(ctx context.Context, step func() error) error {
	for pause := throttledPause; ; pause *= 2 {
		err := step()
		if !errors.Is(err, table.ErrUnavailable) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause/2 + rand.N(pause)):
		}
	}
}

// upTo takes rows as far as their bodies are that long together, but one at least.
func upTo(size int, rows []table.Item) []table.Item {
	for i := range rows {
		if size -= len(rows[i].Body); size < 0 && i > 0 {
			return rows[:i]
		}
	}
	return rows
}

// beginMerge counts one merge more, which tells searches under way that lists change; nil where
// another merge is under way. The state's Count is when others may take over.
func (s *Texts) beginMerge(ctx context.Context, modelID string, state *table.Item) (*table.Item, error) {
	if s.merging(state) {
		return nil, nil
	}
	op := succeed(state, table.Item{Key: mergesKey(modelID), Count: s.Clock().Add(MergeLease).UnixMilli()})
	err := s.Table.Write(ctx, []table.Op{op})
	if cond := (*table.ConditionError)(nil); errors.As(err, &cond) {
		return nil, nil
	}
	return &op.Item, err
}

// merging reports whether a merge is under way by its state, nil where there was none yet.
func (s *Texts) merging(state *table.Item) bool {
	if state == nil {
		return false
	}
	end := time.UnixMilli(state.Count)
	return end.After(s.Clock()) && !s.Abandoned(end.Add(-MergeLease))
}

// succeed puts an item in place of the one that was read, nil where there was none, if that is
// still there.
func succeed(was *table.Item, next table.Item) table.Op {
	if was == nil {
		next.Version = 1
		return table.Op{Kind: table.Put, Item: next, If: table.Absent}
	}
	next.Version = was.Version + 1
	return table.Op{Kind: table.Put, Item: next, If: table.VersionIs, Version: was.Version}
}

// MergeTexts changes the lists.
func (s *Texts) MergeTexts(ctx context.Context, texts map[uuid.UUID]*PendingChange) error {
	words, err := s.newWords(ctx, texts)
	if err != nil {
		return err
	}
	lists := listsOf(texts)
	writes := listWrites{}
	var mu sync.Mutex
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(mergeParallel)
	for part := range slices.Chunk(lists, index.LoadChunk) {
		g.Go(func() error {
			more, err := s.changeLists(gctx, part)
			mu.Lock()
			defer mu.Unlock()
			writes.add(more)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if err := s.Table.BatchWrite(ctx, words, nil); err != nil { // first: they lead to the lists when these are dropped
		return err
	}
	s.words.add(words)
	return writes.store(ctx, s.Table)
}

// changeLists reads the first blocks of some lists together, and what else their changes need.
func (s *Texts) changeLists(ctx context.Context, lists []list) (listWrites, error) {
	var w listWrites
	keys := make([]table.Key, len(lists))
	for i, l := range lists {
		keys[i] = BlockPrefix(l.Space, l.Stem)
	}
	first, err := s.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return w, err
	}
	for i, l := range lists {
		if err := w.apply(ctx, s, l, first[i]); err != nil {
			return w, err
		}
	}
	return w, nil
}

// ListName names the list of a term.
type ListName struct{ Space, Stem string }

// listsOf sorts the changes of entries by the lists that they concern.
func listsOf(texts map[uuid.UUID]*PendingChange) []list {
	all := map[ListName][]listChange{}
	for id, p := range texts {
		for at, c := range p.changes() {
			c.ID = id
			all[at] = append(all[at], c)
		}
	}
	lists := make([]list, 0, len(all))
	for at, changes := range all {
		// Not slices.SortFunc: its code for these types would be 15 KB of each function, each.
		sort.Slice(changes, func(i, j int) bool {
			return PostingOrder(changes[i].Posting, changes[j].Posting) < 0
		})
		lists = append(lists, list{at, changes})
	}
	sort.Slice(lists, func(i, j int) bool {
		if lists[i].Space != lists[j].Space {
			return lists[i].Space < lists[j].Space
		}
		return lists[i].Stem < lists[j].Stem
	})
	return lists
}

// changes tells what becomes of an entry in which lists.
func (p *PendingChange) changes() map[ListName]listChange {
	all := map[ListName]listChange{}
	for _, x := range p.stale() {
		for stem := range strings.FieldsSeq(x.Stems) {
			all[ListName{x.Space, stem}] = listChange{gone: true}
		}
	}
	for _, x := range p.Texts {
		for _, term := range x.Terms {
			all[ListName{x.Space, term.Stem}] = listChange{Posting: Posting{Weight: term.Weight,
				Words: term.Words}}
		}
	}
	return all
}

// settleRanks counts the entries of merged texts where they are now, and with that the texts are no
// longer pending.
func (s *Texts) settleRanks(ctx context.Context, modelID string, rows []table.Item,
	texts map[uuid.UUID]*PendingChange) error {
	merged := make([]MergedChange, len(rows))
	for i, row := range rows {
		id, _ := pendingEntry(row.Key)
		merged[i] = MergedChange{row, texts[id]}
	}
	spaces, err := s.Settle(ctx, merged)
	if err != nil {
		return err
	}
	return patiently(ctx, func() error {
		return s.splitBins(ctx, modelID, slices.Sorted(maps.Keys(spaces)))
	})
}
