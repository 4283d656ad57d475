package bulk

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing/takeback"
	"headless/pkg/input"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk/names"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
	"headless/pkg/transfer"
)

// ActionImport is the action of jobs that save the rows of a CSV file (extensions §16).
const ActionImport = "import"

// The rows of the file are stored in chunks when the job begins, so that its work needs no file.
const (
	chunkBytes     = 300_000 // of rows in a chunk; a row of the table holds 400 KB
	putTogether    = 8       // chunks that are written together
	unchangedSteps = 50      // unchanged rows after which the job is stored
	maxTriedClaims = 40      // claims after which it is stored; one row has at most 2 * (cms.MaxUnique + 1) more
)

// CSVOptions say how the rows of a file are saved.
type CSVOptions struct {
	Publish bool // false: as drafts
	DryRun  bool // nothing is saved
}

// CSVFailure is a problem of a row. Column is "" for problems of the row as a whole.
type CSVFailure struct {
	Line    int    `json:"line"` // where the record begins
	Column  string `json:"column"`
	Message string `json:"message"`
}

// CSVResult counts the rows of a file by what became of them.
type CSVResult struct {
	Created   int          `json:"created"`
	Updated   int          `json:"updated"`
	Unchanged int          `json:"unchanged"`
	Failed    []CSVFailure `json:"failed"` // the first 1,000
}

// csvJob is the part of a stored job that only imports have.
type csvJob struct {
	Columns   []string `json:"columns"`
	Publish   bool     `json:"publish,omitempty"`
	DryRun    bool     `json:"dry_run,omitempty"`
	Chunk     int      `json:"chunk"` // the chunk of the next row
	Row       int      `json:"row"`   // its position in the chunk
	Created   int      `json:"created"`
	Updated   int      `json:"updated"`
	Unchanged int      `json:"unchanged"`
}

// ImportCSV starts a job that saves the rows of a CSV file. finish adds to the transaction that starts it.
// Errors: MODEL_NOT_FOUND, VALIDATION_FAILED on file, PAYLOAD_TOO_LARGE.
func (s *Jobs) ImportCSV(ctx context.Context, actor cms.Actor, model string, file io.Reader, o CSVOptions,
	finish func(*db.Tx)) (Job, error) {
	now, err := s.Store.Site(ctx)
	if err != nil {
		return Job{}, err
	}
	m, err := now.ActiveModel(model)
	if err != nil {
		return Job{}, err
	}
	rows, err := transfer.ReadCSV(&m.Model, file)
	if err != nil {
		return Job{}, err
	}
	tx := s.Store.Begin()
	j := job{ID: uuid.Must(uuid.NewV7()).String(), Status: Running, Action: ActionImport, Collected: true,
		Names: names.Names{Model: model, Gen: m.Gen}, Actor: actor, CreatedAt: tx.At(),
		CSV: &csvJob{Columns: rows.Columns, Publish: o.Publish, DryRun: o.DryRun}}
	if err := s.putRows(ctx, &j, rows); err != nil {
		return Job{}, err
	}
	if finish != nil {
		finish(tx)
	}
	return s.beginJob(ctx, tx, &j)
}

// putRows writes the rows of a file in chunks, and counts them.
func (s *Jobs) putRows(ctx context.Context, j *job, file *transfer.CSVReader) error {
	var rows []transfer.CSVRow
	var items []table.Item
	size := 0
	flush := func(most int) error {
		if len(rows) > 0 {
			items = append(items, table.Item{Key: chunkKey(j.ID, j.Chunks), Body: db.Pack(rows), Expires: j.expires()})
			rows, size, j.Chunks = nil, 0, j.Chunks+1
		}
		if len(items) < most || len(items) == 0 {
			return nil
		}
		err := s.Store.Table.BatchWrite(ctx, items, nil)
		items = nil
		return err
	}
	for {
		row, err := file.Next()
		if errors.Is(err, io.EOF) {
			return flush(0)
		}
		if err != nil {
			return err
		}
		bytes := 0
		for _, cell := range row.Cells {
			bytes += len(cell) + 3
		}
		if bytes > chunkBytes {
			return transfer.WrongCSV("has a row of over %d bytes at line %d", chunkBytes, row.Line)
		}
		if size+bytes > chunkBytes || len(rows) == chunkSize {
			if err := flush(putTogether); err != nil {
				return err
			}
		}
		rows, size, j.Total = append(rows, row), size+bytes, j.Total+1
	}
}

