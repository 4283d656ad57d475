package pkg_test

import (
	"os"
	"strings"
	"testing"
	"unicode"

	"headless/pkg/must"
)

// TestCommentsSayThingsOnce finds comments in which an old wording stands beside the new one: a
// line that repeats the end of the line before, and two paragraphs that share most of their words.
func TestCommentsSayThingsOnce(t *testing.T) {
	comments := 0
	err := walkGo(func(path string) error {
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, comment := range commentsOf(string(src)) {
			comments++
			for i := 1; i < len(comment); i++ {
				if line := comment[i]; line != "" && repeatsEnd(comment[i-1], line) {
					t.Errorf("%s: the line %q repeats the one before", path, line)
				}
			}
			for _, pair := range similarParagraphs(comment) {
				t.Errorf("%s: two paragraphs of one comment say the same:\n%s\n%s", path, pair[0], pair[1])
			}
		}
		return nil
	})
	must.Do(t, err)
	if comments < 1000 {
		t.Fatalf("only %d comments were looked at", comments)
	}
}

// commentsOf returns the lines of each comment of more than one line.
func commentsOf(src string) (comments [][]string) {
	var comment []string
	for line := range strings.Lines(src + "\n") {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
		if ok {
			comment = append(comment, strings.TrimSpace(text))
			continue
		}
		if len(comment) > 1 {
			comments = append(comments, comment)
		}
		comment = nil
	}
	return comments
}

// repeatsEnd reports whether a short line is the end of the line before it.
func repeatsEnd(before, line string) bool {
	a, b := words(before), words(line)
	return len(b) > 0 && len(b) <= 8 && len(b) <= len(a) &&
		strings.Join(a[len(a)-len(b):], " ") == strings.Join(b, " ")
}

// similarParagraphs returns pairs of paragraphs of which one has 70 % of its long words in common
// with the other.
func similarParagraphs(comment []string) (pairs [][2]string) {
	paragraphs := strings.Split(strings.Join(comment, "\n"), "\n\n")
	for i, a := range paragraphs {
		for _, b := range paragraphs[i+1:] {
			x, y := longWords(a), longWords(b)
			if least := min(len(x), len(y)); least >= 8 && 10*common(x, y) >= 7*least {
				pairs = append(pairs, [2]string{a, b})
			}
		}
	}
	return pairs
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

func longWords(text string) map[string]bool {
	long := map[string]bool{}
	for _, word := range words(text) {
		if len(word) > 3 {
			long[word] = true
		}
	}
	return long
}

func common(x, y map[string]bool) (n int) {
	for word := range x {
		if y[word] {
			n++
		}
	}
	return n
}
