package db

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"time"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// How long a first request may run before a repeat takes over, and how long its answer is kept
// (extensions §1).
const (
	onceLease = time.Minute
	onceDays  = 24 * time.Hour
	// maxOnceBody is the largest answer that is kept, in bytes, compressed. For a larger one, only
	// the fact that the request was done is kept.
	maxOnceBody = 300 * 1024
)

// OnceAnswer is the answer that a request with an Idempotency-Key got.
type OnceAnswer struct {
	Print  string            `json:"print"` // of the request: its address and body
	Status int               `json:"status"`
	Header map[string]string `json:"header,omitempty"`
	Body   []byte            `json:"body"`
}

// onceDoc is the row of a request with an Idempotency-Key.
type onceDoc struct {
	Started   cms.Time    `json:"started"`
	Committed bool        `json:"committed"` // the request changed something
	Answer    *OnceAnswer `json:"answer,omitempty"`
}

// Once is the running first request with an Idempotency-Key.
type Once struct {
	// Answer makes the answer from the result of a transaction (Tx.Made). The answer is stored in that transaction, so a
	// crash cannot separate the two. If the table is unavailable for it, the transaction is not committed; after another
	// error it is committed without the answer.
	Answer  func(made any) (*OnceAnswer, error)
	s       *DB
	key     table.Key
	doc     onceDoc
	version int64
}

type onceContext struct{}

// ErrRunning is returned if the first request with a key is still running, or its answer was lost.
var ErrRunning = errors.New("db: the first request has no answer")

func onceKey(keyID, name string) table.Key {
	sum := sha256.Sum256([]byte(name))
	return table.Key{Partition: "ONCE#" + keyID + "#" + hex.EncodeToString(sum[:16]), Sort: "o"}
}

// BeginOnce begins the first request of an API key under a name, which is the Idempotency-Key. If
// there was one before, it returns the answer to that, or ErrRunning if there is none yet.
func (s *DB) BeginOnce(ctx context.Context, keyID, name string) (*Once, *OnceAnswer, error) {
	// The version of the row is unique, so that no other request ends this one.
	o := &Once{s: s, key: onceKey(keyID, name), doc: onceDoc{Started: s.Now()}, version: rand.Int64()}
	first, err := table.TryWrite(ctx, s.Table, table.Op{Kind: table.Put, Item: o.item(), If: table.Absent})
	if err != nil {
		_ = o.Drop(context.WithoutCancel(ctx)) // it may have begun
	}
	if first || err != nil {
		return o, nil, err
	}
	row, err := s.Get(ctx, o.key)
	if err != nil {
		return nil, nil, Missing(err, ErrRunning) // it has just ended without an answer
	}
	var found onceDoc
	if err := Unmarshal(row.Body, &found); err != nil {
		return nil, nil, err
	}
	if found.Answer != nil {
		return nil, found.Answer, nil
	}
	if found.Committed || !s.Abandoned(found.Started.Time) && s.Now().Sub(found.Started.Time) < onceLease {
		return nil, nil, ErrRunning
	}
	tookOver, err := table.TryWrite(ctx, s.Table,
		table.Op{Kind: table.Put, Item: o.item(), If: table.VersionIs, Version: row.Version})
	switch {
	case err != nil:
		_ = o.Drop(context.WithoutCancel(ctx))
	case !tookOver:
		err = ErrRunning
	}
	return o, nil, err
}

func (o *Once) item() table.Item {
	return table.Item{Key: o.key, Version: o.version, Body: PackBytes(MustMarshal(o.doc)),
		Expires: o.s.Now().Add(onceDays).Unix()}
}

// Context returns a context in which commits with a result (Tx.Made) record that the request changed
// something, so that it is not done twice after a crash.
func (o *Once) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, onceContext{}, o)
}

// BeforeOnce returns a context for commits that come before the one that does what the request asks for.
// They record nothing for its Idempotency-Key, so a repeat after a crash does the rest.
func BeforeOnce(ctx context.Context) context.Context {
	return context.WithValue(ctx, onceContext{}, nil)
}

// noteOnce adds to a transaction the record of the request with an Idempotency-Key that runs in
// ctx, if there is one: that something was changed, and the answer. A transaction without a result
// only prepares the change, so a repeat after a crash does the rest. The returned function must be
// called with the error of the commit.
func noteOnce(ctx context.Context, ops []table.Op, made any) (_ []table.Op, _ func(error), err error) {
	o, ok := ctx.Value(onceContext{}).(*Once)
	if !ok || made == nil || len(ops) >= table.MaxOps {
		return ops, func(error) {}, nil
	}
	next := *o
	next.doc.Committed, next.version = true, o.version+1
	next.doc.Answer, err = o.Answer(made)
	if errors.Is(err, table.ErrUnavailable) {
		return nil, nil, err
	}
	if err != nil || len(next.item().Body) > maxOnceBody {
		next.doc.Answer = nil
	}
	op := table.Op{Kind: table.Put, Item: next.item(), If: table.VersionIs, Version: o.version}
	return append(ops[:len(ops):len(ops)], op), func(err error) {
		if err == nil {
			o.doc, o.version = next.doc, next.version
		}
	}, nil
}

// Keep stores the answer and ends the request, unless a commit has stored the answer already.
func (o *Once) Keep(ctx context.Context, a OnceAnswer) error {
	if o.doc.Answer != nil {
		return nil
	}
	done := *o
	done.doc.Answer = &a
	done.version++
	item := done.item()
	if len(item.Body) > maxOnceBody {
		done.doc.Answer, done.doc.Committed = nil, true
		item = done.item()
	}
	return o.writeEnd(ctx, table.Op{Kind: table.Put, Item: item, If: table.VersionIs, Version: o.version})
}

// Drop ends the request without an answer, so a repeat counts as a first request. If a commit has
// stored the answer, a repeat still gets it.
func (o *Once) Drop(ctx context.Context) error {
	if o.doc.Answer != nil {
		return nil
	}
	return o.writeEnd(ctx, table.Op{Kind: table.Delete, Item: table.Item{Key: o.key},
		If: table.VersionIs, Version: o.version})
}

// writeEnd ends the request, unless a repeat has taken over.
func (o *Once) writeEnd(ctx context.Context, op table.Op) error {
	return o.s.Finish(ctx, func() error {
		_, err := table.TryWrite(ctx, o.s.Table, op)
		return err
	})
}
