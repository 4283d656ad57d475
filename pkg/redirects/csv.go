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
	"headless/pkg/input"
	"headless/pkg/slice"
)

// Limits of one import.
const (
	MaxImport      = 4 << 20 // bytes
	maxImportLines = 2000
)

// columns are the columns of a CSV file of redirects.
var columns = []string{"from", "to", "status"}

// Imported is the result of an import.
type Imported struct {
	Created int          `json:"created"`
	Updated int          `json:"updated"` // includes lines that changed nothing
	Failed  []FailedLine `json:"failed"`
	Changes []Change     `json:"-"` // one for each redirect, in the order of the file

	changed []string // paths
}

// FailedLine is a line that was not imported.
type FailedLine struct {
	Line    int          `json:"line"` // number of the line in the file, from 1
	Message string       `json:"message"`
	Details cms.Problems `json:"-"` // those in Message, by column
}

// Export returns all redirects as CSV, with a header line, and records the export as activity.
func (s *Redirects) Export(ctx context.Context, actor cms.Actor) ([]byte, error) {
	all, err := s.Store.All(ctx)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(columns) // writes to a buffer never fail
	for _, r := range all {
		_ = w.Write([]string{r.From, r.Target(), strconv.Itoa(r.Status)})
	}
	w.Flush()
	tx := s.Store.Begin()
	tx.Activity(actor, "export.made", "redirects")
	return b.Bytes(), s.Store.Commit(ctx, tx)
}

// Import creates or updates redirects by from, line by line. An invalid line is reported in Failed
// and does not stop the import. The first line may name the columns; the default status is 301.
// Errors: BAD_REQUEST if the file is not CSV, PAYLOAD_TOO_LARGE for too many lines; in both cases
// the lines before the error are imported.
func (s *Redirects) Import(ctx context.Context, actor cms.Actor, file []byte) (Imported, error) {
	done := Imported{Failed: []FailedLine{}}
	err := s.importLines(ctx, actor, file, &done)
	if len(done.changed) > 0 {
		tx := s.Store.Begin()
		Note(tx, actor, done.changed...)
		err = errors.Join(err, s.Store.Commit(context.WithoutCancel(ctx), tx))
	}
	return done, err
}

// importLines imports the lines of a file and counts them.
func (s *Redirects) importLines(ctx context.Context, actor cms.Actor, file []byte, done *Imported) error {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(file, []byte("\ufeff"))))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	order := columns
	g, err := s.graph(ctx)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return cms.Errorf(cms.CodeBadRequest, "The file is not valid CSV: %s.", err)
		}
		if n == 0 && slices.Contains(record, "from") {
			order = slice.Map(record, func(name string) string {
				return cms.Shorten(strings.ToLower(strings.TrimSpace(name))) // each line may have it in its problems
			})
			continue
		}
		if n > maxImportLines {
			return cms.Errorf(cms.CodePayloadTooLarge,
				"Send at most %d lines at once. The lines up to there were imported.", maxImportLines)
		}
		line, _ := r.FieldPos(0)
		was, now, err := s.importLine(ctx, actor, g, bodyOf(order, record))
		var known *cms.Error
		switch {
		case errors.As(err, &known) && known.Code != cms.CodeUnavailable:
			done.Failed = append(done.Failed, FailedLine{line, messageOf(known), known.Details})
		case err != nil:
			return err
		case was == nil:
			done.Created++
		default:
			done.Updated++
		}
		if now != nil {
			done.note(was, now)
		}
	}
}

// maxKeys is how many keys the body of a line has. A line with more columns than it may have is refused whatever the
// others are, and a file has room for millions.
const maxKeys = 10

// bodyOf returns a line as the body of a create.
func bodyOf(names, record []string) map[string]any {
	body := map[string]any{}
	for i, v := range record {
		name := strconv.Itoa(i + 1)
		if i < len(names) {
			name = names[i]
		}
		switch v = strings.TrimSpace(v); {
		case len(body) == maxKeys && !slices.Contains(columns, name):
		case name != "status":
			body[name] = v
		case v != "":
			body[name] = json.Number(v)
		}
	}
	return body
}

// messageOf returns an error's details, or its message if it has none, as one line.
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

// note adds the change of a redirect, joined with those by earlier lines. was is nil for a new one.
func (done *Imported) note(was, now *Redirect) {
	done.changed = append(done.changed, now.From)
	i := slices.IndexFunc(done.Changes, func(c Change) bool { return c.ID == now.ID })
	if i < 0 {
		i, done.Changes = len(done.Changes), append(done.Changes, Change{ID: now.ID})
		if was != nil {
			done.Changes[i].Was = was.text()
		}
	}
	done.Changes[i].Now = now.text()
}

// importLine creates or updates the redirect of one line. was is nil for a new one, and now is nil if nothing changed.
// After a conflict with another change it reads the graph again.
func (s *Redirects) importLine(ctx context.Context, actor cms.Actor, g *graph,
	body map[string]any) (before, now *Redirect, err error) {
	first := true
	err = s.Store.Retry(ctx, func() error {
		if !first {
			current, err := s.graph(ctx)
			if err != nil {
				return err
			}
			*g = *current
		}
		first = false
		in, p := input.Decode[redirectInput](body)
		r := Redirect{Status: http.StatusMovedPermanently}
		var was *doc
		if in.From != nil {
			d, ok := g.own[*in.From]
			if !ok {
				d, ok = g.ownAt(addressOf(*in.From))
			}
			if ok {
				was, r = &d, d.Value
			}
		}
		if before = nil; was != nil {
			before = &was.Value
		}
		in.applyTo(&r)
		if was != nil && len(p) == 0 && isSame(r, was.Value) {
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
		g.applySaved(was, r)
		now = &r
		return nil
	})
	return before, now, err
}

func isSame(a, b Redirect) bool {
	return a.From == b.From && a.Target() == b.Target() && a.Status == b.Status
}
