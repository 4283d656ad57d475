// Package entrypages has the pages of single entries: the editor, drafts, changes, history,
// translations side by side, preview, and the trash.
package entrypages
