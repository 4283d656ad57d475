// Package textblocks has the form for a block in a text (extensions §12): the editor of Markdown shows it in a dialog,
// and puts its answer into the text. The form can begin with a preset and save one (see package presetpages).
package textblocks
