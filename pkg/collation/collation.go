// Package collation makes keys by which texts sort as readers expect: "Äpfel" beside
// "apple", "Zebra" after both. The order is that of the Unicode collation algorithm for
// the root locale, over the lower-case text.
package collation

import (
	"strings"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

const (
	// MaxText is the number of characters of a text that count. Texts that agree so far
	// have the same key.
	MaxText = 150
	// MaxKey is the length of the longest key, in bytes.
	MaxKey = 300
)

// Key returns the sort key of a text, at most MaxKey bytes: keys compared byte by byte
// order texts first by their letters, then by accents, then by the form of their letters.
// Upper and lower case are the same. Texts whose keys are equal sort alike but need not be
// equal: only the first MaxText characters count (fewer where they need more than MaxKey
// bytes: 100 of Han), and control characters never do.
//
// A key may hold any byte, zero included, and does not end in zero. The key of the empty
// text is empty. Key may be called from several goroutines.
func Key(text string) []byte {
	k := keyers.Get().(*keyer)
	defer keyers.Put(k)
	k.buffer.Reset()
	key := trim(k.collator.KeyFromString(&k.buffer, strings.ToLower(head(text))))
	return append([]byte(nil), key[:min(len(key), MaxKey)]...)
}

// keyers holds collators, each of which serves one goroutine at a time.
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

// The lowest weights of the second and third level: those of a letter without an accent,
// and of one in its ordinary form.
const (
	plainSecondary = 0x20
	plainTertiary  = 0x02
)

// trim drops from a key what stands at the end of its levels and says only that nothing is
// special there. The order stays: what is dropped is the lowest weight there is, and a key
// that ends sorts before one that goes on. It makes the key of an ordinary text less than
// half as long.
//
// A key has three levels parted by two zero bytes: primary weights of two bytes, or three
// where the first is 0x80 or more; secondary weights of two; tertiary weights of one.
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
