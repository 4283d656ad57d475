package ui

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
)

// DiffPart is a piece of a comparison of two texts: in both, only in the old one, or only in the
// new one.
type DiffPart struct {
	Kind  string // "same", "del" or "ins"
	Text  string
	Words say.Text // words of ours in place of Text
	Image string   // URL of a small picture before the text, "" for none
	Time  string   // if set, a time is shown in place of the text
	// Restore is the value of a button that puts back the row that Text names. It is shown in place of the text.
	Restore string
}

// Patience limits the time for the comparison of two texts. The rest counts as replaced.
const Patience = 200 * time.Millisecond

// maxSame is the number of characters of an unchanged piece that are shown next to a change.
const maxSame = 200

// TextDiff compares two texts word by word. Parts of words would be hard to read, and the joined
// letters of Arabic cannot be shown apart.
func TextDiff(before, after string) []DiffPart { return textDiff(before, after, Patience) }

func textDiff(before, after string, patience time.Duration) []DiffPart {
	var v Vocabulary
	diffs := Compare(v.Encode(wordsOf(before)), v.Encode(wordsOf(after)), patience)
	diffs = diffmatchpatch.New().DiffCleanupSemantic(diffs)
	var parts []DiffPart
	for i, piece := range diffs {
		part := DiffPart{Kind: map[diffmatchpatch.Operation]string{diffmatchpatch.DiffDelete: "del",
			diffmatchpatch.DiffInsert: "ins"}[piece.Type], Text: v.decodeWords(piece.Text)}
		if part.Kind == "" {
			part.Kind = "same"
			part.Text = shortenMiddle(part.Text, i > 0, i < len(diffs)-1)
		}
		parts = append(parts, part)
	}
	return parts
}

// Compare returns the changes from one list of codes of a Vocabulary to another. What it has not found when its
// patience ends counts as replaced.
func Compare(before, after []rune, patience time.Duration) []diffmatchpatch.Diff {
	d := diffmatchpatch.New()
	// Else it first looks for a common half, which takes the square of the length and no deadline ends.
	d.DiffTimeout = 0
	if min(len(before), len(after)) < 2 { // too short for DiffBisect
		return d.DiffMainRunes(before, after, false)
	}
	return d.DiffCleanupMerge(d.DiffBisect(string(before), string(after), time.Now().Add(patience)))
}

// Vocabulary encodes each word as one rune, because the diff compares runes.
type Vocabulary struct {
	codes map[string]rune
	words []string
}

// Surrogates are not valid runes, so codes skip them.
const firstSurrogate, surrogates = 0xD800, 0x800

// Encode returns the codes of words, or of other texts such as lines.
func (v *Vocabulary) Encode(words []string) (codes []rune) {
	if v.codes == nil {
		v.codes = map[string]rune{}
	}
	for _, word := range words {
		code, ok := v.codes[word]
		if !ok {
			if code = rune(len(v.words)); code >= firstSurrogate {
				code += surrogates
			}
			v.codes[word] = code
			v.words = append(v.words, word)
		}
		codes = append(codes, code)
	}
	return codes
}

func (v *Vocabulary) decodeWords(codes string) string {
	var b strings.Builder
	for _, code := range codes {
		if code >= firstSurrogate {
			code -= surrogates
		}
		b.WriteString(v.words[code])
	}
	return b.String()
}

// wordsOf splits a text into words and the characters between them. A number is one word, with the point or commas in
// it. In scripts without spaces between words, each character counts as a word.
func wordsOf(text string) (words []string) {
	start := 0
	for i, r := range text {
		inWord := (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) &&
			!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer)
		if inWord || (r == '.' || r == ',') && start < i && isDigit(text, i-1) && isDigit(text, i+1) {
			continue
		}
		if start < i {
			words = append(words, text[start:i])
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		start = i + size
		words = append(words, text[i:start])
	}
	if start < len(text) {
		words = append(words, text[start:])
	}
	return words
}

func isDigit(text string, i int) bool { return i < len(text) && text[i] >= '0' && text[i] <= '9' }

// LineDiff compares two lists of names, one per line. Removed names come first. Of names that stay, those near a
// change are shown, and of those that changed the first maxRows. If only the order changed, the lists are compared
// as texts.
func LineDiff(before, after string) (parts []DiffPart) {
	was, is := strings.Split(before, "\n"), strings.Split(after, "\n")
	var lines []DiffPart
	var changed []int // indexes of the lines that changed
	add := func(kind, line string) {
		if line == "" {
			return
		}
		if kind != "same" {
			changed = append(changed, len(lines))
		}
		lines = append(lines, DiffPart{Kind: kind, Text: line})
	}
	had, has := setOf(was), setOf(is)
	for _, line := range was {
		if !has[line] {
			add("del", line)
		}
	}
	for _, line := range is {
		kind := "ins"
		if had[line] {
			kind = "same"
		}
		add(kind, line)
	}
	if len(changed) == 0 {
		return TextDiff(before, after)
	}
	next := 0
	for _, i := range changed[:min(len(changed), maxRows)] {
		from := max(next, i-nearRows)
		if from > next {
			parts = append(parts, DiffPart{Kind: "same", Text: "…\n"})
		}
		for next = from; next < min(i+nearRows+1, len(lines)); next++ {
			parts = append(parts, lines[next], DiffPart{Kind: "same", Text: "\n"})
		}
	}
	if next < len(lines) {
		return append(parts, DiffPart{Kind: "same", Text: "…"})
	}
	return parts[:len(parts)-1]
}

func setOf(lines []string) map[string]bool {
	set := make(map[string]bool, len(lines))
	for _, line := range lines {
		set[line] = true
	}
	return set
}

// WholeDiff shows the old value of a field and then the new one.
func WholeDiff(t cms.FieldType, was, is string) (parts []DiffPart) {
	part := func(kind, text string) {
		shown := DiffPart{Kind: kind, Text: text}
		switch at, err := time.Parse(time.DateOnly, text); {
		case t == cms.TypeDateTime:
			shown.Time = text
		case t == cms.TypeDate && err == nil:
			shown.Words = say.Date(at)
		case t == cms.TypeBoolean:
			shown.Words = map[string]say.Text{"true": "Yes", "Yes": "Yes", "false": "No", "No": "No"}[text]
		}
		parts = append(parts, shown)
	}
	if was != "" {
		part("del", was)
	}
	if was != "" && is != "" {
		part("same", " → ")
	}
	if is != "" {
		part("ins", is)
	}
	return parts
}

// shortenMiddle replaces the middle of a long unchanged piece with an ellipsis. It also drops the start
// or the end if there is no change next to it.
func shortenMiddle(s string, changeBefore, changeAfter bool) string {
	text := []rune(s)
	if len(text) <= 2*maxSame {
		return s
	}
	short := "…"
	if changeBefore {
		start := string(text[:maxSame])
		if cut := strings.LastIndex(start, " "); cut >= 0 {
			start = start[:cut+1]
		}
		short = start + short
	}
	if changeAfter {
		_, end, whole := strings.Cut(string(text[len(text)-maxSame:]), " ")
		if !whole {
			end = string(text[len(text)-maxSame:])
		}
		short += " " + end
	}
	return short
}
