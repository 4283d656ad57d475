package ui

import (
	"slices"
	"strings"
	"time"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// DiffPart is a piece of two texts: in both, only in the old one, or only in the new one.
type DiffPart struct {
	Kind string // "same", "del" or "ins"
	Text string
}

// diffPatience bounds the time for one comparison; what is not compared by then counts as replaced.
const diffPatience = 200 * time.Millisecond

// maxSame is how many characters of an unchanged piece are shown on each side of a change.
const maxSame = 200

// TextDiff compares two texts for people: pieces follow words rather than letters where that reads
// better.
func TextDiff(before, after string) []DiffPart {
	d := diffmatchpatch.New()
	d.DiffTimeout = diffPatience
	diffs := d.DiffCleanupSemantic(d.DiffMain(before, after, true))
	var parts []DiffPart
	for i, piece := range diffs {
		part := DiffPart{map[diffmatchpatch.Operation]string{diffmatchpatch.DiffDelete: "del",
			diffmatchpatch.DiffInsert: "ins"}[piece.Type], piece.Text}
		if part.Kind == "" {
			part.Kind = "same"
			part.Text = shortened(piece.Text, i > 0, i < len(diffs)-1)
		}
		parts = append(parts, part)
	}
	return parts
}

// LineDiff compares two lists of names, one a line: what left the list stands before the rest. A
// mere change of order is compared as text.
func LineDiff(before, after string) []DiffPart {
	was, is := strings.Split(before, "\n"), strings.Split(after, "\n")
	var parts []DiffPart
	add := func(kind, line string) {
		if line == "" {
			return
		}
		if len(parts) > 0 {
			parts = append(parts, DiffPart{"same", "\n"})
		}
		parts = append(parts, DiffPart{kind, line})
	}
	changed := false
	for _, line := range was {
		if !slices.Contains(is, line) {
			add("del", line)
			changed = true
		}
	}
	for _, line := range is {
		kind := "ins"
		if slices.Contains(was, line) {
			kind = "same"
		}
		add(kind, line)
		changed = changed || kind == "ins"
	}
	if !changed {
		return TextDiff(before, after)
	}
	return parts
}

// shortened leaves out the middle of an unchanged piece, and its start or end where no change
// stands there.
func shortened(s string, changeBefore, changeAfter bool) string {
	text := []rune(s)
	if len(text) <= 2*maxSame {
		return s
	}
	short := "…"
	if changeBefore {
		short = string(text[:maxSame]) + short
	}
	if changeAfter {
		short += string(text[len(text)-maxSame:])
	}
	return short
}
