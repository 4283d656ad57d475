package analysis

import "sync"

// maxStems is how many stems of a language a process remembers, in about a megabyte. Most words of
// texts are among the few thousand most frequent ones.
const maxStems = 1 << 14

// stems remembers the stems of the words of a language, since finding one takes longer than
// everything else that is done with a word. It is safe for concurrent use.
type stems struct {
	mu     sync.RWMutex
	byWord map[string]string
}

var stemsByLanguage sync.Map // *stems by language

func knownStems(language string) *stems {
	known, ok := stemsByLanguage.Load(language)
	if !ok {
		known, _ = stemsByLanguage.LoadOrStore(language, &stems{byWord: map[string]string{}})
	}
	return known.(*stems)
}

// stemOf returns the stem of a word, and calls find for it only if it is not known.
func (s *stems) stemOf(word string, find func() string) string {
	s.mu.RLock()
	stem, ok := s.byWord[word]
	s.mu.RUnlock()
	if ok {
		return stem
	}
	stem = find()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.byWord) >= maxStems {
		clear(s.byWord)
	}
	s.byWord[word] = stem
	return stem
}
