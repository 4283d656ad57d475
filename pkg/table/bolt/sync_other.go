//go:build !linux

package bolt

import "os"

// syncData waits until the content of a file is on disk.
func syncData(file *os.File) error { return file.Sync() }
