package fulltext

import (
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/db"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/table"
)

// PendingChange is a change of an entry that the lists of postings and the ranks have not taken in
// yet.
type PendingChange struct {
	Counted Ranked        // where the ranks count the entry
	Ranked  Ranked        // where it is now
	Texts   []IndexedText // what the index is to hold of the entry
	// What the lists may hold of the entry until the merge. A change that was read leaves out the
	// stems that Texts has, too.
	Stale []HeldText

	Version int64 // of its row
}

// PutPending says what becomes of an entry in the text index and the ranks. It replaces what was
// pending, nil where nothing was: a merge that comes in between would make it wrong.
func PutPending(t *db.Tx, modelID string, id uuid.UUID, was *PendingChange, p PendingChange) {
	item := table.Item{Key: PendingKey(modelID, id), Version: rand.Int64(), Body: db.PackSeldom(p.Encode())}
	if was == nil {
		t.Create(item, db.ErrOvertaken)
		return
	}
	t.Replace(item, was.Version)
}

// What encode writes before the name of a space: its terms follow, one a line, or the stems that
// may be stale.
const (
	spaceMark   = "\x02"
	staleMark   = "\x03"
	countedMark = "\x04"
	placeMark   = "\x05"
)

// Encode writes a pending change in a form that is small and quickly read, since every search reads
// it.
func (p *PendingChange) Encode() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s %x\n%s%s %x\n", countedMark, p.Counted.Space, p.Counted.Key, placeMark,
		p.Ranked.Space, p.Ranked.Key)
	for _, x := range p.Texts {
		b.WriteString(spaceMark + x.Space + "\n")
		for _, term := range x.Terms {
			b.WriteString(term.Stem + " " + strconv.Itoa(int(term.Weight)))
			if term.Words != term.Stem {
				b.WriteString(" " + term.Words)
			}
			b.WriteByte('\n')
		}
	}
	implied, stale := p.stems(), map[string]map[string]bool{}
	for _, x := range p.Stale {
		if stale[x.Space] == nil {
			stale[x.Space] = map[string]bool{}
		}
		for stem := range strings.FieldsSeq(x.Stems) {
			if !implied[stem] {
				stale[x.Space][stem] = true
			}
		}
	}
	for space, stems := range stale {
		b.WriteString(staleMark + space + "\n" + strings.Join(slices.Sorted(maps.Keys(stems)), " ") + "\n")
	}
	return []byte(b.String())
}

// stems are those of all its texts. Encoded, a space with stale postings implies them.
func (p *PendingChange) stems() map[string]bool {
	stems := map[string]bool{}
	for _, x := range p.Texts {
		for _, term := range x.Terms {
			stems[term.Stem] = true
		}
	}
	return stems
}

// Held tells what the lists may hold of the entry, be it merged or not.
func (p *PendingChange) Held() []HeldText { return append(Held(p.Texts), p.stale()...) }

// stale is Stale with the stems that it implies.
func (p *PendingChange) stale() []HeldText {
	implied := strings.Join(slices.Collect(maps.Keys(p.stems())), " ")
	list := make([]HeldText, len(p.Stale))
	for i, x := range p.Stale {
		list[i] = HeldText{Space: x.Space, Stems: x.Stems + " " + implied}
	}
	return list
}

func DecodePending(item *table.Item) (*PendingChange, error) {
	raw, err := db.UnpackBytes(item.Body)
	if err != nil {
		return nil, err
	}
	p := &PendingChange{Version: item.Version}
	for lines := string(raw); lines != ""; {
		var line string
		line, lines, _ = strings.Cut(lines, "\n")
		if space, ok := strings.CutPrefix(line, spaceMark); ok {
			p.Texts = append(p.Texts, IndexedText{Space: space})
			continue
		}
		if space, ok := strings.CutPrefix(line, staleMark); ok {
			var stems string
			stems, lines, _ = strings.Cut(lines, "\n")
			p.Stale = append(p.Stale, HeldText{Space: space, Stems: stems})
			continue
		}
		stem, rest, _ := strings.Cut(line, " ")
		if space, ok := strings.CutPrefix(stem, countedMark); ok {
			if p.Counted, err = decodeRanked(space, rest); err != nil {
				return nil, err
			}
			continue
		}
		if space, ok := strings.CutPrefix(stem, placeMark); ok {
			if p.Ranked, err = decodeRanked(space, rest); err != nil {
				return nil, err
			}
			continue
		}
		weight, words, more := strings.Cut(rest, " ")
		w, err := strconv.ParseUint(weight, 10, 16)
		if err != nil || len(p.Texts) == 0 {
			return nil, fmt.Errorf("store: damaged pending change: %q", line)
		}
		if !more {
			words = stem
		}
		x := &p.Texts[len(p.Texts)-1]
		x.Terms = append(x.Terms, IndexedTerm{stem, uint16(w), words})
	}
	return p, nil
}

func decodeRanked(space, key string) (Ranked, error) {
	raw, err := hex.DecodeString(key)
	return Ranked{space, string(raw)}, err
}

// match gives the weight and words of the entry's terms that a term of a query stands for, as a
// search in the lists of a space would.
func (p *PendingChange) match(space string, t analysis.QueryTerm, add func(IndexedTerm)) {
	for _, x := range p.Texts {
		if x.Space != space {
			continue
		}
		if t.Prefix {
			for _, term := range x.Terms {
				add(term)
			}
			continue
		}
		i, ok := slices.BinarySearchFunc(x.Terms, t.Stem,
			func(term IndexedTerm, stem string) int { return strings.Compare(term.Stem, stem) })
		if ok {
			add(x.Terms[i])
		}
	}
}

// pendingChanges are the pending changes of a model, by entry.
type pendingChanges struct {
	merges  int64 // how many merges were begun when they were read
	entries map[uuid.UUID]*PendingChange
}

func (s *Texts) pendingChanges(ctx context.Context, modelID string) (pendingChanges, error) {
	rows, err := s.Table.Query(ctx, table.Range{Partition: PendingPartition(modelID)})
	if err != nil {
		return pendingChanges{}, err
	}
	return pendingIn(rows)
}

func pendingIn(rows []table.Item) (p pendingChanges, err error) {
	p = pendingChanges{entries: make(map[uuid.UUID]*PendingChange, len(rows))}
	for i := range rows {
		id, ok := pendingEntry(rows[i].Key)
		if !ok {
			p.merges = rows[i].Version
			continue
		}
		if p.entries[id], err = DecodePending(&rows[i]); err != nil {
			return pendingChanges{}, err
		}
	}
	return p, nil
}

// PendingChange reads the pending change of an entry, nil where there is none.
func (s *Texts) PendingChange(ctx context.Context, modelID string, id uuid.UUID) (*PendingChange, error) {
	items, err := s.Table.Get(ctx, table.Strong, PendingKey(modelID, id))
	if err != nil || items[0] == nil {
		return nil, err
	}
	return DecodePending(items[0])
}

// merges is how many merges of a model's texts were begun.
func (s *Texts) merges(ctx context.Context, modelID string) (int64, error) {
	items, err := s.Table.Get(ctx, table.Strong, mergesKey(modelID))
	if err != nil || items[0] == nil {
		return 0, err
	}
	return items[0].Version, nil
}
