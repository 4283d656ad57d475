package analysis

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

func stemsOf(text, locale string) []string {
	var stems []string
	for _, t := range Tokens(text, locale) {
		stems = append(stems, t.Stem)
	}
	return stems
}

func wordsOf(text, locale string) []string {
	var words []string
	for _, t := range Tokens(text, locale) {
		words = append(words, t.Word)
	}
	return words
}

// TestTokensMeet lists words that a reader expects to find one another.
func TestTokensMeet(t *testing.T) {
	for _, tt := range []struct{ locale, words string }{
		{"en", "elephant elephants Elephant's elephant’s ELEPHANTS éléphant"},
		{"en-GB", "run runs running"},
		{"de", "Größe Grösse grosse groesse GRÖSSEN"},
		{"de-AT", "Häuser haeuser hauser Haus Hauses"},
		{"de", "schön schoen schöner schoener schönes"},
		{"de", "Frau Frauen"},
		{"de", "neue neuer neues"},
		{"fr", "café cafe cafés CAFÉ cafés"},
		{"fr", "mangé mange mangée mangees manger"},
		{"fr", "première premier premieres"},
		{"fr", "déployer deploye déployée déploie"},
		{"fr", "homme l'homme l’homme d'hommes"},
		{"es", "mañana manana mañanas MANANA"},
		{"es", "navegación navegacion navegaciones"},
		{"it", "città citta"},
		{"it", "arte dell'arte d’arte"},
		{"it", "attività attivita"},
		{"pt-BR", "ação acao ações acoes"},
		{"pt", "versão versao versões versoes"},
		{"pt", "possível possivel possíveis possiveis"},
		{"nl", "woord woorden"},
		{"nl", "ideeën ideeen"},
		{"sv", "flicka flickor flickorna"},
		{"sv", "arbetslös arbetslost arbetslöst"},
		{"nb", "hus huset husene"},
		{"no", "bøker boker"},
		{"da", "løsning losning løsninger losningen"},
		{"fi", "metsä metsässä metsan METSÄN"},
		{"fi", "talo talossa talot"},
		{"ru", "ёлка елка ёлки"},
		{"ru", "компонент компоненты Компонентов"},
		{"ru", "component components"},
		{"ar", "مدرسة مدرسه المدرسة المَدْرَسَةُ"},
		{"ar", "أحمد احمد إحمد أحـــمد"},
		{"hi", "फ़ाइल फाइल"},
		{"tr", "İstanbul istanbul ISTANBUL ıstanbul İstanbul'da"},
		{"tr", "gözlük gozluk gözlükler gozlukler"},
		{"tr", "kitap kitaplar kitaplarını kitaplarini"},
		{"hu", "alma almák almak"},
		{"hu", "ház házban házból hazbol"},
		{"ro", "carte cărți carti cărţile"},
		{"vi", "đường duong ĐƯỜNG"},
		{"pl", "łódź lodz ŁÓDŹ"},
		{"el", "Ελλάδα ΕΛΛΑΔΑ ελλαδα"},
		{"ja", "ガ ｶﾞ"},
		{"", "ｆｕｌｌ full ＦＵＬＬ"},
		{"fa", "۱۲۳ 123 ١٢٣"},
	} {
		for _, word := range strings.Fields(tt.words) {
			want := stemsOf(strings.Fields(tt.words)[0], tt.locale)
			if got := stemsOf(word, tt.locale); !slices.Equal(got, want) {
				t.Errorf("%s: stem of %s is %q, of %s %q", tt.locale, word, got,
					strings.Fields(tt.words)[0], want)
			}
		}
	}
}

// TestTokensDiffer lists words that must not be taken for one another.
func TestTokensDiffer(t *testing.T) {
	for _, tt := range []struct{ locale, a, b string }{
		{"ja", "は", "ば"},
		{"ru", "йод", "иод"},
		{"hi", "काम", "कम"},
		{"th", "กา", "กี"},
		{"en", "form", "forum"},
	} {
		if slices.Equal(stemsOf(tt.a, tt.locale), stemsOf(tt.b, tt.locale)) {
			t.Errorf("%s: %s and %s have the same stem", tt.locale, tt.a, tt.b)
		}
	}
}

func TestTokensWords(t *testing.T) {
	for _, tt := range []struct{ locale, text, want string }{
		{"en", "Don't panic!", "dont panic"},
		{"en", "astro.config.mjs foo_bar e-mail a:b", "astro config mjs foo bar e mail a b"},
		{"en", "3.14 1,000 v2.0 1.", "3.14 1,000 v2.0 1"},
		{"en", "… — !? 🚀 '", ""},
		{"fr", "aujourd'hui l’école jusqu'à C'EST", "aujourdhui ecole a est"},
		{"ca", "col·lecció l'home", "colleccio home"},
		{"de", "Straße Müller Mueller Quelle", "strasse muller muller quelle"},
		{"en", "soft\u00ADhyphen", "softhyphen"},
		{"zh", "图", "图"},
		{"zh-CN", "部署网站", "部署 署网 网站 站"},
		{"ja", "Astroの型", "astro の型 型"},
		{"ja", "日本。語", "日本 本 語"},
		{"ko", "한국어 API를", "한국 국어 어 api 를"},
		{"ko", "한국", "한국 국"}, // decomposed
		{"th", "ที่นี่", "ที่นี่ นี่"},
		{"en", strings.Repeat("x", 100), strings.Repeat("x", 64)},
		{"en", "a\xffb", "a b"},
	} {
		if got := strings.Join(wordsOf(tt.text, tt.locale), " "); got != tt.want {
			t.Errorf("%s %q: got %q, want %q", tt.locale, tt.text, got, tt.want)
		}
	}
}

func TestTokensOffsets(t *testing.T) {
	for _, tt := range []struct{ locale, text, want string }{
		{"de", "Die Größe, über", "Die|Größe|über"},
		{"fr", "l’école", "école"},
		{"ja", "ｶﾞイド!", "ｶﾞイ|イド|ド"},
	} {
		var got []string
		for _, token := range Tokens(tt.text, tt.locale) {
			got = append(got, tt.text[token.Start:token.End])
		}
		if s := strings.Join(got, "|"); s != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, s, tt.want)
		}
	}
}

// TestTokensPrefix checks that each beginning of a word is a prefix of it, letter by letter.
func TestTokensPrefix(t *testing.T) {
	for _, tt := range []struct{ locale, word string }{
		{"de", "Grünflächen"}, {"de", "Gruenflaechen"}, {"de", "Statuen"}, {"de", "Straßenbau"},
		{"fr", "développement"}, {"en", "elephants"}, {"ru", "ёлочный"}, {"hu", "könyvek"},
	} {
		whole := wordsOf(tt.word, tt.locale)[0]
		for i := range tt.word {
			if i == 0 {
				continue
			}
			if got := wordsOf(tt.word[:i], tt.locale)[0]; !strings.HasPrefix(whole, got) {
				t.Errorf("%s: %s is %q, which %q does not begin with", tt.locale, tt.word[:i], got, whole)
			}
		}
	}
}

func TestTokensConcurrently(t *testing.T) {
	want := stemsOf(sample, "de")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if !slices.Equal(stemsOf(sample, "de"), want) {
				t.Error("another result at the same time")
			}
		})
	}
	wg.Wait()
}
