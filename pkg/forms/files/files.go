package files

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/google/uuid"

	"headless/pkg/assets/upload"
	"headless/pkg/blob"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// Limits of the files of visitors (extensions §16).
const (
	MaxBytes     = 10 << 20  // of a direct upload
	maxFormBytes = 1 << 30   // of all files of a form, lone ones included
	openTime     = time.Hour // in which a submission may take a file

	transferGrace = 15 * time.Minute // how long a transfer that began in time may still run
)

// Prefix starts the keys of objects that stay, before the ids of form and file. They are not public.
const Prefix = "forms/"

// unsentPrefix starts the keys of objects of direct uploads that were not inspected.
const unsentPrefix = "unsent/"

// Files has the storage and the limits of the files of submissions.
type Files struct {
	Blobs     blob.Store
	Inspector upload.Inspector // zero where files are only read and removed
	MaxBytes  int64            // of all files in the body of a submission
}

// File is a file of a visitor. The rows of lone ones are in the order of time, with which the ids begin.
type File struct {
	cms.StoredFile
	FormID string `json:"form_id"`
	Direct bool   `json:"direct,omitempty"`

	version int64 // of the row
}

// Versions of the row of a file.
const (
	fileOpen   = 1 // a submission may take it
	fileOrphan = 2 // none can take it any more
	fileTaken  = 3 // a submission has a copy; the object of the direct upload is left to be removed
)

func (f *File) item(version int64) table.Item {
	return table.Item{Key: fileKey(f.ID), Version: version, Body: db.MustMarshal(f)}
}

// Object returns the key of the object that stays.
func (f *File) Object() string { return Prefix + f.FormID + "/" + f.ID }

// Unsent returns the key of the object that the visitor of a direct upload sends.
func (f *File) Unsent() string { return unsentPrefix + f.ID }

// Meta returns the headers of the object of a file. Browsers save it and do not show it.
func (f *File) Meta(kind string) blob.Meta {
	return blob.Meta{ContentType: kind, Disposition: upload.Attachment(f.Name), CacheControl: "private, no-store"}
}

// NewID returns an id of version 7 for a file that begins at a time.
func NewID(at time.Time) string {
	id := uuid.New()
	stamp := firstID(at)
	copy(id[:6], stamp[:6])
	id[6] = 0x70 | id[6]&0x0f
	return id.String()
}

// firstID is lower than the ids of all files that begin at a time or later.
func firstID(at time.Time) (id uuid.UUID) {
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli()))
	copy(id[:], ms[2:])
	return id
}

// Expires returns when no submission can take a file any more.
func Expires(id string) time.Time {
	return time.Unix(uuid.MustParse(id).Time().UnixTime()).Add(openTime)
}

// Find reads a lone file; db.ErrNotFound if there is none.
func Find(ctx context.Context, d *db.DB, id string) (*File, error) {
	item, err := d.Get(ctx, fileKey(id))
	if err != nil {
		return nil, err
	}
	return decodeFile(item)
}

func decodeFile(item *table.Item) (*File, error) {
	f := &File{version: item.Version}
	return f, db.Unmarshal(item.Body, f)
}

// IsOpen reports whether a submission may take a file.
func (f *File) IsOpen(now time.Time) bool { return f.version == fileOpen && now.Before(Expires(f.ID)) }

// Expect adds the rows of files that are about to be stored to a transaction. FILE_TOO_LARGE where the
// files of the form would have more than 1 GB.
func Expect(ctx context.Context, d *db.DB, tx *db.Tx, files ...*File) error {
	size := int64(0)
	for _, f := range files {
		size += f.Size
		tx.Create(f.item(fileOpen), db.ErrOvertaken)
	}
	return Count(ctx, d, tx, files[0].FormID, size)
}

// Take gives a file to the submission that a transaction creates. The commit fails if another submission
// or the sweeper has taken it.
func Take(tx *db.Tx, f *File) {
	op := table.Op{Kind: table.Delete, Item: table.Item{Key: fileKey(f.ID)}, If: table.VersionIs, Version: fileOpen}
	if f.Direct {
		op.Kind, op.Item = table.Put, f.item(fileTaken)
	}
	tx.Do(op, cms.Errorf(cms.CodeConflict, "The file %s is not there any more. Send it again.", f.Name))
}

// Drop adds the removal of the files of a submission to the transaction that removes it. Call Remove for each of
// them after the commit.
func Drop(ctx context.Context, d *db.DB, tx *db.Tx, formID string,
	stored []cms.StoredFile) (dropped []*File, err error) {
	size := int64(0)
	for _, file := range stored {
		f := &File{StoredFile: file, FormID: formID}
		tx.Put(f.item(fileOrphan))
		dropped, size = append(dropped, f), size-f.Size
	}
	if len(dropped) == 0 {
		return nil, nil
	}
	return dropped, Count(ctx, d, tx, formID, size)
}

// Count adds to the bytes of all files of a form. Submissions at the same moment may exceed the limit by
// their own files, since none waits for another.
func Count(ctx context.Context, d *db.DB, tx *db.Tx, formID string, delta int64) error {
	key := BytesKey(formID)
	item, err := d.Get(ctx, key)
	switch {
	case errors.Is(err, db.ErrNotFound) && delta < 0:
		return nil // the form is deleted
	case err != nil && !errors.Is(err, db.ErrNotFound):
		return err
	case item != nil && delta > 0 && item.Count+delta > maxFormBytes:
		return cms.Errorf(cms.CodeFileTooLarge, "This form takes no more files: it has %d bytes of at most %d.",
			item.Count, int64(maxFormBytes))
	}
	tx.Do(table.Op{Kind: table.Add, Item: table.Item{Key: key, Count: delta}}, nil)
	return nil
}
