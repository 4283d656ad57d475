package admin

import (
	"context"
	"time"

	"headless/pkg/access/accesstokens"
	"headless/pkg/app/function"
	"headless/pkg/app/function/secrets"
	"headless/pkg/rooms"
	"headless/pkg/seal"
	sealed "headless/pkg/secrets"
)

// resealPause is how often a process checks whether there are secrets to seal.
const resealPause = time.Minute

// newUpgrader returns a function that ends the access tokens of former versions, once in a process
// and after its second response, so that a cold start is cheap.
func newUpgrader(b *function.Base, tokens *accesstokens.Tokens) func(context.Context) {
	answers := 0 // a function handles one request at a time
	return func(ctx context.Context) {
		if answers++; answers != 2 {
			return
		}
		if err := tokens.Upgrade(ctx); err != nil && ctx.Err() == nil {
			b.Log.Error("access tokens", "error", err.Error())
			answers = 1 // again after the next response
		}
	}
}

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
