package db

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"time"

	"headless/pkg/table"
)

// FeedDays is how long changes stay in the feed (extensions §8, sync).
const FeedDays = 90

// FeedMedia is the feed of media files; each model has one under its id.
const FeedMedia = "media"

// Change is a line of a feed: something that the public saw before the change, sees after it, or
// both.
type Change struct {
	ID     string `json:"i"`           // of the entry, file or folder
	Folder bool   `json:"f,omitempty"` // a folder was renamed; its files show the name
	Locale string `json:"l,omitempty"` // of the entry before the change; of a new one, after it
	Pos    string `json:"-"`           // its position in the feed
}

// feedLine is a change with the feed that it goes to.
type feedLine struct {
	feed string
	Change
}

func feedPartition(feed string) string { return "FEED#" + feed }

// AddChange adds a line to a feed when the transaction commits.
func (t *Tx) AddChange(feed string, c Change) { t.feeds = append(t.feeds, feedLine{feed, c}) }

// putFeeds adds the lines of the feeds. Their position is the time of the commit, not that of the
// change, so that a reader has to look back only for the time that a commit may take (see
// FeedSettled).
func (t *Tx) putFeeds() {
	for _, line := range t.feeds {
		now := t.DB.Clock()
		var random [4]byte
		_, _ = rand.Read(random[:]) // never fails
		t.Put(table.Item{
			Key:  table.Key{Partition: feedPartition(line.feed), Sort: TimeBytes(now) + string(random[:])},
			Body: MustMarshal(line.Change), Expires: now.Add(FeedDays * 24 * time.Hour).Unix(),
		})
	}
}

// FeedSettled is the age of a position of a feed from which no new line can appear before it:
// longer than a commit takes, with its retries and the difference between clocks.
const FeedSettled = 30 * time.Second

// FeedPos returns the position of a time in any feed.
func FeedPos(t time.Time) string { return TimeBytes(t) }

// FeedTime returns the time of a position of a feed.
func FeedTime(pos string) time.Time { return TimeOf(pos).Time }

// Feed reads up to limit lines of a feed after a position, in order.
func (s *DB) Feed(ctx context.Context, feed, after string, limit int) ([]Change, error) {
	items, err := s.Table.Query(ctx, table.Range{Partition: feedPartition(feed), From: after + "\x00", Limit: limit})
	if err != nil {
		return nil, err
	}
	lines := make([]Change, len(items))
	for i, item := range items {
		lines[i].Pos = item.Sort
		if err := json.Unmarshal(item.Body, &lines[i]); err != nil {
			return nil, err
		}
	}
	return lines, nil
}
