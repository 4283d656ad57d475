// Package promoting is cms promote. It copies a service, or one release of it, to another service.
//
// A release is copied with what its entries refer to. Entries that the other service has get a
// draft, so that nothing is public before the release is published there.
package promoting
