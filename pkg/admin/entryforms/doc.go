// Package entryforms reads what the form of an entry sent, and merges it field by field with what
// others saved since the form was made.
package entryforms
