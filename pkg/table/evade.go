package table

import "context"

type evadeKey struct{}

// WithEvasion lets a Write avoid items that other transactions have locked. An adapter whose
// transaction was refused for that reason calls evade, which may change the keys of operations of
// the Write, and retries.
func WithEvasion(ctx context.Context, evade func()) context.Context {
	return context.WithValue(ctx, evadeKey{}, evade)
}

// Evade calls the function of WithEvasion and reports whether there is one. Adapters call it only
// if the refused transaction was certainly not applied.
func Evade(ctx context.Context) bool {
	evade, ok := ctx.Value(evadeKey{}).(func())
	if ok {
		evade()
	}
	return ok
}
