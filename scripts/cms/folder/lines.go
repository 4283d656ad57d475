package folder

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Part is a file of lines that gets its name when it is complete.
type Part struct {
	name string
	file *os.File
	out  *bufio.Writer
	enc  *json.Encoder
}

// OpenPart opens the file <name>.jsonl of a folder and keeps the first keep bytes that an interrupted export wrote. The
// name may be that of a model of any service, so it must not lead out of the folder.
func OpenPart(dir, name string, keep int64) (*Part, error) {
	if name != filepath.Base(name) {
		return nil, fmt.Errorf("%q is no slug of a model", name)
	}
	name = filepath.Join(dir, name+".jsonl")
	f, err := os.OpenFile(name+".part", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	_, seek := f.Seek(keep, io.SeekStart)
	if err := errors.Join(f.Truncate(keep), seek); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	p := &Part{name: name, file: f, out: bufio.NewWriter(f)}
	p.enc = json.NewEncoder(p.out)
	p.enc.SetEscapeHTML(false)
	return p, nil
}

func (p *Part) Line(v any) error { return p.enc.Encode(v) }

// Size flushes the buffer and returns the length of the file in bytes.
func (p *Part) Size() (int64, error) {
	if err := p.out.Flush(); err != nil {
		return 0, err
	}
	return p.file.Seek(0, io.SeekCurrent)
}

// Close closes the file, puts entries after their parents, and gives the file its name, unless failed is not nil.
func (p *Part) Close(failed error) error {
	err := errors.Join(failed, p.out.Flush(), p.file.Close())
	if err != nil {
		return err
	}
	if err := ParentsFirst(p.name + ".part"); err != nil {
		return err
	}
	return os.Rename(p.name+".part", p.name)
}

// FileLine makes the record of a file, whose bytes have a hash, the line that an export writes. The service leaves out
// alts and crop where there are none; in a line that would leave those of another service.
func FileLine(file map[string]any, hash string) map[string]any {
	file["model"], file["sha256"] = "media", hash
	if file["alts"] == nil {
		file["alts"] = map[string]any{}
	}
	if _, ok := file["crop"]; !ok {
		file["crop"] = nil
	}
	return file
}

// WriteLines writes the file <name>.jsonl of a folder, which gets its name when it is complete.
func WriteLines(dir, name string, write func(line func(any) error) error) error {
	p, err := OpenPart(dir, name, 0)
	if err != nil {
		return err
	}
	return p.Close(write(p.Line))
}
