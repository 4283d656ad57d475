package admin

import (
	"context"
	"time"

	"headless/pkg/app/function"
	"headless/pkg/app/function/secrets"
	"headless/pkg/rooms"
	"headless/pkg/seal"
	sealed "headless/pkg/secrets"
)

// resealPause is how often a process checks whether there are secrets to seal.
const resealPause = time.Minute

// newResealer returns a function that seals secrets after a response. The admin function does it,
// since the sweeper may not read users. The first response of a process does nothing, so that a cold
// start is cheap.
func newResealer(b *function.Base, keys *seal.Keys) func(context.Context) {
	if keys == nil {
		return func(context.Context) {}
	}
	task := sealed.Resealer{Stores: rooms.Open(b.Keys), Keys: keys, KMSKey: secrets.KMSKey(b), Log: b.Log}
	started, last := false, time.Time{} // a function handles one request at a time
	return func(ctx context.Context) {
		if !started {
			started = true
			return
		}
		if time.Since(last) < resealPause {
			return
		}
		last = time.Now()
		if err := task.Run(ctx); err != nil && ctx.Err() == nil {
			b.Log.Error("secrets", "error", err.Error())
		}
	}
}
