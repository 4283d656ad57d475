package store

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/table"
)

// Limits of a merge.
const (
	mergeBatch    = 1000             // pending texts merged together
	mergeLease    = 30 * time.Second // how long others leave a merge alone
	mergeTime     = 15 * time.Second // within which it must end: what is under way then comes to nothing before others begin
	mergeParallel = 32               // calls at a time
)

// MergeText brings the pending texts of a model into the lists of postings, until none is left. Where another merge of the model
// is under way it leaves them to that. It returns how many texts it merged. A crash loses nothing: the next merge begins again.
func (s *Store) MergeText(ctx context.Context, modelID string) (merged int, err error) {
	for {
		n, err := s.mergeBatch(ctx, modelID)
		if merged += n; err != nil || n < mergeBatch || ctx.Err() != nil {
			return merged, err
		}
	}
}

// mergeBatch merges some pending texts. Searches take them in place of what the lists hold until the last step, so the order of the others
// does not matter to them.
func (s *Store) mergeBatch(ctx context.Context, modelID string) (int, error) {
	rows, err := s.table.Query(ctx, table.Range{Partition: pendingPartition(modelID), Limit: mergeBatch + 1})
	if err != nil {
		return 0, err
	}
	var state *table.Item
	if len(rows) > 0 && rows[0].Key == mergesKey(modelID) {
		state, rows = &rows[0], rows[1:]
	}
	if len(rows) == 0 {
		return 0, nil
	}
	begun, err := s.beginMerge(ctx, modelID, state)
	if err != nil || begun == nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), mergeTime) // one that has begun is ended
	defer cancel()
	texts := make(map[uuid.UUID]*pendingText, len(rows))
	for i := range rows {
		id, _ := pendingEntry(rows[i].Key)
		if texts[id], err = decodePendingText(&rows[i]); err != nil {
			return 0, err
		}
	}
	if err := s.mergeTexts(ctx, texts); err != nil {
		return 0, err
	}
	if err := s.settleRanks(ctx, modelID, rows, texts); err != nil {
		return 0, err
	}
	begun.Count = 0
	return len(rows), s.table.BatchWrite(ctx, []table.Item{*begun}, nil)
}

// beginMerge counts one merge more, which tells searches under way that lists change; nil where another merge is under way.
// The state's Count is when others may take over.
func (s *Store) beginMerge(ctx context.Context, modelID string, state *table.Item) (*table.Item, error) {
	next := table.Item{Key: mergesKey(modelID), Version: 1, Count: s.now().Add(mergeLease).UnixMilli()}
	op := table.Op{Kind: table.Put, If: table.Absent}
	if state != nil {
		if state.Count > s.now().UnixMilli() {
			return nil, nil
		}
		next.Version = state.Version + 1
		op.If, op.Version = table.VersionIs, state.Version
	}
	op.Item = next
	err := s.table.Write(ctx, []table.Op{op})
	if cond := (*table.ConditionError)(nil); errors.As(err, &cond) {
		return nil, nil
	}
	return &next, err
}

// mergeTexts changes the lists.
func (s *Store) mergeTexts(ctx context.Context, texts map[uuid.UUID]*pendingText) error {
	words, err := s.newWords(ctx, texts)
	if err != nil {
		return err
	}
	lists := listsOf(texts)
	writes := listWrites{}
	var mu sync.Mutex
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(mergeParallel)
	for part := range slices.Chunk(lists, loadChunk) {
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
	writes.puts = append(writes.puts, words...)
	if err := writes.store(ctx, s.table); err != nil {
		return err
	}
	s.words.add(words)
	return nil
}

// changeLists reads the first blocks of some lists together, and what else their changes need.
func (s *Store) changeLists(ctx context.Context, lists []list) (listWrites, error) {
	var w listWrites
	keys := make([]table.Key, len(lists))
	for i, l := range lists {
		keys[i] = blockPrefix(l.space, l.stem)
	}
	first, err := s.table.Get(ctx, table.Strong, keys...)
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

// listName names the list of a term.
type listName struct{ space, stem string }

// listsOf sorts the changes of entries by the lists that they concern.
func listsOf(texts map[uuid.UUID]*pendingText) []list {
	all := map[listName][]listChange{}
	for id, p := range texts {
		for at, c := range p.changes() {
			c.id = id
			all[at] = append(all[at], c)
		}
	}
	lists := make([]list, 0, len(all))
	for at, changes := range all {
		slices.SortFunc(changes, func(a, b listChange) int { return postingOrder(a.posting, b.posting) })
		lists = append(lists, list{at, changes})
	}
	slices.SortFunc(lists, func(a, b list) int {
		if c := strings.Compare(a.space, b.space); c != 0 {
			return c
		}
		return strings.Compare(a.stem, b.stem)
	})
	return lists
}

// changes tells what becomes of an entry in which lists.
func (p *pendingText) changes() map[listName]listChange {
	all := map[listName]listChange{}
	for _, x := range p.held() {
		for stem := range strings.FieldsSeq(x.Stems) {
			all[listName{x.Space, stem}] = listChange{gone: true}
		}
	}
	for _, x := range p.Texts {
		for _, term := range x.Terms {
			all[listName{x.Space, term.Stem}] = listChange{posting: posting{weight: term.Weight, words: term.Words}}
		}
	}
	return all
}

// settleRanks counts the entries of merged texts where they are now, and with that the texts are no longer pending.
func (s *Store) settleRanks(ctx context.Context, modelID string, rows []table.Item, texts map[uuid.UUID]*pendingText) error {
	merged := make([]mergedText, len(rows))
	for i, row := range rows {
		id, _ := pendingEntry(row.Key)
		merged[i] = mergedText{row, texts[id]}
	}
	spaces, err := s.settle(ctx, merged)
	for space := range spaces {
		if err == nil {
			err = s.splitBins(ctx, modelID, space)
		}
	}
	return err
}
