package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
	"headless/scripts/internal/template"
)

// elfProgram returns the header of an ELF file for a machine.
func elfProgram(machine uint16) []byte {
	header := make([]byte, 64)
	copy(header, "\x7fELF\x02\x01\x01")
	binary.LittleEndian.PutUint16(header[16:], 2) // executable
	binary.LittleEndian.PutUint16(header[18:], machine)
	binary.LittleEndian.PutUint32(header[20:], 1)
	binary.LittleEndian.PutUint16(header[52:], 64)
	binary.LittleEndian.PutUint16(header[58:], 64)
	return header
}

func TestCheck(t *testing.T) {
	const arm, intel = 183, 62
	const path = "../../template.yaml"
	parsed, err := template.Load(path)
	must.Do(t, err)
	folder := t.TempDir()
	put := func(id string, machine uint16) {
		must.Do(t, os.MkdirAll(filepath.Join(folder, id), 0o755))
		must.Do(t, os.WriteFile(filepath.Join(folder, id, "bootstrap"), elfProgram(machine), 0o755))
	}
	if check(path, folder, "") == nil {
		t.Error("nothing is built, and it is no error")
	}
	for _, f := range parsed.Resources("AWS::Serverless::Function") {
		put(f.ID, arm)
	}
	for parameters, want := range map[string]string{"": "", "LogLevel=debug": "",
		"Architecture=arm64 LogLevel=debug": "", "Architecture=x86_64": "build with ARCH=x86_64",
		"Architecture=mips": "Architecture is mips"} {
		err := check(path, folder, parameters)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", parameters, err, want)
		}
	}
	put("UploadFunction", intel)
	if err := check(path, folder, ""); err == nil || !strings.Contains(err.Error(), "UploadFunction") {
		t.Errorf("one function for another processor: %v", err)
	}
}
