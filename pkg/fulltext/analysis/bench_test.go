package analysis

import (
	"strings"
	"testing"
)

// sample is a paragraph of about 500 bytes.
const sample = "Die Größe einer Sammlung spielt für die Antwortzeit keine Rolle: Jede Liste liest nur die Seite, " +
	"die sie zeigt. Wer nach Wörtern sucht, findet auch ihre gebeugten Formen, und Akzente werden nicht beachtet. " +
	"Änderungen sind mit der nächsten Anfrage sichtbar. Bilder, Dokumente und andere Dateien liegen neben den " +
	"Einträgen; ihre Adressen bleiben gleich. Ein Schlüssel begrenzt, was eine Anwendung lesen und schreiben darf. " +
	"Formulare nehmen Nachrichten an und prüfen sie. "

func BenchmarkTokens2KB(b *testing.B) {
	english := strings.Repeat("The size of a collection does not matter for the time of an answer: each list reads only "+
		"the page that it shows. Whoever looks for words finds their inflected forms as well, and accents are ignored. "+
		"Changes are visible with the very next request. Pictures, documents and other files lie beside the entries. ",
		6)
	for _, bb := range []struct{ name, locale, text string }{
		{"en", "en", english},
		{"de", "de", strings.Repeat(sample, 4)},
		{"zh", "zh", strings.Repeat("每个列表只读取它所显示的页面，更改在下一个请求中即可见。", 25)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.text)))
			b.ReportAllocs()
			for b.Loop() {
				Tokens(bb.text, bb.locale)
			}
		})
	}
}

func BenchmarkAnalyze2KB(b *testing.B) {
	text := strings.Repeat(sample, 4)
	b.ReportAllocs()
	for b.Loop() {
		Analyze(Text{Title: "Die Größe einer Sammlung", Fields: []string{text}}, "de")
	}
}

func BenchmarkPlainText2KB(b *testing.B) {
	text := strings.Repeat(
		"## Head\n\nSome *text* with [a link](https://example.com/x) and `code`, <b>tags</b> &amp; more.\n",
		21)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		PlainText(text)
	}
}

func BenchmarkExcerpt2KB(b *testing.B) {
	text := strings.Repeat(sample, 4) + "Ende"
	for _, word := range []string{"Ende", "fehlt"} {
		q := ParseQuery(word, "de")
		b.Run(word, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Excerpt(text, "de", q)
			}
		})
	}
}
