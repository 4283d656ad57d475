package files

import (
	"context"
	"errors"

	"headless/pkg/db"
	"headless/pkg/table"
)

// Sweep removes up to limit files that no submission took within an hour, or that a removed submission
// left behind, and returns how many rows it handled. Several processes may run it at once.
func (s Files) Sweep(ctx context.Context, d *db.DB, limit int) (done int, err error) {
	begun := d.Clock().Add(-openTime - transferGrace)
	rows, err := d.Table.Query(ctx, table.Range{Partition: partition, To: firstID(begun).String(), Limit: limit})
	if err != nil {
		return 0, err
	}
	var errs []error
	for i := range rows {
		if err := s.sweep(ctx, d, &rows[i]); err != nil {
			errs = append(errs, err)
			continue
		}
		done++
	}
	return done, errors.Join(errs...)
}

func (s Files) sweep(ctx context.Context, d *db.DB, row *table.Item) error {
	f, err := decodeFile(row)
	if err != nil {
		return err
	}
	if f.version == fileOpen {
		tx := d.Begin()
		tx.Replace(f.item(fileOrphan), fileOpen)
		if err := Count(ctx, d, tx, f.FormID, -f.Size); err != nil {
			return err
		}
		err := d.Commit(ctx, tx)
		if errors.Is(err, db.ErrOvertaken) {
			return nil // a submission has taken it, or another sweeper has it
		}
		if err != nil {
			return err
		}
	}
	return s.Remove(ctx, d, f)
}

// Remove removes the objects of a lone file, and then its row. A file that a submission has taken keeps its object.
func (s Files) Remove(ctx context.Context, d *db.DB, f *File) error {
	err := s.Blobs.Delete(ctx, f.Unsent())
	if err == nil && f.version != fileTaken {
		err = s.Blobs.Delete(ctx, f.Object())
	}
	if err != nil {
		return err
	}
	return d.Table.BatchWrite(ctx, nil, []table.Key{fileKey(f.ID)})
}
