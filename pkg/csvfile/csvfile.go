// Package csvfile writes CSV files whose cells no spreadsheet runs as formulas, and reads and writes files whose cells
// keep their line ends.
package csvfile

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// File is a CSV file in memory. The zero value is empty.
type File struct{ text bytes.Buffer }

// Add adds a row.
func (f *File) Add(cells ...string) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		row[i] = harmless(cell)
	}
	Write(&f.text, row)
}

// Bytes returns the file.
func (f *File) Bytes() []byte { return f.text.Bytes() }

// Write writes a row by RFC 4180. Unlike encoding/csv it keeps the line ends in cells.
func Write(b *bytes.Buffer, row []string) {
	for i, cell := range row {
		if i > 0 {
			b.WriteByte(',')
		}
		if strings.ContainsAny(cell, "\",\r\n") || strings.HasPrefix(cell, " ") {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		b.WriteString(cell)
	}
	b.WriteString("\r\n")
}

// carriage stands for a carriage return while encoding/csv, which drops some, reads a cell. No UTF-8 has it.
const carriage = 0xff

// MaxCells limits the cells of a row. Each takes up to 80 bytes of memory, also if it is empty.
const MaxCells = 100_000

var errManyCells = fmt.Errorf("the row has more than %d cells", MaxCells)

// Reader reads CSV files with the line ends in their cells.
type Reader struct {
	*csv.Reader
}

// NewReader returns a reader of a file.
func NewReader(file io.Reader) Reader {
	return Reader{csv.NewReader(&quotedReader{file: file, line: 1})}
}

// Read is that of csv.Reader. A *csv.ParseError is also the error of a row with more than MaxCells.
func (r Reader) Read() ([]string, error) {
	cells, err := r.Reader.Read()
	for i := range cells {
		cells[i] = strings.ReplaceAll(cells[i], string([]byte{carriage}), "\r")
	}
	return cells, err
}

// quotedReader replaces the carriage returns in quoted cells, and counts the cells.
type quotedReader struct {
	file   io.Reader
	quoted bool
	line   int // from 1
	commas int // of the row so far
}

func (q *quotedReader) Read(p []byte) (int, error) {
	n, err := q.file.Read(p)
	for i, c := range p[:n] {
		switch {
		case c == '"':
			q.quoted = !q.quoted
		case c == '\r' && q.quoted:
			p[i] = carriage
		case c == carriage:
			p[i] = carriage - 1 // no UTF-8 either
		case c == '\n':
			if q.line++; !q.quoted {
				q.commas = 0
			}
		case c == ',' && !q.quoted:
			if q.commas++; q.commas == MaxCells {
				return i, &csv.ParseError{StartLine: q.line, Line: q.line, Err: errManyCells}
			}
		}
	}
	return n, err
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
