package analysis

import (
	"bytes"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// PlainText returns the words of a Markdown or HTML text as a reader sees them: without tags,
// comments, scripts, styles, link targets and Markdown signs, with entities decoded. The words of
// code are kept. Line feeds separate lines and paragraphs.
//
// It serves search and excerpts, not rendering: if markup is broken or ambiguous, its signs stay in
// the text. The result is text, not HTML: it may hold < and &. The time is proportional to the
// input's length.
func PlainText(markdown string) string {
	s := stripper{src: markdown, out: make([]byte, 0, len(markdown)), lineStart: true}
	for s.at < len(s.src) {
		if s.lineStart {
			s.startLine()
			continue
		}
		s.inline()
	}
	return string(bytes.ReplaceAll(s.out, []byte{removed}, nil))
}

// removed replaces an output byte that later turns out to be markup.
const removed = 0

// Maximum lengths of constructs, in bytes. If the end is not found within them, the opening sign
// counts as text. They keep hostile input from being scanned over and over.
const (
	maxTag      = 2048
	maxCodeSpan = 1024
	maxTarget   = 2048
	maxEntity   = 32
)

// stripper is the state of one PlainText call.
type stripper struct {
	src       string
	at        int
	out       []byte
	lineStart bool
	table     bool   // the line is a row of a table
	fence     string // the sign that closes the code block being read
	brackets  []int  // offsets of open square brackets in out
	unclosed  []string
}

func isSpecial(c byte) bool {
	switch c {
	case '\n', '\\', '`', '*', '_', '~', '!', '[', ']', '<', '&', '|', removed:
		return true
	}
	return false
}

// inline reads one sign or one run of plain characters within a line.
func (s *stripper) inline() {
	c := s.src[s.at]
	if !isSpecial(c) {
		end := s.at + 1
		for end < len(s.src) && !isSpecial(s.src[end]) {
			end++
		}
		s.copy(end)
		return
	}
	switch c {
	case '\n':
		s.lineStart, s.table = true, false
		s.copy(s.at + 1)
	case removed:
		s.at++
	case '\\':
		s.escape()
	case '`':
		s.code()
	case '*', '_', '~':
		s.emphasis(c)
	case '[':
		s.brackets = append(s.brackets, len(s.out))
		s.copy(s.at + 1)
	case ']':
		s.link()
	case '<':
		s.angle()
	case '&':
		s.entity()
	case '!':
		if strings.HasPrefix(s.src[s.at:], "![") {
			s.at++
			return
		}
		s.copy(s.at + 1)
	case '|':
		if s.table {
			s.space(' ')
			s.at++
			return
		}
		s.copy(s.at + 1)
	}
}

// copy moves the source up to end to the output.
func (s *stripper) copy(end int) {
	s.out = append(s.out, s.src[s.at:end]...)
	s.at = end
}

// space writes c unless the output ends with white space.
func (s *stripper) space(c byte) {
	if n := len(s.out); n > 0 && s.out[n-1] != ' ' && s.out[n-1] != '\n' {
		s.out = append(s.out, c)
	}
}

// window returns at most the next limit bytes of the source.
func (s *stripper) window(limit int) string {
	return s.src[s.at:min(len(s.src), s.at+limit)]
}

func (s *stripper) escape() {
	s.at++
	if s.at < len(s.src) && isPunctuation(s.src[s.at]) {
		s.copy(s.at + 1)
		return
	}
	s.out = append(s.out, '\\')
}

func isPunctuation(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

// code copies the content of a code span unchanged, or drops back quotes that are not closed.
func (s *stripper) code() {
	n := 1
	for s.at+n < len(s.src) && s.src[s.at+n] == '`' {
		n++
	}
	sign := s.src[s.at : s.at+n]
	s.at += n
	if n > maxCodeSpan {
		return
	}
	content, _, found := strings.Cut(s.window(maxCodeSpan), sign)
	if found && !strings.Contains(content, "\n\n") {
		s.copy(s.at + len(content))
		s.at += n
	}
}

// emphasis drops signs that open or close emphasis. Signs between spaces (2 * 3), and underscores
// within a word, are text.
func (s *stripper) emphasis(c byte) {
	end := s.at + 1
	for end < len(s.src) && s.src[end] == c {
		end++
	}
	before, _ := utf8.DecodeLastRuneInString(s.src[max(0, s.at-utf8.UTFMax):s.at])
	after, _ := utf8.DecodeRuneInString(s.src[end:])
	text := isBlank(before) && isBlank(after)
	switch c {
	case '_':
		text = text || isWordRune(before) && isWordRune(after)
	case '~':
		text = text || end-s.at != 2
	}
	if text {
		s.copy(end)
	}
	s.at = end
}

func isBlank(r rune) bool { return r == utf8.RuneError || unicode.IsSpace(r) }

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// link reads a closing bracket. If it ends a link or image, only the text is kept; a reference to a
// footnote is removed.
func (s *stripper) link() {
	if len(s.brackets) == 0 {
		s.copy(s.at + 1)
		return
	}
	open := s.brackets[len(s.brackets)-1]
	s.brackets = s.brackets[:len(s.brackets)-1]
	if open+1 < len(s.out) && s.out[open+1] == '^' && len(s.out)-open < 64 {
		s.out = s.out[:open]
		s.at++
		return
	}
	s.at++
	if n := targetLen(s.window(maxTarget)); n > 0 {
		s.out[open] = removed
		s.at += n
		return
	}
	s.out = append(s.out, ']')
}

// targetLen returns the length of "(URL "title")" or "[label]" at the beginning of s, 0 if there is
// none.
func targetLen(s string) int {
	if s == "" || s[0] != '(' && s[0] != '[' {
		return 0
	}
	if s[0] == '[' {
		end := strings.IndexAny(s[1:], "[]\n")
		if end >= 0 && s[1+end] == ']' {
			return end + 2
		}
		return 0
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			depth++
			if depth > 8 {
				return 0
			}
		case ')':
			depth--
			if depth == 0 {
				return i + 1
			}
		case '\n':
			if i+1 < len(s) && s[i+1] == '\n' {
				return 0
			}
		}
	}
	return 0
}

func (s *stripper) entity() {
	w := s.window(maxEntity)
	if end := strings.IndexByte(w, ';'); end > 0 {
		if text := html.UnescapeString(w[:end+1]); text != w[:end+1] {
			s.out = append(s.out, text...)
			s.at += end + 1
			return
		}
	}
	s.copy(s.at + 1)
}
