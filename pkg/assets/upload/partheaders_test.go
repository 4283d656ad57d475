package upload

import (
	"bytes"
	"io"
	"mime/multipart"
	"strings"
	"testing"
	"testing/iotest"

	"headless/pkg/must"
)

// TestCleanPartHeaders leaves contents as they are, whatever in them looks like a boundary or a
// header.
func TestCleanPartHeaders(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for name, content := range map[string]string{
		"every byte":           string(all),
		"empty":                "",
		"control characters":   "\x00\x01\r\n\x02\n\x7f",
		"part of a boundary":   "\r\n--Xb\x01\r\n\x02",
		"boundary of the end":  "\r\n--XbX-\x01\r\n\x02",
		"boundary after \\n":   "\n--XbX\r\nA: \x01\r\n\r\n\x02",
		"boundary in the line": "x--XbX\r\nA: \x01\r\n\r\n\x02",
		"long lines":           strings.Repeat(strings.Repeat("\x01", 9000)+"\r\n", 3),
		"split line ends": strings.Repeat("x", 4095) + "\r\n\x01" + strings.Repeat("x", 4093) +
			"\r\n\x01",
		"many lines": strings.Repeat("\n", 100_000),
	} {
		for _, newline := range []string{"\r\n", "\n"} {
			if newline == "\n" && strings.Contains(name, "boundary") {
				continue // there they are boundaries
			}
			body := "pre\x01amble\r\n" + strings.ReplaceAll("--XbX \n"+"A: b\x01c\n\n", "\n",
				newline) + content + newline + "--XbX--"
			for kind, read := range map[string]func(io.Reader) io.Reader{"whole": func(r io.Reader) io.Reader { return r },
				"bytes": iotest.OneByteReader} {
				part, err := multipart.NewReader(CleanPartHeaders(read(strings.NewReader(body)),
					"XbX"), "XbX").NextRawPart()
				if err != nil {
					t.Errorf("%s, %q, %s: %v", name, newline, kind, err)
					continue
				}
				got, err := io.ReadAll(part)
				if err != nil || string(got) != content || part.Header.Get("A") != "bc" {
					t.Errorf("%s, %q, %s: %d of %d bytes, A %q, %v", name, newline, kind, len(got),
						len(content), part.Header.Get("A"), err)
				}
			}
		}
	}
}

// FuzzCleanPartHeaders compares with the standard library: what that takes is the same after
// cleaning.
func FuzzCleanPartHeaders(f *testing.F) {
	f.Add(filePart("a.png", "\x01\r\n--XbX\n\x02") + textPart("alt", "\x03") + end)
	f.Add("--XbX\nA: b\n\n\x01\n--XbX\r\nC: d\r\n\r\n\x02\n--XbX--")
	f.Add("--XbX\r\nA: b\n\r\n--XbX\r\nC: d\r\n\n\x02\r\n--XbX--")
	f.Fuzz(func(t *testing.T, body string) {
		plain := multipart.NewReader(strings.NewReader(body), boundary)
		cleaned := multipart.NewReader(CleanPartHeaders(strings.NewReader(body), boundary), boundary)
		for {
			want, err := plain.NextRawPart()
			if err != nil {
				return
			}
			got, err := cleaned.NextRawPart()
			must.Do(t, err)
			a, errA := io.ReadAll(want)
			b, errB := io.ReadAll(got)
			if !bytes.Equal(a, b) || (errA == nil) != (errB == nil) || len(want.Header) != len(got.Header) {
				t.Fatalf("%q, %v became %q, %v", a, errA, b, errB)
			}
			if errA != nil {
				return
			}
		}
	})
}
