//go:build !beside

package docs

import (
	"embed"
	"io/fs"
)

//go:embed *.md
var embedded embed.FS

// Files are the guides in Markdown.
var Files fs.FS = embedded
