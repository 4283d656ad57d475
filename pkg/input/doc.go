// Package input has what the use cases of all rooms share: it decodes the bodies of changes, from
// JSON and from HTML forms, and has preconditions, checks of names and permissions, and the words
// of NOT_FOUND.
//
// It may import db and cms.
package input
