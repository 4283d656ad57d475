// Package hooks delivers events to the subscriptions of receivers (webhooks).
//
// Words:
//   - subscription: a receiver's URL, with the events that it wants and the secret that signs them.
//   - delivery: one event for one subscription. It is pending, delivered or failed.
//   - attempt: one request of a delivery, kept in its log.
//   - slot: the right to make one attempt at a receiver. The number of slots limits how many
//     workers a slow receiver can occupy.
//   - pipeline: how many events and deliveries the latest sweep found pending, lost or overdue.
//
// What always holds:
//   - An event leaves the outbox only in the transaction that creates its last deliveries. The id
//     of a delivery is derived from the event and the subscription. So a crash neither loses nor
//     duplicates a delivery.
//   - A delivery is sent at least once, with the same id and body each time, unless a person is erased
//     meanwhile (Rewrite).
//   - The row of a pending delivery says when the sweeper checks it. Messages only wake workers: a
//     lost message delays a delivery but does not lose it.
package hooks
