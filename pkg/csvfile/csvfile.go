// Package csvfile writes CSV files whose cells no spreadsheet runs as formulas.
package csvfile

import (
	"bytes"
	"encoding/csv"
	"strings"
	"unicode/utf8"
)

// File is a CSV file in memory. The zero value is empty.
type File struct {
	text   bytes.Buffer
	writer *csv.Writer
}

// Add adds a row.
func (f *File) Add(cells ...string) {
	if f.writer == nil {
		f.writer = csv.NewWriter(&f.text)
		f.writer.UseCRLF = true
	}
	row := make([]string, len(cells))
	for i, cell := range cells {
		row[i] = harmless(cell)
	}
	_ = f.writer.Write(row) // Bytes returns its error
}

// Bytes returns the file.
func (f *File) Bytes() ([]byte, error) {
	if f.writer == nil {
		return nil, nil
	}
	f.writer.Flush()
	return f.text.Bytes(), f.writer.Error()
}

// harmless puts an apostrophe before text that a spreadsheet would run as a formula. Negative
// numbers stay numbers.
func harmless(s string) string {
	trimmed := strings.TrimLeft(s, " \u00a0\u3000")
	if trimmed == "" {
		return s
	}
	switch first, _ := utf8.DecodeRuneInString(trimmed); first {
	case '=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '−':
		if first == '-' && isPlainNumber(s[1:]) {
			return s
		}
		return "'" + s
	}
	return s
}

func isPlainNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789.") == "" && strings.Count(s, ".") <= 1
}
