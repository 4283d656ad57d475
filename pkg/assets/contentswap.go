package assets

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// swapTime is how long a replacement may take until the commit of its record, and when the sweeper completes one
// whose request did not.
const swapTime = 15 * time.Minute

// ContentSwap is a pending replacement of a file's content. The new content is stored under a
// temporary key until it replaces the old one. Its row is an object check until the commit of the new record, by
// which the sweeper removes content without a record. The commit makes it the row of a swap, which the sweeper
// completes after a crash.
type ContentSwap struct {
	FileID string
	Token  string // part of the temporary key; the record has it until the swap is done
	due    time.Time
}

func (c ContentSwap) name() string { return c.FileID + "." + c.Token }

func (c ContentSwap) key() table.Key { return mediaCheckKey(c.due, c.name()) }

// expectContent stores the row of new content that is about to be written.
func (s *Store) expectContent(ctx context.Context, fileID string) (ContentSwap, error) {
	c := ContentSwap{FileID: fileID, Token: uuid.NewString(), due: s.Now().Add(swapTime)}
	_, err := s.expectObject(ctx, c.name(), cms.At(c.due))
	return c, err
}

// beginSwap commits the record of a file together with the swap of its content. The commit fails if the sweeper has
// marked the content as an orphan.
func beginSwap(t *db.Tx, m Asset, c ContentSwap) {
	PutMedia(t, m, true)
	t.Do(table.Op{Kind: table.Put, Item: table.Item{Key: c.key(), Version: checkSwap}, If: table.VersionIs,
		Version: checkOpen}, errObjectSwept)
}

// endSwap ends a swap after the new content was copied. If the record was deleted or has another
// token, it only removes the row.
func (s *Store) endSwap(ctx context.Context, c ContentSwap) error {
	return s.Retry(ctx, func() error {
		m, err := s.Media(ctx, c.FileID)
		if errors.Is(err, db.ErrNotFound) || err == nil && m.Swap != c.Token {
			return s.Table.BatchWrite(ctx, nil, []table.Key{c.key()})
		}
		if err != nil {
			return err
		}
		tx := s.Begin()
		m.Swap = ""
		PutMedia(tx, *m, true)
		contentChanged(tx, m.ID)
		tx.Delete(c.key())
		return s.Commit(ctx, tx)
	})
}

// Swap returns the content swap of a check; ok is false for other checks.
func (c ObjectCheck) Swap() (swap ContentSwap, ok bool) {
	id, token, _ := strings.Cut(c.ID, ".")
	return ContentSwap{FileID: id, Token: token, due: c.due}, c.swap
}
