package analysis

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxWordRunes is the length, in characters, to which a word is cut before and after folding. No
// natural word is longer; longer strings (base64, a line without a space) would only fill the
// index.
const maxWordRunes = 64

// folder turns written words into their folded form. It reuses buffers, so it is not safe for
// concurrent use.
type folder struct {
	src, dst []byte
}

// fold returns the folded form of word: NFKC, lower case, without accents and without
// anything that is not a letter, a digit or a sign that belongs to them. An apostrophe is
// kept as ' for the stemmer. The result is valid until the next call.
func (f *folder) fold(word string) []byte {
	f.dst = f.dst[:0]
	word = cutRunes(word)
	if isASCII(word) {
		for i := 0; i < len(word); i++ {
			f.dst = appendASCII(f.dst, word[i])
		}
		return f.dst
	}
	f.src = norm.NFKC.AppendString(f.src[:0], word)
	for i := 0; i < len(f.src); {
		r, n := utf8.DecodeRune(f.src[i:])
		i += n
		if r < utf8.RuneSelf {
			f.dst = appendASCII(f.dst, byte(r))
			continue
		}
		f.dst = appendFolded(f.dst, unicode.ToLower(r))
	}
	if len(f.dst) > maxWordRunes {
		f.dst = f.dst[:len(cutRunes(string(f.dst)))]
	}
	return f.dst
}

func appendASCII(dst []byte, c byte) []byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return append(dst, c+'a'-'A')
	case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '\'', c == '.', c == ',':
		return append(dst, c)
	}
	return dst
}

// appendFolded appends the folded form of the lower-case letter r, which may be several
// letters (ß is ss) or none (a vowel sign of Arabic).
func appendFolded(dst []byte, r rune) []byte {
	switch r {
	case '’', 'ʼ', '＇':
		return append(dst, '\'')
	case 'ß':
		return append(dst, "ss"...)
	case 'æ':
		return append(dst, "ae"...)
	case 'œ':
		return append(dst, "oe"...)
	case 'þ':
		return append(dst, "th"...)
	}
	switch {
	case isDroppedMark(r):
		return dst
	case unicode.Is(unicode.Latin, r), unicode.Is(unicode.Greek, r):
		return utf8.AppendRune(dst, baseLetter(r))
	case !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r):
		return dst
	case unicode.Is(unicode.Nd, r):
		return append(dst, digit(r))
	}
	return utf8.AppendRune(dst, foldOther(r))
}

// baseLetter returns the Latin or Greek letter r without its accents.
func baseLetter(r rune) rune {
	switch r {
	case 'ø':
		return 'o'
	case 'ł':
		return 'l'
	case 'đ', 'ð':
		return 'd'
	case 'ħ':
		return 'h'
	case 'ı':
		return 'i'
	case 'ŧ':
		return 't'
	case 'ς':
		return 'σ'
	}
	var buf [utf8.UTFMax]byte
	n := utf8.EncodeRune(buf[:], r)
	if d := norm.NFD.Properties(buf[:n]).Decomposition(); d != nil {
		r, _ = utf8.DecodeRune(d)
	}
	return r
}

// foldOther maps letters of other scripts that writers use interchangeably to one of them, such as
// ё to е. Russian й and the voiced kana are distinct letters and stay.
func foldOther(r rune) rune {
	switch r {
	case 'ё', 'ѐ':
		return 'е'
	case 'ѝ':
		return 'и'
	case 'أ', 'إ', 'آ', 'ٱ':
		return 'ا'
	case 'ى', 'ی':
		return 'ي'
	case 'ة':
		return 'ه'
	case 'ک':
		return 'ك'
	case 'ؤ':
		return 'و'
	case 'ئ':
		return 'ي'
	case 'ँ': // candrabindu, often written as anusvara
		return 'ं'
	}
	return r
}

// isDroppedMark reports whether r is a sign that readers leave out: a combining accent, a
// Hebrew point, an Arabic vowel sign or tatweel, a nukta, a variation selector. The vowel
// signs of Indic and Thai scripts are not: without them words change.
func isDroppedMark(r rune) bool {
	switch {
	case r >= 0x0300 && r <= 0x036F,
		r >= 0x0483 && r <= 0x0487,
		r >= 0x0591 && r <= 0x05C7,
		r >= 0x0610 && r <= 0x061A,
		r == 0x0640,
		r >= 0x064B && r <= 0x065F,
		r == 0x0670,
		r >= 0x06D6 && r <= 0x06ED && r != 0x06DD,
		r == 0x093C,
		r >= 0xFE00 && r <= 0xFE0F:
		return true
	}
	return false
}

// digit returns the ASCII digit of a decimal digit of any script: Unicode keeps each set
// of ten together, from zero to nine.
func digit(r rune) byte {
	for zero := r; zero > r-10; zero-- {
		if !unicode.Is(unicode.Nd, zero-1) {
			return byte('0' + r - zero)
		}
	}
	// Sets that touch one another start at a multiple of ten in their block.
	return byte('0' + (r-0x1D7CE)%10)
}

func cutRunes(s string) string {
	if len(s) <= maxWordRunes {
		return s
	}
	n := 0
	for i := range s {
		if n == maxWordRunes {
			return s[:i]
		}
		n++
	}
	return s
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
