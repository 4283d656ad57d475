package docs

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestTranslations compares the guides in other languages with the English ones: they have the same headings,
// paragraphs, items and pictures in the same order, and in each section the same links and codes.
func TestTranslations(t *testing.T) {
	files, err := fs.ReadDir(Files, ".")
	must.Do(t, err)
	found := 0
	for _, f := range files {
		name, language, ok := strings.Cut(strings.TrimSuffix(f.Name(), ".md"), ".")
		if !ok {
			continue
		}
		found++
		want, got := shape(Text(name)), shape(Text(name+"."+language))
		for i := range max(len(want), len(got)) {
			if i >= len(want) || i >= len(got) || want[i] != got[i] {
				t.Errorf("%s: from part %d on there is %q, in English %q", f.Name(), i, got[min(i, len(got)):min(i+5, len(got))],
					want[min(i, len(want)):min(i+5, len(want))])
				break
			}
		}
	}
	if found == 0 {
		t.Error("there is no guide in another language")
	}
}

var (
	itemMark = regexp.MustCompile(`^(- |[0-9]+\. )`)
	sameText = regexp.MustCompile("`[^`]*`" + `|\]\([^)]*\)`)
)

// shape returns what a guide has in every language: a line for each part, and for each section its links and codes.
func shape(text string) (parts []string) {
	var same []string
	begins := true
	for line := range strings.Lines(text + "\n# end\n") {
		line = strings.TrimSpace(line)
		mark, _, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "#"):
			// in another language
			same = slices.DeleteFunc(same, func(s string) bool { return strings.HasPrefix(s, "](editors") })
			slices.Sort(same)
			parts = append(parts, strings.Join(same, " "), mark)
			same = nil
		case itemMark.MatchString(line):
			parts = append(parts, mark)
		case strings.HasPrefix(line, "!["):
			parts = append(parts, "picture")
		case line != "" && begins:
			parts = append(parts, "paragraph")
		}
		begins = line == ""
		same = append(same, sameText.FindAllString(line, -1)...)
	}
	return parts
}
