// Package collation makes sort keys of text by the Unicode collation algorithm.
package collation

import (
	"strings"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

type collator struct {
	c   *collate.Collator
	buf collate.Buffer
}

var pool = sync.Pool{New: func() any { return &collator{c: collate.New(language.Und)} }}

// MaxText is how many bytes of a text take part in its key.
const MaxText = 400

// Key is the sort key of the lower-cased text in the root locale: keys order by their bytes as texts do. Texts that begin alike for MaxText bytes may share a key.
func Key(text string) []byte {
	if len(text) > MaxText {
		text = strings.ToValidUTF8(text[:MaxText], "")
	}
	k := pool.Get().(*collator)
	defer pool.Put(k)
	k.buf.Reset()
	key := k.c.KeyFromString(&k.buf, strings.ToLower(text))
	return append([]byte(nil), key...)
}
