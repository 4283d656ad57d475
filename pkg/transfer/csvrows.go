package transfer

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/csvfile"
)

// Limits of a CSV file that is imported (extensions §16).
const (
	maxCSVRows  = 100_000
	maxCSVBytes = 50_000_000
)

// CSVRow is a row of a CSV file without its header.
type CSVRow struct {
	Line  int      `json:"l"` // where the record begins, from 1
	Cells []string `json:"c"`
}

// CSVReader reads the rows of a CSV file.
type CSVReader struct {
	Columns []string // the header
	reader  csvfile.Reader
	rows    int
}

// ReadCSV reads the header of a file for a model. Errors: VALIDATION_FAILED on file.
func ReadCSV(m *cms.Model, file io.Reader) (*CSVReader, error) {
	text := bufio.NewReader(io.LimitReader(file, maxCSVBytes+1))
	if mark, err := text.Peek(3); err == nil && string(mark) == "\ufeff" {
		_, _ = text.Discard(3)
	}
	r := &CSVReader{reader: csvfile.NewReader(text)}
	r.reader.FieldsPerRecord = -1
	header, err := r.reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, WrongCSV("is empty")
	}
	if err != nil {
		return nil, r.syntaxError(err)
	}
	known := csvColumns(m)
	for i, name := range header {
		if !slices.ContainsFunc(known, func(c csvColumn) bool { return c.name == name }) {
			if len(header) == 1 && strings.ContainsAny(name, ";\t") {
				return nil, WrongCSV("has columns separated by semicolons or tabs: save it with commas")
			}
			return nil, WrongCSV("has the unknown column %q", cms.Shorten(name))
		}
		if slices.Contains(header[:i], name) {
			return nil, WrongCSV("has the column %q twice", name)
		}
	}
	r.Columns = header
	return r, nil
}

// Next returns the next row, io.EOF after the last. Errors: VALIDATION_FAILED on file, and
// PAYLOAD_TOO_LARGE over maxCSVBytes.
func (r *CSVReader) Next() (CSVRow, error) {
	cells, err := r.reader.Read()
	if r.reader.InputOffset() > maxCSVBytes {
		return CSVRow{}, cms.Errorf(cms.CodePayloadTooLarge, "The file has more than %d bytes.", maxCSVBytes)
	}
	if errors.Is(err, io.EOF) {
		return CSVRow{}, io.EOF
	}
	if err != nil {
		return CSVRow{}, r.syntaxError(err)
	}
	line, _ := r.reader.FieldPos(0)
	if r.rows++; r.rows > maxCSVRows {
		return CSVRow{}, WrongCSV("has more than %d rows", maxCSVRows)
	}
	for _, cell := range cells {
		if !utf8.ValidString(cell) {
			return CSVRow{}, WrongCSV("is not UTF-8 at line %d", line)
		}
	}
	return CSVRow{line, cells}, nil
}

// syntaxError turns an error of the CSV syntax into a problem of the file.
func (r *CSVReader) syntaxError(err error) error {
	if syntax, ok := errors.AsType[*csv.ParseError](err); ok {
		return WrongCSV("cannot be read at line %d: %v", syntax.Line, syntax.Err)
	}
	return err
}

// WrongCSV returns a problem of a file.
func WrongCSV(format string, args ...any) error {
	return cms.Problems{"file": {fmt.Sprintf(format, args...)}}.Err()
}

// csvClear is the cell that clears a value; an empty cell leaves it.
const csvClear = `\N`

// unquoteCSV returns the text of a cell: the opposite of csvText.
func unquoteCSV(cell string) string {
	if after := strings.TrimLeft(cell, "'"); len(after) < len(cell) && after != "" &&
		strings.ContainsRune("=+-@\t\r", rune(after[0])) {
		return cell[1:]
	}
	if strings.HasSuffix(cell, csvClear) && strings.Trim(cell[:len(cell)-1], `\`) == "" {
		return cell[1:]
	}
	return cell
}

// splitCSV splits the cell of a list of values at each |; a backslash stands before | and \ in values.
func splitCSV(text string) (values []any) {
	var b strings.Builder
	escaped := false
	for _, c := range text {
		switch {
		case !escaped && c == '\\':
			escaped = true
			continue
		case !escaped && c == '|':
			values = append(values, b.String())
			b.Reset()
			continue
		}
		b.WriteRune(c)
		escaped = false
	}
	return append(values, b.String())
}
