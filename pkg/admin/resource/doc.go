// Package resource makes the usual routes of one kind of item in the admin area: list, create,
// read, update and delete, as JSON and as pages.
//
// Words:
//   - Kind: one kind of item, as functions that list, read and change items and show them.
//   - Service: the use cases of one kind of item, which give a Kind those functions.
//   - version: a digest of an item as it was shown. JSON sends it as an ETag, forms in an input.
//
// What always holds: an update fails if the item changed after it was shown, unless the request
// names no version.
package resource
