package analysis

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// Token is one word of a text, or two neighbouring characters of a script that is written
// without spaces between words.
type Token struct {
	// Stem is the folded word without its ending, by the rules of the locale's language;
	// the word itself where the language is unknown.
	Stem string
	// Word is the word as written, folded: NFKC, lower case, accents removed.
	Word string
	// Start and End are the byte offsets of the word in the text.
	Start, End int
}

// Tokens returns the words of a plain text in a locale ("de", "pt-BR"), in order.
//
// Words are Unicode words (UAX 29), split further at full stops, colons and underscores (but 3.14
// stays one word) and at the elided articles of French, Italian and Catalan. Only the first 64
// characters of a word count. Characters of Han, kana, Hangul, Thai, Lao, Khmer and Burmese become
// overlapping pairs. The last character of a run is also a token of its own, so that every
// character begins a token. Signs and emoji yield nothing.
//
// The time is proportional to the text's length for any text. Tokens is safe for concurrent use.
func Tokens(text, locale string) []Token {
	tokens := make([]Token, 0, len(text)/8+1)
	newTokenizer(text, locale).forEachToken(func(t Token) bool {
		tokens = append(tokens, t)
		return true
	})
	return tokens
}

// tokenizer splits one text into tokens. It caches analyzed words, since most words of a text occur
// several times.
type tokenizer struct {
	text     string
	language string
	folder   folder
	stemmer  *stemmer
	known    map[string]analyzed // by the word as written
	pairs    pairs
	yield    func(Token) bool
	// initials, if not empty, holds the first letters of the wanted words; other words may be left
	// out.
	initials string
}

// analyzed is a word's folded form and stem.
type analyzed struct{ stem, word string }

func newTokenizer(text, locale string) *tokenizer {
	language := baseLanguage(locale)
	return &tokenizer{text: text, language: language, stemmer: newStemmer(language)}
}

// forEachToken calls yield with each token in order until it returns false.
func (t *tokenizer) forEachToken(yield func(Token) bool) {
	t.yield = yield
	t.part(0, len(t.text))
}

// part yields the tokens of text[from:to], which must not begin or end within a word. It reports
// whether yield wants more tokens; so do the other methods that yield.
func (t *tokenizer) part(from, to int) bool {
	segments := words.FromString(t.text[from:to])
	for segments.Next() {
		if !t.segment(from+segments.Start(), from+segments.End()) {
			return false
		}
	}
	return t.endPairs()
}

// segment yields the words of one Unicode word, which may be several words for this package.
func (t *tokenizer) segment(from, to int) bool {
	start := -1 // of the word being read
	for i := from; i < to; {
		r, size := rune(t.text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(t.text[i:to])
		}
		switch kindOf(r) {
		case kindWord:
			if start < 0 {
				start = i
			}
		case kindMark:
			if start < 0 && !t.extend(i, size) {
				start = i
			}
		case kindPair:
			if start >= 0 && !t.word(start, i) || !t.pair(i, size) {
				return false
			}
			start = -1
		case kindOther:
			if start >= 0 && !t.joins(r, i, size) {
				if !t.word(start, i) {
					return false
				}
				start = -1
			}
		}
		i += size
	}
	return start < 0 || t.word(start, to)
}

// joins reports whether the sign r at i belongs to the word around it: an apostrophe or the
// middle dot of Catalan between letters, a point or comma between digits.
func (t *tokenizer) joins(r rune, i, size int) bool {
	if i+size >= len(t.text) {
		return false
	}
	before, after := t.text[i-1], t.text[i+size]
	switch r {
	case '\'', '’', '·', '＇':
		return !isDigit(before) && !isDigit(after)
	case '.', ',':
		return isDigit(before) && isDigit(after)
	}
	return isInvisible(r)
}

// word yields the word text[from:to].
func (t *tokenizer) word(from, to int) bool {
	if !t.endPairs() {
		return false
	}
	if t.language == "fr" || t.language == "it" || t.language == "ca" {
		from += elision(t.text[from:to])
	}
	return t.emit(from, to, t.analyze)
}

// emit yields text[from:to]. It analyzes the text unless the result is cached.
func (t *tokenizer) emit(from, to int, analyze func(written string) analyzed) bool {
	written := cutRunes(t.text[from:to])
	a, ok := t.known[written]
	if !ok {
		if a = analyze(written); a.word == "" {
			return true
		}
		if t.known == nil {
			t.known = make(map[string]analyzed, min(len(t.text)/16, 512))
		}
		t.known[written] = a
	}
	return t.yield(Token{Stem: a.stem, Word: a.word, Start: from, End: to})
}

// analyze folds and stems a written word.
func (t *tokenizer) analyze(written string) analyzed {
	letters := bytes.Trim(t.folder.fold(written), "'.,")
	if !t.isWanted(letters) {
		return analyzed{}
	}
	folded := string(letters)
	a := analyzed{word: folded, stem: t.stemmer.stem(folded)}
	if strings.IndexByte(folded, '\'') >= 0 {
		a.word = strings.ReplaceAll(folded, "'", "")
	}
	if t.language == "de" {
		a.word = joinUmlauts(a.word)
	}
	return a
}

// isWanted reports whether a folded word begins with one of the initials.
func (t *tokenizer) isWanted(word []byte) bool {
	if t.initials == "" || len(word) == 0 {
		return true
	}
	r, _ := utf8.DecodeRune(word)
	return strings.ContainsRune(t.initials, r)
}

// elision returns the length of an elided article or pronoun at the beginning of a word, with its
// apostrophe: 2 for l'homme. It returns 0 if there is none.
func elision(word string) int {
	i := strings.IndexAny(word, "'’")
	if i < 0 {
		return 0
	}
	_, size := utf8.DecodeRuneInString(word[i:])
	if i+size == len(word) {
		return 0
	}
	if i > 2 {
		switch strings.ToLower(cutRunes(word[:i])) {
		case "jusqu", "lorsqu", "puisqu", "quoiqu", "quelqu", "presqu",
			"all", "dall", "dell", "nell", "sull", "coll", "quest", "quell", "sant", "bell", "anch", "senz":
		default:
			return 0
		}
	}
	return i + size
}
