package reviewpages

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/comments"
	"headless/pkg/input"
)

// showMentions returns a function that puts names in place of the ids that comments keep.
func showMentions(c *frame.Call, people frame.People) func(text *string) string {
	return func(text *string) string {
		return comments.ReplaceMentions(input.Given(text, ""),
			func(id string) string { return c.Language().Say(people.Name(id)) })
	}
}

// takeMentions puts ids in place of the names that people write after "@". A first name is enough if only one
// colleague has it.
func takeMentions(text string, people []cms.Person) string {
	parts := strings.Split(text, "@")
	for i, part := range parts[1:] {
		if before, _ := utf8.DecodeLastRuneInString(parts[i]); isOfWord(before) {
			continue // an address
		}
		id, best := "", 1
		for _, p := range people {
			first, _, _ := strings.Cut(p.Name, " ")
			for full, name := range []string{first, p.Name} {
				n := len(name)
				rank := 2*n + full // a whole name before a first name
				if rank < best || n == 0 || n > len(part) || !strings.EqualFold(part[:n], name) {
					continue
				}
				if after, _ := utf8.DecodeRuneInString(part[n:]); isOfWord(after) {
					continue
				}
				if rank == best && id != p.ID {
					id = "" // nobody knows who of them is meant
				} else {
					id, best = p.ID, rank
				}
			}
		}
		if id != "" {
			parts[i+1] = id + part[best/2:]
		}
	}
	return strings.Join(parts, "@")
}

func isOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
