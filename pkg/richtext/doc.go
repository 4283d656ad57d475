// Package richtext makes the HTML of the texts of richtext fields (extensions §12): CommonMark with
// tables, strikethrough and autolinks, sanitised. Package markdown says what a block in a text is.
package richtext
