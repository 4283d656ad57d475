package markdown

import (
	"context"
	"html"
	"time"

	"headless/pkg/slice"
)

// TimeLimit is how long the HTML of one text may take (extensions §12).
const TimeLimit = time.Second

// TotalLimit is how long the HTML of all texts of one answer may take together (decisions §1).
const TotalLimit = 5 * time.Second / 2

// SizeLimit is how many bytes the HTML of all texts of one answer may have; no answer is larger (extensions §1).
const SizeLimit = 16 << 20

// Text is a text whose HTML is wanted. Ids of headings are unique in all its pieces together.
type Text struct {
	Pieces   []string           // of Markdown
	Pictures map[string]Picture // of this service, by their addresses in the pieces
	// Raw shows references in their stored form. Otherwise they lead to what the reader cannot see: a
	// link is shown as its text, and a picture as its alternative text.
	Raw bool
}

// Picture describes a picture of this service.
type Picture struct {
	Alt           string
	Width, Height int    // of the picture that its address shows, in pixels; 0: unknown
	Srcset        string // "" for none
}

// HTML returns the sanitised HTML of the pieces of each text. A text that takes longer than TimeLimit
// is AsText, and so are those that TotalLimit leaves no time for and those after SizeLimit. Package richtext makes
// it. Error: it cannot be made now.
type HTML func(ctx context.Context, texts []Text) ([][]string, error)

// AsText returns the HTML that shows the pieces of a text as they are.
func (t Text) AsText() []string {
	shown := slice.Map(t.Pieces, func(piece string) string { return "<pre>" + html.EscapeString(piece) + "</pre>\n" })
	return shown
}
