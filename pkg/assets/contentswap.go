package assets

import (
	"context"
	"errors"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// checkSwap is the version of a row that marks a ContentSwap among the object checks.
const checkSwap = 4

// ContentSwap is a pending replacement of a file's content. The new content is stored under a
// temporary key until it replaces the old one. The row is committed with the new record, so that
// the sweeper can complete the swap after a crash.
type ContentSwap struct {
	FileID string
	Token  string // part of the temporary key; the record has it until the swap is done
	due    time.Time
}

func (c ContentSwap) key() table.Key { return mediaCheckKey(c.due, c.FileID+"."+c.Token) }

// SwapContent commits the record of a file together with a row for the pending swap of its content.
// If the swap is still pending when it is due, the sweeper completes it.
func SwapContent(t *db.Tx, m Asset, due cms.Time) ContentSwap {
	c := ContentSwap{FileID: m.ID, Token: m.Swap, due: due.Time}
	PutMedia(t, m, true)
	t.Put(table.Item{Key: c.key(), Version: checkSwap})
	return c
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
	id, token, ok := strings.Cut(c.ID, ".")
	return ContentSwap{FileID: id, Token: token, due: c.due}, ok
}
