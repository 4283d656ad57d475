// Package previewpages makes links to the site as it will be, and lists and ends those that people made
// (extensions §15).
package previewpages
