package assets

import (
	"context"
	"errors"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// A record and its object cannot change in one transaction. So a check is stored before an object
// is written, and in the transaction that deletes its record. At the time of the check, the sweeper
// removes the object if it has no record. A record is only committed together with the removal of
// its check. So every record has its object, and no object without a record stays.
//
// The temporary object of a direct upload is different, because the client may write it until the
// upload expires. So the commit of the record keeps the check, which later removes only this
// object.

// ObjectCheck says when to check whether an object has a record.
type ObjectCheck struct {
	ID       string // of the media file, or the name of a ContentSwap
	Orphan   bool   // the object has no record, and can get none any more
	Incoming bool   // the object has a record: only the temporary object is to be removed

	swap bool // see ContentSwap
	seen bool // the object of a deleted file was still there; see Media.lookAt
	due  time.Time
}

const (
	checkOpen     = 1 // versions of the row
	checkOrphan   = 2
	checkIncoming = 3
	checkSwap     = 4 // a committed ContentSwap
	checkSeen     = 5 // an orphan whose object was still there; see Media.lookAt
)

func (c ObjectCheck) key() table.Key { return mediaCheckKey(c.due, c.ID) }

// expectObject stores a check for an object that is about to be written.
func (s *Store) expectObject(ctx context.Context, id string, due cms.Time) (ObjectCheck, error) {
	c := ObjectCheck{ID: id, due: due.Time}
	return c, s.Table.BatchWrite(ctx, []table.Item{{Key: c.key(), Version: checkOpen}}, nil)
}

var errObjectSwept = &cms.Error{Code: cms.CodeUnavailable, RetryAfter: time.Second,
	Message: "The upload took too long. Try again."}

// keepObject ends a check in the transaction that creates the object's record. The commit fails if
// the object was marked as an orphan.
func keepObject(t *db.Tx, c ObjectCheck) {
	t.Do(table.Op{Kind: table.Delete, Item: table.Item{Key: c.key()}, If: table.VersionIs,
		Version: checkOpen}, errObjectSwept)
}

// RemoveObject marks an object as an orphan in the transaction that deletes its record. The sweeper
// removes it at due, unless the request already has.
func RemoveObject(t *db.Tx, id string, due cms.Time) ObjectCheck {
	c := ObjectCheck{ID: id, Orphan: true, due: due.Time}
	t.Put(table.Item{Key: c.key(), Version: checkOrphan})
	return c
}

// dueObjects lists up to limit checks that are due, the earliest first.
func (s *Store) dueObjects(ctx context.Context, before time.Time, limit int) ([]ObjectCheck, error) {
	rows, err := s.Table.Query(ctx, table.Range{Partition: mediaCheckPartition,
		To: db.TimeBytes(before), Limit: limit})
	checks := make([]ObjectCheck, len(rows))
	for i, row := range rows {
		checks[i] = ObjectCheck{
			ID: row.Sort[8:], Orphan: row.Version == checkOrphan || row.Version == checkSeen,
			Incoming: row.Version == checkIncoming, swap: row.Version == checkSwap,
			seen: row.Version == checkSeen, due: db.TimeOf(row.Sort).Time,
		}
	}
	return checks, err
}

// markOrphan marks an object for removal and ends its direct upload, so that no record can use it
// any more. If there is a record, which another upload of the same id made, only the temporary object is marked. It
// reports false if the upload has ended meanwhile.
func (s *Store) markOrphan(ctx context.Context, c *ObjectCheck) (bool, error) {
	if c.Orphan {
		return true, nil
	}
	tx := s.Begin()
	tx.Delete(directUploadKey(c.ID))
	_, err := s.Media(ctx, c.ID)
	if db.Missing(err, nil) != nil {
		return false, err
	}
	mark := int64(checkIncoming)
	if c.Incoming = err == nil; !c.Incoming {
		mark = checkOrphan
		tx.RequireAbsent(mediaKey(c.ID), db.ErrOvertaken)
	}
	tx.Replace(table.Item{Key: c.key(), Version: mark}, checkOpen)
	err = s.Commit(ctx, tx)
	if errors.Is(err, db.ErrOvertaken) {
		return false, nil
	}
	return err == nil, err
}

// Unowned returns the ids that have neither a record nor a direct upload.
func (s *Store) Unowned(ctx context.Context, ids ...string) ([]string, error) {
	var keys []table.Key
	for _, id := range ids {
		keys = append(keys, directUploadKey(id), mediaKey(id))
	}
	items, err := s.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	var unowned []string
	for i, id := range ids {
		if items[2*i] == nil && items[2*i+1] == nil {
			unowned = append(unowned, id)
		}
	}
	return unowned, nil
}

// objectSweep is the progress of the comparison of objects with records.
type objectSweep struct {
	After string   `json:"after"` // key of the last object that was compared
	Ended cms.Time `json:"ended"` // when the last round ended
}

// objectSweep reads the progress. It is zero before the first round.
func (s *Store) objectSweep(ctx context.Context) (objectSweep, error) {
	p, _, err := db.Find[objectSweep](ctx, s.DB, mediaSweepKey())
	return p, err
}

// putObjectSweep stores the progress.
func (s *Store) putObjectSweep(ctx context.Context, p objectSweep) error {
	return s.Table.BatchWrite(ctx, []table.Item{{Key: mediaSweepKey(), Body: db.MustMarshal(p)}}, nil)
}
