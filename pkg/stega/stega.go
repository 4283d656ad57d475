// Package stega marks texts with the place where they are edited (extensions §15). A mark is invisible:
// it is JSON, written in characters without width, as the package @vercel/stega for JavaScript reads it.
package stega

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"headless/pkg/cms"
	"headless/pkg/markdown"
)

// digits are the characters for 0 to 3: a byte is four digits, the highest first. Four zeros begin a
// mark.
var digits = [4]string{"\u200b", "\u200c", "\u200d", "\ufeff"}

// Mark returns the mark for the address of a place.
func Mark(href string) string {
	raw, err := json.Marshal(struct {
		Origin string `json:"origin"`
		Href   string `json:"href"`
	}{"cms", href})
	if err != nil {
		panic("stega: a text cannot be encoded: " + err.Error())
	}
	var b strings.Builder
	b.WriteString(strings.Repeat(digits[0], 4))
	for _, c := range ascii(string(raw)) {
		for shift := 6; shift >= 0; shift -= 2 {
			b.WriteString(digits[c>>shift&3])
		}
	}
	return b.String()
}

// ascii writes the characters of JSON that are not ASCII as escapes.
func ascii(text string) []byte {
	const hex = "0123456789abcdef"
	var b []byte
	for _, r := range text {
		if r < 0x80 {
			b = append(b, byte(r))
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			b = append(b, '\\', 'u', hex[unit>>12], hex[unit>>8&15], hex[unit>>4&15], hex[unit&15])
		}
	}
	return b
}

// value finds numbers, dates, times and colours, also the names that CSS and months have in English.
var value = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i)([+−-]?(\d[\d\s.,:/tz+%-]*|\d*\.?\d+(e[+-]?\d+)?)|` +
		`(\d{1,2}(st|nd|rd|th|\.)? )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? ` +
		`(\d{1,2}(st|nd|rd|th)?,? ?)?\d{4}|` +
		`(rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\([^)]*\)|transparent|currentcolor|` +
		`black|silver|gr[ae]y|white|maroon|red|purple|fuchsia|green|lime|olive|yellow|navy|blue|teal|aqua|orange|pink)$`)
})

// Fits reports whether a text can be marked. Programs read a text that is empty, a number, a date, a
// colour or an address, or that begins with / or #, and a mark would break it.
func Fits(text string) bool {
	trimmed := strings.TrimSpace(text)
	return trimmed != "" && trimmed[0] != '/' && trimmed[0] != '#' &&
		!value().MatchString(trimmed) && !isAddress(trimmed)
}

// isAddress reports whether a text is an address of the web or of a mailbox.
func isAddress(text string) bool {
	if strings.ContainsAny(text, " \t\n") {
		return false
	}
	u, err := url.Parse(text)
	return cms.ValidEmail(text) || strings.HasPrefix(text, "www.") ||
		err == nil && (u.Scheme != "" && u.Host != "" || u.Scheme == "mailto" || u.Scheme == "tel" || u.Scheme == "cms")
}

// InMarkdown returns where a mark stands in a text: at the end of the last line that is a paragraph, a heading or an
// item of a list and does not end in an address, before the delimiters at its end. It is -1 if there is no such line.
func InMarkdown(text string) int {
	shown := strings.TrimSpace(text)
	if heading := strings.TrimLeft(shown, "#"); strings.HasPrefix(heading, " ") {
		shown = heading
	}
	if !Fits(shown) {
		return -1
	}
	source, at := []byte(text), -1
	_ = ast.Walk(markdown.Parse(source), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n.Kind() {
		case ast.KindParagraph, ast.KindHeading, ast.KindTextBlock:
			lines, before := n.Lines(), at
			for i := range lines.Len() {
				line := lines.At(i)
				shown := strings.TrimRight(string(line.Value(source)), " \t\r\n")
				if strings.Contains(shown, "-") && strings.Trim(shown, "|:- \t") == "" {
					at = before // the line above is the head of a table, which ends with these lines
					break
				}
				before = at
				if end := endOfLine(shown); end >= 0 && fitsLine(shown) {
					at = max(at, line.Start+end)
				}
			}
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return at
}

// fitsLine reports whether a mark may stand after a line: not where it would become a part of an address.
func fitsLine(line string) bool {
	words := strings.Fields(line)
	if len(words) == 0 || strings.HasSuffix(line, `\`) {
		return false
	}
	last := words[len(words)-1]
	if strings.HasSuffix(last, ")") && strings.Contains(line, "](") {
		return true
	}
	return !strings.Contains(last, "://") && !isAddress(strings.Trim(last, "<>().,;:!?*_~"))
}

// endOfLine returns the place of a mark in a line, -1 if it has none: before the delimiters at its end, whose part in
// an emphasis depends by CommonMark on the kinds of characters beside them. A mark counts as a letter. In place of
// punctuation it changes the delimiters that follow only if they are of two kinds, or after one that is escaped.
func endOfLine(line string) int {
	const delimiters = "*_~"
	inner := strings.TrimRightFunc(line,
		func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(delimiters, r) })
	rest := line[len(inner):]
	begins := func(text string) bool { return text != "" && strings.Contains(delimiters, text[:1]) }
	escaped := (len(inner)-len(strings.TrimRight(inner, `\`)))%2 == 1 && begins(rest)
	if escaped {
		inner, rest = line[:len(inner)+1], rest[1:]
	}
	last, _ := utf8.DecodeLastRuneInString(inner)
	isPunctuation := unicode.IsPunct(last) || unicode.IsSymbol(last)
	if inner == "" || begins(rest) && (escaped || isPunctuation && begins(strings.TrimLeft(rest, rest[:1]))) {
		return -1
	}
	return len(inner)
}

// InHTML returns where a mark stands in the HTML of a text, whose elements are all closed: after the last
// text outside pre, code and a. It is -1 if there is none, and if the text as a whole can hold no mark.
func InHTML(html string) int {
	at, inside := -1, 0
	var shown strings.Builder
	for i := 0; i < len(html); {
		if html[i] != '<' {
			end := strings.IndexByte(html[i:], '<')
			if end < 0 {
				end = len(html) - i
			}
			shown.WriteString(html[i : i+end])
			if text := strings.TrimRight(html[i:i+end], " \t\r\n"); inside == 0 && text != "" {
				at = i + len(text)
			}
			i += end
			continue
		}
		end := endOfTag(html, i)
		name, closing := strings.CutPrefix(strings.ToLower(html[i+1:end]), "/")
		switch name, _, _ = strings.Cut(strings.TrimRight(name, ">"), " "); {
		case name != "pre" && name != "code" && name != "a":
		case closing:
			inside--
		default:
			inside++
		}
		i = end
	}
	if !Fits(shown.String()) {
		return -1
	}
	return at
}

// endOfTag returns the position after a tag, whose attributes may hold a >.
func endOfTag(html string, at int) int {
	quote := byte(0)
	for ; at < len(html); at++ {
		switch c := html[at]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return at + 1
		}
	}
	return len(html)
}

// Insert returns a text with a mark at a position, or the text itself for a position of -1.
func Insert(text string, at int, mark string) string {
	if at < 0 {
		return text
	}
	return text[:at] + mark + text[at:]
}
