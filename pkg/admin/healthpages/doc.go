// Package healthpages shows findings about the content (extensions §16), of all entries and of one, and has the pages
// on which texts and links are mended.
package healthpages
