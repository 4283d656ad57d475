package entryforms_test

import (
	"strconv"
	"strings"
	"testing"

	"headless/pkg/admin/entryforms"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// TestProse shows texts as readers see them, with the names of what they lead to.
func TestProse(t *testing.T) {
	m := &site.Model{Model: cms.Model{Fields: []cms.Field{{Name: "body", Type: cms.TypeRichText, Fields: []cms.Field{
		{Name: "note", Label: "Note", Fields: []cms.Field{{Name: "text", Label: "Words", Type: cms.TypeRichText}}}}},
		{Name: "rows", Type: cms.TypeList, Fields: []cms.Field{{Name: "text", Type: cms.TypeRichText}}}}}}
	name := func(destination string) string { return "<" + destination + ">" }
	for text, want := range map[string]string{
		"## Oil\n\nA **lamp** of *ash*\nand `*oak*`.": "Oil\n\nA lamp of ash and *oak*.",
		`5 \* 3 &amp; &#65; <br>`:                     "5 * 3 & A <br>",
		"- One\n- Two\n  1. Three\n  2. Four":         "• One\n• Two\n  1. Three\n  2. Four",
		"[About us](cms://entry/1) ![](cms://media/2) ![Lamp](/l.png)": "About us (<cms://entry/1>) " +
			"[<cms://media/2>] [Lamp: </l.png>]",
		"> Quoted\n\n```go\n**x**\n```\n\n---":                          "Quoted\n\n**x**\n\n—",
		"One  \ntwo\n\n```block note\ntext: \"**Mind** it\"\n```\nRest": "One\ntwo\n\nNote\n  Words: Mind it\n\nRest",
		"| Size | **Price** |\n| :-- | --: |\n| Small | 9 |\n| Large | |\n\nEnd": "\x1e\x1fSize\x1fPrice\n" +
			"\x1e\x1fSmall\x1f9\n\x1e\x1fLarge\x1f\n\nEnd",
		"": "",
	} {
		e := &cms.Entry{Data: map[string]any{"body": text, "rows": []any{map[string]any{"text": text}}}}
		shown := entryforms.Prose(m, e, name)
		if got := shown.Data["body"]; got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
		if got := shown.Data["rows"].([]any)[0].(map[string]any)["text"]; text != "" && got == text {
			t.Errorf("%q is shown in a row as it is stored", text)
		}
		if e.Data["body"] != text {
			t.Errorf("%q was changed to %q", text, e.Data["body"])
		}
	}
}

// TestProseOfRepeatedDestinations keeps texts small that repeat a long destination in few signs.
func TestProseOfRepeatedDestinations(t *testing.T) {
	note := cms.Field{Name: "note", Fields: []cms.Field{{Name: "text", Type: cms.TypeRichText}}}
	body := cms.Field{Name: "body", Type: cms.TypeRichText, Fields: []cms.Field{note}}
	m := &site.Model{Model: cms.Model{Fields: []cms.Field{body}}}
	name := func(destination string) string { return destination }
	repeat := func(size, times int) string {
		return "[a]: /" + strings.Repeat("x", size) + "\n\n" + strings.Repeat("[a]", times)
	}
	block := "```block note\ntext: " + strconv.Quote(repeat(4000, 1000)) + "\n```\n\n"
	for what, text := range map[string]string{"a text": repeat(60_000, 1000), "blocks": strings.Repeat(block, 100)} {
		shown, _ := entryforms.Prose(m, &cms.Entry{Data: map[string]any{"body": text}}, name).Data["body"].(string)
		if len(shown) > 4<<20 || !strings.Contains(shown, "xx") || !strings.Contains(shown, "a (…)") {
			t.Errorf("%s of %d bytes has %d bytes", what, len(text), len(shown))
		}
	}
}
