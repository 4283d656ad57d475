package analysis

import (
	"slices"
	"strings"
)

// startLine reads the beginning of a line: it drops structural markup and whole lines that hold nothing
// else, and copies lines of code.
func (s *stripper) startLine() {
	line, _, _ := strings.Cut(s.src[s.at:], "\n")
	end := min(len(s.src), s.at+len(line)+1)
	trimmed := strings.TrimSpace(line)
	if s.fence != "" {
		if closesFence(trimmed, s.fence) {
			s.fence = ""
			s.at = end
			return
		}
		s.copy(end)
		return
	}
	if trimmed == "" {
		s.brackets = s.brackets[:0] // a link ends within its paragraph
	}
	if s.fence = fenceOf(trimmed); s.fence != "" || isRule(trimmed) || isDefinition(trimmed) || isImport(trimmed) {
		s.space('\n')
		s.at = end
		return
	}
	rest := strings.TrimLeft(line, " \t")
	s.at += len(line) - len(rest) + prefixLen(rest)
	s.table = strings.HasPrefix(trimmed, "|")
	s.lineStart = false
}

// fenceOf returns the sign that closes the code block that the line opens, "" if it opens none.
func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, c)
		if n := len(line) - len(rest); n >= 3 && (c == "~" || !strings.Contains(rest, "`")) {
			return line[:n]
		}
	}
	return ""
}

// closesFence reports whether a trimmed line ends the block of code that the fence began.
func closesFence(line, fence string) bool {
	return strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]) == ""
}

// isRule reports whether a line only underlines a heading, separates sections, or separates the
// head of a table from its rows.
func isRule(line string) bool {
	return line == ":::" || len(line) > 1 && strings.Trim(line, "-=*_|:+ \t") == "" &&
		strings.ContainsAny(line, "-=*_")
}

// isDefinition reports whether a line only defines the URL of a link: [label]: URL.
func isDefinition(line string) bool {
	if len(line) < 2 || line[0] != '[' || line[1] == '^' {
		return false
	}
	end := strings.IndexByte(line, ']')
	return end > 1 && strings.HasPrefix(line[end:], "]:")
}

// isImport reports whether a line of MDX imports a component.
func isImport(line string) bool {
	return strings.HasPrefix(line, "import ") &&
		(strings.Contains(line, " from '") || strings.Contains(line, " from \""))
}

// prefixLen returns the length of the signs of quotes, lists, tasks, headings and notes
// (:::tip) at the beginning of a line.
func prefixLen(line string) int {
	rest := line
	if note, ok := strings.CutPrefix(line, ":::"); ok {
		rest = strings.TrimLeft(note, tagNameLetters)
	}
	for {
		next := rest
		switch {
		case strings.HasPrefix(next, ">"):
			next = next[1:]
		case len(next) > 1 && strings.IndexByte("-*+", next[0]) >= 0 && next[1] == ' ':
			next = next[2:]
			if len(next) > 3 && next[0] == '[' && next[2] == ']' && strings.IndexByte(" xX", next[1]) >= 0 {
				next = next[3:]
			}
		case next != "" && next[0] == '#':
			if heading := strings.TrimLeft(next, "#"); strings.HasPrefix(heading, " ") {
				next = heading
			}
		default:
			digits := strings.TrimLeft(next[:min(len(next), 9)], "0123456789")
			n := min(len(next), 9) - len(digits)
			if n > 0 && n+1 < len(next) && (next[n] == '.' || next[n] == ')') && next[n+1] == ' ' {
				next = next[n+2:]
			}
		}
		next = strings.TrimLeft(next, " \t")
		if len(next) == len(rest) {
			return len(line) - len(rest)
		}
		rest = next
	}
}

// angle reads a <: a comment, a link in angle brackets, a tag, or the sign itself.
func (s *stripper) angle() {
	if strings.HasPrefix(s.src[s.at:], "<!--") {
		if end := s.findFrom(s.at+4, "-->"); end >= 0 {
			s.at = end + 3
			return
		}
	}
	tag := tagAt(s.window(maxTag))
	if tag == "" || strings.Contains(tag, "\n\n") {
		s.copy(s.at + 1)
		return
	}
	if isAutolink(tag[1 : len(tag)-1]) {
		s.out = append(s.out, tag[1:len(tag)-1]...)
		s.at += len(tag)
		return
	}
	name := strings.TrimLeft(tag, "</!")
	name = name[:len(name)-len(strings.TrimLeft(name, tagNameLetters))]
	name = strings.ToLower(name)
	s.at += len(tag)
	if (name == "script" || name == "style") && tag[1] != '/' && !strings.HasSuffix(tag, "/>") {
		if end := s.findFrom(s.at, "</"+name); end >= 0 {
			s.at = end
			return
		}
	}
	if !isInlineTag(name) {
		s.space('\n')
	}
}

// isAutolink reports whether the text in angle brackets is itself a link, such as
// https://example.com or name@example.com.
func isAutolink(s string) bool {
	return s[0] != '/' && !strings.ContainsAny(s, " \t\n\"'=") && strings.ContainsAny(s, ":@")
}

const tagNameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

// tagAt returns the tag at the beginning of s, "" if there is none. A > within quotes does not end
// the tag. A < outside quotes means that there is no tag.
func tagAt(s string) string {
	if len(s) < 3 || strings.IndexByte("/!", s[1]) < 0 && (s[1]|0x20 < 'a' || s[1]|0x20 > 'z') {
		return ""
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '>':
			return s[:i+1]
		case '<':
			return ""
		case '"', '\'':
			end := strings.IndexByte(s[i+1:], s[i])
			if end < 0 {
				return ""
			}
			i += end + 1
		}
	}
	return ""
}

// isInlineTag reports whether an element may be within a word or sentence, so that its tag
// separates nothing.
func isInlineTag(name string) bool {
	switch name {
	case "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
		"label", "mark", "q", "ruby", "s", "samp", "small", "span", "strong", "sub", "sup", "time",
		"tt", "u", "var", "wbr":
		return true
	}
	return false
}

// findFrom returns the first offset of sought from the offset from on, ignoring case, or -1. What was
// not found once is not searched again, so the time stays linear.
func (s *stripper) findFrom(from int, sought string) int {
	if slices.Contains(s.unclosed, sought) {
		return -1
	}
	for at := from; ; {
		i := strings.Index(s.src[at:], sought[:2])
		if i < 0 {
			s.unclosed = append(s.unclosed, sought)
			return -1
		}
		at += i
		if len(s.src)-at >= len(sought) && strings.EqualFold(s.src[at:at+len(sought)], sought) {
			return at
		}
		at++
	}
}
