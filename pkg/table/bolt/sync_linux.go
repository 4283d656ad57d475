package bolt

import (
	"errors"
	"os"
	"syscall"
)

// syncData waits until the content of a file is on disk. It does not write the time of the change,
// which would take a second write of the disk.
func syncData(file *os.File) error {
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		for {
			if failed = syscall.Fdatasync(int(fd)); !errors.Is(failed, syscall.EINTR) {
				return
			}
		}
	})
	return errors.Join(err, failed)
}
