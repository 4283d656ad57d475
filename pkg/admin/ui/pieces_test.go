package ui_test

import (
	"fmt"
	"testing"

	"headless/pkg/admin/ui"
)

// TestPieces makes tables of the rows in a comparison. A cell holds its former words and its new ones.
func TestPieces(t *testing.T) {
	const before = "Sizes\n\n\x1e\x1fLamp\x1f9 cm\n\x1e\x1fDesk\x1f\n\nEnd"
	const after = "Sizes\n\n\x1e\x1fLamp\x1f12 cm\n\x1e\x1fDesk\x1f\n\x1e\x1fBed\x1f2 m\n\nEnd"
	shown := ""
	for _, p := range ui.Pieces(ui.TextDiff(before, after)) {
		shown += fmt.Sprintf("%q", words(p))
		for _, row := range p.Rows {
			shown += "/"
			for _, cell := range row {
				shown += "|" + words(cell)
			}
		}
	}
	want := `"Sizes\n\n"""/|Lamp|-9+12 cm/|Desk|/|+Bed|+2 m"\n` + `End"`
	if shown != want {
		t.Errorf("shown as %s, want %s", shown, want)
	}
	if got := ui.Pieces([]ui.DiffPart{{Kind: "same", Text: "… a\x1fb\nEnd"}}); words(got[0]) != "… a b\nEnd" {
		t.Errorf("a row without its start is shown as %v", got)
	}
}

func words(p ui.Piece) (text string) {
	for _, part := range p.Words {
		text += map[string]string{"ins": "+", "del": "-"}[part.Kind] + part.Text
	}
	return text
}
