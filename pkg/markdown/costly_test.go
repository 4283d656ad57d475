package markdown

import (
	"fmt"
	"strings"
	"testing"

	"headless/pkg/cms"
)

// TestCostly names texts of a MiB for which the parser takes from three seconds to hours, and long
// texts that it reads at once.
func TestCostly(t *testing.T) {
	const size = 1 << 20
	filled := func(line func(i int) string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			b.WriteString(line(i))
		}
		return b.String()
	}
	repeated := func(sign string) string { return filled(func(int) string { return sign }) }
	for name, text := range map[string]string{
		"quotes": repeated("> "), "quotes without spaces": repeated(">"), "items": repeated("- "),
		"numbered items": repeated("1. "), "items in quotes": repeated("> - "),
		"deeper quotes":            filled(func(i int) string { return strings.Repeat("> ", i) + "a\n" }),
		"deeper items":             filled(func(i int) string { return strings.Repeat("  ", i) + "- a\n" }),
		"lines below deep quotes":  strings.Repeat("> ", 5000) + "\n" + repeated("a\n"),
		"definitions":              filled(func(i int) string { return fmt.Sprintf("[a%d]: /x\n", i) }),
		"one definition again":     repeated("[a]: /x\n"),
		"emphasis that never ends": repeated("*a_ "), "the same in lines": repeated("*a_\n"),
		"emphasis that two kinds of signs begin and end": repeated("**a_"),
		"emphasis after escaped signs":                   repeated("_b \\*a* "),
		"emphasis that ends after signs of none":         repeated("!)**\u00a0**\n"),
		"code that escaped signs begin":                  repeated("``a\\"),
		"links with signs of emphasis":                   repeated("[#*\n]: /"),
		"tildes":                                         repeated("~"),
		"brackets in brackets":                           strings.Repeat("[", size/2) + strings.Repeat("]", size/2),
		"brackets":                                       repeated("["), "destinations": repeated("]("),
		"rows that lack cells": strings.Repeat("a|", 1000) + "\n" + strings.Repeat("-|", 1000) + "\n" + repeated("a\n"),
		"the same quoted": "> " + strings.Repeat("|a", 1000) + "\n>" + strings.Repeat("| :-: ", 1000) + "\n" +
			repeated("> |\n"),
	} {
		if !Costly([]byte(text)) {
			t.Errorf("%s: not costly", name)
		}
	}
	for name, text := range map[string]string{
		"paragraphs": filled(func(i int) string {
			return fmt.Sprintf("Some *words* with **stars** and a [link](/page-%d \"title\"), a snake_case_name and 2 * 3.\n\n",
				i)
		}),
		"one paragraph": repeated("A **bold** word, an _emphasis_ and a [link][a] in one long paragraph\n"),
		"a list":        repeated("- an item with **stars**\n  - a *lower* item\n    1. [x] done\n"),
		"quotes":        repeated("> a quoted line\n>> by another\n"),
		"a table":       repeated("| **a** | [b](/c) | `d` |\n"),
		"a wide table": strings.Repeat("a|", 50) + "\n" + strings.Repeat("-|", 50) + "\n" +
			repeated(strings.Repeat("b|", 50)+"\n"),
		"a rule, text": "a | b\n\n" + strings.Repeat("-|", 50) + "\n\n" + repeated("words\n\n"),
		"Japanese":     repeated("- これは**太字**です、*これ*も。\n"),
		"names":        repeated("- **use snake_case_names** for `__all__` of *them*: 2 * 3\n"),
		"code":         "```\n" + repeated("        if a[i] * b_c > [d[e]] { f(*g) }\n") + "```\n",
		"definitions":  repeated("Text with a [link][a].\n\n[a]: /x\n[b]: /y\n\n"),
		"one line":     repeated("word "),
	} {
		if Costly([]byte(text)) {
			t.Errorf("%s: costly", name)
		}
	}
}

// TestBudget refuses slow texts after some others, and no others.
func TestBudget(t *testing.T) {
	slow, normal := strings.Repeat("*a_ ", 5000), strings.Repeat("Some *words* and a [link](/x).\n\n", 20_000)
	var b Budget
	refused := 0
	for range 50 {
		if !b.Takes(slow) {
			refused++
		}
		if !b.Takes(normal) {
			t.Fatal("a normal text is refused")
		}
	}
	if Costly([]byte(slow)) || refused < 40 || refused == 50 {
		t.Errorf("%d of 50 slow texts are refused", refused)
	}
}

// TestCostlyParts gives a text that the parser would take hours for as one part.
func TestCostlyParts(t *testing.T) {
	text := strings.Repeat("> ", 1<<19)
	if parts := Parts(&cms.Field{Type: cms.TypeRichText}, text); len(parts) != 1 ||
		parts[0].(map[string]any)["text"] != text {
		t.Errorf("%d parts", len(parts))
	}
}
