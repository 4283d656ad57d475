package table

import "context"

type evadeKey struct{}

// WithEvasion lets a Write go around items that other transactions hold. An adapter that was
// refused for them calls evade, which may give other keys to operations of the Write, and tries
// again.
func WithEvasion(ctx context.Context, evade func()) context.Context {
	return context.WithValue(ctx, evadeKey{}, evade)
}

// Evade calls what WithEvasion set, and reports whether there is such. Adapters call it only where
// the refused transaction was certainly not applied.
func Evade(ctx context.Context) bool {
	evade, ok := ctx.Value(evadeKey{}).(func())
	if ok {
		evade()
	}
	return ok
}