// result returns what became of the rows of a job so far, nil for other jobs.
func (j *job) result() *CSVResult {
	if j.CSV == nil {
		return nil
	}
	return &CSVResult{Created: j.CSV.Created, Updated: j.CSV.Updated, Unchanged: j.CSV.Unchanged, Failed: []CSVFailure{}}
}

// errRehearsed ends the transaction of a row that is only tried.
var errRehearsed = errors.New("bulk: this row is only tried")

// importRow saves the next row of the file. The row of the job is stored with it, or, for rows without a
// change, every unchangedSteps rows.
func (w *jobWork) importRow(ctx context.Context) error {
	row, next, err := w.nextRow(ctx)
	if err != nil {
		return err
	}
	counted := *next.CSV
	var id string
	var saved takeback.Saved
	entries := planning.Joining(w.storingNext(next, ""), func(_ *site.Model, tx *db.Tx) error {
		return w.noteRow(ctx, tx, id, saved)
	})
	if next.CSV.DryRun {
		w.rehearse()
		entries.Follow = func(ctx context.Context, _ *site.Model, tx *db.Tx) error {
			return cmp.Or(w.tried.CommitAlone(ctx, tx), errRehearsed)
		}
	}
	i := transfer.CSVImport{Entries: entries, Model: next.Model, Columns: next.CSV.Columns, Publish: next.CSV.Publish,
		Saving: func(result, of string, what takeback.Saved) {
			id, saved = of, what
			*next.CSV = counted // from the last try, if this is another
			next.CSV.countResult(result)
		}}
	result, err := i.Row(ctx, w.job.Actor, row)
	var refused *cms.Error
	switch {
	case err == nil && result == input.ImportUnchanged, errors.Is(err, errRehearsed):
	case err == nil:
		*w.job = *next
		return nil
	case next.CSV.DryRun && w.tried.Ours && result == input.ImportCreated && cms.CodeOf(err) == cms.CodeSlugConflict:
		*next.CSV = counted // an earlier row would make the entry that has the slug
		next.CSV.countResult(input.ImportUpdated)
	case !errors.As(err, &refused), refused.Code == cms.CodeUnavailable, refused.Code == cms.CodeInternal:
		return err
	default:
		*next.CSV = counted
		return w.failRow(ctx, next, row, refused)
	}
	if result == input.ImportUnchanged {
		next.CSV.countResult(result)
	}
	if next.Done%unchangedSteps != 0 && next.Done < next.Total && len(w.triedClaims()) < maxTriedClaims {
		*w.job = *next
		return nil
	}
	return w.commitTried(ctx, w.s.Store.Begin(), next)
}

// noteRow notes the save of a row, joined with those of earlier rows for the same entry. id is "" for a new entry.
func (w *jobWork) noteRow(ctx context.Context, tx *db.Tx, id string, saved takeback.Saved) error {
	if saved.Created {
		i := slices.IndexFunc(tx.Events(), func(e cms.Event) bool { return e.Kind == cms.EventEntryCreated })
		made, err := planning.EntryID(tx.Events()[i])
		if err != nil {
			return err
		}
		id = made
	}
	before, _, err := db.Read[takeback.Saved](ctx, w.s.Store.DB, rewrittenKey(w.job.ID, id))
	if db.Missing(err, nil) != nil {
		return err
	}
	tx.Put(w.job.note(id, saved.After(before)))
	return nil
}

