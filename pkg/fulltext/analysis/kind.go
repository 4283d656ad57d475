package analysis

import (
	"unicode"
	"unicode/utf8"
)

// kind is the role of a character in a word.
type kind int

const (
	kindOther kind = iota // a space or sign
	kindWord              // a letter or digit
	kindMark              // belongs to the character before it
	kindPair              // a character of a script without spaces between words
)

func kindOf(r rune) kind {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return kindWord
		}
		return kindOther
	}
	unspaced := isUnspaced(r)
	switch {
	case unspaced && isTrailing(r), unicode.IsMark(r):
		return kindMark
	case unspaced && unicode.IsLetter(r):
		return kindPair
	case unicode.IsLetter(r), unicode.IsNumber(r):
		return kindWord
	}
	return kindOther
}

// isUnspaced reports whether r belongs to a script that is written without spaces between words, or
// to Hangul: its words carry particles that a search leaves out.
func isUnspaced(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r <= 0x0EFF, // Thai, Lao
		0x1000 <= r && r <= 0x109F, // Burmese
		0x1100 <= r && r <= 0x11FF, // Hangul
		0x1780 <= r && r <= 0x17FF, // Khmer
		0x3005 <= r && r <= 0x3007,
		0x3040 <= r && r <= 0x30FF, // kana
		0x3130 <= r && r <= 0x318F,
		0x31F0 <= r && r <= 0x31FF,
		0x3400 <= r && r <= 0x9FFF, // Han
		0xA960 <= r && r <= 0xA97F,
		0xAC00 <= r && r <= 0xD7FF,
		0xF900 <= r && r <= 0xFAFF,
		0xFF66 <= r && r <= 0xFFDC, // kana and Hangul of half width
		0x20000 <= r && r <= 0x3FFFF:
		return true
	}
	return false
}

// isTrailing reports whether r completes the character before it, although Unicode calls it a
// letter: the vowels and finals of decomposed Hangul, the voicing signs of narrow kana.
func isTrailing(r rune) bool {
	return 0x1160 <= r && r <= 0x11FF || r == 'ﾞ' || r == 'ﾟ'
}

// isInvisible reports whether r is invisible within words: the soft hyphen, and the characters that
// join or separate letter shapes.
func isInvisible(r rune) bool {
	return r == 0x00AD || r == 0x200C || r == 0x200D
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
