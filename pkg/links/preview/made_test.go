package preview

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// TestEndByUser: the links of a user end, though others have made more since than lists show.
func TestEndByUser(t *testing.T) {
	file, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	t.Cleanup(func() { file.Close() })
	l := Links{Entries: &editing.Entries{Store: rooms.New(file, time.Now).Content}}
	var rows []table.Item
	var of []string
	for i := range maxListed + 2 {
		tx, by := l.Entries.Store.Begin(), "others"
		if i == 0 {
			by = "leaving"
		}
		link := Token{LinkID: uuid.Must(uuid.NewV7()).String(), Expires: time.Now().Add(time.Hour)}
		putLink(tx, link, madeLink{By: cms.Actor{UserID: by}})
		rows, of = append(rows, tx.Ops[0].Item), append(of, link.LinkID)
	}
	must.Do(t, file.BatchWrite(t.Context(), rows, nil))
	must.Do(t, l.EndByUser(t.Context(), "leaving"))
	left, err := file.Get(t.Context(), table.Strong, linkKey(of[0]), linkKey(of[1]))
	if err != nil || left[0] != nil || left[1] == nil {
		t.Errorf("left are %v, %v", left, err)
	}
}
