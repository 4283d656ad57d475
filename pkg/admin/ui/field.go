package ui

import "headless/pkg/admin/say"

// Blank returns an empty choice that scripts fill in.
func (f Field) Blank() Choice { return f.Chosen(Choice{}) }

// Chosen returns a choice as one that is chosen in the field, with the buttons to move it.
func (f Field) Chosen(v Choice) Choice {
	v.Name, v.Many, v.Checked = f.Name, f.Pick.Many, true
	if v.Many {
		v.Buttons = []Button{
			{Text: "↑", Label: say.F("Move up: {1}", v.Label), Do: "up " + f.Name + " " + v.ID, To: f.Name},
			{Text: "↓", Label: say.F("Move down: {1}", v.Label), Do: "down " + f.Name + " " + v.ID, To: f.Name},
		}
	}
	return v
}
