// Package bundle gathers the entry events of a subscription with bundle_seconds and sends them in
// one delivery (extensions §7).
//
// Words:
//   - window: the time in which events are gathered. The first event opens it; a timer ends it.
//   - fence: the item that orders the deliveries of a subscription's bundles.
//
// What always holds: an event is a row from its dispatch until the delivery that holds it exists,
// so a crash loses none. Each delivery names the rows that it took, so a crash sends none twice. An event that is
// dispatched again after another window may be in two deliveries.
package bundle

import "headless/pkg/hooks"

// Bundles gathers events and makes the deliveries of bundles.
type Bundles struct {
	*hooks.Deliveries
}
