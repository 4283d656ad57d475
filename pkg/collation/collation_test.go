package collation

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// ordered lists texts that sort in this order.
var ordered = []string{
	"", " a", "!", "😀", "1", "10", "2", "a b", "ab", "Äpfel", "apple", "Apples", "cafe", "Café",
	"cafés", "cote", "coté", "côte", "côté",
	"e", "é", "f", "öl", "Zebra", "αβγ", "Ελλάδα", "елка", "ёлка", "жук", "أحمد", "한국", "か", "が",
	"き", "中", "中国", "中文", "部署",
}

func TestKeyOrder(t *testing.T) {
	for i := 1; i < len(ordered); i++ {
		if bytes.Compare(Key(ordered[i-1]), Key(ordered[i])) >= 0 {
			t.Errorf("%q does not sort before %q: % x, % x", ordered[i-1], ordered[i],
				Key(ordered[i-1]), Key(ordered[i]))
		}
	}
}

func TestKeyEqual(t *testing.T) {
	long := strings.Repeat("long ", 100)
	for _, tt := range [][2]string{
		{"Apple", "aPPLE"}, {"ÄPFEL", "äpfel"}, {"é", "e\u0301"}, {"ЁЛКА", "ёлка"}, {"a\x00b", "ab"},
		{long + "a", long + "b"},
	} {
		if !bytes.Equal(Key(tt[0]), Key(tt[1])) {
			t.Errorf("%.20q and %.20q have different keys", tt[0], tt[1])
		}
	}
}

func TestKeyLength(t *testing.T) {
	for text, most := range map[string]int{
		"":                                0,
		"apple":                           10,
		"an ordinary title of an article": 62,
		strings.Repeat("部", 5000):         MaxKey,
		strings.Repeat("ﷺ", 5000):         MaxKey,
		strings.Repeat("ệ", 5000):         MaxKey,
		strings.Repeat("x", 1<<20):        MaxKey,
		"a" + strings.Repeat("\u0301\u0323", 1<<19): MaxKey,
		strings.Repeat("\xff\x80", 1<<19):           MaxKey,
	} {
		key := Key(text)
		if len(key) > most {
			t.Errorf("the key of %.20q has %d bytes", text, len(key))
		}
		if n := len(key); n > 0 && n < MaxKey && key[n-1] == 0 {
			t.Errorf("the key of %.20q ends in zero", text)
		}
	}
}

// TestKeyKeepsOrder compares trimmed keys with the library's own comparison.
func TestKeyKeepsOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := []rune("aàáäbcçeé ßæøñ1-'ａかカガ中部한عه\u0301\u0308😀ёеﬀ")
	word := func() string {
		var b strings.Builder
		for range random.IntN(6) {
			b.WriteRune(letters[random.IntN(len(letters))])
		}
		return b.String()
	}
	library := collate.New(language.Und)
	var x, y collate.Buffer
	for range 20_000 {
		a, b := word(), word()
		x.Reset()
		y.Reset()
		want := bytes.Compare(library.KeyFromString(&x, strings.ToLower(a)),
			library.KeyFromString(&y, strings.ToLower(b)))
		if got := bytes.Compare(Key(a), Key(b)); got != want {
			t.Fatalf("%q and %q compare as %d, want %d", a, b, got, want)
		}
	}
}

func TestKeyConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 8 {
		text := fmt.Sprintf("Text %d", i)
		want := Key(text)
		wg.Go(func() {
			for range 500 {
				if !bytes.Equal(Key(text), want) {
					t.Error("another key at the same time")
					return
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkKey(b *testing.B) {
	for _, bb := range []struct{ name, text string }{
		{"title", "An ordinary title of an article"},
		{"accents", "Über die Größe häufiger Änderungen"},
		{"han", "如何部署你的网站"},
		{"1MiB", strings.Repeat("text ", 1<<20/5)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Key(bb.text)
			}
		})
	}
}
