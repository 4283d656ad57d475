package fulltext

import (
	"context"
	"strings"
	"sync"

	"github.com/google/uuid"

	"headless/pkg/table"
)

// The dictionary of a space maps words as written to their stems, so that a search for a prefix
// finds the stems. Words are never removed: a word that no entry has any more leads to an empty
// posting list.

// wordCache remembers the keys of words that are already in the dictionary.
type wordCache struct {
	mu    sync.Mutex
	known map[table.Key]struct{}
}

const maxCachedWords = 200_000

// unknown returns the keys that are not in the cache.
func (c *wordCache) unknown(keys []table.Key) []table.Key {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []table.Key
	for _, k := range keys {
		if _, ok := c.known[k]; !ok {
			list = append(list, k)
		}
	}
	return list
}

func (c *wordCache) add(words []table.Item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known)+len(words) > maxCachedWords {
		c.known = map[table.Key]struct{}{}
	}
	for _, w := range words {
		c.known[w.Key] = struct{}{}
	}
}

// newWords returns the words of texts that the dictionaries do not hold yet. A word that is already
// there costs one read at most.
func (s *Texts) newWords(ctx context.Context, texts map[uuid.UUID]*PendingChange) ([]table.Item, error) {
	seen := map[table.Key]bool{}
	var keys []table.Key
	add := func(key table.Key) {
		if !seen[key] && len(key.Sort) <= table.MaxSortBytes {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	for _, p := range texts {
		for _, x := range p.Texts {
			dictionary := dictionaryOf(x.Space)
			for _, term := range x.Terms {
				add(table.Key{Partition: runesPartition(dictionary), Sort: firstRune(term.Stem)})
				for word := range strings.FieldsSeq(term.Words) {
					add(table.Key{Partition: runesPartition(dictionary), Sort: firstRune(word)})
					add(wordKey(dictionary, word, term.Stem))
				}
			}
		}
	}
	keys = s.words.unknown(keys)
	if len(keys) == 0 {
		return nil, nil
	}
	items, err := s.Table.Get(ctx, table.Eventual, keys...)
	if err != nil {
		return nil, err
	}
	var there, missing []table.Item
	for i, item := range items {
		if item == nil {
			missing = append(missing, table.Item{Key: keys[i]})
		} else {
			there = append(there, *item)
		}
	}
	s.words.add(there)
	return missing, nil
}

// maxExpansions is the maximum number of words that a prefix matches.
const maxExpansions = 1000

// stemsOf returns the stems of the words that begin with a prefix; truncated reports whether there
// may be more.
func (s *Texts) stemsOf(ctx context.Context, space, prefix string) (stems []string, truncated bool,
	err error) {
	from := wordKey(dictionaryOf(space), prefix, "")
	rows, err := s.Table.Query(ctx, table.Range{
		Partition: from.Partition, Prefix: prefix, Limit: maxExpansions,
	})
	if err != nil {
		return nil, false, err
	}
	seen := map[string]bool{}
	for _, row := range rows {
		_, stem, _ := strings.Cut(row.Sort, "\x00")
		if !seen[stem] {
			seen[stem] = true
			stems = append(stems, stem)
		}
	}
	return stems, len(rows) == maxExpansions, nil
}
