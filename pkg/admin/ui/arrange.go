package ui

import (
	"slices"

	"headless/pkg/cms"
)

// Arrange adds the script of tabs and conditions where the form has any.
func (p *Page) Arrange() {
	if slices.ContainsFunc(p.Form.Fields, func(f Field) bool { return f.Tab != "" || f.ShownIf != "" }) {
		p.Use("layout")
	}
}

// Arrange puts the input of a field where the model says.
func (f *Field) Arrange(of cms.Field, data map[string]any) {
	f.Side = of.Column == cms.ColumnSide || of.Column == "" && of.Type.Info().Side
	if f.Tab = of.Tab; of.ShownIf != "" {
		f.ShownIf, f.ShownFor, f.Unmet = "data."+of.ShownIf, of.ShownFor, !of.IsShown(data)
	}
}
