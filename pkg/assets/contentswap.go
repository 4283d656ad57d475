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

// checkSwap is the version of the row of a ContentSwap among the checks of objects.
const checkSwap = 4

// ContentSwap is a file whose new content waits at a place of its own until it takes the place of
// the old one. The row is committed with the new record, so that a crash in between is repaired by
// the sweeper.
type ContentSwap struct {
	FileID string
	Token  string // names the new content; the record has it until the swap is done
	due    time.Time
}

func (c ContentSwap) key() table.Key { return mediaCheckKey(c.due, c.FileID+"."+c.Token) }

// SwapContent commits the record of a file together with a row for the pending swap of its content.
// The sweeper completes the swap if that is still open when it is due.
func SwapContent(t *db.Tx, m Asset, due cms.Time) ContentSwap {
	c := ContentSwap{FileID: m.ID, Token: m.Swap, due: due.Time}
	PutMedia(t, m)
	t.Put(table.Item{Key: c.key(), Version: checkSwap})
	return c
}

// EndSwap ends a swap whose content has taken its place. It does nothing where the record was
// deleted.
func (s *Store) EndSwap(ctx context.Context, c ContentSwap) error {
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
		PutMedia(tx, *m)
		tx.Delete(c.key())
		return s.Commit(ctx, tx)
	})
}

// Swap is the content swap that a check stands for; false for other checks.
func (c ObjectCheck) Swap() (ContentSwap, bool) {
	id, token, ok := strings.Cut(c.ID, ".")
	return ContentSwap{FileID: id, Token: token, due: c.due}, ok
}
