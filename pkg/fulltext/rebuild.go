package fulltext

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/db"
	"headless/pkg/fulltext/segment"
	"headless/pkg/index"
	"headless/pkg/table"
)

// Entry is an entry to be indexed.
type Entry struct {
	ID uuid.UUID
	Change
}

// rebuilt is how far a rebuild has come. The root has it.
type rebuilt struct {
	Space string `json:"s"`
	From  []byte `json:"f"` // the first row that is not done
	Done  int    `json:"n"` // entries so far
	All   bool   `json:"a"` // there is no more
}

// rebuildTogether is how many entries a rebuild puts into one segment.
const rebuildTogether = 2000

// Rebuild makes the text index anew from the entries of some spaces, while nobody else writes texts.
// read returns the entries to which rows in the default order belong. Entries go into segments without
// pending rows. progress gets the number of entries from time to time. A rebuild that was interrupted
// continues, and one that was completed does nothing. It fails if another process rebuilds.
func (s *Texts) Rebuild(ctx context.Context, spaces []string,
	read func(ctx context.Context, space string, rows []table.Item) ([]Entry, error),
	progress func(entries int)) error {
	v, err := s.current(ctx)
	if err != nil {
		return err
	}
	var at rebuilt
	if v.At != "" {
		if err := json.Unmarshal([]byte(v.At), &at); err != nil || at.All {
			return err
		}
	}
	slices.Sort(spaces)
	for _, space := range spaces {
		if space < at.Space {
			continue
		}
		if space > at.Space {
			at.Space, at.From = space, nil
		}
		for more := true; more; {
			rows, err := s.Table.Query(ctx, table.Range{Partition: index.RowPartition(space, index.DefaultPath),
				From: string(at.From), Limit: rebuildTogether})
			if err != nil {
				return err
			}
			if more = len(rows) == rebuildTogether; len(rows) == 0 {
				break
			}
			entries, err := read(ctx, space, rows)
			if err != nil {
				return err
			}
			at.From, at.Done = []byte(rows[len(rows)-1].Sort+"\x00"), at.Done+len(entries)
			if v, err = s.loadEntries(ctx, v, indexOf(space), entries, at); err != nil {
				return err
			}
			progress(at.Done)
		}
	}
	progress(at.Done)
	at.All = true
	_, err = s.loadEntries(ctx, v, "", nil, at)
	return err
}

// loadEntries adds entries of one index and notes how far the rebuild has come.
func (s *Texts) loadEntries(ctx context.Context, v *view, name string, entries []Entry, at rebuilt) (*view, error) {
	out := &pageWriter{s: s, ctx: ctx, id: segment.ID(rand.Uint64())}
	var docs []segment.Document
	for _, e := range entries {
		docs = append(docs, (&row{Change: e.Change, name: name, id: e.ID}).documents()...)
	}
	next := *v.root
	next.At, next.Flushed = string(db.MustMarshal(at)), next.Flushed+1
	if len(docs) > 0 {
		built, err := segment.Build(out.id, docs, out.putPage)
		if err != nil {
			return nil, err
		}
		pages, err := built.Finish()
		if err == nil {
			err = out.flush()
		}
		if err != nil {
			return nil, err
		}
		next.Segments = append(slices.Clone(next.Segments), liveOf(built, pages))
	}
	done, err := s.swap(ctx, v.root, next)
	if err == nil && !done {
		err = errOvertaken
	}
	if err == nil {
		err = s.merge(ctx)
	}
	if err != nil {
		return nil, err
	}
	return s.current(ctx)
}
