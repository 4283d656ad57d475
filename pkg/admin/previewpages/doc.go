// Package previewpages makes links to a preview of the whole site, and lists and ends those that people made
// (extensions §15).
package previewpages
