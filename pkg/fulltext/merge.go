package fulltext

import (
	"context"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/db/waiting"
	"headless/pkg/index"
	"headless/pkg/table"
)

// Limits of a merge.
const (
	mergeRows     = 1000      // pending changes merged together
	mergeBytes    = 768 << 10 // their stored bytes: what a small function can merge in the time
	mergeParallel = 32        // concurrent calls of the table
)

// MergeText merges the pending changes of a model into the posting lists and the ranks, until none
// is left or ctx ends. If another merge of the model is running, it does nothing. It returns how
// many changes it merged. A crash loses nothing: the next merge starts over.
func (s *Texts) MergeText(ctx context.Context, modelID string) (merged int, err error) {
	for {
		n, more, err := s.mergeSome(ctx, modelID, mergeRows, mergeBytes)
		if merged += n; err != nil || !more || ctx.Err() != nil {
			return merged, err
		}
	}
}

// mergeSome merges up to limit pending changes, of up to the given stored bytes. Until the last
// step, searches use the pending changes instead of the lists, so the order of the other steps does
// not matter to them. It returns how many it merged, and whether there are more.
func (s *Texts) mergeSome(ctx context.Context, modelID string, limit, bytes int) (n int, more bool,
	err error) {
	all, err := s.Table.Query(ctx, table.Range{Partition: PendingPartition(modelID), Limit: limit + 1})
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
	if s.merging(state) {
		return 0, false, nil
	}
	// The new state is a higher number of merges, by which running searches notice that lists change.
	begun, err := waiting.Merge(ctx, s.Table, state, table.Item{Key: mergesKey(modelID)}, s.Clock(),
		func(ctx context.Context, state table.Item) error {
			if err := s.mergePending(ctx, modelID, rows); err != nil {
				return err
			}
			state.Count = 0
			return waiting.Patiently(ctx, func() error {
				return s.Table.BatchWrite(ctx, []table.Item{state}, nil)
			})
		})
	if err != nil || !begun {
		return 0, false, err
	}
	return len(rows), len(rows) < len(all) || len(all) >= limit, nil
}

// mergePending merges the rows of pending changes and deletes them.
func (s *Texts) mergePending(ctx context.Context, modelID string, rows []table.Item) (err error) {
	texts := make(map[uuid.UUID]*PendingChange, len(rows))
	for i := range rows {
		id, _ := pendingEntry(rows[i].Key)
		if texts[id], err = DecodePending(&rows[i]); err != nil {
			return err
		}
	}
	if err := waiting.Patiently(ctx, func() error { return s.MergeTexts(ctx, texts) }); err != nil {
		return err
	}
	return s.settleRanks(ctx, modelID, rows, texts)
}

// upTo returns the first rows whose bodies have at most size bytes together, but at least one row.
func upTo(size int, rows []table.Item) []table.Item {
	for i := range rows {
		if size -= len(rows[i].Body); size < 0 && i > 0 {
			return rows[:i]
		}
	}
	return rows
}

// merging reports whether a merge is running. state is nil if there was no merge yet.
func (s *Texts) merging(state *table.Item) bool {
	return waiting.Merging(state, s.Clock(), s.Abandoned)
}

// MergeTexts applies pending changes to the dictionaries and the posting lists.
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
	if err := s.Table.BatchWrite(ctx, words, nil); err != nil { // before the lists, since Drop finds the lists by them
		return err
	}
	s.words.add(words)
	return writes.store(ctx, s.Table)
}

// changeLists returns the writes that apply the changes of some lists. It reads the first blocks of
// all lists in one call.
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

// ListName identifies the posting list of a term.
type ListName struct{ Space, Stem string }

// listsOf groups the changes of entries by posting list.
func listsOf(texts map[uuid.UUID]*PendingChange) []list {
	all := map[ListName][]listChange{}
	for id, p := range texts {
		for name, c := range p.changes() {
			c.ID = id
			all[name] = append(all[name], c)
		}
	}
	lists := make([]list, 0, len(all))
	for name, changes := range all {
		// Not slices.SortFunc: for each of these types it would add 15 KB of code to every binary.
		sort.Slice(changes, func(i, j int) bool {
			return PostingOrder(changes[i].Posting, changes[j].Posting) < 0
		})
		lists = append(lists, list{name, changes})
	}
	sort.Slice(lists, func(i, j int) bool {
		if lists[i].Space != lists[j].Space {
			return lists[i].Space < lists[j].Space
		}
		return lists[i].Stem < lists[j].Stem
	})
	return lists
}

// changes returns how the pending change affects the entry in each list.
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

// settleRanks updates the ranks for merged changes and deletes these from the pending changes. Then
// it splits bins that have grown too large.
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
	return waiting.Patiently(ctx, func() error {
		return s.splitBins(ctx, modelID, slices.Sorted(maps.Keys(spaces)))
	})
}
