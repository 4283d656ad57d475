package access

import (
	"context"
	"errors"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// SignIns are the recent wrong tries to sign in of one bucket, such as an account and an address, whether the account exists or not.
type SignIns struct {
	Tries       []cms.Time `json:"tries"`
	LockedUntil cms.Time   `json:"locked_until"`
	bucket      string
	version     int64
}

// SignIns reads the tries of a bucket, given by a hash.
func (s *Store) SignIns(ctx context.Context, bucket string) (SignIns, error) {
	v := SignIns{bucket: bucket}
	item, err := s.Get(ctx, signInsKey(bucket))
	if errors.Is(err, db.ErrNotFound) {
		return v, nil
	}
	if err != nil {
		return v, err
	}
	v.version = item.Version
	return v, db.Unmarshal(item.Body, &v)
}

// PutSignIns replaces the tries as they were read; they are forgotten at expires.
func PutSignIns(t *db.Tx, v SignIns, expires cms.Time) {
	item := table.Item{Key: signInsKey(v.bucket), Version: v.version + 1, Body: packed("tries", v), Expires: expires.Unix() + 1}
	if v.version == 0 {
		t.Create(item, db.ErrOvertaken)
		return
	}
	t.Replace(item, v.version)
}

// ClearSignIns forgets the tries of a bucket.
func ClearSignIns(t *db.Tx, bucket string) { t.Delete(signInsKey(bucket)) }

// CountTry adds n, which may be negative, to the tries of an account in a window of time; ok is false past the limit.
func (s *Store) CountTry(ctx context.Context, account string, n, limit int64, window time.Duration) (ok bool, err error) {
	now := s.Clock()
	_, err = s.Table.Add(ctx, accountTriesKey(account, now.Unix()/int64(window.Seconds())), n, limit, now.Add(2*window).Unix())
	if errors.Is(err, table.ErrLimit) {
		return false, nil
	}
	return err == nil, err
}

// KnownBrowser reports whether a browser, by the hash of its cookie, has signed in to an account before.
func (s *Store) KnownBrowser(ctx context.Context, userID, browserHash string) (bool, error) {
	item, err := s.Get(ctx, browserKey(userID, browserHash))
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	return err == nil && s.Clock().Unix() < item.Expires, err
}

// PutBrowser remembers a browser from which a user has signed in.
func PutBrowser(t *db.Tx, userID, browserHash string, expires time.Time) {
	t.Put(table.Item{Key: browserKey(userID, browserHash), Body: []byte("1"), Expires: expires.Unix()})
}
