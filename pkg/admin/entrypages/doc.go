// Package entrypages has the pages of single entries: the editor, drafts, changes, history, preview, copies, and
// translations side by side.
package entrypages
