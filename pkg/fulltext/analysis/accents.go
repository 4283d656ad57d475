package analysis

import "strings"

// endings lists, for one language, pairs of a folded ending and the written ending that replaces
// it. The first matching pair is used.
type endings [][2]string

// accentedEndings returns the endings whose accents Snowball's rules need and that are hardly ever
// correct without accents. They were chosen by comparing, on real text, the classes of words that
// share a stem with and without accents.
func accentedEndings(language string) endings {
	switch language {
	case "ar":
		return endings{{"ه", "ة"}}
	case "da":
		return endings{{"lost", "løst"}, {"los", "løs"}}
	case "sv":
		return endings{{"lost", "löst"}, {"los", "lös"}}
	case "es":
		return endings{{"cion", "ción"}, {"logia", "logía"}, {"logias", "logías"}, {"eran", "erán"}, {"iran", "irán"},
			{"eria", "ería"}, {"erias", "erías"}, {"erian", "erían"}, {"iria", "iría"}, {"irias", "irías"},
			{"irian", "irían"}, {"arian", "arían"}}
	case "fr":
		return endings{{"ee", "ée"}, {"ees", "ées"}, {"iere", "ière"}, {"ieres", "ières"},
			{"ivite", "ivité"}, {"bilite", "bilité"}}
	case "hu":
		return endings{{"bol", "ból"}, {"rol", "ról"}, {"tol", "tól"}, {"nal", "nál"}, {"nel", "nél"},
			{"kent", "ként"}, {"ert", "ért"}}
	case "it":
		return endings{{"hera", "herà"}, {"ira", "irà"}, {"ivita", "ività"}}
	case "pt":
		return endings{{"cao", "ção"}, {"coes", "ção"}, {"ao", "ão"}, {"oes", "ão"}, {"aes", "ão"},
			{"ancia", "ância"}, {"ancias", "ância"}, {"encia", "ência"}, {"encias", "ência"},
			{"avel", "ável"}, {"aveis", "ável"}, {"ivel", "ível"}, {"iveis", "ível"}}
	}
	return nil
}

// restore puts back into a folded word the accents that the stemmer of its language needs.
func (s *stemmer) restore(word string) string {
	if s.language == "tr" {
		return harmonize(word)
	}
	for _, e := range s.endings {
		if head, ok := strings.CutSuffix(word, e[0]); ok && len(head) > 1 {
			return head + e[1]
		}
	}
	return word
}

// unify makes stems equal that differ only because a word was folded or spelled without the special
// letters of its language.
func unify(language, stem string) string {
	switch language {
	case "de":
		return joinUmlauts(stem)
	case "fr":
		return trimEnd(stem, "iy")
	case "hu":
		return trimEnd(stem, "aeo")
	}
	return stem
}

// trimEnd cuts the given letters from the end of a stem but keeps three letters.
func trimEnd(stem, letters string) string {
	for len(stem) > 3 && strings.IndexByte(letters, stem[len(stem)-1]) >= 0 {
		stem = stem[:len(stem)-1]
	}
	return stem
}

// joinUmlauts turns ae, oe and ue into a, o and u, which is also what folding makes of ä, ö and ü:
// Germans write ae for ä on keyboards without umlauts. The e is kept in ue after a vowel or q
// (neue, Frauen, Quelle). Each letter depends only on the letters before it, so a prefix of a word
// becomes a prefix of the result.
func joinUmlauts(word string) string {
	if !strings.Contains(word, "ae") && !strings.Contains(word, "oe") && !strings.Contains(word, "ue") {
		return word
	}
	out := make([]byte, 0, len(word))
	for i := 0; i < len(word); i++ {
		if word[i] == 'e' && i > 0 && strings.IndexByte("aou", word[i-1]) >= 0 {
			if word[i-1] != 'u' || i == 1 || strings.IndexByte("aeiouyq", word[i-2]) < 0 {
				continue
			}
		}
		out = append(out, word[i])
	}
	return string(out)
}

// harmonize restores vowel harmony in a folded Turkish word, which the stemmer demands: the vowels
// of a native word are all front or all back. So o and u before a front vowel become ö and ü; i and
// u follow the vowel before them.
func harmonize(word string) string {
	letters := []rune(word)
	front := false
	for i := len(letters) - 1; i >= 0; i-- {
		switch v := letters[i]; {
		case v == 'a':
			front = false
		case v == 'e':
			front = true
		case v == 'o' && front:
			letters[i] = 'ö'
		case v == 'u' && front:
			letters[i] = 'ü'
		}
	}
	var last rune
	for i, v := range letters {
		switch {
		case v == 'i' && strings.ContainsRune("aouı", last):
			letters[i] = 'ı'
		case v == 'u' && strings.ContainsRune("eiöü", last):
			letters[i] = 'ü'
		}
		if strings.ContainsRune("aeıioöuü", letters[i]) {
			last = letters[i]
		}
	}
	return string(letters)
}
