// Package beside finds the files that lie beside a program. Functions on AWS are built so
// (functions/build.mk), since a smaller program starts faster.
package beside

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Files returns a folder beside the program; "." is the one that the program is in.
func Files(folder string) fs.FS {
	self, err := os.Executable()
	if err != nil {
		panic(err) // Linux always knows it
	}
	return os.DirFS(filepath.Join(filepath.Dir(self), folder))
}
