// Package collation makes sort keys that order texts as readers expect: "Äpfel" next to "apple",
// "Zebra" after both. The order is that of the Unicode collation algorithm for the root locale,
// over the lower-case text.
package collation

import (
	"strings"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

const (
	// MaxText is how many characters of a text are compared. Texts that agree in these have the
	// same key.
	MaxText = 150
	// MaxKey is the length of the longest key, in bytes.
	MaxKey = 300
)

// Key returns the sort key of a text, at most MaxKey bytes long. Keys compared byte by byte order
// texts first by their letters, then by accents, then by variants of letters, and ignore case.
// Different texts may have the same key: only the first MaxText characters count (fewer if they
// need more than MaxKey bytes: 100 of Han), and control characters never do.
//
// A key may contain any byte, including zero, but does not end in zero. The key of the empty text
// is empty. Key is safe for concurrent use.
func Key(text string) []byte {
	k := keyers.Get().(*keyer)
	defer keyers.Put(k)
	k.buffer.Reset()
	key := trim(k.collator.KeyFromString(&k.buffer, strings.ToLower(head(text))))
	return append([]byte(nil), key[:min(len(key), MaxKey)]...)
}

// keyers has collators, each of which may serve one goroutine at a time.
var keyers = sync.Pool{New: func() any { return &keyer{collator: collate.New(language.Und)} }}

type keyer struct {
	collator *collate.Collator
	buffer   collate.Buffer
}

// head returns the first MaxText characters.
func head(text string) string {
	if len(text) <= MaxText {
		return text
	}
	n := 0
	for i := range text {
		if n == MaxText {
			return text[:i]
		}
		n++
	}
	return text
}

// The lowest weights of the second and third level: of a letter without an accent, and of a letter
// in its ordinary form.
const (
	plainSecondary = 0x20
	plainTertiary  = 0x02
)

// trim removes the trailing lowest weights of the second and third level. They only say that
// letters are ordinary, and without them the order is the same, since a shorter key sorts before
// its continuations. This makes the key of an ordinary text less than half as long.
//
// A key has three levels, separated by two zero bytes: primary weights of two bytes, or three if
// the first is 0x80 or more; secondary weights of two bytes; tertiary weights of one byte.
func trim(key []byte) []byte {
	primaries := 0
	for primaries+1 < len(key) && (key[primaries] != 0 || key[primaries+1] != 0) {
		primaries += 2 + int(key[primaries]>>7)
	}
	secondaries := primaries + 2
	for secondaries+1 < len(key) && (key[secondaries] != 0 || key[secondaries+1] != 0) {
		secondaries += 2
	}
	tertiaries := len(key)
	for tertiaries > secondaries+2 && key[tertiaries-1] == plainTertiary {
		tertiaries--
	}
	if tertiaries > secondaries+2 {
		return key[:tertiaries]
	}
	for secondaries > primaries+2 && key[secondaries-2] == 0 && key[secondaries-1] == plainSecondary {
		secondaries -= 2
	}
	if secondaries > primaries+2 {
		return key[:secondaries]
	}
	return key[:min(primaries, len(key))]
}
