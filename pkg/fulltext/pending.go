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

// PendingChange is a change of an entry that is not yet merged into the posting lists and the
// ranks.
type PendingChange struct {
	Counted Ranked        // where the ranks count the entry
	Ranked  Ranked        // where the entry is now
	Texts   []IndexedText // the texts of the entry after the merge
	// Stale names the lists that may hold the entry until the merge. After decoding, it lacks the
	// stems that Texts has too.
	Stale []HeldText

	Version int64 // of its row
}

// PutPending stores the pending change p of an entry. It replaces was, or nothing if was is nil.
// The commit fails if was changed after it was read, since p would be wrong after a merge in
// between.
func PutPending(t *db.Tx, modelID string, id uuid.UUID, was *PendingChange, p PendingChange) {
	item := table.Item{Key: PendingKey(modelID, id), Version: rand.Int64(), Body: db.PackSeldom(p.Encode())}
	if was == nil {
		t.Create(item, db.ErrOvertaken)
		return
	}
	t.Replace(item, was.Version)
}

// Marks that begin a line of an encoded pending change. The name of a space follows, then: the
// terms of a text, one per line (spaceMark); stems that may be stale (staleMark); the key of
// Counted or of Ranked.
const (
	spaceMark   = "\x02"
	staleMark   = "\x03"
	countedMark = "\x04"
	rankedMark  = "\x05"
)

// Encode returns a pending change in a form that is small and fast to decode, since every search
// reads it.
func (p *PendingChange) Encode() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s %x\n%s%s %x\n", countedMark, p.Counted.Space, p.Counted.Key, rankedMark,
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

// stems returns the stems of all texts. In the encoding, a space with stale postings implies them.
func (p *PendingChange) stems() map[string]bool {
	stems := map[string]bool{}
	for _, x := range p.Texts {
		for _, term := range x.Terms {
			stems[term.Stem] = true
		}
	}
	return stems
}

// Held returns the lists that may hold the entry, before or after the merge.
func (p *PendingChange) Held() []HeldText { return append(Held(p.Texts), p.stale()...) }

// stale returns Stale with the implied stems added.
func (p *PendingChange) stale() []HeldText {
	implied := strings.Join(slices.Collect(maps.Keys(p.stems())), " ")
	list := make([]HeldText, len(p.Stale))
	for i, x := range p.Stale {
		list[i] = HeldText{Space: x.Space, Stems: x.Stems + " " + implied}
	}
	return list
}

// DecodePending decodes the row of a pending change.
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
		if space, ok := strings.CutPrefix(stem, rankedMark); ok {
			if p.Ranked, err = decodeRanked(space, rest); err != nil {
				return nil, err
			}
			continue
		}
		weight, words, more := strings.Cut(rest, " ")
		w, err := strconv.ParseUint(weight, 10, 16)
		if err != nil || len(p.Texts) == 0 {
			return nil, fmt.Errorf("fulltext: damaged pending change: %q", line)
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

// match calls add for each term of the entry in a space that may match a term of a query. It finds
// what the posting lists would give after the merge.
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

// pendingChanges holds the pending changes of a model, by entry.
type pendingChanges struct {
	merges  int64 // how many merges had begun when the changes were read
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

// without returns the postings of entries that have no pending change. It may change list.
func (p pendingChanges) without(list []Posting) []Posting {
	if len(p.entries) == 0 {
		return list
	}
	return slices.DeleteFunc(list, func(x Posting) bool { return p.entries[x.ID] != nil })
}

// PendingChange reads the pending change of an entry; nil if there is none.
func (s *Texts) PendingChange(ctx context.Context, modelID string, id uuid.UUID) (*PendingChange, error) {
	items, err := s.Table.Get(ctx, table.Strong, PendingKey(modelID, id))
	if err != nil || items[0] == nil {
		return nil, err
	}
	return DecodePending(items[0])
}

// merges returns how many merges of a model's texts have begun.
func (s *Texts) merges(ctx context.Context, modelID string) (int64, error) {
	items, err := s.Table.Get(ctx, table.Strong, mergesKey(modelID))
	if err != nil || items[0] == nil {
		return 0, err
	}
	return items[0].Version, nil
}
