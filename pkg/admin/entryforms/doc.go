// Package entryforms reads the form of an entry, and merges it field by field with the changes that
// others saved after the form was opened.
package entryforms
