//go:build beside

package docs

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Files are the guides in Markdown, which lie in the folder docs beside the program. Functions on AWS are built so
// (functions/build.mk), since a smaller program starts faster.
var Files = beside()

func beside() fs.FS {
	self, err := os.Executable()
	if err != nil {
		panic(err) // Linux always knows it
	}
	return os.DirFS(filepath.Join(filepath.Dir(self), "docs"))
}
