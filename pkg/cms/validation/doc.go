// Package validation finds the problems in the definition of a model, in an entry, and in a patch
// of an entry.
//
// Every function returns all problems at once, by dotted path, and changes nothing. The use cases
// check what needs the storage, such as whether a slug is free.
package validation
