//go:build beside

package openapi

import (
	"io/fs"

	"headless/pkg/beside"
)

// AdminJSON reads the document from the file beside the program.
func AdminJSON() []byte {
	text, err := fs.ReadFile(beside.Files("."), "admin.json")
	if err != nil {
		panic(err) // functions/build.mk copies it
	}
	return text
}
