package seal

import (
	"errors"
	"io/fs"
	"os"
)

// ownerOnly is the mode of a file that only its owner can read.
const ownerOnly fs.FileMode = 0o600

// File stores the keys in a file with this path, which only its owner can read.
type File string

// Read returns the text of the file, and removes the rights of others to it.
func (f File) Read() (string, error) {
	info, err := os.Stat(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err == nil && info.Mode().Perm() != ownerOnly {
		err = os.Chmod(string(f), ownerOnly)
	}
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(string(f))
	return string(text), err
}

// Create writes the file if it is missing or empty. It is empty after an interrupted first start.
func (f File) Create(text string) error {
	if there, err := f.Read(); err != nil || there != "" {
		return err
	}
	return f.Replace(text)
}

// Replace writes the whole file atomically.
func (f File) Replace(text string) error {
	next := string(f) + ".new"
	if err := os.WriteFile(next, []byte(text), ownerOnly); err != nil {
		return err
	}
	return os.Rename(next, string(f))
}