// rehearse begins a rehearsal of rows after those whose claims are stored.
func (w *jobWork) rehearse() {
	if w.tried != nil {
		return
	}
	w.tried = w.s.Store.Rehearse()
	w.tried.Before = func(ctx context.Context, keys []table.Key) (map[table.Key]*table.Item, error) {
		claims := slices.DeleteFunc(slices.Clone(keys), func(key table.Key) bool { return !content.IsClaim(key) })
		rows, err := w.s.Store.Table.Get(ctx, table.Strong,
			slice.Map(claims, func(key table.Key) table.Key { return triedKey(w.job.ID, key) })...)
		known := map[table.Key]*table.Item{}
		for i, row := range rows {
			switch {
			case row == nil:
			case len(row.Body) == 0:
				known[claims[i]] = nil
			default:
				known[claims[i]] = &table.Item{Key: claims[i], Body: row.Body}
			}
		}
		return known, err
	}
}

// triedClaims returns the claims that the rows since the last commit would make, and nil for those that they leave.
func (w *jobWork) triedClaims() map[table.Key]*table.Item {
	if w.tried == nil {
		return nil
	}
	claims := w.tried.Left()
	maps.DeleteFunc(claims, func(key table.Key, _ *table.Item) bool { return !content.IsClaim(key) })
	return claims
}

// commitTried is commit, with the claims of the tried rows. So whoever continues the job sees them, and no row meets
// its own.
func (w *jobWork) commitTried(ctx context.Context, tx *db.Tx, next *job) error {
	for key, item := range w.triedClaims() {
		row := table.Item{Key: triedKey(next.ID, key), Expires: next.expires()}
		if item != nil {
			row.Body = item.Body
		}
		tx.Put(row)
	}
	w.tried = nil
	return w.commit(ctx, tx, next)
}

func (c *csvJob) countResult(result string) {
	switch result {
	case input.ImportCreated:
		c.Created++
	case input.ImportUpdated:
		c.Updated++
	default:
		c.Unchanged++
	}
}

// nextRow returns the next row of the file, and the job with the row done.
func (w *jobWork) nextRow(ctx context.Context) (row transfer.CSVRow, next *job, err error) {
	next = w.advancedOne()
	counted := *w.job.CSV
	next.CSV = &counted
	if w.chunk != counted.Chunk {
		if w.rows, err = readChunk[transfer.CSVRow](ctx, w.s, w.job.ID, counted.Chunk); err != nil {
			return row, nil, err
		}
		w.chunk = counted.Chunk
	}
	row = w.rows[counted.Row]
	if next.CSV.Row++; next.CSV.Row == len(w.rows) {
		next.CSV.Chunk, next.CSV.Row = counted.Chunk+1, 0
	}
	return row, next, nil
}

// failedRow is a stored failure.
type failedRow struct {
	Failure
	Problems []CSVFailure `json:"problems,omitempty"` // of an import
	Stays    bool         `json:"stays,omitempty"`
}

// failRow records a row that cannot be saved.
func (w *jobWork) failRow(ctx context.Context, next *job, row transfer.CSVRow, refused *cms.Error) error {
	tx := w.s.Store.Begin()
	if next.Failures++; next.Failures <= maxFailures {
		failed := failedRow{Failure: Failure{Code: refused.Code, Message: refused.Describe()}}
		if at := slices.Index(next.CSV.Columns, "id"); at >= 0 && at < len(row.Cells) {
			failed.ID = row.Cells[at]
		}
		for _, path := range slices.Sorted(maps.Keys(refused.Details)) {
			problem := CSVFailure{Line: row.Line, Message: strings.Join(refused.Details[path], ", ")}
			if problem.Column = path; !slices.Contains(next.CSV.Columns, path) {
				problem.Column, problem.Message = "", path+": "+problem.Message
			}
			failed.Problems = append(failed.Problems, problem)
		}
		if len(failed.Problems) == 0 {
			failed.Problems = []CSVFailure{{Line: row.Line, Message: refused.Message}}
		}
		tx.Put(table.Item{Key: failureKey(next.ID, w.job.Done), Body: db.Pack(failed), Expires: next.expires()})
	}
	return w.commitTried(ctx, tx, next)
}
