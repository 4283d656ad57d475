package ui

import (
	"headless/pkg/admin/say"
	"headless/pkg/cms"
)

// Translations returns an input like of for each of some locales, with the texts by locale. Several
// inputs are collapsed.
func Translations(of Field, locales []cms.Locale, texts map[string]string) []Field {
	var fields []Field
	for _, l := range locales {
		fields = append(fields, Field{Name: of.Name + "." + l.Code, Label: say.F("{1} in {2}", of.Label, l.Name),
			Kind: of.Kind, Value: texts[l.Code], Lang: l.Code})
	}
	if len(fields) < 2 {
		return fields
	}
	return []Field{{Kind: "more", Fields: fields,
		Label: say.N(len(fields), "{2} in {1} other language", "{2} in {1} other languages", of.Label)}}
}

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

// FieldLabels are the labels of fields by name, for a page that tells why a form was refused and does not have it.
var FieldLabels = map[string]say.Text{
	"text": "Comment", "quote": "Quoted passage", "note": "Note", "name": "Name", "due": "Due", "assignee": "Assign to",
	"reviewers": "Reviewers", "field": "About", "title": "Title", "alt": "Alternative text", "tags": "Tags",
}
