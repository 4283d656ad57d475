package redirects

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// Limits of one import.
const (
	MaxImport      = 4 << 20 // bytes
	maxImportLines = 2000
)

// columns are those of the CSV form of redirects.
var columns = []string{"from", "to", "status"}

// Imported is what became of the lines of an import.
type Imported struct {
	Created int          `json:"created"`
	Updated int          `json:"updated"` // lines that are there already count, changed or not
	Failed  []FailedLine `json:"failed"`
}

// FailedLine is a line that was not taken.
type FailedLine struct {
	Line    int    `json:"line"` // of the file, from 1
	Message string `json:"message"`
}

// Export writes all redirects as CSV, with a line of names, and records that.
func (s *Redirects) Export(ctx context.Context, actor cms.Actor) ([]byte, error) {
	all, err := s.Store.All(ctx)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(columns) // memory is no error
	for _, r := range all {
		_ = w.Write([]string{r.From, r.Target(), strconv.Itoa(r.Status)})
	}
	w.Flush()
	tx := s.Store.Begin()
	tx.Activity(actor, "export.made", "redirects")
	return b.Bytes(), s.Store.Commit(ctx, tx)
}

// Import creates or updates redirects by from, line by line: what one line lacks keeps no other
// from being taken. The first line may name the columns; without a status it is 301. BAD_REQUEST
// for what is no CSV, PAYLOAD_TOO_LARGE for too many lines.
func (s *Redirects) Import(ctx context.Context, actor cms.Actor, file []byte) (Imported, error) {
	done := Imported{Failed: []FailedLine{}}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(file, []byte("\ufeff"))))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	order := columns
	g, err := s.graph(ctx)
	if err != nil {
		return done, err
	}
	for n := 0; ; n++ {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return done, nil
		}
		if err != nil {
			return done, cms.Errorf(cms.CodeBadRequest, "The file is no CSV: %s.", err)
		}
		if n == 0 && slices.Contains(record, "from") {
			order = record
			continue
		}
		if n > maxImportLines {
			return done,
				cms.Errorf(cms.CodePayloadTooLarge,
					"Send at most %d lines at once; those before were taken.", maxImportLines)
		}
		line, _ := r.FieldPos(0)
		created, err := s.importLine(ctx, actor, g, bodyOf(order, record))
		var known *cms.Error
		switch {
		case errors.As(err, &known) && known.Code != cms.CodeUnavailable:
			done.Failed = append(done.Failed, FailedLine{line, messageOf(known)})
		case err != nil:
			return done, err
		case created:
			done.Created++
		default:
			done.Updated++
		}
	}
}

// bodyOf is a line as a body.
func bodyOf(names, record []string) map[string]any {
	body := map[string]any{}
	for i, v := range record {
		if i >= len(names) {
			body[strconv.Itoa(i+1)] = v
			continue
		}
		switch name := strings.ToLower(strings.TrimSpace(names[i])); {
		case name != "status":
			body[name] = strings.TrimSpace(v)
		case strings.TrimSpace(v) != "":
			body[name] = json.Number(strings.TrimSpace(v))
		}
	}
	return body
}

// messageOf is an error in one line.
func messageOf(e *cms.Error) string {
	var parts []string
	for name, messages := range e.Details {
		parts = append(parts, name+" "+strings.Join(messages, ", "))
	}
	if len(parts) == 0 {
		return e.Message
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}

// importLine takes one line. It reads the graph again after a conflict with another change.
func (s *Redirects) importLine(ctx context.Context, actor cms.Actor, g *graph,
	body map[string]any) (created bool, err error) {
	first := true
	err = s.Store.Retry(ctx, func() error {
		if !first {
			again, err := s.graph(ctx)
			if err != nil {
				return err
			}
			*g = *again
		}
		first = false
		in, p := decode(body)
		r := Redirect{Status: http.StatusMovedPermanently}
		var was *doc
		if in.From != nil {
			if d, ok := g.own[*in.From]; ok {
				was, r = &d, d.Value
			}
		}
		created = was == nil
		in.apply(&r)
		if was != nil && len(p) == 0 && same(r, was.Value) {
			return nil
		}
		tx := s.Store.Begin()
		if err := g.stage(tx, actor, was, &r, p); err != nil {
			return err
		}
		if err := s.Store.Commit(ctx, tx); err != nil {
			if errors.Is(err, errTaken) {
				return db.ErrOvertaken
			}
			return err
		}
		g.saved(was, r)
		return nil
	})
	return created, err
}

func same(a, b Redirect) bool {
	return a.From == b.From && a.Target() == b.Target() && a.Status == b.Status
}
