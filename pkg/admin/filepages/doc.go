// Package filepages has the pages of the library: files in folders, uploads, replacement and focal
// points.
package filepages
