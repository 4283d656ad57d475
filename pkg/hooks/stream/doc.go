// Package stream sends the activity log to the subscriptions that follow it (activity.recorded,
// extensions §11).
//
// Words: a stream is one such subscription with its place in the log.
//
// What always holds: records are sent one after the other in the order of the log, each until the
// receiver has answered it, so none is left out. The place is stored after some records and after
// each failure. After a crash, the records since then are sent again with the same ids and
// sequences. The log itself is what waits: a stream stores no deliveries and no attempts, and costs
// nothing while no subscription follows the log.
package stream
