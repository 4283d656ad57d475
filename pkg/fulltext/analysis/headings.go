package analysis

import "strings"

// Headings returns the plain texts of the headings of a Markdown text: the lines that begin with
// one to six number signs, outside blocks of code. The time is proportional to the text's length.
func Headings(markdown string) []string {
	var list []string
	fence := ""
	for line := range strings.Lines(markdown) {
		line = strings.TrimSpace(line)
		switch {
		case fence != "":
			if closesFence(line, fence) {
				fence = ""
			}
		case fenceOf(line) != "":
			fence = fenceOf(line)
		case isHeading(line):
			list = append(list, PlainText(line))
		}
	}
	return list
}

// isHeading reports whether a trimmed line is a heading.
func isHeading(line string) bool {
	text := strings.TrimLeft(line, "#")
	level := len(line) - len(text)
	return level >= 1 && level <= 6 && strings.HasPrefix(text, " ")
}
