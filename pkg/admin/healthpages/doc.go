// Package healthpages shows what is wrong with the content (extensions §16): the list of findings, and
// those of one entry.
package healthpages
