// Package filepages has the pages of the library: files in folders, uploads, replacement, focal points
// and crops.
package filepages
