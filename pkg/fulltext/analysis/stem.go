package analysis

import (
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
)

// baseLanguage returns the primary language of a locale tag: "de" of "de-AT".
func baseLanguage(locale string) string {
	if i := strings.IndexAny(locale, "-_"); i >= 0 {
		locale = locale[:i]
	}
	return strings.ToLower(locale)
}

// stemmerOf returns the Snowball stemmer of a language, nil if there is none.
func stemmerOf(language string) func(*snowballstem.Env) bool {
	switch language {
	case "ar":
		return arabic.Stem
	case "da":
		return danish.Stem
	case "de":
		return german.Stem
	case "en":
		return english.Stem
	case "es":
		return spanish.Stem
	case "fi":
		return finnish.Stem
	case "fr":
		return french.Stem
	case "hu":
		return hungarian.Stem
	case "it":
		return italian.Stem
	case "nb", "nn", "no":
		return norwegian.Stem
	case "nl":
		return dutch.Stem
	case "pt":
		return portuguese.Stem
	case "ro":
		return romanian.Stem
	case "ru":
		return russian.Stem
	case "sv":
		return swedish.Stem
	case "tr":
		return turkish.Stem
	}
	return nil
}

// otherScript reports whether a language is not written in Latin letters. A Latin word
// within such a text is nearly always English, so it is stemmed as English.
func otherScript(language string) bool {
	switch language {
	case "ar", "be", "bg", "bn", "el", "fa", "he", "hi", "hy", "ja", "ka", "kk", "ko",
		"mk", "mr", "ne", "ru", "sr", "ta", "te", "th", "uk", "ur", "zh":
		return true
	}
	return false
}

// stemmer cuts the endings of folded words of one language.
//
// A stem depends on the folded word alone, so that "cafe" and "café" have the same stem in every
// form. Snowball's rules however expect accents in endings. So unambiguous accents are restored
// before stemming (restore). Stems that still differ for lack of accents are made equal afterwards
// (unify).
type stemmer struct {
	language string
	own      func(*snowballstem.Env) bool
	latin    func(*snowballstem.Env) bool
	endings  endings
	env      *snowballstem.Env
	folder   folder
	known    *stems
}

func newStemmer(language string) *stemmer {
	s := &stemmer{language: language, own: stemmerOf(language), endings: accentedEndings(language),
		env: snowballstem.NewEnv("")}
	s.latin = s.own
	if otherScript(language) {
		s.latin = english.Stem
	}
	if s.latin != nil {
		s.known = knownStems(language)
	}
	return s
}

// stem returns the stem of a folded word. The word may hold apostrophes; the stem holds none. The
// stem is empty only if the word is.
func (s *stemmer) stem(word string) string {
	run := s.own
	if isASCII(word) {
		run = s.latin
	}
	plain := word
	if strings.IndexByte(word, '\'') >= 0 {
		plain = strings.ReplaceAll(word, "'", "")
		if s.language == "tr" { // an apostrophe precedes the ending of a name
			word, _, _ = strings.Cut(word, "'")
		} else if s.language != "en" {
			word = plain
		}
	}
	if run == nil || len(word) < 3 || hasDigit(word) {
		return plain
	}
	if stem := s.known.stemOf(word, func() string { return s.cut(run, word) }); stem != "" {
		return stem
	}
	return plain
}

// cut cuts the ending of a word. Nothing may be left.
func (s *stemmer) cut(run func(*snowballstem.Env) bool, word string) string {
	s.env.SetCurrent(s.restore(word))
	run(s.env)
	stem := s.env.Current()
	if strings.IndexByte(stem, '\'') >= 0 {
		stem = strings.ReplaceAll(stem, "'", "")
	}
	if !isASCII(stem) {
		stem = string(s.folder.fold(stem))
	}
	return unify(s.language, stem)
}

func hasDigit(s string) bool {
	for i := 0; i < len(s); i++ {
		if isDigit(s[i]) {
			return true
		}
	}
	return false
}
