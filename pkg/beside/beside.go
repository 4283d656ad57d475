// Package beside finds the files that are deployed in the folder of a program. Functions on AWS read
// texts and pages from there (functions/build.mk), since a smaller program starts faster.
package beside

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Files returns a folder below that of the program; "." is the folder of the program itself.
func Files(folder string) fs.FS {
	self, err := os.Executable()
	if err != nil {
		panic(err) // Linux always knows it
	}
	return os.DirFS(filepath.Join(filepath.Dir(self), folder))
}
