// Package searchable makes the searchable texts of entries. It is apart from package fulltext, which
// knows no entries.
package searchable

import (
	"headless/pkg/cms"
	"headless/pkg/fulltext"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/markdown"
)

// Text returns the searchable text of an entry: its title and the values of searchable fields.
func Text(m *cms.Model, e *cms.Entry) analysis.Text {
	text := analysis.Text{Title: e.Title}
	addFields(&text, m.Fields, e.Data, false)
	return text
}

// addFields adds the searchable texts of an object. If it is in a block of a searchable text, all its texts are.
func addFields(text *analysis.Text, fields []cms.Field, data map[string]any, inText bool) {
	for i := range fields {
		f := &fields[i]
		found := f.Searchable || inText && f.IsText()
		switch v := data[f.Name].(type) {
		case string:
			blocks := markdown.Blocks(f, v)
			for _, b := range blocks {
				addListed(text, f, markdown.Part(b), found)
			}
			if found && f.Type == cms.TypeRichText {
				v = markdown.WithoutBlocks(v, blocks)
				text.Fields = append(text.Fields, analysis.PlainText(v))
				text.Headings = append(text.Headings, analysis.Headings(v)...)
			} else if found {
				text.Fields = append(text.Fields, v)
			}
		case map[string]any:
			if f.Type == cms.TypeGroup {
				addFields(text, f.Fields, v, inText)
			}
		case []any:
			for _, item := range v {
				addListed(text, f, item, inText)
			}
		}
	}
}

// addListed adds the texts of one element of a multiselect, list or blocks field, or of a block in a
// text.
func addListed(text *analysis.Text, f *cms.Field, item any, inText bool) {
	switch v := item.(type) {
	case string:
		if f.Searchable {
			text.Fields = append(text.Fields, v)
		}
	case map[string]any:
		addFields(text, f.FieldsOf(v), v, inText)
	}
}

// Index returns the terms of an entry for the text index of a space.
func Index(space string, m *cms.Model, e *cms.Entry) fulltext.IndexedText {
	return fulltext.IndexedText{Space: space, Terms: fulltext.Terms(analysis.Analyze(Text(m, e), e.Locale))}
}
