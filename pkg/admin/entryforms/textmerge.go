package entryforms

import (
	"slices"
	"strings"
	"time"

	"github.com/sergi/go-diff/diffmatchpatch"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// mergeText merges a text line by line. ok is false if it must be merged as a whole, because it was
// empty or is no text, or the time is over.
func (g merger) mergeText(f *cms.Field, key string, base, mine, theirs any) (result merged, ok bool) {
	tree, isTree := base.(string)
	now, isText := textOf(theirs)
	new, isNewText := textOf(mine)
	was := strings.Fields(tree)
	if len(was) == 0 || !isTree || !isText || !isNewText || time.Now().After(g.end) {
		return merged{}, false
	}
	var t textMerge
	for _, c := range chunksOf(was, linesOf(new), linesOf(now)) {
		t.addChunk(c, key == g.choice.Key, g.choice.Take)
	}
	result = merged{store: plainText(strings.Join(t.store, "\n")), shown: plainText(strings.Join(t.shown, "\n")),
		sent: strings.Join(t.sent, " "), base: strings.Join(t.base, " ")}
	if t.conflict {
		result.conflicts = []Conflict{{Key: key, Field: f, Mine: result.shown, Theirs: result.store}}
	}
	return result, true
}

// textMerge collects the lines of a merged text, as the fields of merged.
type textMerge struct {
	store, shown, sent, base []string
	conflict                 bool
}

// addChunk adds the lines of a chunk. take resolves a conflict if resolved is set.
func (t *textMerge) addChunk(c chunk, resolved, take bool) {
	new, now := digestsOf(c.mine), digestsOf(c.theirs)
	store, shown := c.theirs, c.theirs
	switch {
	case slices.Equal(new, now), slices.Equal(new, c.base):
	case slices.Equal(now, c.base), wasSaved(c):
		store, shown = c.mine, c.mine
	case !slices.ContainsFunc(c.base, func(line string) bool { return line != blankDigest }): // both inserted something
		store = bothTexts(c.theirs, c.mine)
		shown = store
	case resolved && take:
	case resolved:
		store, shown = c.mine, c.mine
	default:
		t.conflict = true
		shown, new, now = c.mine, c.base, c.base
	}
	t.store, t.shown = append(t.store, store...), append(t.shown, shown...)
	t.sent, t.base = append(t.sent, new...), append(t.base, now...)
}

// wasSaved reports whether mine was typed on after its lines were saved, without an answer that said so: it has all
// lines of theirs, and no line of base that theirs lacks.
func wasSaved(c chunk) bool {
	now, lines := digestsOf(c.theirs), slices.DeleteFunc(slices.Clone(c.theirs), isBlank)
	for _, line := range c.mine {
		if digest := ui.Digest(line); slices.Contains(c.base, digest) && !slices.Contains(now, digest) {
			return false
		}
	}
	return len(lines) > 0 && hasAll(c.mine, lines)
}

// hasAll reports whether a text has some lines in their order.
func hasAll(text, lines []string) bool {
	for _, line := range text {
		if len(lines) > 0 && line == lines[0] {
			lines = lines[1:]
		}
	}
	return len(lines) == 0
}

// bothTexts returns what two people inserted in the same place. A text that has the other already is
// one that was saved before and typed on since, and so is a paragraph that both have.
func bothTexts(theirs, mine []string) []string {
	switch {
	case hasLines(mine, theirs):
		return mine
	case hasLines(theirs, mine):
		return theirs
	}
	if t, m, n := sharedParagraph(theirs, mine); n > 0 {
		return slices.Concat(bothTexts(theirs[:t], mine[:m]), mine[m:m+n], bothTexts(theirs[t+n:], mine[m+n:]))
	}
	gap := []string{""} // two paragraphs stay two
	if isBlank(theirs[len(theirs)-1]) {
		gap = nil
		for len(mine) > 0 && isBlank(mine[0]) {
			mine = mine[1:]
		}
	} else if isBlank(mine[0]) {
		gap = nil
	}
	return slices.Concat(theirs, gap, mine)
}

// sharedParagraph returns where the first paragraph that two texts have begins in each, and its number of lines: 0 if
// there is none. Before or after it, one of the texts has nothing: sections of two people that have a rule in common
// stay whole. Texts with fenced code count as different, since a paragraph may be a part of the code.
func sharedParagraph(theirs, mine []string) (atTheirs, atMine, length int) {
	if all := strings.Join(slices.Concat(theirs, mine), "\n"); strings.Contains(all, "```") ||
		strings.Contains(all, "~~~") {
		return 0, 0, 0
	}
	for t := range theirs {
		n := paragraphAt(theirs, t)
		for m := range mine {
			if n > 0 && paragraphAt(mine, m) == n && slices.Equal(theirs[t:t+n], mine[m:m+n]) &&
				slices.ContainsFunc([][]string{theirs[:t], mine[:m], theirs[t+n:], mine[m+n:]}, hasNoText) {
				return t, m, n
			}
		}
	}
	return 0, 0, 0
}

func hasNoText(lines []string) bool {
	return !slices.ContainsFunc(lines, func(line string) bool { return !isBlank(line) })
}

// paragraphAt returns the number of lines of the paragraph that begins at a line, 0 if none does.
func paragraphAt(lines []string, at int) (n int) {
	if at > 0 && !isBlank(lines[at-1]) {
		return 0
	}
	for at+n < len(lines) && !isBlank(lines[at+n]) {
		n++
	}
	return n
}

// hasLines reports whether a text has the lines of another in their order, blank ones aside. More may
// follow on the last one.
func hasLines(text, other []string) bool {
	other = slices.DeleteFunc(slices.Clone(other), isBlank)
	for _, line := range text {
		if len(other) > 0 && (line == other[0] || len(other) == 1 && strings.HasPrefix(line, other[0])) {
			other = other[1:]
		}
	}
	return len(other) == 0
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// chunk is a part of a text in three versions; base has digests of lines.
type chunk struct{ base, mine, theirs []string }

// chunksOf splits three versions of a text into parts that correspond: lines that all of them have,
// and the lines between them.
func chunksOf(base, mine, theirs []string) (chunks []chunk) {
	inMine, inTheirs := matchLines(base, digestsOf(mine)), matchLines(base, digestsOf(theirs))
	b, m, t := 0, 0, 0
	between := func(toB, toM, toT int) {
		if b == toB && m == toM && t == toT {
			return
		}
		c := chunk{base[b:toB], mine[m:toM], theirs[t:toT]}
		if len(c.base) == len(c.mine) && len(c.base) == len(c.theirs) { // lines that were only edited
			for i := range c.base {
				chunks = append(chunks, chunk{c.base[i : i+1], c.mine[i : i+1], c.theirs[i : i+1]})
			}
			return
		}
		chunks = append(chunks, c)
	}
	for i := range base {
		atM, atT := inMine[i], inTheirs[i]
		if atM < 0 || atT < 0 {
			continue
		}
		between(i, atM, atT)
		chunks = append(chunks, chunk{base[i : i+1], mine[atM : atM+1], theirs[atT : atT+1]})
		b, m, t = i+1, atM+1, atT+1
	}
	between(len(base), len(mine), len(theirs))
	return chunks
}

var blankDigest = ui.Digest("")

// matchLines returns the index in after of each line of before, -1 for one that is not there. Blank lines
// are all equal, so they count only between two other lines that match: else a text with many of them would
// match by these, and a paragraph that is still there would count as removed and added.
func matchLines(before, after []string) []int {
	texts := func(lines []string) (list []string, at []int) {
		for i, line := range lines {
			if line != blankDigest {
				list, at = append(list, line), append(at, i)
			}
		}
		return list, at
	}
	was, wasAt := texts(before)
	now, nowAt := texts(after)
	found, taken := slices.Repeat([]int{-1}, len(before)), make([]bool, len(after))
	for i, match := range matchTexts(was, now) {
		if match >= 0 {
			found[wasAt[i]], taken[nowAt[match]] = nowAt[match], true
		}
	}
	next := 0
	for i := 0; i < len(before); i++ {
		if before[i] != blankDigest {
			next = max(next, found[i]+1)
			continue
		}
		end, to := i, next
		for end < len(before) && before[end] == blankDigest {
			end++
		}
		for to < len(after) && !taken[to] {
			to++
		}
		afterMatch, beforeMatch := i == 0 || found[i-1] >= 0, end == len(before) || found[end] >= 0
		switch {
		case afterMatch && beforeMatch && !slices.Equal(before[i:end], after[next:to]):
			// Something was inserted between two lines that stayed.
		case beforeMatch && !afterMatch:
			for k := 1; k <= end-i && to-k >= next && after[to-k] == blankDigest; k++ {
				found[end-k] = to - k
			}
		default:
			for k := i; k < end; k++ {
				at := next
				for at < to && after[at] != blankDigest {
					at++
				}
				if at < to {
					found[k], next = at, at+1
				}
			}
		}
		i = end - 1
	}
	return found
}

// matchTexts is matchLines for lines that are not blank. Of equal lines it takes the first: two texts with
// the same insertion are split alike.
func matchTexts(before, after []string) []int {
	var v ui.Vocabulary
	found := make([]int, len(before))
	b, a := 0, 0
	for _, piece := range ui.Compare(v.Encode(before), v.Encode(after), ui.Patience) {
		for range piece.Text {
			switch piece.Type {
			case diffmatchpatch.DiffEqual:
				found[b] = a
				b, a = b+1, a+1
			case diffmatchpatch.DiffDelete:
				found[b] = -1
				b++
			case diffmatchpatch.DiffInsert:
				a++
			}
		}
	}
	next := 0
	for i, line := range before {
		if found[i] < 0 {
			continue
		}
		for after[next] != line {
			next++
		}
		found[i] = next
		next++
	}
	return found
}
