// Package docs has the guides for people who use the service: editors, site developers and
// operators. README.md is their index. Package pages serves them at /docs. Pages for people who
// change the code stand beside the code. A guide in another language has its code in the name, such
// as editors.de.md; a test wants it to have the parts of the English one.
package docs

import "io/fs"

// Text returns the Markdown of a guide, "" if there is none of the name.
func Text(name string) string {
	raw, err := fs.ReadFile(Files, name+".md")
	if err != nil {
		return ""
	}
	return string(raw)
}
