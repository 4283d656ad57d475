// Package promoting is cms promote: it copies a service to another one, or one release of it.
//
// A release is copied with what its entries refer to. Entries that the other service has get a
// draft, so that nothing is public before the release is published there.
package promoting
