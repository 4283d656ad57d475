// Package validation finds what is wrong with the definition of a model, with an entry, and with a
// patch of one.
//
// Every function returns all problems at once, by dotted path, and changes nothing. What only the
// store can tell, such as whether a slug is free, is for the use cases to see.
package validation
