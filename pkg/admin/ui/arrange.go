package ui

import (
	"slices"

	"headless/pkg/cms"
)

// Arrange adds the script for tabs and conditions if the form has any.
func (p *Page) Arrange() {
	if slices.ContainsFunc(p.Form.Fields, func(f Field) bool { return f.Tab != "" || f.ShownIf != "" }) {
		p.Use("layout")
	}
}

// Arrange sets the column, the tab and the condition of an input as the model defines them.
func (f *Field) Arrange(of cms.Field, data map[string]any) {
	f.Side = of.Column == cms.ColumnSide || of.Column == "" && of.Type.Info().Side
	if f.Tab = of.Tab; of.ShownIf != "" {
		f.ShownIf, f.ShownFor, f.Unmet = "data."+of.ShownIf, of.ShownFor, !of.IsShown(data)
	}
}
