//go:build beside

package say

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Files are the folders beside the program: lang has the catalogues. Functions on AWS are built so
// (functions/build.mk), since a smaller program starts faster.
var Files = beside()

func beside() fs.FS {
	self, err := os.Executable()
	if err != nil {
		panic(err) // Linux always knows it
	}
	return os.DirFS(filepath.Dir(self))
}
