package analysis

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// describe writes a query's terms, prefixes with *.
func describe(q Query) string {
	var parts []string
	for _, t := range q.Terms {
		s := t.Word
		if t.Stem != t.Word {
			s += "/" + t.Stem
		}
		if t.Prefix {
			s += "*"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

func TestParseQuery(t *testing.T) {
	for _, tt := range []struct{ locale, q, want string }{
		{"en", "Running elephan", "running/run elephan*"},
		{"en", "elephants ", "elephants/eleph*"},
		{"en", "test test", "test"},
		{"en", "tests test", "tests/test test*"},
		{"en", "test tests other", "test other*"},
		{"en", " !? \"…\" 🚀", ""},
		{"en", "", ""},
		{"zh", "部", "部*"},
		{"zh", "部署", "部署"},
		{"zh", "部署网站", "部署 署网 网站"},
		{"ja", "型 astro", "型* astro*"},
		{"ja", "astro 設定", "astro 設定"},
		{"ko", "배포를 해", "배포 포를 해*"},
		{"fr", "l'hom", "hom*"},
	} {
		if got := describe(ParseQuery(tt.q, tt.locale)); got != tt.want {
			t.Errorf("%s %q: got %q, want %q", tt.locale, tt.q, got, tt.want)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		locale, text, q string
		want            bool
	}{
		{"en", "Elephants are running.", "elephan", true},
		{"en", "Elephants are running.", "elephant run", true},
		{"en", "Elephants are running.", "elephan run", false}, // only the last is a prefix
		{"en", "Elephants are running.", "run elephan", true},
		{"en", "Elephants are running.", "lions", false},
		{"en", "Elephants are running.", "elephant lions", false},
		{"en", "Elephants are running.", "", false},
		{"en", "universal", "university", true}, // Porter's stemmer has them share a stem
		{"en", "generic names", "generou", false},
		{"fr", "Le café est ouvert", "cafe", true},
		{"fr", "Le cafe est ouvert", "CAFÉS", true},
		{"de", "Die Größe zählt", "groess", true},
		{"de", "Die Größe zählt", "gros", true},
		{"es", "la mañana", "manan", true},
		{"ru", "Развёртывание сайта", "развертывания сай", true},
		{"ar", "المكوّنات في أسترو", "مكون", true},
		{"zh", "如何部署网站", "部署", true},
		{"zh", "如何部署网站", "署", true},
		{"zh", "如何部署网站", "站", true},
		{"zh", "如何部署网站", "部网", false},
		{"zh", "如何部署网站", "站 如何", true},
		{"ja", "Astroの型を生成する", "型 生成", true},
		{"ko", "컴포넌트를 만들기", "컴포넌트", true},
		{"th", "ภาษาไทย", "ไทย", true},
	} {
		d := Analyze(Text{Fields: []string{tt.text}}, tt.locale)
		q := ParseQuery(tt.q, tt.locale)
		score, ok := q.Matches(d, 10, func(QueryTerm) int64 { return 1 })
		if ok != tt.want || ok != (score > 0) {
			t.Errorf("%s %q in %q: %v, %v", tt.locale, tt.q, tt.text, score, ok)
		}
	}
}

func TestScores(t *testing.T) {
	filler := strings.Repeat("other words of no concern ", 100)
	score := func(title, body, q string) float64 {
		s, _ := ParseQuery(q, "en").Matches(Analyze(Text{Title: title, Fields: []string{body}}, "en"), 1000,
			func(t QueryTerm) int64 { return map[string]int64{"rare": 2, "common": 500}[t.Stem] })
		return s
	}
	for _, tt := range []struct {
		name          string
		better, worse float64
	}{
		{"title before body", score("rare", filler, "rare"), score("x", "rare "+filler, "rare")},
		{"title before a body of many", score("About rare things", "x", "rare"),
			score("x", strings.Repeat("rare ", 8), "rare")},
		{"short title before long", score("rare", "x", "rare"), score("rare "+filler[:60], "x", "rare")},
		{"more before fewer", score("x", "rare rare", "rare"), score("x", "rare x", "rare")},
		{"short body before long", score("x", "rare", "rare"), score("x", "rare "+filler, "rare")},
		{"rare before common", score("x", "rare", "rare"), score("x", "common", "common")},
		{"whole word before prefix", score("x", "rare", "rare"), score("x", "rarefied", "rare")},
		{"both before one", score("x", "rare common", "rare common"), score("x", "rare", "rare")},
	} {
		if tt.better <= tt.worse {
			t.Errorf("%s: %v, %v", tt.name, tt.better, tt.worse)
		}
	}
}

func TestIDF(t *testing.T) {
	last := math.Inf(1)
	for df := int64(0); df <= 1000; df += 50 {
		idf := IDF(1000, df)
		if idf <= 0 || idf >= last {
			t.Errorf("IDF(1000, %d) = %v after %v", df, idf, last)
		}
		last = idf
	}
	for _, c := range [][2]int64{{0, 0}, {0, 5}, {1, 1}, {3, -1}, {-1, 0}} {
		if idf := IDF(c[0], c[1]); !(idf > 0) || math.IsInf(idf, 0) {
			t.Errorf("IDF(%d, %d) = %v", c[0], c[1], idf)
		}
	}
}

func TestAnalyze(t *testing.T) {
	d := Analyze(Text{Title: "Running elephants", Fields: []string{"An elephant runs.", "Élephant"}}, "en")
	var got []string
	for _, term := range d.Terms {
		got = append(got, fmt.Sprintf("%s=%s", term.Stem, strings.Join(term.Words, ",")))
	}
	if s, want := strings.Join(got, " "), "an=an eleph=elephants,elephant run=running,runs"; s != want {
		t.Errorf("got %q, want %q", s, want)
	}
	if _, ok := d.Find("nosuch"); ok {
		t.Error("found a stem that is not there")
	}
	if len(Analyze(Text{}, "en").Terms) != 0 {
		t.Error("terms without text")
	}
}

func TestAnalyzeLimits(t *testing.T) {
	var b strings.Builder
	for i := range maxTerms + 500 {
		fmt.Fprintf(&b, "w%dx ", i)
	}
	d := Analyze(Text{Title: "The title", Fields: []string{b.String() + " heavy heavy"}}, "en")
	if len(d.Terms) != maxTerms {
		t.Fatalf("%d terms", len(d.Terms))
	}
	for _, stem := range []string{"titl", "heavi", "w0x"} {
		if _, ok := d.Find(stem); !ok {
			t.Errorf("%s was dropped", stem)
		}
	}
	if _, ok := d.Find(fmt.Sprintf("w%dx", maxTerms+499)); ok {
		t.Error("the last of the light terms was kept")
	}
	spellings := []string{"resume"} // one stem, many words: every accent folds away, endings do not
	for _, ending := range []string{"s", "d", "ing"} {
		spellings = append(spellings, "resum"+ending)
	}
	for _, term := range Analyze(Text{Fields: spellings}, "en").Terms {
		if len(term.Words) > maxWords {
			t.Errorf("%d words of %s", len(term.Words), term.Stem)
		}
	}
}
