package pkg_test

import (
	"bufio"
	"bytes"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"headless/pkg/must"
)

// maxWidth is how many columns a line of Go may have. A tab counts as one.
const maxWidth = 120

// TestLinesAreShort finds lines that are too long. Only raw strings may go on behind the last column.
func TestLinesAreShort(t *testing.T) {
	files := 0
	for _, dir := range []string{"../functions", ".", "../scripts"} {
		err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") {
				return err
			}
			files++
			src, err := os.ReadFile(file)
			for _, line := range longLines(src) {
				t.Errorf("%s:%d has more than %d columns", file, line, maxWidth)
			}
			return err
		})
		must.Do(t, err)
	}
	if files < 1000 {
		t.Errorf("only %d files were looked at", files)
	}
}

// longLines returns the numbers of the lines that are too long.
func longLines(src []byte) (long []int) {
	raw := linesOfRawStrings(src)
	lines := bufio.NewScanner(bytes.NewReader(src))
	lines.Buffer(nil, len(src)+1)
	for n := 1; lines.Scan(); n++ {
		if utf8.RuneCount(lines.Bytes()) > maxWidth && !raw[n] {
			long = append(long, n)
		}
	}
	return long
}

// linesOfRawStrings returns the lines whose last column belongs to a raw string.
func linesOfRawStrings(src []byte) map[int]bool {
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	lines := map[int]bool{}
	for {
		at, tok, text := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok != token.STRING || text[0] != '`' {
			continue
		}
		from, to := file.Position(at), file.Position(at+token.Pos(len(text)))
		for n := from.Line; n <= to.Line; n++ {
			starts := n > from.Line || from.Column <= maxWidth
			lines[n] = lines[n] || starts && (n < to.Line || to.Column > maxWidth)
		}
	}
}
