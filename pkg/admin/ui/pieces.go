package ui

import "strings"

// RowStart and CellStart stand in a text before each row of a table and before each of its cells.
const RowStart, CellStart = "\x1e", "\x1f"

// Piece is a part of a comparison as a page shows it: words, or the rows of a table, whose cells have words.
type Piece struct {
	Words []DiffPart
	Rows  [][]Piece
}

// pieces puts the parts of a comparison together. inRow is true inside the row of a table.
type pieces struct {
	list  []Piece
	inRow bool
}

// Pieces returns the words and tables of a comparison.
func Pieces(parts []DiffPart) []Piece {
	var p pieces
	for _, part := range parts {
		for rest, more := part.Text, true; more; {
			stops := RowStart
			if p.inRow {
				stops += CellStart + "\n"
			}
			at := strings.IndexAny(rest, stops)
			if more = at >= 0; !more {
				at = len(rest)
			}
			part.Text = rest[:at]
			p.add(part)
			if more {
				p.stop(rest[at : at+1])
				rest = rest[at+1:]
			}
		}
	}
	return p.list
}

// stop begins a row or a cell, or ends the row.
func (p *pieces) stop(sign string) {
	last := len(p.list) - 1
	switch {
	case sign == "\n":
		p.inRow = false
		return
	case sign == CellStart:
		row := &p.list[last].Rows[len(p.list[last].Rows)-1]
		*row = append(*row, Piece{})
		return
	case last < 0 || p.list[last].Rows == nil:
		p.list = append(p.list, Piece{})
		last++
	}
	p.list[last].Rows = append(p.list[last].Rows, nil)
	p.inRow = true
}

// add puts a part without signs into the open cell, or after the words before it.
func (p *pieces) add(part DiffPart) {
	part.Text = strings.ReplaceAll(part.Text, CellStart, " ") // of a row whose start is not shown
	if part == (DiffPart{Kind: part.Kind}) {
		return
	}
	last := len(p.list) - 1
	if !p.inRow {
		if last < 0 || p.list[last].Rows != nil {
			p.list = append(p.list, Piece{})
			last++
		}
		p.list[last].Words = append(p.list[last].Words, part)
		return
	}
	row := p.list[last].Rows[len(p.list[last].Rows)-1]
	if len(row) > 0 {
		row[len(row)-1].Words = append(row[len(row)-1].Words, part)
	}
}
