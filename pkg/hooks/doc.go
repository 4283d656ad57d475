// Package hooks delivers events to the subscriptions of receivers (webhooks).
//
// Words:
//   - subscription: a receiver's address with the events that it wants and the secret that signs
//     them.
//   - delivery: one event for one subscription. It is pending, delivered or failed.
//   - attempt: one request of a delivery, kept in its log.
//   - slot: the right to make one attempt at a receiver. The number of slots bounds what a slow
//     receiver can occupy.
//   - pipeline: what the latest sweep found between the outbox and the receivers.
//
// What always holds:
//   - An event leaves the outbox only in the transaction that creates its last deliveries, whose
//     ids follow from the event and the subscription. So a crash neither loses nor doubles one.
//   - A delivery is made at least once, with the same id and body each time.
//   - The row of a pending delivery says when to look at it. Messages only wake workers; a lost
//     message costs time.
//
// It may import site, input, db, the queue port and its own package webhook, which signs requests
// and guards addresses.
package hooks
