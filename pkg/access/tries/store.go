package tries

import (
	"context"
	"errors"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// wrongTries are the recent wrong tries of one bucket. They are counted even if the account does
// not exist.
type wrongTries struct {
	Tries       []cms.Time `json:"tries"`
	LockedUntil cms.Time   `json:"locked_until"`
	bucket      string
	version     int64
}

// readWrong reads the tries of a bucket.
func (l Limits) readWrong(ctx context.Context, bucket string) (wrongTries, error) {
	v, version, err := db.Find[wrongTries](ctx, l.DB, bucketKey(bucket))
	v.bucket, v.version = bucket, version
	return v, err
}

// putWrong replaces the tries that were read; they expire at expires.
func putWrong(t *db.Tx, v wrongTries, expires cms.Time) {
	item := table.Item{Key: bucketKey(v.bucket), Body: db.Pack(v), Expires: expires.Unix() + 1}
	t.Save(item, v.version)
}

func clearWrong(t *db.Tx, bucket string) { t.Delete(bucketKey(bucket)) }

// addTries adds n, which may be negative, to the tries in a window of time; ok is false above the limit.
func (l Limits) addTries(ctx context.Context, counted string, n, limit int64,
	window time.Duration) (ok bool, err error) {
	now := l.Clock()
	_, err = l.Table.Add(ctx, windowKey(counted, now.Unix()/int64(window.Seconds())), n, limit,
		now.Add(2*window).Unix())
	if errors.Is(err, table.ErrLimit) {
		return false, nil
	}
	return err == nil, err
}

// isKnown reports whether a mark, which is a browser's cookie or a networkMark, has signed in to an
// account before.
func (l Limits) isKnown(ctx context.Context, userID, mark string) (bool, error) {
	item, err := l.Get(ctx, browserKey(userID, db.TokenHash(mark)))
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	return err == nil && l.Clock().Unix() < item.Expires, err
}

// Remember marks the browser and network of a sign-in as known.
func Remember(t *db.Tx, userID, browser, network string) {
	for _, mark := range []string{browser, networkMark(network)} {
		t.Put(table.Item{Key: browserKey(userID, db.TokenHash(mark)), Body: []byte("1"),
			Expires: t.At().Add(browserTime).Unix()})
	}
}

// networkMark is the mark of a network. A browser's cookie has no line break, so the two cannot be
// equal.
func networkMark(network string) string { return "network\n" + network }
