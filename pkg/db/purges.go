package db

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Purge is an order to remove answers from caches. Its row is written with the change and kept
// until the cache has accepted the order (extensions §8).
type Purge struct {
	ID        string   `json:"id"` // time-ordered UUID
	Tags      []string `json:"tags"`
	All       bool     `json:"all"` // everything, whatever the tags
	CreatedAt cms.Time `json:"created_at"`
	// Files are the ids of media files whose address leads to other content, or to none.
	Files []string `json:"files,omitempty"`
	// Asked says that a user asked for the purge. It is sent even if there is no publishable key.
	Asked bool `json:"asked,omitempty"`

	key table.Key
}

// PurgePrefix begins the partition of every purge row, for the filter of the table's stream.
const PurgePrefix = "PURGE#"

func purgePartition(shard int) string { return PurgePrefix + strconv.Itoa(shard) }

// Touch notes tags whose cached answers may differ after this transaction.
func (t *Tx) Touch(tags ...string) {
	for _, tag := range tags {
		if !slices.Contains(t.touched.Tags, tag) {
			t.touched.Tags = append(t.touched.Tags, tag)
		}
	}
}

// TouchAll notes that every cached answer is to be removed.
func (t *Tx) TouchAll() { t.touched.All = true }

// TouchFile notes that the address of a media file leads to other content, or to none.
func (t *Tx) TouchFile(id string) { t.touched.Files = append(t.touched.Files, id) }

// AskPurge notes that a user asked for the purge of this transaction.
func (t *Tx) AskPurge() { t.touched.Asked = true }

// putPurge adds the purge row of the touched tags, so it is written with the change or not at all.
func (t *Tx) putPurge() {
	if len(t.touched.Tags) == 0 && !t.touched.All && len(t.touched.Files) == 0 {
		return
	}
	if t.touched.Tags == nil {
		t.touched.Tags = []string{}
	}
	t.touched.ID, t.touched.CreatedAt = uuid.Must(uuid.NewV7()).String(), t.Time
	t.Put(table.Item{Key: table.Key{Partition: purgePartition(t.Shard), Sort: t.touched.ID},
		Body: MustMarshal(t.touched)})
}

// Purge returns the purge of the transaction. It is complete only after the commit.
func (t *Tx) Purge() Purge { return t.touched }

// OnPurge sets a function that is called after each commit that touched tags, before the request is
// answered. Set it before the first commit. It must not block.
func (s *DB) OnPurge(call func(Purge)) { s.onPurge = call }

// decodePurge reads a purge row.
func decodePurge(item table.Item) (Purge, error) {
	p := Purge{key: item.Key}
	return p, json.Unmarshal(item.Body, &p)
}

// Purges lists up to limit purges that no cache has accepted yet, the oldest first. It reads one shard
// after the other, as timers does.
func (s *DB) Purges(ctx context.Context, limit int) ([]Purge, error) {
	parts, err := s.QueryShards(ctx, purgePartition, table.Range{Limit: limit}, 1)
	if err != nil {
		return nil, err
	}
	rows := slices.Concat(parts...)
	cms.Sort(rows, func(a, b table.Item) int { return strings.Compare(a.Key.Sort, b.Key.Sort) })
	list := make([]Purge, min(limit, len(rows)))
	for i := range list {
		if list[i], err = decodePurge(rows[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}
